"""The parts that dialogs share: the window, field names, the default button and the Enter key."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.ui.kit.theme import ACCENT, FAINT, WARNING, rgba
from viewer.ui.kit.widgets import faint, wrapped

WIDTH, NAMES = 27, 8
"""Widths in letter heights: a dialog, and its column of field names."""
FLAGS = int(
    imgui.WindowFlags_.no_collapse
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.always_auto_resize
)

ENTER = (imgui.Key.enter, imgui.Key.keypad_enter)
FOCUSED = int(imgui.FocusedFlags_.root_and_child_windows)


def settings_window(title: str, draw: Callable[[], None], letters: float = WIDTH) -> bool:
    """Draw a centred window as high as its content and `letters` letter heights wide.

    Return False if the user closes it.
    """
    screen, letter = imgui.get_io().display_size, imgui.get_font_size()
    middle = ImVec2(screen.x / 2, screen.y / 2)
    imgui.set_next_window_pos(middle, imgui.Cond_.appearing, ImVec2(0.5, 0.5))
    width = min(letter * letters, screen.x * 0.96)
    imgui.set_next_window_size_constraints(ImVec2(width, 0), ImVec2(width, screen.y * 0.96))
    imgui.push_style_var(imgui.StyleVar_.window_border_size, 1.0)
    shown, is_open = imgui.begin(title, True, FLAGS)
    imgui.pop_style_var()
    if imgui.is_window_appearing():
        imgui.set_window_focus()
    if shown:
        draw()
    _move_inside(screen)
    imgui.end()
    return bool(is_open)


def _move_inside(screen: ImVec2) -> None:
    """Move the window into the screen, unless the user drags it: the window may have grown, and the screen
    may have shrunk. The title of the window stays visible.
    """
    at, size = imgui.get_window_pos(), imgui.get_window_size()
    x, y = (max(min(at[n], screen[n] - size[n]), 0.0) for n in (0, 1))
    if (x, y) != (at.x, at.y) and not imgui.is_mouse_down(0):
        imgui.set_window_pos(ImVec2(x, y))


def field_name(text: str) -> None:
    """Draw a field's name. The next widget takes the remaining width of the line."""
    imgui.align_text_to_frame_padding()
    faint(text)
    imgui.same_line(imgui.get_font_size() * NAMES)
    imgui.set_next_item_width(-1)


def destination(pattern: str) -> None:
    """Draw the folder in which files are saved: the folder of the path `pattern` from the settings."""
    folder = printable(os.path.dirname(pattern))
    wrapped(f"Saved in {folder} under a new name" if folder else "You choose the file next", FAINT)


def default_button(label: str, enabled: bool = True, enter: bool = True, others: Sequence[str] = ()) -> bool:
    """Draw the default button; return whether it was clicked, or pressed with Enter if `enter` is set.

    Enter presses the button even if another widget has the keyboard focus, but not if one of the buttons
    `others` in the same window has it.
    """
    imgui.push_style_color(imgui.Col_.button, rgba(ACCENT, 0.45))
    imgui.begin_disabled(not enabled)
    clicked = imgui.button(label)
    imgui.end_disabled()
    imgui.pop_style_color()
    used = imgui.get_current_context()
    if not enter or (used.nav_cursor_visible and used.nav_id in map(imgui.get_id, (label, *others))):
        return clicked
    if imgui.is_window_focused(FOCUSED) and used.open_popup_stack.empty():
        for key in ENTER:  # otherwise Enter also opens or switches the widget with the keyboard focus
            imgui.internal.set_key_owner(key, imgui.get_id(label))
    return clicked or (enabled and entered())


def dialog_buttons(*labels: str, refused: str = "") -> str:
    """Draw the buttons of a dialog side by side, the default button first and *Cancel* last; return the label
    of the pressed button. With a text in `refused` only *Cancel* can be pressed, and the text stands above.
    """
    enabled = not refused
    if refused:
        wrapped(refused, WARNING)
    first, *others = labels = (*labels, "Cancel")
    pressed = first if default_button(first, enabled, others=others) else ""
    for label in others:
        imgui.same_line()
        imgui.begin_disabled(not enabled and label != labels[-1])
        pressed = label if imgui.button(label) else pressed
        imgui.end_disabled()
    return pressed


def entered() -> bool:
    """Whether Enter was pressed in the current window while no popup is open.

    A held Enter does not count, nor does the Enter press that opened the window.
    """
    if imgui.is_window_appearing() or not imgui.is_window_focused(FOCUSED):
        return False
    alone = imgui.get_current_context().open_popup_stack.empty()
    return alone and any(imgui.is_key_pressed(key, False) for key in ENTER)
