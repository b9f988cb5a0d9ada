r"""Writes values into the user's part of the Windows registry, and removes exactly these values.

A record in the registry stores the written values and the created keys. A value that differs from the
recorded value is not touched, because it belongs to another program or the user changed it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, Protocol

from msgspec import Struct, field

from viewer.errors import FormatError
from viewer.library.desktop.installation import Changes
from viewer.library.desktop.windows_entries import CLASSES, RegistryEntry

RECORD: RegistryEntry = (r"Software\Rigscope", "Integration")
ROOT = "HKEY_CURRENT_USER"
ASSOCIATIONS_CHANGED = 0x08000000
"""SHCNE_ASSOCCHANGED, the event that notifies the Explorer of changed file types."""


class Registry(Protocol):
    """The text values of the registry. Keys are below HKEY_CURRENT_USER, without a leading backslash."""

    def read(self, key: str, name: str) -> str | None:
        """Return a value; None if it is missing or no text."""

    def has_key(self, key: str) -> bool:
        """Whether a key exists."""

    def write(self, key: str, name: str, value: str) -> None:
        """Write a value, and create its key if needed. OSError if the system refuses this."""

    def remove(self, key: str, name: str) -> None:
        """Remove a value that exists."""

    def remove_empty_key(self, key: str) -> None:
        """Remove a key if it has neither values nor keys."""

    def has_default_type(self, suffix: str) -> bool:
        """Whether the registry has a type for files with this suffix, for this user or for all users."""

    def announce(self) -> None:
        """Notify the Explorer that file types have changed."""


class _Written(Struct):
    """The record: the values that were written, and the keys that were created, outer keys first."""

    values: dict[RegistryEntry, str] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)


def install_entries(
    registry: Registry, entries: Mapping[RegistryEntry, str], defaults: Mapping[str, str]
) -> Changes:
    """Write the values, and remove values of an earlier installation that are not written again.

    `defaults` are the types of suffixes; each is written if its suffix has no type. OSError if a value cannot
    be written. The values that were written before the error are in the record, so that `remove_entries`
    removes them.
    """
    changes, old = Changes(), _read(registry)
    wanted = dict(entries)
    for suffix, name in defaults.items():
        entry = (rf"{CLASSES}\{suffix}", "")
        if entry in old.values or not registry.has_default_type(suffix):
            wanted[entry] = name
    for entry, value in old.values.items():
        if entry not in wanted and registry.read(*entry) == value:
            registry.remove(*entry)
    own = {entry: value for entry, value in wanted.items() if _is_free(registry, entry, old)}
    changes.left += [_path(entry) for entry in wanted if entry not in own]
    keys = _missing_keys(registry, [key for key, _ in (*own, RECORD)])
    _write(registry, _Written(own, [*old.keys, *(key for key in keys if key not in old.keys)]))
    for (key, name), value in own.items():
        registry.write(key, name, value)
    changes.written += dict.fromkeys(rf"{ROOT}\{key}" for key, _ in own)
    registry.announce()
    return changes


def remove_entries(registry: Registry) -> Changes:
    """Remove the values that `install_entries` wrote. Also remove the keys that it created, if they are empty
    now.
    """
    changes, record = Changes(), _read(registry)
    for entry, value in record.values.items():
        found = registry.read(*entry)
        if found == value:
            registry.remove(*entry)
            changes.removed.append(rf"{ROOT}\{entry[0]}")
        elif found is not None:
            changes.left.append(_path(entry))
    changes.removed[:] = dict.fromkeys(changes.removed)
    if registry.read(*RECORD) is not None:
        registry.remove(*RECORD)
    for key in reversed(record.keys):
        registry.remove_empty_key(key)
    if record.values:
        registry.announce()
    return changes


def _is_free(registry: Registry, entry: RegistryEntry, record: _Written) -> bool:
    """Whether a value is missing, or `install_entries` wrote it."""
    found = registry.read(*entry)
    return found is None or record.values.get(entry) == found


def _path(entry: RegistryEntry) -> str:
    key, name = entry
    return rf"{ROOT}\{key}" + (f" [{name}]" if name else "")


def _missing_keys(registry: Registry, keys: list[str]) -> list[str]:
    """Return the missing keys among these keys and the keys that enclose them, outer keys first."""
    found: dict[str, None] = {}
    for key in keys:
        parts = key.split("\\")
        around = ("\\".join(parts[: count + 1]) for count in range(len(parts)))
        found |= dict.fromkeys(each for each in around if not registry.has_key(each))
    return list(found)


def _read(registry: Registry) -> _Written:
    """Read the record, which is empty if nothing is installed. FormatError if it is damaged."""
    text = registry.read(*RECORD)
    if text is None:
        return _Written()
    try:
        parsed = json.loads(text)
        values = {(str(key), str(name)): str(value) for key, name, value in parsed["values"]}
        return _Written(values, [str(key) for key in parsed["keys"]])
    except (ValueError, TypeError, KeyError) as error:
        raise FormatError("the record of the registered file types is damaged", file=_path(RECORD)) from error


def _write(registry: Registry, record: _Written) -> None:
    values = [[key, name, value] for (key, name), value in record.values.items()]
    registry.write(*RECORD, json.dumps({"values": values, "keys": record.keys}))


class UserRegistry:
    """The registry of Windows, see `Registry`."""

    def __init__(self) -> None:
        self._winreg: Any = import_module("winreg")

    def read(self, key: str, name: str) -> str | None:
        """Return a value; None if it is missing or no text."""
        return self._text(self._winreg.HKEY_CURRENT_USER, key, name)

    def has_key(self, key: str) -> bool:
        """Whether a key exists."""
        try:
            self._winreg.OpenKey(self._winreg.HKEY_CURRENT_USER, key).Close()
        except OSError:
            return False
        return True

    def write(self, key: str, name: str, value: str) -> None:
        """Write a value, and create its key if needed. OSError if the system refuses this."""
        with self._winreg.CreateKey(self._winreg.HKEY_CURRENT_USER, key) as opened:
            self._winreg.SetValueEx(opened, name, 0, self._winreg.REG_SZ, value)

    def remove(self, key: str, name: str) -> None:
        """Remove a value that exists."""
        access = self._winreg.KEY_SET_VALUE
        with self._winreg.OpenKey(self._winreg.HKEY_CURRENT_USER, key, 0, access) as opened:
            self._winreg.DeleteValue(opened, name)

    def remove_empty_key(self, key: str) -> None:
        """Remove a key if it has neither values nor keys."""
        with suppress(OSError):
            with self._winreg.OpenKey(self._winreg.HKEY_CURRENT_USER, key) as opened:
                keys, values, _ = self._winreg.QueryInfoKey(opened)
            if not keys and not values:
                self._winreg.DeleteKey(self._winreg.HKEY_CURRENT_USER, key)

    def has_default_type(self, suffix: str) -> bool:
        """Whether the registry has a type for files with this suffix, for this user or for all users."""
        return bool(self._text(self._winreg.HKEY_CLASSES_ROOT, suffix, ""))

    def announce(self) -> None:
        """Notify the Explorer that file types have changed."""
        import ctypes

        shell: Any = getattr(ctypes, "windll").shell32  # noqa: B009  mypy knows it on Windows alone
        shell.SHChangeNotify(ASSOCIATIONS_CHANGED, 0, None, None)

    def _text(self, root: Any, key: str, name: str) -> str | None:
        try:
            with self._winreg.OpenKey(root, key) as opened:
                value = self._winreg.QueryValueEx(opened, name)[0]
        except OSError:
            return None
        return value if isinstance(value, str) else None
