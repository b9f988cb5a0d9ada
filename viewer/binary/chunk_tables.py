"""Finds successive chunks of one kind by their headers, and reads them at first use.

A file may have thousands of successive chunks of a simple shape. There are two such shapes: plain fields and
one run of rows (tracks), and a text and plain fields (bones). At first only the headers of such chunks are
read. Chunks of any other shape are read completely at once.
"""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Container
from functools import cached_property
from itertools import accumulate, pairwise
from math import gcd
from typing import Any, ClassVar, Protocol

import numpy as np

from viewer.binary.chunk import (
    HEADER,
    HEADER_BYTES,
    HEADERS,
    Chunk,
    Run,
    StreamPiece,
    StreamTree,
    header_bytes,
)
from viewer.binary.cursor import Cursor, Dtype, NdArray
from viewer.binary.dtypes import VaryingDtype
from viewer.binary.fields import Fixed, When
from viewer.binary.record import Field, Struct

HEADER_DTYPES = {"<": HEADER, ">": HEADER.newbyteorder(">")}
"""The dtype of a chunk header by byte order."""
Block = tuple[slice | NdArray, NdArray]
"""The indices [N] of rows in a chunk, and these rows [N], which all have the same size."""


class ChunkShape(Protocol):
    """The shape of chunks that can be found by their headers alone."""

    def table(self, cursor: Cursor, outer: Struct) -> FoundChunks | None:
        """Find the chunks of this shape at the cursor, without moving the cursor."""


class FoundChunks:
    """A `StreamPart` of successive chunks, which are found by their headers. The chunks are inside the record
    `outer`.

    The chunks begin at the offsets `starts`, and the last one ends at `end`.
    """

    records_each: ClassVar[int]
    """The number of records that `Cursor.spend` counts for each chunk."""

    def __init__(self, kind: Chunk, outer: Struct, cursor: Cursor, starts: list[int], end: int) -> None:
        self.kind, self.starts, self.end = kind, starts, end
        self.outer: Struct | None = outer
        self.data, self.order = cursor.data, cursor.order

    def piece(self, number: int, start: int, end: int) -> StreamPiece:
        """Read the chunk with the index `number`, whose bytes are from `start` to `end`."""
        raise NotImplementedError

    def sound(self) -> int:
        """Compare the content of the chunks with their headers. Return the number of chunks before the first
        chunk that differs.
        """
        return len(self.starts)

    def keep(self, number: int) -> None:
        """Drop all chunks except the first `number`."""
        if number < len(self.starts):
            self.end = self.starts[number]
            del self.starts[number:]

    @property
    def number(self) -> int:
        """The number of chunks, which are not read for it."""
        return len(self.starts)

    @property
    def records(self) -> int:
        """The number of records that `Cursor.spend` counts for all chunks together."""
        return self.records_each * self.number

    @cached_property
    def pieces(self) -> list[StreamPiece]:
        """The chunks, each read separately."""
        ranges = pairwise((*self.starts, self.end))
        return [self.piece(number, *each) for number, each in enumerate(ranges)]

    def detach(self) -> None:
        """Drop the reference to `outer`, here and in each chunk that was read."""
        self.outer = None
        for piece in self.__dict__.get("pieces", ()):
            piece.detach()


class TableShape:
    """The shape of chunks that have plain `fixed` fields and then the stream `inner`. The stream begins with
    rows of `run`, and ends at the first chunk number that is not in `ids`.
    """

    def __init__(self, kind: Chunk, fixed: list[Fixed], inner: str, run: Run, ids: Container[int]) -> None:
        self.kind, self.inner, self.run, self.ids = kind, inner, run, ids
        self.names = tuple(field.name for field in fixed)
        self.ends: list[int] = np.cumsum([field.dtype.itemsize for field in fixed]).tolist()
        codes = "".join(field.code for field in fixed)
        self.headers = {order: struct.Struct(f"{order}{codes}HI") for order in "<>"}
        self.rows = _row_dtypes(run.dtype)
        self.step = gcd(*self.rows)

    def table(self, cursor: Cursor, outer: Struct) -> ChunkTable | None:
        """Find the chunks of this shape at the cursor, up to the first chunk of another shape, without moving
        the cursor.
        """
        unpack, size = self.headers[cursor.order].unpack_from, self.headers[cursor.order].size
        id, run, head = self.kind.id, self.run.id, self.ends[-1]
        data, at, end, rows = cursor.data, cursor.offset, cursor.end, self.rows
        starts: list[int] = []
        headers: list[tuple[Any, ...]] = []
        while at + size <= end:
            header = unpack(data, at)
            length = header[1]
            following = at + length
            if header[0] != id or header[-2] != run or header[-1] not in rows:
                break
            if length <= head or following > end:
                break
            starts.append(at)
            headers.append(header)
            at = following
        if starts and _goes_on(cursor, at, self.ids):
            at = starts.pop()
            headers.pop()
        return ChunkTable(self, outer, cursor, starts, headers, at) if starts else None


def _row_dtypes(dtype: Dtype | VaryingDtype) -> dict[int, Dtype]:
    """The possible dtypes of a row, by the length that the row declares. This length is the size of the dtype
    in bytes.
    """
    if isinstance(dtype, np.dtype):
        sizes = {dtype.itemsize}
    else:
        sizes = {0}
        for field in dtype.fields:
            assert isinstance(field.dtype, np.dtype), "a row layout depends on nothing but its length"
            longer = {size + field.dtype.itemsize for size in sizes}
            sizes = longer if field.when is None else sizes | longer
    made = {size: dtype if isinstance(dtype, np.dtype) else dtype(Struct(declared=size)) for size in sizes}
    return {size: each for size, each in made.items() if each.itemsize == size >= HEADER.itemsize}


def is_row_layout(dtype: Any) -> bool:
    """Whether a dtype is fixed, or depends only on the declared length of a row."""
    if not isinstance(dtype, VaryingDtype):
        return isinstance(dtype, np.dtype)
    names = {name for field in dtype.fields if field.when is not None for name in field.when.names}
    return names <= {"declared"} and all(isinstance(field.dtype, np.dtype) for field in dtype.fields)


def _goes_on(cursor: Cursor, at: int, ids: Container[int]) -> bool:
    """Whether a chunk at `at` continues the stream of rows before it."""
    return cursor.end - at >= HEADER.itemsize and HEADERS[cursor.order].unpack_from(cursor.data, at)[0] in ids


class ChunkTable(FoundChunks):
    """Successive chunks of a `TableShape`. For each chunk `headers` has the plain fields and the header of
    the first row. `sound` finds `counts`, the number of rows of each chunk, and `mixed`, the indices of the
    chunks that have rows of several sizes.
    """

    records_each = 2
    """Two records: the chunk itself, and its run of rows."""

    def __init__(
        self,
        shape: TableShape,
        outer: Struct,
        cursor: Cursor,
        starts: list[int],
        headers: list[tuple[Any, ...]],
        end: int,
    ) -> None:
        super().__init__(shape.kind, outer, cursor, starts, end)
        self.shape, self.headers = shape, headers
        self.counts: list[int] = []
        self.mixed: set[int] = set()

    def column(self, name: str) -> list[Any]:
        """The values of a plain field, one for each chunk."""
        number = self.shape.names.index(name)
        return [header[number] for header in self.headers]

    @property
    def rows(self) -> NdArray:
        """The rows [N] of all chunks together. The layout must have only one size of rows."""
        (dtype,) = self.shape.rows.values()
        return Cursor(b"".join(self._stored), order=self.order).array(dtype, sum(self.counts))

    def blocks(self, number: int) -> list[Block]:
        """Return the rows of a chunk by size. If all rows have the same size, they are a view of the file."""
        if number in self.mixed:
            return self._mixed_rows[number]
        start, stride = self.starts[number], self.headers[number][-1]
        cursor = Cursor(self.data, start + self.shape.ends[-1], self.end, self.order)
        return [(slice(None), cursor.array(self.shape.rows[stride], self.counts[number]))]

    @cached_property
    def _mixed_rows(self) -> dict[int, list[Block]]:
        """The blocks of the `mixed` chunks by the index of the chunk, with one gather for each size."""
        numbers, stored = sorted(self.mixed), self._stored
        data = b"".join([stored[number] for number in numbers])
        places, sizes = self._row_headers(data)
        first = np.append(0, np.cumsum([self.counts[number] for number in numbers]))
        blocks: dict[int, list[Block]] = {number: [] for number in numbers}
        for size, dtype in self.shape.rows.items():
            chosen = np.flatnonzero(sizes == size)
            rows = Cursor(data, order=self.order).gather(places[chosen], dtype)
            inner = pairwise(np.searchsorted(chosen, first).tolist())
            for number, before, (start, end) in zip(numbers, first.tolist(), inner, strict=False):
                if end > start:
                    blocks[number].append((chosen[start:end] - before, rows[start:end]))
        return blocks

    @property
    def _stored(self) -> list[bytes]:
        """The bytes of each chunk's rows."""
        head = self.shape.ends[-1]
        return [self.data[start + head : end] for start, end in pairwise((*self.starts, self.end))]

    def sound(self) -> int:
        """Count the rows of each chunk by their headers. Return the number of chunks before the first chunk
        whose rows do not fill the chunk.
        """
        stored, alike = self._stored, dict[int, list[int]]()
        for number, (rows, header) in enumerate(zip(stored, self.headers, strict=True)):
            count, rest = divmod(len(rows), header[-1])
            self.counts.append(count)
            if rest:
                self.mixed.add(number)
            else:
                alike.setdefault(header[-1], []).append(number)
        for stride, numbers in alike.items():
            if not self._is_run(b"".join([stored[number] for number in numbers]), stride):
                self.mixed.update(each for each in numbers if not self._is_run(stored[each], stride))
        return self._count_mixed(stored) if self.mixed else len(self.starts)

    def _is_run(self, rows: bytes, stride: int) -> bool:
        """Whether each `stride` bytes of `rows` begin with the chunk header of a row of this size."""
        count = len(rows) // stride
        headers = np.ndarray((count,), HEADER_BYTES, rows, 0, (stride,))
        return headers.tobytes() == header_bytes(self.order, self.shape.run.id, stride) * count

    def _count_mixed(self, row_bytes: list[bytes]) -> int:
        """Count the rows of the `mixed` chunks, in one pass over all of them. Return the same as `sound`."""
        numbers = sorted(self.mixed)
        odd = next((number for number in numbers if len(row_bytes[number]) % self.shape.step), len(row_bytes))
        numbers = numbers[: bisect_left(numbers, odd)]
        if not numbers:
            return odd
        edges = [0, *accumulate(len(row_bytes[number]) for number in numbers)]
        places, sizes = self._row_headers(b"".join([row_bytes[number] for number in numbers]))
        if not len(places) or places[0]:
            return numbers[0]
        firsts = places.searchsorted(edges).tolist()
        for number, (first, end) in zip(numbers, pairwise(firsts), strict=True):
            self.counts[number] = end - first
        ends = places + sizes
        follows = ends[:-1] == places[1:]
        last = len(follows) if follows.all() else int(follows.argmin())
        whole = ends[last] == edges[-1]
        return odd if whole else numbers[bisect_right(edges, places[last]) - 1]

    def _row_headers(self, rows: bytes) -> tuple[NdArray, NdArray]:
        """Find all bytes that can be the header of a row. Return their offsets [N] in `rows`, and the lengths
        [N] that they declare. Each row begins at a multiple of the shape's `step`.
        """
        count = max(len(rows) - HEADER.itemsize, -1) // self.shape.step + 1
        headers = np.ndarray((count,), HEADER_DTYPES[self.order], rows, 0, (self.shape.step,))
        (steps,) = (headers["id"] == self.shape.run.id).nonzero()
        declared = headers["declared"][steps]
        known = np.zeros(len(declared), bool)
        for size in self.shape.rows:
            known |= declared == size
        return steps[known] * self.shape.step, declared[known].astype(np.int64)

    def keep(self, number: int) -> None:
        """Drop all chunks except the first `number`, with their headers and counts."""
        super().keep(number)
        del self.headers[number:], self.counts[number:]
        self.mixed = {each for each in self.mixed if each < number}

    def piece(self, number: int, start: int, end: int) -> StreamPiece:
        """Make the chunk from its known fields, and read its rows."""
        shape, header, first = self.shape, self.headers[number], start + self.shape.ends[-1]
        if number in self.mixed:
            read = shape.kind.read(Cursor(self.data, start, end, self.order), self.outer)
            return StreamPiece(shape.kind, read, start, end)
        ((_, rows),) = self.blocks(number)
        record = Struct(shape.kind, self.outer, **dict(zip(shape.names, header, strict=False)))
        record.__dict__[shape.inner] = StreamTree([StreamPiece(shape.run, rows, first, end)])
        record.marks = [start, *(start + offset for offset in shape.ends), end]
        return StreamPiece(shape.kind, record, start, end)


class NamedShape:
    """The shape of chunks with an ASCII `text` after the header, then `fixed` fields.

    `declared` is the length in the header of a chunk with exactly these fields.
    """

    def __init__(self, kind: Chunk, text: Field, fixed: list[Fixed], declared: int) -> None:
        self.kind, self.text, self.declared = kind, text, declared
        self.dtype = np.dtype([(field.name, field.dtype) for field in fixed])

    @classmethod
    def of(cls, kind: Chunk) -> NamedShape | None:
        """Make the shape for a kind of chunks, without its optional fields. None if the kind has fields other
        than one text and numbers.
        """
        text, *others = kind.fields[2:] or [kind]
        if not text.terminator or kind.length is None:
            return None
        declared = kind.length(Struct(kind))
        kept = [field for field in others if not _is_left_out(field, declared)]
        fixed = [field for field in kept if isinstance(field, Fixed)]
        return cls(kind, text, fixed, declared) if len(fixed) == len(kept) else None

    def table(self, cursor: Cursor, outer: Struct) -> NamedTable | None:
        """Find the chunks of this shape at the cursor, without moving the cursor."""
        unpack, wanted = HEADERS[cursor.order].unpack_from, (self.kind.id, self.declared)
        data, at, end = cursor.data, cursor.offset, cursor.end
        terminator, rest = self.text.terminator, self.dtype.itemsize
        starts, stops = [], []
        while end - at >= HEADER.itemsize and unpack(data, at) == wanted:
            first = at + HEADER.itemsize
            stop = data.find(terminator, first, end)
            if stop < 0 or stop + 1 + rest > end or not data[first:stop].isascii():
                break
            starts.append(at)
            stops.append(stop)
            at = stop + 1 + rest
        return NamedTable(self, outer, cursor, starts, stops) if starts else None


def _is_left_out(field: Field, declared: int) -> bool:
    """Whether the field's condition is false for chunks that declare this length."""
    if not isinstance(field, When) or field.condition.names != ("declared",):
        return False
    return not field.condition(Struct(declared=declared))


class NamedTable(FoundChunks):
    """Successive chunks of a `NamedShape`, whose texts end at the offsets `stops`."""

    records_each = 1

    def __init__(
        self, shape: NamedShape, outer: Struct, cursor: Cursor, starts: list[int], stops: list[int]
    ) -> None:
        super().__init__(shape.kind, outer, cursor, starts, stops[-1] + 1 + shape.dtype.itemsize)
        self.shape, self.stops = shape, stops

    @property
    def texts(self) -> list[str]:
        """The decoded texts, one for each chunk."""
        pairs = zip(self.starts, self.stops, strict=True)
        return [self.shape.text.text_of(self.data[start + HEADER.itemsize : stop]) for start, stop in pairs]

    @cached_property
    def rows(self) -> NdArray:
        """[N] structured: the fixed fields of each chunk."""
        return Cursor(self.data, order=self.order).gather(np.array(self.stops) + 1, self.shape.dtype)

    def piece(self, number: int, start: int, end: int) -> StreamPiece:
        """Read one chunk with all its fields."""
        record = self.kind.read(Cursor(self.data, start, end, self.order), self.outer)
        return StreamPiece(self.kind, record, start, end)
