"""Enter in dialogs, and the position of their window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from tests.desktop import Desktop
from tests.synthetic import write_pair
from viewer.ui.kit.dialogs import default_button, settings_window


@pytest.fixture
def dialog(desk: Any) -> Any:
    """A dialog with a default button and a list; `desk.pressed` counts the button."""
    desk.pressed, desk.enabled, desk.open, desk.focus = 0, True, True, False

    def draw(state: Any, post: Any) -> None:
        if not desk.open:
            return
        imgui.set_next_window_pos(ImVec2(10, 10))
        imgui.set_next_window_size(ImVec2(300, 200))
        if desk.focus:
            imgui.set_next_window_focus()
            desk.focus = False
        imgui.begin("dialog", None, imgui.WindowFlags_.no_decoration)
        desk.pressed += default_button("Do it", desk.enabled)
        if imgui.begin_combo("##list", "one"):
            imgui.end_combo()
        imgui.end()

    desk.show(draw)
    desk.focus = True
    desk.frames(2)
    return desk


@pytest.mark.parametrize("key", ["ENTER", "NUM_ENTER"])
def test_enter_presses_the_default_button_once(dialog: Any, key: str) -> None:
    dialog.host.input.key(key, True)
    dialog.frames(60)
    assert dialog.pressed == 1, "a held key does not press it again"


def test_a_disabled_button_is_not_pressed(dialog: Any) -> None:
    dialog.enabled = False
    dialog.key("ENTER")
    dialog.click(30, 25)
    assert dialog.pressed == 0


def test_enter_in_a_list_over_the_dialog_is_not_for_the_dialog(dialog: Any) -> None:
    dialog.click(100, 46)
    assert not imgui.get_current_context().open_popup_stack.empty()
    dialog.key("ENTER")
    assert dialog.pressed == 0


def test_the_enter_that_opens_the_dialog_does_not_press_its_button(dialog: Any) -> None:
    dialog.open = False
    dialog.frames(2)
    dialog.open = dialog.focus = True
    dialog.key("ENTER")
    assert dialog.pressed == 0


def test_without_the_focus_enter_is_not_for_the_dialog(dialog: Any) -> None:
    dialog.click(380, 280)
    dialog.key("ENTER")
    assert dialog.pressed == 0


def test_a_dialog_that_is_dragged_below_the_screen_comes_back_when_it_is_released(desk: Any) -> None:
    desk.show(lambda state, post: settings_window("Dragged", lambda: imgui.text_unformatted("a\nb\nc"), 15.0))
    desk.frames(2)
    shown = next(each for each in imgui.get_current_context().windows if each.name == "Dragged")
    x, y = shown.pos.x + 20, shown.pos.y + 8
    desk.move(x, y)
    desk.press()
    desk.move(x, 270)
    desk.frames(2)
    assert shown.pos.y + shown.size.y > 300
    desk.release()
    desk.frames(2)
    assert shown.pos.y + shown.size.y == 300


@pytest.mark.parametrize("window", ["###record", "###export", "###batches"])
def test_a_dialog_stays_inside_a_window_that_shrinks(ctx: Any, tmp_path: Path, window: str) -> None:
    desktop = Desktop(ctx, write_pair(tmp_path), size=(1600, 1000))
    state = desktop.state
    state.interface.records, state.interface.exports = window == "###record", window == "###export"
    state.files.shows_batches = window == "###batches"
    desktop.frames(3)
    shown = imgui.internal.find_window_by_id(imgui.internal.im_hash_str(window))
    desktop.drag((shown.pos.x + 60, shown.pos.y + 8), (1500, 900))
    desktop.app.surface = replace(desktop.app.surface, points=(900, 600))
    desktop.frames(3)
    assert 0 <= shown.pos.x <= 900 - shown.size.x and 0 <= shown.pos.y <= 600 - shown.size.y
    desktop.close()
