"""Key bindings: the user's bindings override the preset, and the preset overrides the action table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from viewer.actions import ACTIONS
from viewer.actions.presets import KeyMap, preset_of
from viewer.session.preferences import Preferences


def active(preferences: Preferences) -> KeyMap:
    """Return the chords of every action by the action's name. Menus show the first chord.

    A chord belongs to only one action. The user's bindings have priority over the preset, and the preset has
    priority over the table.
    """
    own = tuple((name, tuple(chords)) for name, chords in sorted(preferences.keys.items()))
    return _active(preferences.preset, own)


def shown_key(preferences: Preferences, name: str) -> str:
    """The chord of an action for menus and tooltips; empty if it has no key."""
    return next(iter(active(preferences)[name]), "")


def unknown(preferences: Preferences) -> list[str]:
    """Return the names in the user's bindings for which there is no action."""
    return sorted(set(preferences.keys) - {action.name for action in ACTIONS})


def default_keys(preferences: Preferences) -> KeyMap:
    """Return the chords of every action with the preset and without the user's bindings."""
    return _active(preferences.preset, ())


def changed(preferences: Preferences) -> list[str]:
    """Return the names of the actions whose chords differ from the preset, in the order of the table."""
    now, default = active(preferences), default_keys(preferences)
    return [name for name, chords in now.items() if chords != default[name]]


def bind(preferences: Preferences, name: str, chords: Iterable[str]) -> None:
    """Make `chords` the keys of an action, and take them from every other action."""
    own = list(dict.fromkeys(chords))
    _take(preferences, name, own)
    preferences.keys[name] = own
    if tuple(own) == default_keys(preferences)[name]:
        _drop_needless(preferences, name)


def reset(preferences: Preferences, name: str) -> None:
    """Give an action the keys of the preset, and take these keys from every other action."""
    _take(preferences, name, default_keys(preferences)[name])
    preferences.keys.pop(name, None)


def _take(preferences: Preferences, name: str, chords: Iterable[str]) -> None:
    """Remove these chords from the user's bindings of all actions except the action `name`."""
    taken = set(chords)
    for other, own in preferences.keys.items():
        if other != name and taken & set(own):
            preferences.keys[other] = [chord for chord in own if chord not in taken]


def _drop_needless(preferences: Preferences, name: str) -> None:
    """Remove the user's binding of an action if the preset gives it the same keys."""
    before = active(preferences)
    own = preferences.keys.pop(name)
    if active(preferences) != before:
        preferences.keys[name] = own


@lru_cache(maxsize=8)
def _active(preset: str, own: Sequence[tuple[str, tuple[str, ...]]]) -> KeyMap:
    known = [action.name for action in ACTIONS]
    taken: set[str] = set()
    found: dict[str, tuple[str, ...]] = {}
    table = {action.name: action.keys for action in ACTIONS}
    for level in (dict(own), preset_of(Preferences(preset=preset)).keys, table):
        for name in known:
            if name in level and name not in found:
                found[name] = tuple(chord for chord in level[name] if chord not in taken)
                taken.update(found[name])
    return {name: found[name] for name in known}
