"""The layout of Urho3D packages, `.pak`: UPAK, ULZ4, and RPAK, RLZ4 of rbfx, whose directory may follow the
files.

Source: Urho3D `PackageFile.cpp`, `PackageFile::Open`, `File.cpp`, `File::ReadInternal`, and the tool
`PackageTool.cpp`; rbfx `PackageFile.cpp` and `PackageBuilder.cpp` for RPAK and RLZ4.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np

from viewer.binary import (
    ByteWriter,
    Cursor,
    Expression,
    Field,
    Fixed,
    Magic,
    Record,
    Span,
    Struct,
    Text,
    VariableRows,
    When,
    record_dtype,
    tile,
)
from viewer.binary.code_pages import decode
from viewer.binary.cursor import NdArray
from viewer.binary.dtypes import field_notes, item_span
from viewer.errors import FormatError, Topic
from viewer.families.urho3d.package.probe import IDS

U16, U32, I64 = np.dtype("<u2"), np.dtype("<u4"), np.dtype("<i8")

PACKED = ("ULZ4", "RLZ4")
"""Magics of packages whose files are stored in LZ4 blocks."""
MOVABLE = ("RPAK", "RLZ4")
"""Magics of packages whose header gives the offset of the directory."""
FIXED_HEADER, MOVABLE_HEADER = 12, 24
"""The size in bytes of a header without the directory's offset, and of a header with this offset."""

ENTRY = record_dtype(
    ("offset", U32, "offset of the file's bytes from the beginning of the package"),
    ("size", U32, "unpacked size, bytes"),
    ("checksum", U32, "SDBM checksum of the unpacked bytes"),
)
NAMED_ENTRY = Record(
    "entry",
    Text("name", note="path in the package"),
    *(Fixed(name, ENTRY[name], note) for name, note in field_notes(ENTRY).items()),
)
BLOCK = record_dtype(
    ("unpacked", U16, "unpacked size of the block, bytes"),
    ("packed", U16, "packed size of the block, bytes"),
)
"""The size fields before each LZ4 block. A file is a series of blocks, which can be unpacked independently.
The blocks of PackageTool have 32768 unpacked bytes.
"""
FREE_ENTRIES, BYTES_PER_ENTRY = 1 << 17, 64
"""The limit of the number of files in a package: `FREE_ENTRIES`, plus one for each `BYTES_PER_ENTRY` bytes.
The limit is necessary because a listed file takes much more memory than its entry.
"""


class Directory(Sequence[str]):
    """The entries of a package as a sequence of names, decoded when they are used. `items` [N] of ENTRY are
    the offsets, sizes and checksums of the files. The bytes of entry i are `data` from `starts[i]` to
    `starts[i + 1]`; `at` is the offset of `data` in the file.
    """

    def __init__(self, data: bytes, starts: NdArray, items: NdArray, at: int = 0) -> None:
        self._data, self.starts, self.items, self._at = data, starts, items, at

    @property
    def end(self) -> int:
        """Offset in the file after the last entry."""
        return int(self.starts[-1]) + self._at

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        return self.all[index]

    @cached_property
    def all(self) -> list[str]:
        """All names, decoded at the first use."""
        ends = (self.starts[1:] - ENTRY.itemsize - 1).tolist()
        starts, data = self.starts[:-1].tolist(), self._data
        return [decode(data[start:end]) for start, end in zip(starts, ends, strict=True)]

    def name(self, index: int) -> str:
        """Return the name of one entry, without decoding all names."""
        return decode(self._data[int(self.starts[index]) : int(self.starts[index + 1]) - ENTRY.itemsize - 1])


class Entries(Field):
    """A field with `file_count` entries, each a name and an ENTRY. If an entry is broken, the entries before
    it are in `FormatError.partial`.
    """

    name, note, minimum = "entries", "the directory, one entry for each file", 0
    record, count = NAMED_ENTRY, Expression("file_count")

    def read(self, cursor: Cursor, record: Struct) -> Directory:
        """Read `file_count` entries, but at most as many as the cursor's limit of records."""
        starts, find, at, end = array("q", (cursor.offset,)), cursor.data.find, cursor.offset, cursor.end
        wide = ENTRY.itemsize + 1
        most = min(int(record.file_count), cursor.records)
        for _ in range(most):
            at = find(b"\0", at, end) + wide
            if not wide <= at <= end:
                break
            starts.append(at)
        cursor.offset = starts[-1]
        marks = np.array(starts, np.int64)
        items = cursor.gather(marks[1:] - ENTRY.itemsize, ENTRY)
        directory = Directory(cursor.data, marks, items)
        if len(directory) < record.file_count:
            why = f"{record.file_count} files declared, {len(directory)} listed"
            if len(directory) == most:
                why = f"{record.file_count} files are more than the package's size allows"
            error = FormatError(why, offset=cursor.offset, topic=Topic.CUT)
            error.partial = directory
            raise error
        return directory

    def write(self, out: ByteWriter, value: Iterable[tuple[str, int, int, int]], record: Struct) -> None:
        """Write entries; `value` has the name, offset, size and checksum of each file."""
        for name, *numbers in value:
            out += name.encode() + b"\0" + np.array(tuple(numbers), ENTRY).tobytes()

    def span(self, name: str, value: Directory, start: int, end: int) -> Span:
        """The node of the directory, with a row for each entry."""

        def entry(index: int, at: int) -> Span:
            size = int(value.starts[index + 1]) - at
            return Span(
                f"[{index}]", at, size, "entry", value.name(index), "", lambda: _parts(value, index, at)
            )

        rows = VariableRows(value.starts, entry) if len(value) else ()
        return Span(name, start, end - start, f"entry[{len(value)}]", None, self.note, rows)


def _parts(directory: Directory, index: int, at: int) -> list[Span]:
    item, behind = directory.items[index], int(directory.starts[index + 1]) - ENTRY.itemsize
    parts = [Span("name", at, behind - at, "text", directory.name(index))]
    for field, note in field_notes(ENTRY).items():
        member: Any = ENTRY.fields and ENTRY.fields[field]
        parts.append(item_span(field, member[0], item[field], behind + member[1], note))
    return tile(parts, at, int(directory.starts[index + 1]) - at)


def package_cursor(data: bytes, offset: int, size: int) -> Cursor:
    """Return a cursor that may read as many entries as a package in a file of `size` bytes may have."""
    cursor = Cursor(data, offset)
    cursor.records = FREE_ENTRIES + size // BYTES_PER_ENTRY
    return cursor


ENTRIES = Entries()
MOVED, IN_PLACE = f"magic in {MOVABLE}", f"magic not in {MOVABLE}"
HEADER = Record(
    "header",
    Magic("magic", IDS, note="ULZ4 and RLZ4 have LZ4 blocks; in RPAK and RLZ4 the directory is last"),
    Fixed("file_count", U32, note="number of entries in the directory"),
    Fixed("checksum", U32, note="SDBM checksum of the unpacked bytes of all files in order"),
    When(MOVED, Fixed("version", U32, note="always 0")),
    When(MOVED, Fixed("directory_offset", I64, note="offset of the directory from the package's beginning")),
)
PACKAGE = Record("package", *HEADER.fields, When(IN_PLACE, ENTRIES))
