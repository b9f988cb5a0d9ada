"""Which keys do what: those of the actions, a preset that feels like another program, the user's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from viewer.actions import ACTIONS
from viewer.session.interface import Preferences

KeyMap = Mapping[str, tuple[str, ...]]

PRESETS: dict[str, KeyMap] = {
    "default": {},
    "blender": {
        "palette": ("F3", "Ctrl+P"),
        "hide_panels": ("Ctrl+Space", "Tab", "N"),
        "wireframe": ("Shift+Z", "W"),
        "previous_frame": ("Left", ","),
        "next_frame": ("Right", "."),
        "previous_key": ("Down",),
        "next_key": ("Up",),
    },
    "maya": {
        "fit": ("A", "Home"),
        "wireframe": ("4",),
        "play": ("Alt+V", "Space"),
        "previous_frame": ("Alt+,",),
        "next_frame": ("Alt+.",),
        "previous_key": (",",),
        "next_key": (".",),
        "undo": ("Ctrl+Z",),
        "redo": ("Ctrl+Shift+Z", "Ctrl+Y"),
    },
}
"""By the name of the preset, the keys of the actions that differ from the table's."""


def active(kept: Preferences) -> KeyMap:
    """The chords of every action by its name, the first of them for menus. A key means one thing: what the
    user says wins over the preset, and the preset over the table."""
    own = tuple((name, tuple(chords)) for name, chords in sorted(kept.keys.items()))
    return _active(kept.preset, own)


def shown_key(kept: Preferences, name: str) -> str:
    """The chord of an action that menus and tooltips show, empty where it has none."""
    return next(iter(active(kept)[name]), "")


def unknown(kept: Preferences) -> list[str]:
    """The names among the user's own keys that no action has."""
    return sorted(set(kept.keys) - {action.name for action in ACTIONS})


@lru_cache(maxsize=8)
def _active(preset: str, own: Sequence[tuple[str, tuple[str, ...]]]) -> KeyMap:
    known = [action.name for action in ACTIONS]
    taken: set[str] = set()
    found: dict[str, tuple[str, ...]] = {}
    table = {action.name: action.keys for action in ACTIONS}
    for level in (dict(own), PRESETS.get(preset, {}), table):
        for name in known:
            if name in level and name not in found:
                found[name] = tuple(chord for chord in level[name] if chord not in taken)
                taken.update(found[name])
    return {name: found[name] for name in known}
