"""The stored settings: one JSON file in the platform's folder for settings.

The file is written atomically. A damaged file is renamed and reported; the program starts in any case.
"""

from __future__ import annotations

import json
import os
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec

from viewer.errors import ResourceError
from viewer.session.preferences import RECENT, SETTINGS, Preferences, merge_rule
from viewer.storage.reading import open_regular
from viewer.storage.writing import rename_file, target_of, written

VERSION = 1
PATH_VARIABLE = "RIGSCOPE_SETTINGS"
"""The environment variable that overrides the path of the file."""
BROKEN, LOCK = ".broken", ".lock"
LOCK_TIMEOUT = 1.0
"""Seconds to wait while another window writes the file."""
PRIVATE = 0o600
"""Permissions of the file: private, because it contains the names of files that the user opened."""
LARGEST_FILE = 16 << 20
"""The largest size of the file in bytes; a longer file counts as broken."""


def default_path() -> Path:
    """The default settings file of this user."""
    if os.environ.get(PATH_VARIABLE):
        return Path(os.environ[PATH_VARIABLE])
    from platformdirs import user_config_path

    return user_config_path("rigscope", appauthor=False) / "settings.json"


def read(path: Path) -> Preferences:
    """Read the settings. A missing setting has its default.

    If the file cannot be read, it is renamed, because a new file would overwrite it; then ResourceError is
    raised.
    """
    try:
        with open_regular(path) as file:
            text = file.read(LARGEST_FILE).decode("utf-8")
    except FileNotFoundError:
        return Preferences()
    except (OSError, UnicodeDecodeError) as error:
        raise _set_aside(path, str(error)) from error
    try:
        return _parse(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise _set_aside(path, str(error)) from error


def read_field(path: Path, name: str) -> Any:
    """Read one setting; return its default if it cannot be read.

    The file stays unchanged, even if it is broken.
    """
    default = getattr(Preferences(), name)
    try:
        with open_regular(path) as file:
            value = json.loads(file.read(LARGEST_FILE))[name]
        return _checked(name, value)
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return default


def write(path: Path, preferences: Preferences) -> None:
    """Replace the file atomically; ResourceError if it cannot be written."""
    text = json.dumps({"version": VERSION} | msgspec.to_builtins(preferences), ensure_ascii=False, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written(target_of(path), permissions=PRIVATE) as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        raise ResourceError(f"settings cannot be written: {path}: {error.strerror or error}") from error


def update(path: Path, before: Preferences, now: Preferences) -> Preferences:
    """Write the changes from `before` to `now` into the file, and keep the changes of other windows.

    Return the settings that are now in the file. ResourceError if the file cannot be written, or if another
    program locks it for longer than `LOCK_TIMEOUT`.
    """
    from filelock import FileLock

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(path.name + LOCK), timeout=LOCK_TIMEOUT):
            stored = read(path) if path.exists() else before
            preferences = merged(before, now, stored)
            write(path, preferences)
            return preferences
    except OSError as error:
        raise ResourceError(f"settings cannot be written: {path}: {error.strerror or error}") from error


def _set_aside(path: Path, why: str) -> ResourceError:
    aside = path.with_name(path.name + BROKEN)
    try:
        rename_file(path, aside)
    except OSError:
        return ResourceError(f"settings cannot be read: {path}: {why}")
    return ResourceError(f"settings were broken ({why}); the broken file is now {aside}")


def _parse(data: Any) -> Preferences:
    """Convert parsed JSON to settings; ValueError if it has another structure."""
    if not isinstance(data, dict) or type(data.get("version")) is not int:
        raise ValueError("it has no `version`")
    return Preferences(**{name: _checked(name, data[name]) for name in SETTINGS if name in data})


def _checked(name: str, value: Any) -> Any:
    """Convert the value of a setting; ValueError if the table does not allow the value."""
    try:
        return getattr(msgspec.convert({name: value}, Preferences), name)
    except msgspec.ValidationError:
        raise ValueError(f"{name} cannot be {json.dumps(value)[:60]}") from None


def merged(before: Preferences, now: Preferences, stored: Preferences) -> Preferences:
    """Merge the `stored` settings with the changes of this window from `before` to `now`.

    In tables and lists, only the changed entries are taken from `now`. The row of a setting can name another
    rule: `whole` replaces the complete value, and `recent` merges lists of recent files.
    """
    values = {}
    for name in SETTINGS:
        three = (getattr(each, name) for each in (before, now, stored))
        values[name] = deepcopy(_merged(merge_rule(name), *three))
    return Preferences(**values)


def _merged(rule: str, before: Any, now: Any, stored: Any) -> Any:
    """Merge the value of one setting."""
    if now in (before, stored):
        return stored
    if stored == before or rule == "whole":
        return now
    if rule == "recent":
        return merged_recent(before, now, stored)
    if isinstance(now, dict):
        kept = {key: value for key, value in stored.items() if key in now or key not in before}
        return kept | {key: value for key, value in now.items() if before.get(key) != value}
    if isinstance(now, list):
        kept_list = [each for each in stored if each in now or each not in before]
        return kept_list + [each for each in now if each not in before and each not in stored]
    return now


def merged_recent(before: list[str], now: list[str], stored: list[str]) -> list[str]:
    """Merge the lists of recent files; the latest file comes first.

    Files that this window opened come before the `stored` files. Files that the user removed in this window
    are left out. Files that dropped out only because the list was full are kept if they are `stored`.
    """
    count = next(n for n in range(len(now) + 1) if _begins([x for x in before if x not in now[:n]], now[n:]))
    opened = now[:count]
    removed = set(before) - set(now) if len(now) < RECENT else set()
    return [*opened, *(each for each in stored if each not in opened and each not in removed)][:RECENT]


def _begins(longer: list[str], rest: list[str]) -> bool:
    """Whether `longer` contains all entries of `rest` in the same order."""
    left = iter(longer)
    return all(each in left for each in rest)
