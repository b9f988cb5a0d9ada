"""Thumbnails of files, made in the background."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.quads import quad
from viewer.app import panel_textures
from viewer.app.panel_textures import SMALL, WAITING, PanelTextures
from viewer.app.tasks import Tasks
from viewer.gpu.shader import Composer
from viewer.scene.material import Material
from viewer.scene.reading_context import DEFAULT
from viewer.storage.image import save_png
from viewer.view.view_info import PanelPicture, Preview


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, size in (("wide", (50, 400)), ("tiny", (2, 2)), ("other", (4, 4))):
        save_png(tmp_path / f"{name}.png", np.full((*size, 4), 255, np.uint8))
    (tmp_path / "broken.png").write_bytes(b"no image")
    return tmp_path


QUAD = quad(Material("m"))


def made(pictures: PanelTextures, path: Path) -> Preview:
    end = time.monotonic() + 60
    while (preview := pictures.preview(str(path), DEFAULT)) == WAITING:
        assert time.monotonic() < end
        pictures._previews._tasks.step()
    return preview


def test_a_file_becomes_a_small_picture_later(ctx: Any, folder: Path) -> None:
    pictures = PanelTextures(Composer(ctx), QUAD, {}, Tasks())
    assert pictures.preview(str(folder / "wide.png"), DEFAULT) == WAITING
    preview = made(pictures, folder / "wide.png")
    assert isinstance(preview, PanelPicture) and preview.size[0] <= SMALL and preview.size[1] < SMALL // 4
    assert pictures.preview(str(folder / "wide.png"), DEFAULT) is preview
    pictures.release()


def test_a_file_that_is_no_image_has_its_reason(ctx: Any, folder: Path) -> None:
    pictures = PanelTextures(Composer(ctx), QUAD, {}, Tasks())
    assert "not an image" in str(made(pictures, folder / "broken.png"))
    assert "cannot be read" in str(made(pictures, folder / "missing.png"))
    pictures.release()


def test_the_picture_asked_for_longest_ago_is_released(
    ctx: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel_textures, "KEPT_THUMBNAILS", 2)
    pictures = PanelTextures(Composer(ctx), QUAD, {}, Tasks())
    first = made(pictures, folder / "tiny.png")
    made(pictures, folder / "other.png")
    assert made(pictures, folder / "tiny.png") is first
    made(pictures, folder / "wide.png")
    assert len(pictures._textures) == 2
    assert pictures.preview(str(folder / "tiny.png"), DEFAULT) is first
    assert pictures.preview(str(folder / "other.png"), DEFAULT) == WAITING
    pictures.release()
