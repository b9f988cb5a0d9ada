"""Chunks (a number, a length, then fields), runs of equal chunks as one array, and the chunks of a stream.

The declared length is only compared with the length that was read, because many writers stored wrong lengths.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, overload

import msgspec
import numpy as np

from viewer.binary.cursor import Cursor, Dtype, NdArray
from viewer.binary.dtypes import VaryingDtype, record_dtype, rows_span
from viewer.binary.fields import Fixed, stored_bytes
from viewer.binary.record import ByteWriter, Field, Record, Struct
from viewer.binary.span import Span
from viewer.errors import Topic, counted

U16, U32 = np.dtype("<u2"), np.dtype("<u4")
CHUNK_HEADER = (("id", U16, "number of the chunk's kind"), ("declared", U32, "bytes with the header"))
HEADER = record_dtype(*CHUNK_HEADER)
HEADER_BYTES = np.dtype((np.void, HEADER.itemsize))
"""The dtype of a chunk header as uninterpreted bytes."""
FEW, FIRST_BLOCK, GROWTH = 8, 64, 8
ID, LENGTH = struct.Struct("<H"), struct.Struct("<I")
HEADERS = {order: struct.Struct(f"{order}HI") for order in "<>"}


class Chunk(Record):
    """A record that begins with a chunk header: the fields `id` and `declared`.

    In some formats the header declares a number that differs from the chunk's size; `length` computes that
    number. With `many`, successive chunks of this kind share a node of the tree.
    """

    declares = True

    def __init__(
        self,
        id: int,
        name: str,
        *fields: Field,
        note: str = "",
        title: Callable[[Struct], str] | None = None,
        length: Callable[[Struct], int] | None = None,
        many: bool = False,
    ) -> None:
        header = (Fixed("id", U16, f"chunk 0x{id:04X}"), Fixed("declared", U32, "bytes with the header"))
        super().__init__(name, *header, *fields, note=note, title=title)
        self.id, self.length, self.many = id, length, many

    def compare_length(self, read: Struct, cursor: Cursor) -> None:
        """Add a remark if the declared length differs from the length that `length` computes, or else from
        the length that was read.
        """
        start, end = read.marks[0], read.marks[-1]
        expected = self.length(read) if self.length else end - start
        if read.declared != expected:
            cursor.remark(Topic.LENGTH, mismatch(self, read.declared, expected), start)

    def write(self, out: ByteWriter, value: Struct, record: Struct | None = None) -> None:
        """Append the chunk. If the value has a `declared` length, write that length, even a wrong one."""
        start = len(out)
        given = value.get("declared")
        length = self.length(value) if self.length else 0
        value.__dict__.update(id=self.id, declared=length if given is None else given)
        super().write(out, value, record)
        if given is None:
            value.__dict__["declared"] = length or len(out) - start
            out[start + U16.itemsize : start + HEADER.itemsize] = stored_bytes(value.declared, U32, out)

    def span(self, name: str, value: Struct, start: int, end: int) -> Span:
        """The node of the chunk, with a warning if its declared length is wrong."""
        span = super().span(name, value, start, end)
        span.type = f"chunk 0x{self.id:04X}"
        span.note = _noted(span.note, self._oddity(value, end - start))
        return span

    def _oddity(self, value: Struct, size: int) -> str:
        declared = value.get("declared")
        if declared is None or value.error is not None:
            return ""
        expected = self.length(value) if self.length else size
        return "" if declared == expected else mismatch(self, declared, expected)


class Run:
    """Successive chunks of one kind and fixed size as one array. `dtype` includes the header.

    `dtype` may depend on the enclosing record, and on the length that the first chunk declares (`declared`).
    """

    many = True

    def __init__(self, id: int, name: str, dtype: Dtype | VaryingDtype, note: str = "") -> None:
        self.id, self.name, self.dtype, self.note = id, name, dtype, note

    def read(self, cursor: Cursor, record: Struct) -> NdArray:
        """Read [N] records: successive chunks with the number and the declared length of the first chunk."""
        cursor.spend()
        id, declared = peek(cursor)
        dtype = (
            self.dtype
            if isinstance(self.dtype, np.dtype)
            else self.dtype(Struct(None, record, declared=declared))
        )
        cursor.require(dtype.itemsize)
        count = run_length(cursor, dtype, id, declared, record)
        if declared != dtype.itemsize:
            cursor.remark(Topic.LENGTH, mismatch(self, declared, dtype.itemsize), cursor.offset)
        return cursor.array(dtype, count)

    def write(self, out: ByteWriter, value: NdArray, record: Struct) -> None:
        """Append the records. A declared length of 0 becomes the real length; other lengths stay
        unchanged.
        """
        rows = value.copy()
        rows["id"] = self.id
        rows["declared"] = np.where(rows["declared"], rows["declared"], rows.dtype.itemsize)
        out += stored_bytes(rows, rows.dtype, out)

    def span(self, name: str, value: NdArray, start: int, end: int) -> Span:
        """The node of the run; its rows are created when they are shown."""
        span = rows_span(name, value, start, self.note, self)
        span.type = f"chunk 0x{self.id:04X}[{len(value)}]"
        if len(value) and value["declared"][0] != value.dtype.itemsize:
            declared = int(value["declared"][0])
            span.note = _noted(span.note, mismatch(self, declared, value.dtype.itemsize))
        return span


def _noted(*texts: str) -> str:
    return "; ".join(filter(None, texts))


def chunk_dtype(*fields: Any) -> Dtype:
    """The dtype of a chunk of fixed size: its header, then `fields` as in `record_dtype`."""
    return record_dtype(*CHUNK_HEADER, *fields)


def varying_chunk(*fields: Any) -> VaryingDtype:
    """The varying dtype of a chunk: its header, then `fields` as in `VaryingDtype`."""
    return VaryingDtype(*CHUNK_HEADER, *fields)


def mismatch(kind: Chunk | Run, declared: int, expected: int) -> str:
    """The message about a wrong declared length."""
    return f"{kind.name} (chunk 0x{kind.id:04X}) declares {counted(declared, 'byte')} and has {expected}"


def peek(cursor: Cursor) -> tuple[int, int]:
    """Return the number and declared length of the chunk at the cursor, without moving the cursor."""
    cursor.require(HEADER.itemsize)
    id, declared = HEADERS[cursor.order].unpack_from(cursor.data, cursor.offset)
    return id, declared


def header_bytes(order: str, id: int, declared: int) -> bytes:
    """The stored bytes of a chunk header in byte order `order`."""
    return HEADERS[order].pack(id, declared)


def run_length(cursor: Cursor, dtype: Dtype, id: int, declared: int, outer: Struct) -> int:
    """Count the complete records with this header at the cursor. Usually they end where the chunk `outer`
    says that it ends. Else the search checks a few single records, then growing blocks, to find the end of a
    short run in a large file quickly.
    """
    whole, size = cursor.left // dtype.itemsize, dtype.itemsize
    header = header_bytes(cursor.order, id, declared)
    claimed = outer.marks[0] + outer.get("declared", 0) - cursor.offset if outer.marks else 0
    claimed = max(min(claimed // size, whole), 0)
    headers = np.ndarray((claimed,), HEADER_BYTES, cursor.data, cursor.offset, (size,))
    known = claimed if headers.tobytes() == header * claimed else 0
    for count in range(known, min(whole, known + FEW)):
        if not cursor.data.startswith(header, cursor.offset + count * size):
            return count
    count, block = min(whole, known + FEW), FIRST_BLOCK
    (first,), (length,) = ID.unpack_from(header), LENGTH.unpack_from(header, U16.itemsize)
    while count < whole:
        some = min(block, whole - count)
        start = cursor.offset + count * size
        ids = np.ndarray((some,), U16, cursor.data, start, (size,))
        lengths = np.ndarray((some,), U32, cursor.data, start + U16.itemsize, (size,))
        same = (ids == first) & (lengths == length)
        end = int(same.argmin())
        if not same[end]:
            return count + end
        count, block = count + some, block * GROWTH
    return count


Kind = Chunk | Run


class StreamPart(Protocol):
    """One chunk, or several successive chunks of one kind."""

    @property
    def kind(self) -> Kind | None:
        """The kind of the chunks; None for an unknown chunk number."""

    @property
    def pieces(self) -> Sequence[StreamPiece]:
        """The chunks in file order; chunks that were only found are read."""

    @property
    def number(self) -> int:
        """The number of chunks, without reading them."""

    def detach(self) -> None:
        """Drop the references to enclosing records, see `Struct.detach`."""


class StreamPiece(msgspec.Struct, frozen=True, eq=False):
    """A chunk or run of a stream, with its byte range. `kind` is None for an unknown chunk number."""

    kind: Kind | None
    value: Any
    start: int = 0
    end: int = 0

    @property
    def pieces(self) -> Sequence[StreamPiece]:
        """A tuple with only this chunk."""
        return (self,)

    @property
    def number(self) -> int:
        """1, because a run counts as one chunk."""
        return 1

    def detach(self) -> None:
        """Drop the references of the value, if it is a record; see `Struct.detach`."""
        if isinstance(self.value, Struct):
            self.value.detach()


class StreamTree(Sequence[StreamPiece]):
    """The chunks of one stream in file order, without the chunks inside them."""

    def __init__(self, parts: Iterable[StreamPart] = ()) -> None:
        self._parts = list(parts)

    def append(self, part: StreamPart) -> None:
        """Append a chunk or several successive chunks."""
        self._parts.append(part)

    def parts(self, kind: Kind) -> list[StreamPart]:
        """Return the parts of this kind, without reading the chunks of a `FoundChunks` table."""
        return [part for part in self._parts if part.kind is kind]

    def number(self, kind: Kind) -> int:
        """Count the chunks of this kind, without reading them."""
        return sum(part.number for part in self._parts if part.kind is kind)

    def all(self, kind: Kind) -> list[Any]:
        """The values of every chunk of this kind."""
        return [piece.value for part in self._parts if part.kind is kind for piece in part.pieces]

    def first(self, kind: Kind) -> Any:
        """The value of the first chunk of this kind."""
        for part in self._parts:  # a generator would be slower: a mesh calls this some 20 times
            if part.kind is kind:
                return part.pieces[0].value
        return None

    def rows(self, kind: Run) -> NdArray | None:
        """Return the rows [N] of all runs of this kind. Runs whose layout differs from the first run are left
        out.
        """
        runs = self.all(kind)
        alike = [run for run in runs if run.dtype == runs[0].dtype]
        return np.concatenate(alike) if len(alike) > 1 else alike[0] if alike else None

    def detach(self) -> None:
        """Drop the references to enclosing records in all chunks, see `Struct.detach`."""
        for part in self._parts:
            part.detach()

    def __len__(self) -> int:
        return sum([part.number for part in self._parts])

    def __bool__(self) -> bool:
        return bool(self._parts)

    def __iter__(self) -> Iterator[StreamPiece]:
        return (piece for part in self._parts for piece in part.pieces)

    @overload
    def __getitem__(self, index: int) -> StreamPiece: ...
    @overload
    def __getitem__(self, index: slice) -> list[StreamPiece]: ...
    def __getitem__(self, index: int | slice) -> StreamPiece | list[StreamPiece]:
        return list(self)[index]


def stream(*parts: tuple[Kind, Any]) -> StreamTree:
    """Make a stream of chunks to write."""
    return StreamTree(StreamPiece(kind, value) for kind, value in parts)
