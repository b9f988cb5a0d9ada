"""Sources of the files in Urho3D packages, so that `PACKAGE::name` opens a file, and models in a package find
their resources.
"""

from __future__ import annotations

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
from viewer.formats.urho3d.package.probe import package_start
from viewer.storage.archive import NumberedArchive
from viewer.storage.reading import Fetch

HEAD = 1 << 16
"""Number of bytes that are read at first for the directory. Each further try reads four times as many bytes.
"""


class PackageSource(NumberedArchive[PackageFiles]):
    """A source of the files in a package. A truncated package has all files that its directory lists."""

    def files_of(self, fetch: Fetch, end: int) -> PackageFiles | None:
        """Implement `NumberedArchive.files_of`. A package without its directory has no files. FormatError if
        the header is truncated.
        """
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
