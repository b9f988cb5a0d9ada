"""Chunks of a text and plain fields that follow each other, such as bones: found by their headers alone.

The walk looks at the header of each chunk and at the end of its text. The columns are gathered at once, and
the records are read when they are first needed.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property

import numpy as np

from viewer.binary.chunk import HEADER, HEADERS, Chunk
from viewer.binary.cursor import Cursor, NdArray
from viewer.binary.fields import Fixed, When
from viewer.binary.found_chunks import FoundChunks
from viewer.binary.record import Field, Struct
from viewer.binary.stream_tree import StreamPiece


class NamedShape:
    """A kind of chunk whose chunks can be found: an ASCII `text` behind the header, then `fixed` fields.

    `declared` is the length in the header of chunks that have just these fields.
    """

    def __init__(self, kind: Chunk, text: Field, fixed: list[Fixed], declared: int) -> None:
        self.kind, self.text, self.declared = kind, text, declared
        self.dtype = np.dtype([(field.name, field.dtype) for field in fixed])

    @classmethod
    def of(cls, kind: Chunk) -> NamedShape | None:
        """The shape of the chunks of a kind without its optional fields; None for a kind of another form."""
        text, *others = kind.fields[2:] or [kind]
        if not text.terminator or kind.length is None:
            return None
        declared = kind.length(Struct(kind))
        kept = [field for field in others if not _is_left_out(field, declared)]
        fixed = [field for field in kept if isinstance(field, Fixed)]
        return cls(kind, text, fixed, declared) if len(fixed) == len(kept) else None

    def table(self, cursor: Cursor, outer: Struct, passed: Container[int]) -> NamedTable | None:
        """The chunks that follow at the cursor, which does not move; None if there are none."""
        unpack, wanted = HEADERS[cursor.order].unpack_from, (self.kind.id, self.declared)
        data, at, end = cursor.data, cursor.offset, cursor.end
        terminator, rest = self.text.terminator, self.dtype.itemsize
        starts, stops = [], []
        while end - at >= HEADER.itemsize and unpack(data, at) == wanted and at not in passed:
            first = at + HEADER.itemsize
            stop = data.find(terminator, first, end)
            if stop < 0 or stop + 1 + rest > end or not data[first:stop].isascii():
                break
            starts.append(at)
            stops.append(stop)
            at = stop + 1 + rest
        return NamedTable(self, outer, cursor, starts, stops) if starts else None


def _is_left_out(field: Field, declared: int) -> bool:
    """Whether chunks that declare this length do not have the field."""
    if not isinstance(field, When) or field.condition.names != ("declared",):
        return False
    return not field.condition(Struct(declared=declared))


class NamedTable(FoundChunks):
    """Chunks of one shape: their texts end at the offsets `stops`."""

    records_each = 1

    def __init__(
        self, shape: NamedShape, outer: Struct, cursor: Cursor, starts: list[int], stops: list[int]
    ) -> None:
        super().__init__(shape.kind, outer, cursor, starts, stops[-1] + 1 + shape.dtype.itemsize)
        self.shape, self.stops = shape, stops

    @property
    def texts(self) -> list[str]:
        """The texts."""
        pairs = zip(self.starts, self.stops, strict=True)
        return [self.shape.text.text_of(self.data[start + HEADER.itemsize : stop]) for start, stop in pairs]

    @cached_property
    def rows(self) -> NdArray:
        """[N]: the fixed fields."""
        return Cursor(self.data, order=self.order).gather(np.array(self.stops) + 1, self.shape.dtype)

    def piece(self, number: int, start: int, end: int) -> StreamPiece:
        """Read a chunk as if it were alone."""
        record = self.kind.read(Cursor(self.data, start, end, self.order), self.outer)
        return StreamPiece(self.kind, record, start, end)
