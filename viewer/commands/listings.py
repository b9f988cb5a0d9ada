"""What `--list-bindings` and `--list-formats` print."""

from __future__ import annotations

from viewer.actions import ACTIONS
from viewer.actions.bindings import active
from viewer.formats import FORMATS
from viewer.session.interface import Preferences


def bindings(kept: Preferences | None = None) -> str:
    """Every action that has keys by these settings: its name, its keys, and what it does."""
    keys = active(kept or Preferences())
    rows = [(each.name, "  ".join(keys[each.name]), each.title) for each in ACTIONS if keys[each.name]]
    wide = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return "\n".join(f"{name:<{wide[0]}}  {keys:<{wide[1]}}  {title}" for name, keys, title in rows)


def formats() -> str:
    """Every format that opens, with the suffixes of its files."""
    width = max(len(each.name) for each in FORMATS)
    return "\n".join(f"{each.name:<{width}}  {' '.join(each.suffixes)}" for each in FORMATS)
