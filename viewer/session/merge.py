"""Merges the settings that several windows change at the same time."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import fields
from typing import Any

from viewer.session.interface import RECENT, Preferences

WHOLE = ("window",)
"""Tables whose entries belong together: the last change counts."""


def merged(before: Preferences, now: Preferences, stored: Preferences) -> Preferences:
    """The `stored` settings with the changes of this window, which had the settings `before` and has `now`.

    Of a table and of a list, only the entries that changed are taken from `now`.
    """
    result = Preferences()
    for field in fields(Preferences):
        values = (getattr(each, field.name) for each in (before, now, stored))
        setattr(result, field.name, deepcopy(_merged(field.name, *values)))
    return result


def _merged(name: str, before: Any, now: Any, stored: Any) -> Any:
    """The merged value of one field."""
    if now in (before, stored):
        return stored
    if stored == before:
        return now
    if name in WHOLE:
        return now
    if name == "recent":
        return merged_recent(before, now, stored)
    if isinstance(now, dict):
        kept = {key: value for key, value in stored.items() if key in now or key not in before}
        return kept | {key: value for key, value in now.items() if before.get(key) != value}
    if isinstance(now, list):
        kept_list = [each for each in stored if each in now or each not in before]
        return kept_list + [each for each in now if each not in before and each not in stored]
    return now


def merged_recent(before: list[str], now: list[str], stored: list[str]) -> list[str]:
    """The recent files, the latest first. Files that this window opened come before the files of the
    settings; files that it removed are left out. A file stays if only the limit of the list removed it.
    """
    count = next(n for n in range(len(now) + 1) if _begins([x for x in before if x not in now[:n]], now[n:]))
    opened = now[:count]
    removed = set(before) - set(now) if len(now) < RECENT else set()
    return [*opened, *(each for each in stored if each not in opened and each not in removed)][:RECENT]


def _begins(longer: list[str], rest: list[str]) -> bool:
    """Whether `rest` has entries of `longer` only, in their order."""
    left = iter(longer)
    return all(each in left for each in rest)
