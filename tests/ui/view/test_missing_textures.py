"""The badge that counts missing textures, and its list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui
from msgspec.structs import force_setattr, replace

from tests import m2_files
from tests.desktop import Desktop
from tests.labels import drawn_labels
from viewer.scene.items import TextureItem
from viewer.session.requests import GiveFile
from viewer.storage.image import save_png

RED = (255, 0, 0, 255)


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """A model whose texture the file leaves to the program, with a picture beside it."""
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(textures=[{"type": 6}]))
    save_png(tmp_path / "red.png", np.full((2, 2, 4), RED, np.uint8))
    made = Desktop(ctx, path)
    yield made
    made.close()


def test_the_badge_opens_the_list_of_what_is_missing(desktop: Desktop) -> None:
    shown = drawn_labels(desktop)
    assert "1 texture missing" in shown and "Properties" not in shown
    desktop.click(*shown["1 texture missing"])
    assert "Properties" in drawn_labels(desktop)


def test_the_list_leads_to_the_properties(desktop: Desktop) -> None:
    desktop.click(*drawn_labels(desktop)["1 texture missing"])
    desktop.frames(2)
    desktop.click(*drawn_labels(desktop)["Properties"])
    desktop.frames(2)
    assert desktop.state.view.selection.picked == TextureItem(0)
    assert "Properties" not in drawn_labels(desktop)


def test_the_badge_goes_when_a_file_is_given(desktop: Desktop, tmp_path: Path) -> None:
    desktop.state.view.textures[0] = str(tmp_path / "red.png")
    assert "1 texture missing" not in drawn_labels(desktop)


def test_the_list_says_where_it_was_searched(ctx: Any, tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(textures=[{"type": 0, "name": "Lost\\skin.blp"}]))
    desktop = Desktop(ctx, path)
    try:
        desktop.click(*drawn_labels(desktop)["1 texture missing"])
        desktop.frames(2)
        shown = drawn_labels(desktop)
        remedy = next(text for text in shown if text.endswith("search a folder that has it."))
        searched = shown["Searched paths, the nearest first:"][1]
        assert shown["Choose a file…"][1] < shown[remedy][1] < searched, "beside the buttons, not below paths"
        assert not any("--" in text for text in shown), "texts of the window name no options"
        assert any(Path(text) == tmp_path for text in shown) or any("Lost" in text for text in shown), shown
    finally:
        desktop.close()


def test_a_picture_that_cannot_be_read_counts(ctx: Any, tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(textures=[{"type": 0, "name": "skin.blp"}]))
    path.with_name("skin.blp").write_bytes(b"BLP2 and no more")
    desktop = Desktop(ctx, path)
    try:
        assert "1 texture unreadable" in drawn_labels(desktop)
        assert list(desktop.state.documents.opened[0].unreadable_images) == [0]
    finally:
        desktop.close()


def test_the_reason_of_an_unreadable_picture_is_wrapped_in_a_small_window(
    ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is read to its end."""
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(textures=[{"type": 0, "name": "skin.blp"}]))
    path.with_name("skin.blp").write_bytes(b"BLP2 and no more")
    desktop = Desktop(ctx, path, size=(700, 500))
    try:
        errors = desktop.state.documents.opened[0].unreadable_images
        errors[0] = error = f"{errors[0]}: {path.parent}/{'a long folder/' * 12}skin.blp"
        errors[1] = "another picture"
        desktop.frames(2)
        desktop.click(*drawn_labels(desktop)["1 texture unreadable"])
        widths: list[tuple[float, float]] = []
        draw = imgui.text_unformatted

        def noting(text: str, *more: Any) -> None:
            draw(text, *more)
            if str(error) in text:
                room = imgui.get_window_pos().x + imgui.get_window_size().x
                widths.append((imgui.get_item_rect_max().x, room))

        monkeypatch.setattr(imgui, "text_unformatted", noting)
        desktop.frames(2)
        assert widths and all(right <= room for right, room in widths)
    finally:
        desktop.close()


def test_a_missing_part_file_is_listed_and_can_be_chosen(ctx: Any, tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(m2_files.WRATH, textures=[]))
    desktop = Desktop(ctx, path)
    try:
        desktop.click(*drawn_labels(desktop)["1 .skin file and 1 animation missing"])
        desktop.frames(2)
        shown = drawn_labels(desktop)
        assert {"Made00.skin", "Made0060-00.anim"} <= set(shown)
        desktop.click(*shown["Choose a file…"])
        desktop.settle()
        browser = desktop.state.pending_files.browser
        assert browser is not None and browser.question == GiveFile("Made00.skin")
    finally:
        desktop.close()


def test_a_long_name_leaves_room_for_the_actions(desktop: Desktop) -> None:
    model = desktop.state.model
    long = "\\".join(["EXPANSION01"] * 20)
    force_setattr(model, "textures", (replace(model.textures[0], name=long), *model.textures[1:]))
    desktop.state.document.unreadable_images[0] = "the picture is cut"
    desktop.click(*drawn_labels(desktop)["1 texture missing"])
    desktop.frames(3)
    labels = drawn_labels(desktop)
    (popup,) = (
        each
        for each in imgui.get_current_context().windows
        if each.name.startswith("##Popup") and each.active and not each.hidden
    )
    for action in ("Search in a folder…", "Properties"):
        assert popup.pos.x < labels[action][0] < popup.pos.x + popup.size.x - 20
