"""Urho3D packages as sources, so that `PACKAGE::name` opens and models in packages find their resources."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import BinaryIO

from viewer.binary import Cursor, Struct
from viewer.errors import FormatError
from viewer.formats.urho3d.package.files import PackageFiles, find_directory
from viewer.formats.urho3d.package.layout import (
    ENTRIES,
    HEADER,
    MOVABLE,
    MOVABLE_HEADER,
    Directory,
    package_cursor,
)
from viewer.formats.urho3d.package.probe import Bytes, Fetch, package_start
from viewer.scene.names import JOINT
from viewer.storage.archive import Archive
from viewer.storage.reading import open_regular

HEAD = 1 << 16
"""Bytes read at first for the directory; each further try reads four times as many."""


class PackageSource(Archive[int]):
    """A source of the files in a package, by number. A truncated package has all files that its directory
    lists.

    Only the directory is read; the bytes of a file are read on demand.
    """

    joint = JOINT

    @classmethod
    def of(cls, path: str) -> PackageSource | None:
        """Return the source of a package file; None for a file of another format."""
        source = cls(path)
        return source if source._files is not None else None

    def listed(self) -> Iterator[tuple[str, int]]:
        """Implement `Archive.listed`."""
        names = self._files.directory.all if self._files else []
        return ((name, number) for number, name in enumerate(names))

    def size(self, entry: int) -> int:
        """Implement `Archive.size`."""
        return int(self._files.directory.items["size"][entry]) if self._files else 0

    def unpacked(self, stored: str, entry: int) -> bytes:
        """Implement `Archive.unpacked`."""
        assert self._files is not None, "only a package has entries"
        try:
            with open_regular(self.path) as file:
                return b"".join(self._files.read(entry, _reading(file)))
        except FormatError as error:
            error.file = self.where(stored)
            raise
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror}", file=self.where(stored)) from error

    @cached_property
    def _files(self) -> PackageFiles | None:
        try:
            with open_regular(self.path) as file:
                return _opened(file)
        except (OSError, FormatError):
            return None


def _reading(file: BinaryIO) -> Fetch:
    def fetch(at: int, size: int) -> Bytes:
        file.seek(at)
        return file.read(size)

    return fetch


def _opened(file: BinaryIO) -> PackageFiles | None:
    """The files of a package; None for a file that is no package, and for a package whose directory is
    missing. FormatError if the header is truncated.
    """
    fetch, end = _reading(file), file.seek(0, 2)
    start = package_start(fetch, end)
    if start is None:
        return None
    cursor = Cursor(bytes(fetch(start, MOVABLE_HEADER)))
    header = HEADER.read(cursor)
    if header.magic not in MOVABLE:
        return PackageFiles.of(header, _directory(fetch, start + cursor.offset, header, end), start, end)
    try:
        found, _ = find_directory(header, start, end, lambda at: _directory(fetch, at, header, end))
    except FormatError:
        return None
    return PackageFiles.of(header, found, start, end)


def _directory(fetch: Fetch, at: int, header: Struct, size: int) -> Directory:
    """Read the directory at an offset of a file of `size` bytes, without reading much more of the file. A
    truncated directory has the entries that exist.
    """
    wide = HEAD
    while True:
        cursor = package_cursor(bytes(fetch(at, wide)), 0, size)
        try:
            found = ENTRIES.read(cursor, header)
        except FormatError as error:
            found = error.partial
        if len(found) in (header.file_count, cursor.records) or len(cursor.data) < wide:
            return Directory(cursor.data, found.starts, found.items, at)
        wide *= 4
