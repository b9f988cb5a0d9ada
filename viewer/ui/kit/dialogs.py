"""What dialogs share: the default button, and Enter, which presses it."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.ui.kit.theme import ACCENT, rgba

ENTER = (imgui.Key.enter, imgui.Key.keypad_enter)


def default_button(label: str, enabled: bool = True, enter: bool = True) -> bool:
    """Draw the button that Enter presses in this dialog; True when it is pressed.

    With `enter` False, Enter means something else at present.
    """
    imgui.push_style_color(imgui.Col_.button, rgba(ACCENT, 0.45))
    imgui.begin_disabled(not enabled)
    clicked = imgui.button(label)
    imgui.end_disabled()
    imgui.pop_style_color()
    return clicked or (enabled and enter and entered())


def entered() -> bool:
    """Whether Enter was pressed in this window, with no menu or list over it.

    The Enter that opened the window does not count, nor does a held Enter.
    """
    if imgui.is_window_appearing() or not imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows):
        return False
    alone = imgui.get_current_context().open_popup_stack.empty()
    return alone and any(imgui.is_key_pressed(key, False) for key in ENTER)
