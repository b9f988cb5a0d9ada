"""The badge that counts missing textures, and its list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from tests import m2_files
from tests.desktop import Desktop
from viewer.scene.items import TextureItem
from viewer.storage.image import save_png
from viewer.ui.view import missing_textures

RED = (255, 0, 0, 255)
Place = tuple[float, float]


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """A model whose texture the file leaves to the program, with a picture beside it."""
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(textures=[{"type": 6}]))
    save_png(tmp_path / "red.png", np.full((2, 2, 4), RED, np.uint8))
    made = Desktop(ctx, path)
    yield made
    made.close()


def drawn(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> dict[str, Place]:
    """The buttons and paths of badge and list in the next frame, with the middle of each."""
    found: dict[str, Place] = {}

    def noting(draw: Any) -> Any:
        def run(text: str, *more: Any) -> Any:
            result = draw(text, *more)
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            found[text.partition("##")[0].strip(" \uf071")] = (low.x + high.x) / 2, (low.y + high.y) / 2
            return result

        return run

    with monkeypatch.context() as patch:
        for module, name in ((missing_textures.imgui, "button"), (missing_textures.imgui, "small_button")):
            patch.setattr(module, name, noting(getattr(module, name)))
        patch.setattr(missing_textures, "path_line", noting(missing_textures.path_line))
        desktop.frames(1)
    return found


def test_the_badge_opens_the_list_of_what_is_missing(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = drawn(desktop, monkeypatch)
    assert "1 texture missing" in shown and "Properties" not in shown
    desktop.click(*shown["1 texture missing"])
    assert "Properties" in drawn(desktop, monkeypatch)


def test_the_list_leads_to_the_properties(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    desktop.click(*drawn(desktop, monkeypatch)["1 texture missing"])
    desktop.frames(2)
    desktop.click(*drawn(desktop, monkeypatch)["Properties"])
    desktop.frames(2)
    assert desktop.state.selection.picked == TextureItem(0)
    assert "Properties" not in drawn(desktop, monkeypatch)


def test_the_badge_goes_when_a_file_is_given(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.state.view.textures[0] = str(tmp_path / "red.png")
    assert "1 texture missing" not in drawn(desktop, monkeypatch)


def test_the_list_says_where_it_was_searched(ctx: Any, tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(textures=[{"type": 0, "name": "Lost\\skin.blp"}]))
    desktop = Desktop(ctx, path)
    try:
        desktop.click(*drawn(desktop, monkeypatch)["1 texture missing"])
        desktop.frames(2)
        shown = drawn(desktop, monkeypatch)
        assert any(Path(text) == tmp_path for text in shown) or any("Lost" in text for text in shown), shown
    finally:
        desktop.close()


def test_a_picture_that_cannot_be_read_counts(ctx: Any, tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(textures=[{"type": 0, "name": "skin.blp"}]))
    path.with_name("skin.blp").write_bytes(b"BLP2 and no more")
    desktop = Desktop(ctx, path)
    try:
        assert "1 texture missing" in drawn(desktop, monkeypatch)
        assert list(desktop.state.documents[0].unreadable_images) == [0]
    finally:
        desktop.close()
