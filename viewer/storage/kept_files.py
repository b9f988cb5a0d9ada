"""Values in files of the cache folder: a file for each name, whole or absent.

Several programs may read and write one file at the same time, because a new file replaces the old one at
once. A file that is damaged or of another layout counts as missing; a value that cannot be written is made
again by the next program.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.storage.cache_folder import cache_folder
from viewer.storage.listing import is_folder, walk
from viewer.storage.reading import read_file
from viewer.storage.versions import unrecorded_version
from viewer.storage.writing import PREFIX, written

CHECKSUM = 4
"""Size in bytes of the checksum at the beginning of a file."""
LEFT = 0.9
"""Share of the limit of a folder that stays after its least used files are deleted."""
MINUTE = 60.0
"""Seconds in which the time of the last use of a file is recorded at most once."""

KeptValue = TypeVar("KeptValue")


def kept_value(folder: str, name: str, kind: type[KeptValue]) -> KeptValue | None:
    """Read the value that a folder of the cache folder has under a name; None if it has none."""
    path = kept_path(folder, name)
    version = unrecorded_version(path)
    if version is None:
        return None
    try:
        value = decoded(read_file(path, BUDGET.file_bytes), kind)
    except (FormatError, msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    used(path, version.modified / 1e9)
    return value


def keep_value(folder: str, name: str, value: object, most: int) -> None:
    """Keep a value under a name in a folder of at most `most` bytes, unless the cache folder cannot be
    written or a text of the value is not Unicode, as names of files may be.
    """
    path = kept_path(folder, name)
    try:
        data = encoded(value)
        if len(data) > min(most, BUDGET.file_bytes):
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with written(path, sync=False) as file:
            file.write(data)
    except (OSError, UnicodeError):
        return
    delete_least_used(Path(os.path.dirname(path)), most)


def encoded(value: object) -> bytes:
    """The bytes of a kept file."""
    data = msgspec.msgpack.encode(value)
    return checksum(data) + data


def checksum(data: bytes) -> bytes:
    """The first bytes of a kept file, which show later whether the rest is whole."""
    return zlib.crc32(data).to_bytes(CHECKSUM, "little")


def decoded(data: bytes, kind: type[KeptValue]) -> KeptValue:
    """The value of a kept file. FormatError or `msgspec.DecodeError` if it is damaged or of another kind."""
    if checksum(data[CHECKSUM:]) != data[:CHECKSUM]:
        raise FormatError("the checksum is wrong", offset=0)
    return msgspec.msgpack.decode(data[CHECKSUM:], type=kind)


def used(path: str | os.PathLike[str], last: float) -> None:
    """Record that a kept file is used, as its modification time; `last` is the time of its last use."""
    if abs(time.time() - last) > MINUTE:
        with suppress(OSError):
            os.utime(path)


def delete_least_used(folder: Path, most: int) -> None:
    """Delete the least recently used files of a folder if it has more than `most` bytes."""
    kept = sorted(_files(folder))
    total = sum(size for _, size, _ in kept)
    if total <= most:
        return
    for _, size, path in kept:
        if total <= most * LEFT:
            return
        with suppress(OSError):
            os.unlink(path)
        total -= size


def _files(folder: Path) -> Iterator[tuple[float, int, str]]:
    """Yield the time of last use, the size and the path of each finished file."""
    for _, entries in walk(os.fspath(folder), lambda _folder, _error: None):
        for entry in entries:
            if not entry.name.startswith(PREFIX) and not is_folder(entry):
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    yield status.st_mtime, status.st_size, entry.path


def kept_path(folder: str, name: str) -> str:
    """The path of the file that has the value of a name."""
    import hashlib  # imported late, because it takes 3 ms and the window's start does not need it

    key = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return os.path.join(cache_folder(), folder, key)
