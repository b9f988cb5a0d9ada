"""Feeds the window's events to ImGui, independent of the window toolkit: keys come as names.

The names are pyglet's names of keys: `A`, `_1`, `SPACE`, `LCTRL`, `NUM_ADD`, `F1` … Positions are
in points from the upper left corner.
"""

from __future__ import annotations

from imgui_bundle import imgui

_SAME = (
    "TAB ESCAPE INSERT DELETE SPACE BACKSPACE HOME END MINUS EQUAL BACKSLASH SEMICOLON APOSTROPHE COMMA "
    "PERIOD SLASH MENU PAUSE"
)
_OTHER = {
    "ENTER": "enter",
    "RETURN": "enter",
    "LEFT": "left_arrow",
    "RIGHT": "right_arrow",
    "UP": "up_arrow",
    "DOWN": "down_arrow",
    "PAGEUP": "page_up",
    "PAGEDOWN": "page_down",
    "GRAVE": "grave_accent",
    "QUOTELEFT": "grave_accent",
    "BRACKETLEFT": "left_bracket",
    "BRACKETRIGHT": "right_bracket",
    "CAPSLOCK": "caps_lock",
    "NUMLOCK": "num_lock",
    "SCROLLLOCK": "scroll_lock",
    "PRINT": "print_screen",
    "NUM_ENTER": "keypad_enter",
    "NUM_DECIMAL": "keypad_decimal",
    "NUM_DIVIDE": "keypad_divide",
    "NUM_MULTIPLY": "keypad_multiply",
    "NUM_SUBTRACT": "keypad_subtract",
    "NUM_ADD": "keypad_add",
    "NUM_EQUAL": "keypad_equal",
    "LCTRL": "left_ctrl",
    "RCTRL": "right_ctrl",
    "LSHIFT": "left_shift",
    "RSHIFT": "right_shift",
    "LALT": "left_alt",
    "RALT": "right_alt",
    "LCOMMAND": "left_super",
    "RCOMMAND": "right_super",
    "LWINDOWS": "left_super",
    "RWINDOWS": "right_super",
    "LOPTION": "left_alt",
    "ROPTION": "right_alt",
}
_NAMES = (
    _OTHER
    | {name: name.lower() for name in _SAME.split()}
    | {chr(code): chr(code).lower() for code in range(ord("A"), ord("Z") + 1)}
    | {f"_{digit}": f"_{digit}" for digit in range(10)}
    | {f"NUM_{digit}": f"keypad{digit}" for digit in range(10)}
    | {f"F{number}": f"f{number}" for number in range(1, 13)}
)
KEYS = {name: imgui.Key(getattr(imgui.Key, word).value) for name, word in _NAMES.items()}
"""ImGui's keys by the window's key names."""

MODIFIERS = {
    "Ctrl": imgui.Key.mod_ctrl,
    "Shift": imgui.Key.mod_shift,
    "Alt": imgui.Key.mod_alt,
    "Super": imgui.Key.mod_super,
}
"""The modifier keys, by the names that the events use."""
BUTTONS = {"left": 0, "right": 1, "middle": 2}


class Input:
    """Feeds the events of one window into the current ImGui context.

    ImGui handles at most one change of the same button or key per frame, so that no click is lost.
    """

    def __init__(self) -> None:
        self._io = imgui.get_io()

    def key(self, name: str, down: bool, modifiers: frozenset[str] = frozenset()) -> None:
        """A key was pressed or released; unknown keys are ignored. `modifiers` are the held modifier keys."""
        for word, modifier in MODIFIERS.items():
            self._io.add_key_event(modifier, word in modifiers)
        if name in KEYS:
            self._io.add_key_event(KEYS[name], down)

    def text(self, text: str) -> None:
        """Characters were typed."""
        self._io.add_input_characters_utf8(text)

    def pointer(self, x: float, y: float) -> None:
        """The pointer moved to `x`, `y`."""
        self._io.add_mouse_pos_event(x, y)

    def pointer_left(self) -> None:
        """The pointer left the window."""
        self._io.add_mouse_pos_event(-imgui.FLT_MAX, -imgui.FLT_MAX)

    def button(self, name: str, down: bool, modifiers: frozenset[str] = frozenset()) -> None:
        """The `left`, `right` or `middle` button was pressed or released; other buttons are ignored."""
        for word, modifier in MODIFIERS.items():
            self._io.add_key_event(modifier, word in modifiers)
        if name in BUTTONS:
            self._io.add_mouse_button_event(BUTTONS[name], down)

    def wheel(self, x: float, y: float) -> None:
        """The wheel turned by that many notches; y is positive upwards."""
        self._io.add_mouse_wheel_event(x, y)

    def focus(self, gained: bool) -> None:
        """The window got or lost the keyboard focus; held keys are released."""
        self._io.add_focus_event(gained)
