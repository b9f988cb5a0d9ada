"""Finds successive chunks of one kind by their headers, and reads them at first use.

A file may have thousands of successive chunks of a simple shape. One such shape has plain fields and one run
of rows (tracks); the other has a text and plain fields (bones). At first only the headers of such chunks are
read. Chunks of any other shape are read completely at once.
"""

from __future__ import annotations

import struct
from collections.abc import Container
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Protocol

import numpy as np

from viewer.binary.chunk import HEADER, HEADERS, Chunk, Run, StreamPiece, StreamTree, header_bytes, peek
from viewer.binary.cursor import Cursor, Dtype, NdArray
from viewer.binary.dtypes import VaryingDtype
from viewer.binary.fields import Fixed, When
from viewer.binary.record import Field, Struct

HEADER_BYTES = np.dtype((np.void, HEADER.itemsize))
"""The dtype of a chunk header as uninterpreted bytes."""


class ChunkShape(Protocol):
    """The shape of chunks that can be found by their headers alone."""

    def table(self, cursor: Cursor, outer: Struct) -> FoundChunks | None:
        """Find the chunks of this shape at the cursor, without moving the cursor; None if there are none."""


class FoundChunks:
    """Successive chunks inside the record `outer`, found by their headers: a `StreamPart`.

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

    def check(self) -> bool:
        """Whether the content of every chunk agrees with its header."""
        return True

    @property
    def number(self) -> int:
        """The number of chunks."""
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
        """Implement `StreamPart.detach`."""
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
        self._rows: dict[int, Dtype] = {}

    def row(self, declared: int) -> Dtype | None:
        """The dtype of rows that declare this length; None if their real length differs."""
        if declared not in self._rows:
            known = self.run.dtype
            dtype = known if isinstance(known, np.dtype) else known(Struct(declared=declared))
            if dtype.itemsize != declared or declared < HEADER.itemsize:
                return None
            self._rows[declared] = dtype
        return self._rows[declared]

    def table(self, cursor: Cursor, outer: Struct) -> ChunkTable | None:
        """Find the chunks of this shape at the cursor, without moving the cursor; None if there are none."""
        table = ChunkTable(self, outer, cursor)
        self._walk(cursor, table)
        return table if table.starts else None

    def _walk(self, cursor: Cursor, table: ChunkTable) -> None:
        """Add the following chunks to the table, up to the first chunk of another shape."""
        unpack, size = self.headers[cursor.order].unpack_from, self.headers[cursor.order].size
        id, run, head = self.kind.id, self.run.id, self.ends[-1]
        data, at, end = cursor.data, cursor.offset, cursor.end
        starts, headers, counts, rows = table.starts, table.headers, table.counts, table.rows
        while at + size <= end:
            header = unpack(data, at)
            length, stride = header[1], header[-1]
            if header[0] != id or header[-2] != run:
                break
            if stride not in rows:
                if self.row(stride) is None:
                    break
                rows[stride] = []
            following = at + length
            if length <= head or (length - head) % stride or following > end:
                break
            starts.append(at)
            headers.append(header)
            counts.append((length - head) // stride)
            rows[stride].append(data[at + head : following])
            at = following
        if starts and _goes_on(cursor, at, self.ids):
            at = starts.pop()
            rows[headers.pop()[-1]].pop()
            counts.pop()
        table.end = at


def is_row_layout(dtype: Any) -> bool:
    """Whether a dtype is fixed, or depends only on the declared length of a row."""
    if not isinstance(dtype, VaryingDtype):
        return isinstance(dtype, np.dtype)
    names = {name for field in dtype.fields if field.when is not None for name in field.when.names}
    return names <= {"declared"} and all(isinstance(field.dtype, np.dtype) for field in dtype.fields)


def _goes_on(cursor: Cursor, at: int, ids: Container[int]) -> bool:
    """Whether a chunk at `at` continues the stream of rows before it."""
    here = Cursor(cursor.data, at, cursor.end, cursor.order)
    return here.left >= HEADER.itemsize and peek(here)[0] in ids


class ChunkTable(FoundChunks):
    """Successive chunks of a `TableShape`. For each chunk `headers` has the plain fields and the header of
    the first row, and `counts` has the number of rows. `rows` maps the size of a row to the bytes of all rows
    of this size; `check` empties it.
    """

    records_each = 2
    """The chunk counts as one record, and its run of rows as a second record."""

    def __init__(self, shape: TableShape, outer: Struct, cursor: Cursor) -> None:
        super().__init__(shape.kind, outer, cursor, [], cursor.offset)
        self.shape = shape
        self.headers: list[tuple[Any, ...]] = []
        self.counts: list[int] = []
        self.rows: dict[int, list[bytes]] = {}

    def column(self, name: str) -> list[Any]:
        """The values of a plain field, one for each chunk."""
        number = self.shape.names.index(name)
        return [header[number] for header in self.headers]

    def check(self) -> bool:
        """Whether all rows of each chunk have the same header as the chunk's first row."""
        rows, self.rows = self.rows, {}
        return all(self._alike(stride, b"".join(each)) for stride, each in rows.items())

    def _alike(self, stride: int, rows: bytes) -> bool:
        """Whether every row in `rows` has the chunk header that belongs to rows of `stride` bytes."""
        headers = np.ndarray((len(rows) // stride,), HEADER_BYTES, rows, 0, (stride,))
        return headers.tobytes() == header_bytes(self.order, self.shape.run.id, stride) * len(headers)

    def piece(self, number: int, start: int, end: int) -> StreamPiece:
        """Make the chunk from its known fields, and read its rows."""
        shape, header, first = self.shape, self.headers[number], start + self.shape.ends[-1]
        dtype = shape.row(header[-1])
        assert dtype is not None, "the walk has checked the length"
        cursor = Cursor(self.data, first, end, self.order)
        rows = cursor.array(dtype, cursor.left // dtype.itemsize)
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
        """Find the chunks of this shape at the cursor, without moving the cursor; None if there are none."""
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
        """The text of each chunk."""
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
