"""The texts of `--list-bindings` and `--list-formats`."""

from __future__ import annotations

from viewer.actions import ACTIONS
from viewer.actions.bindings import active
from viewer.formats import FORMATS
from viewer.session.preferences import Preferences


def bindings(preferences: Preferences | None = None) -> str:
    """Every action that has keys with these settings: its name, its keys and its title."""
    keys = active(preferences or Preferences())
    rows = [(each.name, "  ".join(keys[each.name]), each.title) for each in ACTIONS if keys[each.name]]
    wide = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return "\n".join(f"{name:<{wide[0]}}  {keys:<{wide[1]}}  {title}" for name, keys, title in rows)


def formats() -> str:
    """Every format that can be opened, with its file suffixes."""
    width = max(len(each.name) for each in FORMATS)
    return "\n".join(f"{each.name:<{width}}  {' '.join(each.suffixes)}" for each in FORMATS)
