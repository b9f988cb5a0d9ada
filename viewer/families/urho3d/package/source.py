"""Opens an Urho3D package as an archive, without reading more than its directory."""

from __future__ import annotations

from viewer.binary import Cursor, Struct
from viewer.errors import FormatError
from viewer.families.urho3d.package.files import PackageFiles, find_directory
from viewer.families.urho3d.package.layout import (
    ENTRIES,
    HEADER,
    MOVABLE,
    MOVABLE_HEADER,
    Directory,
    package_cursor,
)
from viewer.families.urho3d.package.probe import package_start
from viewer.family.archive import Fetch
from viewer.scene.reading_context import ReadingContext

HEAD = 1 << 16
"""Number of bytes that are read at first for the directory. Each further try reads four times as many bytes.
"""


def open_package(fetch: Fetch, end: int, context: ReadingContext) -> PackageFiles | None:
    """Read the directory of the package in a file of `end` bytes; a truncated package has all files that its
    directory lists. None for a package without its directory, and for another file. FormatError if the header
    is truncated.
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
