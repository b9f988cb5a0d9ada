"""What a chunk stream reads: its chunks in file order, some of which are made when they are needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, overload

import numpy as np

from viewer.binary.chunk import Chunk, Run
from viewer.binary.cursor import NdArray
from viewer.binary.record import Struct

Kind = Chunk | Run


class StreamPart(Protocol):
    """One chunk, or several of one kind that follow each other: `pieces` are the chunks, `number` of them."""

    @property
    def kind(self) -> Kind | None:
        """The kind of the chunks; None if their number is unknown."""

    @property
    def pieces(self) -> Sequence[StreamPiece]:
        """The chunks."""

    @property
    def number(self) -> int:
        """The number of chunks."""

    def detach(self) -> None:
        """Forget the records around the chunks: see `Struct.detach`."""


class StreamPiece(NamedTuple):
    """A chunk or run of a stream, with its byte range; `kind` is None if the number is unknown."""

    kind: Kind | None
    value: Any
    start: int = 0
    end: int = 0

    @property
    def pieces(self) -> Sequence[StreamPiece]:
        """The chunk itself, alone."""
        return (self,)

    @property
    def number(self) -> int:
        """One chunk."""
        return 1

    def detach(self) -> None:
        """See StreamPart."""
        if isinstance(self.value, Struct):
            self.value.detach()


class StreamTree(Sequence[StreamPiece]):
    """The chunks of one level in file order."""

    def __init__(self, parts: Iterable[StreamPart] = ()) -> None:
        self._parts = list(parts)

    def append(self, part: StreamPart) -> None:
        """Add a chunk, or several, at the end."""
        self._parts.append(part)

    def parts(self, kind: Kind) -> list[StreamPart]:
        """The parts of this kind as they were read, without making their chunks."""
        return [part for part in self._parts if part.kind is kind]

    def number(self, kind: Kind) -> int:
        """The number of chunks of this kind."""
        return sum(part.number for part in self._parts if part.kind is kind)

    def all(self, kind: Kind) -> list[Any]:
        """The values of every chunk of this kind."""
        return [piece.value for part in self._parts if part.kind is kind for piece in part.pieces]

    def first(self, kind: Kind) -> Any:
        """The value of the first chunk of this kind; None if the stream has no such chunk."""
        return next((part.pieces[0].value for part in self._parts if part.kind is kind), None)

    def rows(self, kind: Run) -> NdArray | None:
        """[N]: the rows of all runs of this kind that have the layout of the first run; None without runs."""
        runs = self.all(kind)
        alike = [run for run in runs if run.dtype == runs[0].dtype]
        return np.concatenate(alike) if len(alike) > 1 else alike[0] if alike else None

    def detach(self) -> None:
        """Forget the records around all chunks: see `Struct.detach`."""
        for part in self._parts:
            part.detach()

    def __len__(self) -> int:
        return sum(part.number for part in self._parts)

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
    """A stream to be written."""
    return StreamTree(StreamPiece(kind, value) for kind, value in parts)
