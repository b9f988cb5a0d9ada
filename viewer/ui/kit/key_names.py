"""ImGui's keys by pyglet's names: `A`, `_1`, `SPACE`, `LCTRL`, `F1` …"""

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
_SHIFTED = {
    "QUESTION": "slash",
    "PLUS": "equal",
    "LESS": "comma",
    "GREATER": "period",
    "UNDERSCORE": "minus",
    "COLON": "semicolon",
    "DOUBLEQUOTE": "apostrophe",
    "BRACELEFT": "left_bracket",
    "BRACERIGHT": "right_bracket",
    "BAR": "backslash",
    "ASCIITILDE": "grave_accent",
    "EXCLAMATION": "_1",
    "AT": "_2",
    "HASH": "_3",
    "DOLLAR": "_4",
    "PERCENT": "_5",
    "ASCIICIRCUM": "_6",
    "AMPERSAND": "_7",
    "ASTERISK": "_8",
    "PARENLEFT": "_9",
    "PARENRIGHT": "_0",
}
"""The keys by the names that X11 uses while Shift is held."""
_UNLOCKED = {
    "NUM_HOME": "home",
    "NUM_END": "end",
    "NUM_LEFT": "left_arrow",
    "NUM_RIGHT": "right_arrow",
    "NUM_UP": "up_arrow",
    "NUM_DOWN": "down_arrow",
    "NUM_PRIOR": "page_up",
    "NUM_PAGE_UP": "page_up",
    "NUM_NEXT": "page_down",
    "NUM_PAGE_DOWN": "page_down",
    "NUM_INSERT": "insert",
    "NUM_DELETE": "delete",
}
"""The keypad's keys by the names that pyglet uses without Num Lock."""
_NAMES = (
    _OTHER
    | {name: name.lower() for name in _SAME.split()}
    | {chr(code): chr(code).lower() for code in range(ord("A"), ord("Z") + 1)}
    | {f"_{digit}": f"_{digit}" for digit in range(10)}
    | {f"NUM_{digit}": f"keypad{digit}" for digit in range(10)}
    | {f"F{number}": f"f{number}" for number in range(1, 13)}
)


def _key(word: str) -> imgui.Key:
    return imgui.Key(getattr(imgui.Key, word).value)


KEYS = {name: _key(word) for name, word in _NAMES.items()}
"""The keys by their names without modifier keys."""
ALL_KEYS = KEYS | {name: _key(word) for name, word in (_SHIFTED | _UNLOCKED).items()}
"""The keys by all their names: with and without Shift, with and without Num Lock."""
