"""The stored settings: one JSON file in the platform's folder for settings.

The file is written atomically. A damaged file is renamed and reported; the program starts nevertheless.
Settings and values of a newer version stay in the file until the user changes them.
"""

from __future__ import annotations

import json
import os
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from viewer.errors import ResourceError, words_of
from viewer.paths import user_folder
from viewer.session.preferences import RECENT, SETTINGS, Preferences, merge_rule
from viewer.storage.reading import open_regular
from viewer.storage.writing import put_aside, target_of, written

VERSION = 1
PATH_VARIABLE = "RIGSCOPE_SETTINGS"
"""The environment variable that overrides the path of the file."""
LOCK = ".lock"
LOCK_TIMEOUT = 1.0
"""Seconds to wait while another window writes the file."""
PRIVATE = 0o600
"""Permissions of the file. It is private, because it contains the names of files that the user opened."""
LARGEST_FILE = 16 << 20
"""The largest size of the file in bytes; a longer file counts as broken."""


def default_path() -> Path:
    """The default settings file of this user."""
    if os.environ.get(PATH_VARIABLE):
        return Path(os.environ[PATH_VARIABLE])
    return user_folder("config") / "settings.json"


class StoredSettings(Struct, frozen=True):
    """The settings of a file.

    `kept` are the entries of the file, as parsed JSON, that this version of the program cannot use: unknown
    names, and values that a row does not allow. `remarks` report the wrong values, a line each.
    """

    preferences: Preferences
    kept: dict[str, Any]
    remarks: tuple[str, ...] = ()


def read(path: Path) -> Preferences:
    """Read the settings, see `read_stored`."""
    return read_stored(path).preferences


def read_stored(path: Path) -> StoredSettings:
    """Read the settings. A setting that is missing or wrong has its default.

    An unreadable file is renamed, because a new file would overwrite it; then ResourceError is raised. A
    folder or a device is never renamed.
    """
    try:
        with open_regular(path) as file:
            text = file.read(LARGEST_FILE).decode("utf-8")
    except FileNotFoundError:
        return StoredSettings(Preferences(), {})
    except (OSError, UnicodeDecodeError) as error:
        raise _set_aside(path, words_of(error)) from error
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


def write(path: Path, preferences: Preferences, kept: dict[str, Any] | None = None) -> None:
    """Replace the file atomically; ResourceError if it cannot be written.

    `kept` are entries that stay as they are in the file. A wrong value is replaced if its setting no longer
    has the default.
    """
    values, default = msgspec.to_builtins(preferences), msgspec.to_builtins(Preferences())
    old = {name: value for name, value in (kept or {}).items() if values.get(name) == default.get(name)}
    text = json.dumps({"version": VERSION} | values | old, ensure_ascii=False, indent=1)
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
            stored = read_stored(path) if path.exists() else StoredSettings(before, {})
            preferences = merged(before, now, stored.preferences)
            write(path, preferences, stored.kept)
            return preferences
    except OSError as error:
        raise ResourceError(f"settings cannot be written: {path}: {error.strerror or error}") from error


def _set_aside(path: Path, why: str) -> ResourceError:
    """Rename the broken file, unless it is no regular file; return the error that says so."""
    unreadable = ResourceError(f"settings cannot be read: {path}: {why}")
    if not path.is_file():
        return unreadable
    try:
        aside = put_aside(path)
    except OSError:
        return unreadable
    return ResourceError(f"settings were broken ({why}); the broken file is now {aside}")


def _parse(data: Any) -> StoredSettings:
    """Convert parsed JSON to settings; ValueError if it has another structure."""
    if not isinstance(data, dict) or type(data.get("version")) is not int:
        raise ValueError("it has no `version`")
    version = data.pop("version")
    kept: dict[str, Any] = {"version": version} if version > VERSION else {}
    values, remarks = {}, []
    for name, value in data.items():
        try:
            values[name] = _checked(name, value)
        except KeyError:
            kept[name] = value
        except ValueError as error:
            kept[name] = value
            remarks.append(f"settings: {error}; the default is used until you change the setting")
    if version > VERSION:
        remarks.append("settings were written by a newer version of Rigscope; its additions stay in the file")
    return StoredSettings(Preferences(**values), kept, tuple(remarks))


def _checked(name: str, value: Any) -> Any:
    """Convert the value of a setting.

    KeyError if there is no such setting, ValueError if the table does not allow the value.
    """
    if name not in SETTINGS:
        raise KeyError(name)
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
