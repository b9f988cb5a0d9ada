"""The only module that reads a file's bytes. Every read is checked before memory is allocated."""

from __future__ import annotations

import struct
import sys
from typing import Any, Literal, NoReturn

import numpy as np
from msgspec import Struct

from viewer.binary.code_pages import decode
from viewer.errors import FormatError, Topic, counted

Dtype = np.dtype[Any]
NdArray = np.ndarray[Any, Any]

FREE_RECORDS = 16_000
BYTES_PER_RECORD = 400

CODES = {
    "u1": "B",
    "i1": "b",
    "u2": "H",
    "i2": "h",
    "u4": "I",
    "i4": "i",
    "u8": "Q",
    "i8": "q",
    "f4": "f",
    "f8": "d",
}
"""The type codes of plain numbers in the `struct` module, by their names in numpy."""
NATIVE = "<" if sys.byteorder == "little" else ">"
_READERS = {
    order: {
        np.dtype(each + item): struct.Struct(order + code) for each in "<>" for item, code in CODES.items()
    }
    for order in "<>"
}


class Remark(Struct, frozen=True):
    """A remark about unusual but readable bytes at `offset`."""

    text: str
    offset: int


class Cursor:
    """A position in `data` that only moves over bytes that exist.

    `order` is "<" or ">": the byte order of the file. Arrays are returned in the machine's byte order. If the
    file has the same order, they are read-only views of `data`.

    `page` is the code page of the texts that were read, empty while all were UTF-8. `remarks`
    describe unusual but readable bytes, by topic. `errors` are the errors that lost a part of the document
    and did not stop the reading.

    A record becomes a Python object that is many times larger than its bytes. So `spend` limits the number of
    records in proportion to the file: a small file cannot take gigabytes.

    Chunks before the offset `one_by_one` are read one by one, not as a table (see `chunk_tables`).
    """

    __slots__ = ("data", "end", "errors", "offset", "one_by_one", "order", "page", "records", "remarks")

    def __init__(
        self, data: bytes, offset: int = 0, end: int | None = None, order: Literal["<", ">"] = "<"
    ) -> None:
        self.data = data
        self.offset = offset
        self.end = len(data) if end is None else end
        self.order: Literal["<", ">"] = order
        self.page = ""
        self.remarks: dict[Topic, list[Remark]] = {}
        self.errors: list[FormatError] = []
        self.records = FREE_RECORDS + len(data) // BYTES_PER_RECORD
        self.one_by_one = 0

    @property
    def left(self) -> int:
        """The number of bytes from the cursor to the end."""
        return self.end - self.offset

    def fail(self, why: str, topic: Topic = Topic.OTHER) -> NoReturn:
        """Raise a FormatError at the current offset."""
        raise FormatError(why, offset=self.offset, topic=topic)

    def require(self, size: int) -> None:
        """Check that `size` bytes follow; the FormatError says how many are missing."""
        if size > self.end - self.offset:
            self.fail(f"{counted(size, 'byte')} needed, {self.left} left", Topic.CUT)

    def remark(self, topic: Topic, text: str, offset: int) -> None:
        """Add a remark at an offset; a report shows the first text of each topic."""
        self.remarks.setdefault(topic, []).append(Remark(text, offset))

    def spend(self) -> None:
        """Count one record; FormatError if there are more than a file of this size may have."""
        self.records -= 1
        if self.records < 0:
            self.fail("more records than a file of this size may have")

    def scalar(self, dtype: Dtype) -> int | float:
        """Read one number of a plain integer or float `dtype`."""
        reader = _READERS[self.order][dtype]
        if reader.size > self.end - self.offset:
            self.require(reader.size)
        value: int | float = reader.unpack_from(self.data, self.offset)[0]
        self.offset += reader.size
        return value

    def array(self, dtype: Dtype, count: int) -> NdArray:
        """Read [count] items of `dtype` (which may be structured)."""
        self.require(dtype.itemsize * count)
        if not count:
            return np.empty(0, dtype)
        if not dtype.itemsize:
            self.fail(f"{counted(count, 'item')} declared, but an item has 0 bytes")
        as_it_is = self.order == NATIVE and dtype.isnative
        items = np.frombuffer(
            self.data, dtype if as_it_is else dtype.newbyteorder(self.order), count, self.offset
        )
        self.offset += dtype.itemsize * count
        return items if self.order == NATIVE else items.astype(items.dtype.newbyteorder("="))

    def small_array(self, dtype: Dtype) -> NdArray:
        """Read one item of a `dtype` that has a shape and no fields."""
        if self.order != NATIVE or not dtype.base.isnative:
            return np.asarray(self.array(dtype, 1)[0])
        self.require(dtype.itemsize)
        items: NdArray = np.ndarray(dtype.shape, dtype.base, self.data, self.offset)
        self.offset += dtype.itemsize
        return items

    def gather(self, offsets: NdArray, dtype: Dtype) -> NdArray:
        """Read [N, …] items of a plain `dtype`, each at its own offset [N], in the machine's byte order."""
        size = dtype.itemsize
        if not len(offsets):
            return np.empty((0, *dtype.shape), dtype.base)
        first, last = int(offsets.min()), int(offsets.max()) + size
        if first < 0 or last > self.end:
            self.fail(f"items from 0x{first:X} to 0x{last:X} lie outside the file", Topic.CUT)
        stored = dtype.base.newbyteorder(self.order)
        steps = np.empty(dtype.shape, stored).strides
        every = np.ndarray((self.end - size + 1, *dtype.shape), stored, self.data, 0, (1, *steps))
        found = every[offsets]
        return found if stored.isnative else found.astype(stored.newbyteorder("="))

    def text(self) -> str:
        """Read a NUL-terminated string; the cursor moves past the terminator."""
        return decode(self.until(b"\0", "zero"))

    def until(self, terminator: bytes, called: str) -> bytes:
        """Read the bytes before the next `terminator` (one byte); the cursor moves past it."""
        stop = self.data.find(terminator, self.offset, self.end)
        if stop < 0:
            self.fail(f"a text has no terminating {called}", Topic.CUT)
        raw = self.data[self.offset : stop]
        self.offset = stop + 1
        return raw
