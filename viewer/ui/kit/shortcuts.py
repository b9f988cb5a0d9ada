"""Runs actions by their key chords, such as `Ctrl+O`, `Shift+Left` or `?`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from imgui_bundle import imgui

from viewer.actions import ACTIONS, Action
from viewer.actions.bindings import KeyMap, active
from viewer.actions.help import HELP
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.input import MODIFIERS
from viewer.ui.kit.overlays import focused_overlay, take_escape

SHIFT = int(imgui.Key.mod_shift)
_SIGNS = {
    ",": ("comma",),
    ".": ("period",),
    "/": ("slash",),
    ";": ("semicolon",),
    "[": ("left_bracket",),
    "]": ("right_bracket",),
    "-": ("minus",),
    "=": ("equal",),
    "Left": ("left_arrow",),
    "Right": ("right_arrow",),
    "Up": ("up_arrow",),
    "Down": ("down_arrow",),
    "PageUp": ("page_up",),
    "PageDown": ("page_down",),
    "Enter": ("enter", "keypad_enter"),
    "Num.": ("keypad_decimal",),
    "Num*": ("keypad_multiply",),
    "Num/": ("keypad_divide",),
    "Num+": ("keypad_add",),
    "Num-": ("keypad_subtract",),
    "'": ("apostrophe",),
    "`": ("grave_accent",),
    "\\": ("backslash",),
}
_SHIFTED = {"?": ("slash",), "+": ("equal",)}


@cache
def chords(text: str) -> tuple[int, ...]:
    """Return the ImGui chords for a chord's text. For a digit, the chord of the keypad's digit is included.

    KeyError for an unknown key.
    """
    *held, last = re.split(r"(?<!Num)\+(?!$)", text)
    modifiers = sum(int(MODIFIERS[word]) for word in held if word)
    shifted = [_key(word) | SHIFT for word in _SHIFTED.get(last, ())]
    plain = [_key(word) for word in _words(last)]
    return tuple(key | modifiers for key in (*plain, *shifted))


def _words(name: str) -> tuple[str, ...]:
    if name in _SHIFTED:
        return ()
    if name.isdigit():
        return (f"_{name}", f"keypad{name}")
    return _SIGNS.get(name, (name.lower(),))


def _key(word: str) -> int:
    try:
        return int(getattr(imgui.Key, word))
    except AttributeError:
        raise KeyError(word) from None


_NAMED = (
    *(chr(code) for code in range(ord("A"), ord("Z") + 1)),
    *map(str, range(10)),
    *(f"F{number}" for number in range(1, 13)),
    *("Space", "Tab", "Home", "End", "Insert", "Delete", "Backspace", "Escape"),
    *_SIGNS,
)
"""The names of all keys that a chord can have, without the names in `_SHIFTED`."""


@cache
def _names() -> dict[int, str]:
    """Map each ImGui key, alone or combined with Shift, to its name. A name such as `?` belongs to a key
    combined with Shift.
    """
    names = {_key(word): name for name in _NAMED for word in _words(name)}
    return names | {_key(word) | SHIFT: name for name, words in _SHIFTED.items() for word in words}


def pressed_chord() -> str:
    """Return the text of the chord that was pressed in this frame, such as `Ctrl+O`. The text is empty if no
    chord was pressed.

    Keys that chords cannot have are ignored.
    """
    io, names = imgui.get_io(), _names()
    for key in names:
        if not key & int(imgui.Key.mod_mask_) and imgui.is_key_pressed(imgui.Key(key), False):
            shifted = io.key_shift and key | SHIFT in names
            shift = io.key_shift and not shifted
            held = {"Ctrl": io.key_ctrl, "Alt": io.key_alt, "Shift": shift, "Super": io.key_super}
            name = names[key | SHIFT] if shifted else names[key]
            return "+".join((*(word for word, down in held.items() if down), name))
    return ""


ONCE = int(imgui.InputFlags_.route_global)
AGAIN = int(imgui.InputFlags_.route_global | imgui.InputFlags_.repeat)


IN_VIEW = ("previous_file", "next_file", "home")
"""Actions whose keys have another purpose in panels. They run only if the picture or nothing has the
focus.
"""


FLIGHT = "WASDQE"
"""The letters that move the camera in fly mode, see `viewer.ui.view.mouse`."""


def run_shortcuts(state: State, post: Post) -> None:
    """Run the actions whose keys were pressed in this frame. A held key does not repeat on/off switches.

    Keys that type or move the cursor belong to a text field, to an open menu or popup, to a dialog, or to the
    wall if it has the focus. While the palette, the key sheet, the shading pie or the file browser is open,
    or while the settings window has the focus, only the keys of the Help menu work. While the settings window
    waits for keys, no keys work. Escape runs an action only if nothing else uses it, see `overlays`.
    """
    interface, shortcut, dialog = state.interface, imgui.shortcut, focused_overlay(state)
    over = interface.palette or interface.help or interface.pie
    over |= dialog is not None and dialog.window == "###settings"
    over |= state.pending_files.browser is not None
    taken = _flight() if interface.flying else frozenset()
    taken |= frozenset(chords("Escape")) if interface.capturing or take_escape(state, post) else frozenset()
    typing = imgui.get_io().want_text_input or state.files.takes_text
    typing |= not imgui.get_current_context().open_popup_stack.empty()
    # The shortcuts are set in every frame, because ImGui forgets a shortcut after a frame. A shortcut takes
    # its key from menus and from the widgets of dialogs, in which Tab and the arrow keys move the focus.
    rows = _chords(state)
    if (dialog is not None and dialog.has_fields) or not imgui.get_current_context().open_popup_stack.empty():
        rows = tuple(row for row in rows if row[0] in HELP or not _edits(row[1]))
    hit = [(action, chord) for action, chord, flags in rows if shortcut(chord, flags)]
    if interface.capturing:
        return
    pressed = [action for action, chord in hit if chord not in taken and not (typing and _edits(chord))]
    for action in dict.fromkeys(pressed):
        if action.name in IN_VIEW and not state.pending_files.view_focused:
            continue
        if (action in HELP or not over) and action.enabled(state):
            action.run(state, post)


@cache
def _edits(chord: int) -> bool:
    """Whether a text field may use the chord. It may if the chord has no Ctrl, Alt, Super or function key."""
    held = int(imgui.Key.mod_ctrl) | int(imgui.Key.mod_alt) | int(imgui.Key.mod_super)
    key = chord & ~int(imgui.Key.mod_mask_)
    return not chord & held and not int(imgui.Key.f1) <= key <= int(imgui.Key.f12)


@cache
def _flight() -> frozenset[int]:
    """The chords that move the camera in fly mode."""
    return frozenset(
        chord for letter in FLIGHT for text in (letter, f"Shift+{letter}") for chord in chords(text)
    )


class _Known:
    """A cache of the chords for one map of keys."""

    keys: KeyMap | None = None
    chords: tuple[tuple[Action, int, int], ...] = ()


def _chords(state: State) -> tuple[tuple[Action, int, int], ...]:
    keys = active(state.interface.preferences)
    if keys is not _Known.keys:
        _Known.keys, _Known.chords = keys, tuple(_table(keys))
    return _Known.chords


def _table(keys: KeyMap) -> Iterator[tuple[Action, int, int]]:
    """Yield each action with each of its chords and the chord's flags. Unknown keys are skipped."""
    for action in ACTIONS:
        flags = AGAIN if action.checked is None else ONCE
        for text in filter(is_chord, keys[action.name]):
            for chord in chords(text):
                yield action, chord, flags


def is_chord(text: str) -> bool:
    """Whether all keys of a chord's text are known."""
    try:
        return bool(chords(text))
    except KeyError:
        return False
