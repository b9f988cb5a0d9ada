"""Reads the settings for checks from `rigscope.toml`, or from `tool.rigscope` in `pyproject.toml`.

Each value is checked: an error names the file, the key and similar names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from viewer.check.limits import LIMITS, Limits
from viewer.check.rules import rule_names
from viewer.check.settings import PathRules, Settings
from viewer.errors import ResourceError
from viewer.scene.finding import Severity
from viewer.scene.names import unknown
from viewer.storage.package_path import on_disk
from viewer.storage.project_settings import OWN, SHARED, TomlTable, own_table, pin_tables
from viewer.storage.versions import is_regular

Reader = Callable[[str, Any], Any]
"""Checks and converts a value; the first argument is the path of its key."""


class SettingsSearch:
    """Finds the settings of files: `given` for all files, else the settings in the nearest enclosing
    folder.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._given = settings
        self._known: dict[str, Settings] = {}

    def of(self, path: str) -> Settings:
        """Find the settings for a file, on the disk or in a package. ResourceError if the settings have an
        error.
        """
        if self._given is not None:
            return self._given
        folder = os.path.dirname(os.path.abspath(on_disk(path)))
        passed: list[str] = []
        while folder not in self._known:
            passed.append(folder)
            found = _in_folder(folder)
            above = os.path.dirname(folder)
            if found is not None or above == folder:
                self._known[folder] = found or Settings()
                break
            folder = above
        self._known |= dict.fromkeys(passed, self._known[folder])
        return self._known[folder]


def read_settings(path: str) -> Settings:
    """Read a settings file; ResourceError if it cannot be read or has a wrong value."""
    return _parsed(path, own_table(path) or {})


def _in_folder(folder: str) -> Settings | None:
    """The settings in a folder's own settings file."""
    for name in (OWN, SHARED):
        path = os.path.join(folder, name)
        table = own_table(path) if is_regular(path) else None
        if table is not None:
            return _parsed(path, table)
    return None


def _parsed(path: str, table: TomlTable) -> Settings:
    """Convert a TOML table to settings. Each key may be in the table itself or in its inner table `check`."""
    try:
        inner = _table("check", table.get("check", {}))
        outer = {key: value for key, value in table.items() if key not in ("check", "pins")}
        pin_tables(table.get("pins", {}))
        return Settings(path, **_values("", outer | inner, KEYS))
    except ResourceError as error:
        raise ResourceError(f"{path}: {error}") from None


def _values(where: str, table: TomlTable, readers: Mapping[str, Reader]) -> dict[str, Any]:
    """Check and convert the values of the TOML table named `where`. Return them by field name."""
    found = {}
    for key, value in table.items():
        name = f"{where}.{key}" if where else key
        if key not in readers:
            raise ResourceError(f"{where}{where and ': '}{unknown('key', key, list(readers))}")
        found[FIELDS.get(key, key.replace("-", "_"))] = readers[key](name, value)
    return found


def _table(key: str, value: Any) -> TomlTable:
    if not isinstance(value, dict):
        raise ResourceError(f"{key} has to be a table")
    return value


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ResourceError(f"{key} has to be a text")
    return value


def _rules(key: str, value: Any) -> tuple[str, ...]:
    """Check a list of rule ids and groups."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ResourceError(f'{key} has to be a list of rules, such as ["mesh", "weights/sum"]')
    return tuple(_rule(key, each) for each in value)


def _rule(key: str, name: str) -> str:
    if name not in rule_names():
        raise ResourceError(f"{key}: {unknown('rule', name, rule_names())}")
    return name


def _severity(key: str, value: Any) -> Severity:
    words = {each.word: each for each in sorted(Severity, reverse=True)}
    if not isinstance(value, str) or value not in words:
        raise ResourceError(f"{key} has to be {', '.join(words)}, not {value!r}")
    return words[value]


def _severities(key: str, value: Any) -> dict[str, Severity]:
    """Convert a table that maps rule ids and groups to severities."""
    table = _table(key, value)
    return {_rule(key, name): _severity(f"{key}.{name}", word) for name, word in table.items()}


def _limit(key: str, value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ResourceError(f"{key} has to be a whole number, not {value!r}")
    return value


def _bones(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ResourceError(f'{key} has to be a list of names of bones, such as ["Hand"]')
    return tuple(value)


def _limits(key: str, value: Any) -> Limits:
    known: dict[str, Reader] = {name.replace("_", "-"): _limit for name in LIMITS}
    known["unjudged-bones"] = _bones
    return Limits(**_values(key, _table(key, value), known))


def _per_path(key: str, value: Any) -> tuple[PathRules, ...]:
    """Convert a table whose keys are patterns. Each value is a list of rules to ignore, or a table of
    settings.
    """
    found = []
    for pattern, each in _table(key, value).items():
        name = f"{key}.{pattern!r}"
        table = {"ignore": each} if isinstance(each, list) else _table(name, each)
        found.append(PathRules(pattern, **_values(name, table, PATH_KEYS)))
    return tuple(found)


FIELDS = {"severity": "severities"}
"""The name of a field by its key, if the two names differ."""
PATH_KEYS: Mapping[str, Reader] = {"ignore": _rules, "severity": _severities, "limits": _limits}
KEYS: Mapping[str, Reader] = {
    "select": _rules,
    **PATH_KEYS,
    "fail-on": _severity,
    "per-path": _per_path,
    "baseline": _text,
}
"""The keys of the settings, with the functions that check and convert their values."""
