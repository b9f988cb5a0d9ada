"""The stored settings: one JSON file in the platform's folder for settings.

It is written completely or not at all. A damaged file is renamed, with a message: no content of the file can
keep the program from starting.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from viewer.errors import ResourceError
from viewer.scene.shading import MissingTextures, Quality
from viewer.session.interface import (
    FILE_SORTS,
    LARGEST,
    LARGEST_PICTURE,
    LAYOUTS,
    SMALLEST,
    SMALLEST_PICTURE,
    THEMES,
    Preferences,
)
from viewer.session.merge import merged
from viewer.storage.reading import open_regular
from viewer.storage.writing import rename_file, target_of, written

VERSION = 1
PATH_VARIABLE = "RIGSCOPE_SETTINGS"
"""The environment variable that overrides the path of the file."""
BROKEN, LOCK = ".broken", ".lock"
PATIENCE = 1.0
"""Seconds to wait for another window that writes the file."""
PLACEMENT = {"x", "y", "width", "height", "maximized"}
"""The numbers of a window's placement."""
FARTHEST = 1 << 15
"""X has no positions and sizes beyond it."""
PRIVATE = 0o600
"""Permissions of the file: it names files that the user opened."""
LARGEST_FILE = 16 << 20
"""Bytes that are read; a longer file is broken."""


def default_path() -> Path:
    """The default settings file of this user."""
    if os.environ.get(PATH_VARIABLE):
        return Path(os.environ[PATH_VARIABLE])
    from platformdirs import user_config_path

    return user_config_path("rigscope", appauthor=False) / "settings.json"


def read(path: Path) -> Preferences:
    """Read the settings; missing fields have their defaults.

    ResourceError if the file cannot be used; it is renamed, so that a new file does not overwrite it.
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
    """One field of the settings, its default if it cannot be read; the file stays as it is."""
    default = getattr(Preferences(), name)
    try:
        with open_regular(path) as file:
            value = json.loads(file.read(LARGEST_FILE))[name]
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return default
    return value if CHECKS[name](value) else default


def write(path: Path, preferences: Preferences) -> None:
    """Replace the file atomically; ResourceError if it cannot be written."""
    text = json.dumps({"version": VERSION} | asdict(preferences), ensure_ascii=False, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written(target_of(path), permissions=PRIVATE) as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        raise ResourceError(f"settings are not kept: {path}: {error.strerror or error}") from error


def update(path: Path, before: Preferences, now: Preferences) -> Preferences:
    """Write the changes from `before` to `now` into the file, and keep what other windows changed in it.

    Returns the settings that the file has then. ResourceError if it cannot be written, or if another program
    holds it for longer than `PATIENCE`.
    """
    from filelock import FileLock

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(path.name + LOCK), timeout=PATIENCE):
            stored = read(path) if path.exists() else before
            preferences = merged(before, now, stored)
            write(path, preferences)
            return preferences
    except OSError as error:
        raise ResourceError(f"settings are not kept: {path}: {error.strerror or error}") from error


def _set_aside(path: Path, why: str) -> ResourceError:
    aside = path.with_name(path.name + BROKEN)
    try:
        rename_file(path, aside)
    except OSError:
        return ResourceError(f"settings cannot be read: {path}: {why}")
    return ResourceError(f"settings were broken ({why}); they are in {aside} now")


def _parse(data: Any) -> Preferences:
    """The settings in a text; ValueError if it has another structure."""
    if not isinstance(data, dict) or not isinstance(data.get("version"), int):
        raise ValueError("no version in it")
    preferences = Preferences()
    for field in fields(Preferences):
        if field.name in data:
            if not CHECKS[field.name](data[field.name]):
                raise ValueError(f"{field.name} cannot be {json.dumps(data[field.name])[:60]}")
            setattr(preferences, field.name, data[field.name])
    return preferences


def _strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _table(inside: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(map(inside, value.values()))


def _numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(
        type(each) is int and abs(each) < FARTHEST for each in value.values()
    )


def _text(value: Any) -> bool:
    return isinstance(value, str)


CHECKS: dict[str, Callable[[Any], bool]] = {
    "theme": lambda value: value in THEMES,
    "scale": lambda value: isinstance(value, float | int) and SMALLEST <= value <= LARGEST,
    "layout": lambda value: value in [layout.name for layout in LAYOUTS],
    "arrangements": _table(_text),
    "closed": _strings,
    "preset": _text,
    "keys": _table(_strings),
    "recent": _strings,
    "look": _table(lambda value: isinstance(value, bool)),
    "missing": lambda value: value in [each.value for each in MissingTextures],
    "quality": lambda value: value in [each.value for each in Quality],
    "same_view": lambda value: isinstance(value, bool),
    "resources": _strings,
    "check_files": lambda value: isinstance(value, bool),
    "ignored_rules": _strings,
    "pictures": _text,
    "films": _text,
    "exports": _text,
    "files_sort": lambda value: value in FILE_SORTS,
    "files_descending": lambda value: isinstance(value, bool),
    "files_folded": lambda value: isinstance(value, bool),
    "picture_size": lambda value: (
        isinstance(value, float | int) and SMALLEST_PICTURE <= value <= LARGEST_PICTURE
    ),
    "window": lambda value: value == {} or (_numbers(value) and set(value) == PLACEMENT),
    "max_size": lambda value: value is None or (type(value) is int and value >= 0),
    "thumbnail_bytes": lambda value: type(value) is int and value >= 0,
}
"""The check for the values of each field."""
