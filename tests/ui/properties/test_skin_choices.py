"""The thumbnails of skins, in the whole window."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from tests import m2_files
from tests.desktop import Desktop
from viewer.scene.items import TextureItem
from viewer.scene.reading_context import DEFAULT
from viewer.storage.image import save_png
from viewer.view.view_info import PanelPicture

COLORS = {"MadeSkin.blp": (255, 0, 0, 255), "MadeSkinBlue.blp": (0, 0, 255, 255), "Other.blp": (9, 9, 9, 255)}


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """A creature with two skins that fit by name, and the page of its texture."""
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(textures=[{"type": 11}]))
    for name, color in COLORS.items():
        save_png(tmp_path / name, np.full((2, 2, 4), color, np.uint8))
    made = Desktop(ctx, path)
    made.state.view.selection.pick(TextureItem(0))
    made.frames(3)
    yield made
    made.close()


def shown(desktop: Desktop) -> dict[str, tuple[float, float]]:
    """The files with thumbnails, and the middle of each."""
    found: dict[str, tuple[float, float]] = {}
    draw = imgui.invisible_button

    def noting(name: str, *more: Any) -> Any:
        result = draw(name, *more)
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        if name.endswith(".blp"):
            found[Path(name).name] = (low.x + high.x) / 2, (low.y + high.y) / 2
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imgui, "invisible_button", noting)
        desktop.frames(1)
    return found


def test_fitting_files_are_shown_and_their_pictures_are_made(desktop: Desktop) -> None:
    assert list(shown(desktop)) == ["MadeSkin.blp", "MadeSkinBlue.blp"]
    texture = desktop.state.model.textures[0]  # type: ignore[union-attr]
    gallery = desktop.state.view_info.gallery
    assert gallery is not None
    end = time.monotonic() + 60
    while not all(isinstance(gallery.preview(path, DEFAULT), PanelPicture) for path in texture.choices[:2]):
        assert time.monotonic() < end
        desktop.skip(seconds=0.0)


def test_a_click_uses_a_file_and_can_be_undone(desktop: Desktop, tmp_path: Path) -> None:
    desktop.rest()
    desktop.click(*shown(desktop)["MadeSkinBlue.blp"])
    desktop.frames(2)
    assert desktop.state.view.textures == {0: str(tmp_path / "MadeSkinBlue.blp")}
    assert desktop.state.undo.undo()
    assert desktop.state.view.textures == {}


def test_without_a_fitting_file_the_skins_beside_a_lone_model_are_shown(ctx: Any, tmp_path: Path) -> None:
    path = tmp_path / "Unlike.m2"
    path.write_bytes(m2_files.model(textures=[{"type": 6}]))
    for name in ("Hair.blp", "Skin.blp"):
        save_png(tmp_path / name, np.full((2, 2, 4), 255, np.uint8))
    desktop = Desktop(ctx, path)
    try:
        desktop.state.view.selection.pick(TextureItem(0))
        desktop.frames(3)
        assert list(shown(desktop)) == ["Skin.blp"]
    finally:
        desktop.close()
