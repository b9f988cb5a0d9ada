"""Events as a window sends them, whatever the frames are like."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from viewer.scene.camera import Orbit
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.dialogs.key_sheet import KeySheet
from viewer.ui.dialogs.palette import CommandPalette
from viewer.ui.kit.shortcuts import run_shortcuts
from viewer.ui.outline.outline_panel import OutlinePanel
from viewer.ui.view.view_panel import ViewPanel

SHIFT, CTRL = frozenset({"Shift"}), frozenset({"Ctrl"})


@pytest.fixture
def whole(post: Any) -> Any:
    """The desk with the outline, the palette and the list of keys."""
    palette, sheet, outline = CommandPalette(), KeySheet(), OutlinePanel()
    post.palette, post.sheet, post.outline = palette, sheet, outline

    def draw(state: State, ask: Post) -> None:
        run_shortcuts(state, ask)
        outline(state, ask)
        sheet(state, ask)
        palette(state, ask)

    post.show(draw)
    return post


def typed(desk: Any, text: str) -> None:
    """Letters that all come between two frames."""
    for letter in text:
        desk.host.input.key(letter.upper(), True)
        desk.host.input.text(letter)
        desk.host.input.key(letter.upper(), False)


def test_text_after_the_key_of_a_field_reaches_the_field_only(whole: Any) -> None:
    whole.host.input.key("P", True, CTRL)
    whole.host.input.key("P", False, CTRL)
    typed(whole, "wgx")
    whole.frames(20)
    assert whole.palette._text == "wgx"
    assert not whole.state.options.wireframe and whole.state.options.grid


def test_text_after_a_click_into_a_field_reaches_the_field_only(whole: Any) -> None:
    whole.host.input.pointer(60, 8)
    whole.host.input.button("left", True)
    whole.host.input.button("left", False)
    typed(whole, "wg")
    whole.frames(20)
    assert whole.outline._table.filter.text == "wg"
    assert not whole.state.options.wireframe and whole.state.options.grid


def test_two_shortcuts_in_one_slow_frame_keep_their_order(whole: Any) -> None:
    ran: list[str] = []
    whole.draw = lambda state, ask: ran.extend(
        name for name in "WG" if imgui.is_key_pressed(getattr(imgui.Key, name.lower()))
    )
    typed(whole, "gw")
    whole.frames(6)
    assert ran == ["G", "W"]


def test_a_held_key_of_a_field_types_nothing_into_it(whole: Any) -> None:
    whole.host.input.key("QUESTION", True, SHIFT)
    for _ in range(5):
        whole.host.input.text("?")
        whole.frames(3)
    whole.host.input.key("SLASH", False)
    assert whole.state.interface.help and not whole.sheet._filter
    whole.frames(2)
    whole.host.input.key("QUESTION", True, SHIFT)
    whole.host.input.text("?")
    whole.frames(4)
    assert whole.sheet._filter.text == "?", "pressed again, it is meant for the field"


def test_a_repeated_press_of_a_held_key_runs_once(whole: Any) -> None:
    for _ in range(4):
        whole.host.input.key("W", True)
    whole.frames(6)
    assert whole.state.options.wireframe and not whole.host.input.waiting


def test_after_the_focus_was_lost_a_key_counts_anew(whole: Any) -> None:
    whole.host.input.key("W", True)
    whole.frames(2)
    whole.host.input.focus(False)
    whole.host.input.focus(True)
    whole.frames(3)
    assert not imgui.is_key_down(imgui.Key.w)
    whole.host.input.key("W", True)
    whole.frames(3)
    assert not whole.state.options.wireframe, "on, and off again"


@pytest.mark.parametrize(
    ("pressed", "released", "key"),
    [
        ("NUM_6", "NUM_RIGHT", imgui.Key.keypad6),
        ("NUM_RIGHT", "NUM_6", imgui.Key.right_arrow),
        ("SLASH", "_7", imgui.Key.slash),
        ("SLASH", "ADIAERESIS", imgui.Key.slash),
    ],
)
def test_a_key_ends_with_a_release_of_another_name(
    whole: Any, pressed: str, released: str, key: imgui.Key
) -> None:
    whole.host.input.key(pressed, True)
    whole.frames(2)
    assert imgui.is_key_down(key)
    whole.host.input.key(released, False)
    whole.frames(3)
    assert not imgui.is_key_down(key) and not whole.host.input.waiting


def test_the_release_of_one_key_leaves_other_held_keys(whole: Any) -> None:
    for name in ("W", "MEDIA"):
        whole.host.input.key(name, True)
    whole.host.input.key("MEDIA", False)
    whole.host.input.key("A", True)
    whole.host.input.key("A", False)
    whole.frames(6)
    assert imgui.is_key_down(imgui.Key.w)


def test_keys_other_than_text_do_nothing_while_a_field_is_edited(whole: Any) -> None:
    whole.click(60, 8)
    whole.frames(2)
    whole.key("TAB")
    assert not whole.state.interface.hidden
    whole.click(60, 8)
    whole.frames(2)
    whole.key("F1")
    assert whole.state.interface.manual


def clicks(desk: Any, times: tuple[float | None, ...], frame: float) -> list[bool]:
    """Whether each press, at its time, is the second of a double click; a frame takes `frame` seconds."""
    found = []
    desk.host.input.pointer(200, 150)
    for time in times:
        desk.host.input.button("left", True, time=time)
        desk.host.input.button("left", False)
        second = False
        while desk.host.input.waiting:
            desk.host.new_frame(frame, (400, 300), (400, 300))
            second = second or bool(imgui.is_mouse_double_clicked(0))
            imgui.end_frame()
        found.append(second)
    return found


def test_a_double_click_in_slow_frames_is_one(desk: Any) -> None:
    assert clicks(desk, (10.0, 10.2), 0.9) == [False, True]


def test_two_clicks_in_fast_frames_are_two(desk: Any) -> None:
    assert clicks(desk, (10.0, 10.7), 0.01) == [False, False]


def test_without_times_the_frames_tell_double_clicks(desk: Any) -> None:
    assert clicks(desk, (None, None), 0.01) == [False, True]
    assert clicks(desk, (None, None), 0.9) == [False, False]


@pytest.fixture
def view(post: Any) -> Any:
    """The picture, whose camera is dragged from its middle."""
    post.show(ViewPanel())
    post.state.view.camera = Orbit(yaw=0)
    post.host.input.pointer(200, 150)
    post.host.input.button("left", True)
    post.frames(2)
    return post


def test_a_release_that_never_came_ends_the_drag(view: Any) -> None:
    view.host.input.pointer(230, 150, frozenset({"left"}))
    view.frames(2)
    turned = view.state.view.camera
    assert turned.yaw != 0
    view.host.input.pointer(300, 150, frozenset())
    view.frames(4)
    assert view.state.view.camera == turned and not imgui.is_mouse_down(0)


def test_losing_the_focus_ends_a_drag(view: Any) -> None:
    view.host.input.focus(False)
    view.frames(2)
    view.host.input.pointer(300, 150, frozenset())
    view.frames(3)
    assert view.state.view.camera == Orbit(yaw=0)


def test_a_drag_goes_on_outside_the_window_and_ends_there(view: Any) -> None:
    view.host.input.pointer_left()
    view.host.input.pointer(-20, 150, frozenset({"left"}))
    view.frames(2)
    turned = view.state.view.camera
    assert turned.yaw % 360 == pytest.approx(220 * 0.4), "the way out of the window counts"
    view.host.input.button("left", False)
    view.frames(4)
    assert not imgui.is_mouse_pos_valid() and not imgui.is_mouse_down(0)
    view.host.input.pointer_entered()
    view.host.input.pointer(100, 100, frozenset())
    view.frames(2)
    assert imgui.is_mouse_pos_valid() and view.state.view.camera == turned


def test_a_key_right_after_a_field_closed_is_a_shortcut(whole: Any) -> None:
    whole.key("P", "Ctrl")
    whole.frames(4)
    whole.host.input.key("ESCAPE", True)
    whole.host.input.key("ESCAPE", False)
    typed(whole, "w")
    whole.frames(8)
    assert not whole.state.interface.palette and whole.state.options.wireframe
