"""Installs files in the user's data folder, and removes exactly these files.

A record in the folder stores the hash of each written file, and the folders created for the files. A file
whose hash is not the recorded one is not touched: it belongs to another program, or the user changed it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from msgspec import Struct, field

from viewer.errors import FormatError
from viewer.storage.listing import entries_of, walk
from viewer.storage.reading import read_file
from viewer.storage.writing import replaced

RECORD = "rigscope/integration.json"
SECONDS = 60.0
"""Time limit in seconds for a program that updates a database."""


class Database(NamedTuple):
    """A database of the desktop. The `program`, from the Debian package `package`, makes the database in
    `folder`. It reads the files with `suffix` in the folder `sources`.
    """

    program: str
    package: str
    folder: str
    sources: str
    suffix: str


DATABASES = (
    Database("update-mime-database", "shared-mime-info", "mime", "mime/packages", ".xml"),
    Database("update-desktop-database", "desktop-file-utils", "applications", "applications", ".desktop"),
)


class Changes(Struct):
    """The result of an installation or removal.

    `left` are the paths of files that were not touched, because another program or the user has changed them.
    `remarks` are messages about databases that are not up to date.
    """

    written: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


class _InstalledFiles(Struct):
    """The record of an installation.

    `files` are SHA-256 hashes by path. `made` are the created folders and databases, in the order of
    creation. Paths are relative to the data folder.
    """

    files: dict[str, str] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)


def data_home(environment: Mapping[str, str]) -> str:
    """Return the user's data folder: `XDG_DATA_HOME`, or `~/.local/share`."""
    given = environment.get("XDG_DATA_HOME", "")
    return given if os.path.isabs(given) else os.path.expanduser("~/.local/share")


def install(home: str, files: Mapping[str, bytes]) -> Changes:
    """Write files, given by paths relative to the folder `home`, and update the databases.

    Raises OSError if a file cannot be written. Files that were written before the error are in the record, so
    that `remove` removes them.
    """
    changes, old = Changes(), _read(home)
    own = {path: data for path, data in files.items() if _is_free(home, path, old)}
    changes.left += [os.path.join(home, path) for path in files if path not in own]
    folders = _missing_folders(home, [*own, RECORD])
    record = _InstalledFiles(
        old.files | {path: _hash(data) for path, data in own.items()}, [*old.made, *folders]
    )
    for folder in folders:
        os.makedirs(os.path.normpath(os.path.join(home, folder)), exist_ok=True)
    _write(home, record)
    for path, data in own.items():
        with replaced(os.path.join(home, path)) as file:
            file.write(data)
        changes.written.append(os.path.join(home, path))
    changes.remarks += _update(home, record)
    _write(home, record)
    return changes


def remove(home: str) -> Changes:
    """Remove the files that `install` wrote, the databases that have no source files left, and the created
    folders.
    """
    changes, record = Changes(), _read(home)
    for path, digest in record.files.items():
        whole = os.path.join(home, path)
        if _hash_of(whole) == digest:
            os.unlink(whole)
            changes.removed.append(whole)
        elif os.path.lexists(whole):
            changes.left.append(whole)
    if record.files:
        changes.remarks += _update(home, record)
    with suppress(FileNotFoundError):
        os.unlink(os.path.join(home, RECORD))
    empty = tuple(f"{each.folder}/" for each in DATABASES if not _has_sources(home, each))
    for path in reversed(record.made):
        _remove_made(os.path.normpath(os.path.join(home, path)), path.startswith(empty))
    return changes


def _remove_made(path: str, database: bool) -> None:
    """Remove `path`: a folder if it is empty, a file only if `database` is True."""
    with suppress(OSError):
        if os.path.isdir(path) and not os.path.islink(path):
            os.rmdir(path)
        elif database:
            os.unlink(path)


def _update(home: str, record: _InstalledFiles) -> list[str]:
    """Update the databases, and add new databases to `record`; return messages about failures."""
    before = _below(home)
    found = [_updated(home, each) for each in DATABASES if os.path.isdir(os.path.join(home, each.folder))]
    record.made += sorted(_below(home) - before - set(record.made))
    return [remark for remark in found if remark]


def _updated(home: str, database: Database) -> str:
    program = shutil.which(database.program)
    if program is None:
        return (
            f"{database.program} is missing (Debian: {database.package}): "
            "install and run it, so that the desktop notices the change"
        )
    try:
        done = subprocess.run(
            [program, os.path.join(home, database.folder)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{database.program} failed: {error}"
    if done.returncode == 0:
        return ""
    why = " ".join(done.stderr.decode(errors="replace").split())
    return f"{database.program} failed: {why or done.returncode}"


def _has_sources(home: str, database: Database) -> bool:
    entries = entries_of(os.path.join(home, database.sources))
    return any(each.name.endswith(database.suffix) for each in entries)


def _is_free(home: str, path: str, record: _InstalledFiles) -> bool:
    """Return whether `install` may write a file: the file is missing, or `install` wrote it and nobody
    changed it.
    """
    whole = os.path.join(home, path)
    return not os.path.lexists(whole) or (path in record.files and _hash_of(whole) == record.files[path])


def _missing_folders(home: str, paths: list[str]) -> list[str]:
    """Return the missing folders of these files, relative to `home`, outer folders first."""
    found: dict[str, None] = {}
    for path in paths:
        folder, missing = os.path.dirname(os.path.join(home, path)), []
        while not os.path.isdir(folder):
            missing.append(os.path.relpath(folder, home))
            folder = os.path.dirname(folder)
        found |= dict.fromkeys(reversed(missing))
    return list(found)


def _below(home: str) -> set[str]:
    """Return all files and folders in the folders of the databases."""
    return {
        os.path.relpath(entry.path, home)
        for each in DATABASES
        for _, entries in walk(os.path.join(home, each.folder), lambda _folder, _error: None)
        for entry in entries
    }


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _hash_of(path: str) -> str | None:
    """Return the hash of a regular file; None for links and unreadable files."""
    try:
        return None if os.path.islink(path) else _hash(read_file(path))
    except FormatError:
        return None


def _read(home: str) -> _InstalledFiles:
    """Read the record, which is empty if nothing is installed. Raises FormatError if it is damaged."""
    path = os.path.join(home, RECORD)
    if not os.path.lexists(path):
        return _InstalledFiles()
    try:
        values = json.loads(read_file(path))
        files, made = values["files"], values["made"]
        if not all(isinstance(text, str) for text in (*files, *files.values(), *made)):
            raise TypeError
    except (ValueError, TypeError, KeyError, AttributeError):
        raise FormatError("the record of the installed files is damaged", file=path) from None
    return _InstalledFiles(files, made)


def _write(home: str, record: _InstalledFiles) -> None:
    with replaced(os.path.join(home, RECORD)) as file:
        file.write(json.dumps({"files": record.files, "made": record.made}, indent=1).encode())
