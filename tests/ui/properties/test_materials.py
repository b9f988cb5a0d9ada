"""The chooser of the file for a texture that a model leaves to the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from tests import m2_files
from viewer.scene.material import FoundBy, Texture
from viewer.storage.documents import open_document
from viewer.storage.image import save_png
from viewer.ui.properties.materials import choose_file


@pytest.fixture
def dressed(desk: Any, tmp_path: Path) -> Any:
    """A desk with a model whose only texture is hair, beside two pictures."""
    for name in ("MadeBlond.blp", "MadeDark.blp"):
        save_png(tmp_path / name, np.full((2, 2, 4), 255, np.uint8))
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(textures=[{"type": 6}]))
    desk.state.put(open_document(path))
    textures = desk.state.model.textures
    desk.show(lambda state, post: choose_file(state, 0, textures[0]))
    return desk


def choose(desk: Any, row: int) -> str | None:
    """Open the list and click on a row of it; the file that is chosen then."""
    line = imgui.get_text_line_height_with_spacing()
    below = imgui.get_frame_height() + imgui.get_style().window_padding.y
    desk.click(40, 8)
    desk.frames(3)
    desk.click(40, below + (row + 0.5) * line)
    desk.frames(3)
    chosen = desk.state.view.textures.get(0)
    return None if chosen is None else Path(chosen).name


def test_the_pictures_beside_the_model_are_offered_and_none(dressed: Any) -> None:
    assert choose(dressed, 1) == "MadeBlond.blp"
    assert choose(dressed, 2) == "MadeDark.blp"
    assert choose(dressed, 0) is None


def test_a_texture_that_the_file_names_offers_nothing(post: Any) -> None:
    shown = []
    post.show(lambda state, ask: shown.append(choose_file(state, 0, Texture("named.dds"))))
    assert not any(shown)


@pytest.mark.parametrize(
    ("by", "label"), [("name", "Skin.blp (guessed)"), ("game", "Skin.blp (from the game's tables)")]
)
def test_the_choice_says_how_the_file_was_found(
    post: Any, monkeypatch: pytest.MonkeyPatch, by: FoundBy, label: str
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(imgui, "begin_combo", lambda name, text: shown.append(text))
    post.show(lambda state, ask: choose_file(state, 0, Texture("skin", "/a/Skin.blp", by=by, kind=1)))
    assert set(shown) == {label}
