"""Escape closes what is topmost, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.desktop import Desktop
from tests.labels import drawn_labels
from tests.synthetic import write_pair
from viewer.scene.items import BoneItem
from viewer.session.requests import OpenFolder
from viewer.ui.kit.overlays import OVERLAYS, topmost

PICKED = BoneItem(1)


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """The post in the whole window, with a bone selected."""
    made = Desktop(ctx, write_pair(tmp_path))
    made.state.view.selection.pick(PICKED)
    made.frames(2)
    yield made
    made.close()


def popups() -> int:
    return imgui.get_current_context().open_popup_stack.size()


def open_names(desktop: Desktop) -> list[str]:
    return [each.window for each in OVERLAYS if each.is_open(desktop.state)]


def test_with_nothing_open_escape_clears_the_selection(desktop: Desktop) -> None:
    desktop.press("Escape")
    assert desktop.state.view.selection.picked is None


def test_escape_closes_a_menu_and_keeps_the_selection(desktop: Desktop) -> None:
    desktop.click(20, 10)
    assert popups() == 1
    desktop.press("Escape")
    assert popups() == 0 and desktop.state.view.selection.picked == PICKED
    desktop.press("Escape")
    assert desktop.state.view.selection.picked is None


def test_escape_closes_a_menu_with_its_submenu(desktop: Desktop) -> None:
    desktop.click(20, 10)
    line = imgui.get_text_line_height_with_spacing()
    for step in range(3, 14):  # Open recent, whatever stands before it
        desktop.move(40, 24 + line * step / 2)
        desktop.rest()
        if popups() == 2:
            break
    assert popups() == 2
    desktop.press("Escape")
    desktop.rest()
    assert popups() == 0, "the pointer over its entry does not open it again"
    assert desktop.state.view.selection.picked == PICKED


@pytest.mark.parametrize("flag", ["palette", "help", "pie"])
def test_escape_closes_an_overlay_and_keeps_the_selection(desktop: Desktop, flag: str) -> None:
    setattr(desktop.state.interface, flag, True)
    desktop.frames(4)
    desktop.press("Escape")
    assert open_names(desktop) == [] and desktop.state.view.selection.picked == PICKED


def test_escape_closes_the_file_dialog_and_keeps_the_selection(desktop: Desktop) -> None:
    desktop.app.post(OpenFolder())
    desktop.frames(4)
    assert open_names(desktop) == ["###browser"]
    desktop.press("Escape")
    assert open_names(desktop) == [] and desktop.state.view.selection.picked == PICKED


def test_of_two_overlays_escape_closes_the_one_on_top(desktop: Desktop) -> None:
    desktop.state.interface.records = True
    desktop.frames(4)
    desktop.press("?")
    desktop.frames(2)
    assert open_names(desktop) == ["###keys", "###record"]
    desktop.press("Escape")
    assert open_names(desktop) == ["###record"]
    desktop.press("Escape")
    assert open_names(desktop) == [] and desktop.state.view.selection.picked == PICKED


def test_a_list_in_a_dialog_closes_before_the_dialog(desktop: Desktop) -> None:
    desktop.state.interface.records = True
    desktop.frames(4)
    window = imgui.internal.find_window_by_id(imgui.internal.im_hash_str("###record"))
    desktop.click(window.pos.x + window.size.x / 2, window.pos.y + window.size.y / 2 - 40)
    for row in range(12):
        if popups():
            break
        desktop.click(window.pos.x + window.size.x * 0.6, window.pos.y + 30 + row * 20)
    assert popups() == 1
    desktop.press("Escape")
    assert popups() == 0 and desktop.state.interface.records
    desktop.press("Escape")
    assert not desktop.state.interface.records


def test_escape_in_a_field_leaves_the_field_only(desktop: Desktop) -> None:
    window = imgui.internal.find_window_by_id(imgui.internal.im_hash_str("###outline"))
    desktop.click(window.pos.x + 60, window.pos.y + 34)
    desktop.frames(2)
    assert imgui.get_io().want_text_input
    desktop.press("Escape")
    assert not imgui.get_io().want_text_input and desktop.state.view.selection.picked == PICKED


def test_escape_in_flight_ends_the_flight_only(desktop: Desktop) -> None:
    desktop.state.interface.flying = True
    desktop.frames(2)
    desktop.press("Escape")
    assert not desktop.state.interface.flying and desktop.state.view.selection.picked == PICKED


def test_a_menu_over_the_flight_closes_first(desktop: Desktop) -> None:
    desktop.state.interface.flying = True
    desktop.frames(2)
    desktop.click(20, 10)
    desktop.press("Escape")
    assert desktop.state.interface.flying and popups() == 0


def test_an_overlay_that_opens_in_this_frame_is_topmost(desktop: Desktop) -> None:
    desktop.press("?")
    desktop.state.interface.records = True
    found = topmost(desktop.state)
    assert found is not None and found.window == "###record"


def tooltip_shows() -> bool:
    windows = imgui.get_current_context().windows
    return any("##Tooltip" in each.name and each.active and not each.hidden for each in windows)


def test_the_hint_of_a_grey_entry_says_why(desktop: Desktop) -> None:
    desktop.click(*drawn_labels(desktop)["Edit"])
    desktop.frames(2)
    desktop.move(*drawn_labels(desktop)["Redo"])
    desktop.rest()
    assert "No step to redo" in drawn_labels(desktop)


def test_no_tooltip_of_a_panel_covers_a_dialog(desktop: Desktop) -> None:
    box = imgui.internal.find_window_by_id(imgui.internal.im_hash_str("###transport"))
    desktop.move(box.pos.x + 14, box.pos.y + box.size.y / 2)
    desktop.rest()
    assert tooltip_shows()
    desktop.state.interface.records = True
    desktop.frames(4)
    assert not tooltip_shows()
    desktop.state.interface.records = False
    desktop.rest()
    assert tooltip_shows()


def test_the_enter_that_chooses_a_dialog_does_not_confirm_it(desktop: Desktop) -> None:
    desktop.press("Ctrl+P")
    desktop.frames(3)
    desktop.type("record…")
    desktop.frames(3)
    desktop.press("Enter")
    desktop.frames(3)
    assert open_names(desktop) == ["###record"] and not desktop.state.recording
