"""Writes a file again by its layout: every record anew, from the values that were read.

What no field describes is copied: unknown chunks, and the bytes behind the last record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from viewer.binary.chunk import U16, Chunk, StreamTree
from viewer.binary.code_pages import StoredText, decode, page_of
from viewer.binary.cursor import Cursor
from viewer.binary.record import ByteWriter, Record, Struct
from viewer.binary.splicing import Splice
from viewer.errors import FormatError


class KeepingCursor(Cursor):
    """A cursor for a file that is written again. Texts keep their bytes, and chunks are read one by one."""

    __slots__ = ()

    def __init__(self, data: bytes, order: Literal["<", ">"] = "<") -> None:
        super().__init__(data, order=order)
        self.one_by_one = len(data)

    def text(self) -> str:
        """Read a NUL-terminated string with its bytes; the cursor moves past the terminator."""
        raw = self.until(b"\0", "zero")
        text = decode(raw)
        if not raw.isascii() and not self.page and text.encode() != raw:
            self.page = page_of(raw)
        return StoredText.from_raw(text, raw)


class ReadRecord(NamedTuple):
    """The record of a file. It is `whole` if nothing was cut or broken. `page` is the code page of its texts,
    empty if they are UTF-8.
    """

    record: Struct
    whole: bool
    page: str


def read_again(layout: Record, data: bytes, order: Literal["<", ">"]) -> ReadRecord:
    """Read a file so that it can be written again."""
    cursor = KeepingCursor(data, order)
    try:
        record = layout.read(cursor)
    except FormatError as error:
        assert isinstance(error.partial, Struct)
        return ReadRecord(error.partial, False, cursor.page)
    return ReadRecord(record, not cursor.errors, cursor.page)


def written_again(layout: Record, record: Struct, data: bytes, order: Literal["<", ">"]) -> bytes:
    """Write the record of the file `data`, which was read by `read_again`."""
    out = ByteWriter()
    out.order, out.source = order, data
    layout.write(out, record)
    return bytes(out) + data[record.marks[-1] :]


def chunks_around(record: Struct, offset: int) -> Iterator[tuple[int, int]]:
    """Yield the offset of the declared length, and this length, of each chunk around the byte at `offset`.
    Chunks whose lengths do not count their texts are left out.
    """
    layout = record.record
    if isinstance(layout, Chunk) and layout.length is None and "declared" in record.__dict__:
        yield record.marks[0] + U16.itemsize, record.declared
    for field, start, end in zip(
        layout.fields if layout else (), record.marks, record.marks[1:], strict=False
    ):
        value = record.get(field.name)
        if not field.nests or not start <= offset < end or value is None:
            continue
        inner = [each.value for each in value] if isinstance(value, StreamTree) else value
        for each in inner if isinstance(inner, list) else (inner,):
            if isinstance(each, Struct) and each.marks[0] <= offset < each.marks[-1]:
                yield from chunks_around(each, offset)


def first_difference(one: Struct, other: Struct, splices: Sequence[Splice] = ()) -> str:
    """The path of the first field that only one of two records has, or that begins elsewhere, or has another
    number of items or another type. Empty if the records differ only in values.

    `splices` are the changes of the bytes of `one` that gave those of `other`.
    """
    ends = [(each.offset + each.size, each.growth) for each in splices if each.growth]

    def moved(mark: int) -> int:
        return mark + sum(growth for end, growth in ends if end <= mark)

    return _difference(one, other, "", moved if ends else None) or ""


Moved = Callable[[int], int]


def _difference(one: Any, other: Any, path: str, moved: Moved | None) -> str | None:
    """The path of the first difference of two parts; None if they differ only in values. `moved` returns the
    offset to which an offset has moved.
    """
    if isinstance(one, Struct) and isinstance(other, Struct):
        first, second = one.__dict__, other.__dict__
        marks = one.marks if moved is None else list(map(moved, one.marks))
        if first.keys() != second.keys() or marks != other.marks or bool(one.error) != bool(other.error):
            return path or "the beginning"
        pairs = ((f"{path}/{name}" if path else name, value, second[name]) for name, value in first.items())
        return next((found for at, a, b in pairs if (found := _difference(a, b, at, moved))), None)
    if isinstance(one, StreamTree) and isinstance(other, StreamTree):
        if [each.kind for each in one] != [each.kind for each in other]:
            return path
        one, other = [each.value for each in one], [each.value for each in other]
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return path
        rows = ((f"{path}[{row}]", a, b) for row, (a, b) in enumerate(zip(one, other, strict=True)))
        return next((found for at, a, b in rows if (found := _difference(a, b, at, moved))), None)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return None if one.dtype == other.dtype and one.shape == other.shape else path
    return None
