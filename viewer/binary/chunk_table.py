"""Chunks of one shape that follow each other, read by their headers alone.

A file may hold thousands of such chunks, each with some plain fields and one run of rows: tracks with their
keys. Only their headers are walked. The headers of all rows of the file are compared at once after the walk
(`ChunkTables.unsound`), and the records are made when they are first needed.
"""

from __future__ import annotations

import struct
from collections.abc import Container
from itertools import chain
from typing import Any, Protocol

import numpy as np

from viewer.binary.chunk import HEADER, U16, U32, Chunk, Run, header_bytes, peek
from viewer.binary.cursor import Cursor, Dtype, NdArray
from viewer.binary.dtypes import VaryingDtype
from viewer.binary.fields import Fixed
from viewer.binary.found_chunks import FoundChunks
from viewer.binary.record import Struct
from viewer.binary.stream_tree import StreamPiece, StreamTree

PROBE = np.dtype("<u8")
HEADER_BITS = np.uint64((1 << 8 * HEADER.itemsize) - 1)


class TableShape:
    """A kind of chunk whose chunks can be walked: plain `fixed` fields, then the stream `inner`, which begins
    with rows of `run` and ends at any number that is not in `ids`.
    """

    def __init__(self, kind: Chunk, fixed: list[Fixed], inner: str, run: Run, ids: Container[int]) -> None:
        self.kind, self.inner, self.run, self.ids = kind, inner, run, ids
        self.names = tuple(field.name for field in fixed)
        self.ends: list[int] = np.cumsum([field.dtype.itemsize for field in fixed]).tolist()
        codes = "".join(field.code for field in fixed)
        self.headers = {order: struct.Struct(f"{order}{codes}HI") for order in "<>"}
        self._rows: dict[int, Dtype] = {}

    def row(self, declared: int) -> Dtype | None:
        """The dtype of rows that declare this length; None if that is not their length."""
        if declared not in self._rows:
            known = self.run.dtype
            dtype = known if isinstance(known, np.dtype) else known(Struct(declared=declared))
            if dtype.itemsize != declared or declared < PROBE.itemsize:
                return None
            self._rows[declared] = dtype
        return self._rows[declared]

    def table(self, cursor: Cursor, outer: Struct, passed: Container[int]) -> ChunkTable | None:
        """The chunks that follow at the cursor, which does not move; None if there are none."""
        starts, headers, end = self.walk(cursor, passed)
        return ChunkTable(self, outer, cursor, starts, headers, end) if starts else None

    def walk(self, cursor: Cursor, passed: Container[int]) -> tuple[list[int], list[tuple[Any, ...]], int]:
        """The offsets of the chunks that follow, their fields with the header of the first row, and the end.

        The walk stops at a chunk of another shape, and at the offsets in `passed`.
        """
        unpack, size = self.headers[cursor.order].unpack_from, self.headers[cursor.order].size
        id, run, head, rows = self.kind.id, self.run.id, self.ends[-1], self._rows
        data, at, end = cursor.data, cursor.offset, cursor.end
        starts, headers = [], []
        while at + size <= end:
            header = unpack(data, at)
            length, stride = header[1], header[-1]
            if header[0] != id or header[-2] != run or (stride not in rows and self.row(stride) is None):
                break
            if length <= head or (length - head) % stride or at + length > end or at in passed:
                break
            starts.append(at)
            headers.append(header)
            at += length
        if starts and _goes_on(cursor, at, self.ids):
            at = starts.pop()
            headers.pop()
        return starts, headers, at


def is_row_layout(dtype: Any) -> bool:
    """Whether a dtype depends on nothing but the declared length of a row."""
    if not isinstance(dtype, VaryingDtype):
        return isinstance(dtype, np.dtype)
    names = {name for field in dtype.fields if field.when is not None for name in field.when.names}
    return names <= {"declared"} and all(isinstance(field.dtype, np.dtype) for field in dtype.fields)


def _goes_on(cursor: Cursor, at: int, ids: Container[int]) -> bool:
    """Whether a chunk at `at` continues the stream of rows before it."""
    here = Cursor(cursor.data, at, cursor.end, cursor.order)
    return here.left >= HEADER.itemsize and peek(here)[0] in ids


class ChunkTable(FoundChunks):
    """Chunks of one shape: `headers` are the fields of each with the header of the first row."""

    records_each = 2
    """A chunk and its run count as records."""

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

    def column(self, name: str) -> list[Any]:
        """The values of a plain field."""
        number = self.shape.names.index(name)
        return [header[number] for header in self.headers]

    @property
    def counts(self) -> list[int]:
        """The number of rows of each chunk."""
        head = self.shape.ends[-1]
        return [(header[1] - head) // header[-1] for header in self.headers]

    def piece(self, number: int, start: int, end: int) -> StreamPiece:
        """Read the chunk: its fields are known."""
        shape, header, first = self.shape, self.headers[number], start + self.shape.ends[-1]
        dtype = shape.row(header[-1])
        assert dtype is not None, "the walk has looked at the length"
        cursor = Cursor(self.data, first, end, self.order)
        rows = cursor.array(dtype, cursor.left // dtype.itemsize)
        record = Struct(shape.kind, self.outer, **dict(zip(shape.names, header, strict=False)))
        record.__dict__[shape.inner] = StreamTree([StreamPiece(shape.run, rows, first, end)])
        record.marks = [start, *(start + offset for offset in shape.ends), end]
        return StreamPiece(shape.kind, record, start, end)

    def numbers(self, starts: NdArray, offset: int) -> NdArray:
        """[N]: the u32 numbers behind the offsets `starts` [N]."""
        dtype = U32.newbyteorder(self.order)
        every = np.ndarray((len(self.data) - offset - U32.itemsize + 1,), dtype, self.data, offset, (1,))
        return every[starts].astype(np.int64)

    def odd(self, starts: NdArray, counts: NdArray, stride: int) -> NdArray:
        """[N]: the numbers of the chunks at `starts` in which one of the `counts` rows of `stride` bytes has
        another header.
        """
        ends = counts.cumsum()
        offsets = np.arange(ends[-1])
        offsets *= stride
        offsets += np.repeat(starts + self.shape.ends[-1] - (ends - counts) * stride, counts)
        every = np.ndarray((len(self.data) - PROBE.itemsize + 1,), PROBE, self.data, 0, (1,))
        found = every[offsets]
        found &= HEADER_BITS
        wanted = header_bytes(self.order, self.shape.run.id, stride)
        wrong = found != int.from_bytes(wanted, "little")
        return np.unique(np.searchsorted(ends, np.flatnonzero(wrong), "right")) if wrong.any() else wrong[:0]


class Shape(Protocol):
    """A kind of chunk whose chunks can be found by their headers."""

    def table(self, cursor: Cursor, outer: Struct, passed: Container[int]) -> FoundChunks | None:
        """The chunks that follow at the cursor, which does not move; None if there are none."""


class ChunkTables:
    """The tables of a file. Chunks at the offsets in `passed` are read one by one."""

    def __init__(self, passed: Container[int] = ()) -> None:
        self._passed = passed
        self._tables: list[ChunkTable] = []
        self._full = False

    def read(self, shape: Shape, cursor: Cursor, outer: Struct) -> FoundChunks | None:
        """The table at the cursor, which moves behind it; None if the chunk there is of another shape. In a
        file with too many records there are no more tables: reading one by one finds the place of the error.
        """
        table = None if self._full else shape.table(cursor, outer, self._passed)
        if table is None:
            return None
        if cursor.records < table.records:
            self._full = True
            return None
        cursor.records -= table.records
        cursor.offset = table.end
        if isinstance(table, ChunkTable):
            self._tables.append(table)
        return table

    def unsound(self) -> set[int]:
        """The offsets of the chunks in which a row has another header than the first row."""
        odd: set[int] = set()
        for shape in {table.shape for table in self._tables}:
            tables = [table for table in self._tables if table.shape is shape]
            starts = np.array(list(chain.from_iterable(table.starts for table in tables)))
            lengths = tables[0].numbers(starts, U16.itemsize)
            strides = tables[0].numbers(starts, shape.ends[-1] + U16.itemsize)
            for stride in set(strides.tolist()):
                alike = strides == stride
                chosen, counts = starts[alike], (lengths[alike] - shape.ends[-1]) // stride
                odd.update(chosen[tables[0].odd(chosen, counts, stride)].tolist())
        return odd
