"""Chunks of one kind that follow each other: found by their headers, and read when they are first needed."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import ClassVar

from viewer.binary.chunk import Chunk
from viewer.binary.cursor import Cursor
from viewer.binary.record import Struct
from viewer.binary.stream_tree import StreamPiece


class FoundChunks:
    """A part of a stream (see StreamPart) inside the record `outer`.

    The chunks begin at the offsets `starts`, and the last one ends at `end`.
    """

    records_each: ClassVar[int]
    """The number of records that a chunk is when it is read by itself: see `Cursor.spend`."""

    def __init__(self, kind: Chunk, outer: Struct, cursor: Cursor, starts: list[int], end: int) -> None:
        self.kind, self.starts, self.end = kind, starts, end
        self.outer: Struct | None = outer
        self.data, self.order = cursor.data, cursor.order

    def piece(self, number: int, start: int, end: int) -> StreamPiece:
        """Read the chunk with that number, which has the byte range from `start` to `end`."""
        raise NotImplementedError

    @property
    def number(self) -> int:
        """The number of chunks."""
        return len(self.starts)

    @property
    def records(self) -> int:
        """The number of records that the chunks are when they are read one by one."""
        return self.records_each * self.number

    @cached_property
    def pieces(self) -> list[StreamPiece]:
        """The chunks as they are read one by one."""
        ranges = pairwise((*self.starts, self.end))
        return [self.piece(number, *each) for number, each in enumerate(ranges)]

    def detach(self) -> None:
        """See StreamPart."""
        self.outer = None
        for piece in self.__dict__.get("pieces", ()):
            piece.detach()
