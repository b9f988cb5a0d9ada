"""Spans, which describe ranges of bytes. The children of a span tile it, and are created when they are
shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

import numpy as np

UNKNOWN = "unknown"
FREE = "free"
"""The type of spans that the file no longer uses: space of removed files, and earlier copies of tables."""


class Span:
    """`size` bytes at `offset`, with a name, a type, a value and a note about their meaning.

    `children` may be a function: it is called once, when the children are needed. `warning` describes an
    oddity of these bytes, `error` the reason why they could not be read. `target` is the offset that a
    reference points at; `sources` are the offsets of all references to these bytes.

    `index` is the number of a row among its siblings. `layout` is the field, record or chunk of the layout
    page that read these bytes; for a number in an array or a small record, its dtype. `is_count` marks the
    count of the rows after it. Code finds spans by `index`, `layout` and `is_count`; names and types are
    texts for the user.
    """

    __slots__ = (
        "_children",
        "error",
        "index",
        "is_count",
        "layout",
        "name",
        "note",
        "offset",
        "size",
        "sources",
        "target",
        "type",
        "value",
        "warning",
    )

    def __init__(
        self,
        name: str,
        offset: int,
        size: int,
        type: str = "",
        value: Any = None,
        note: str = "",
        children: Sequence[Span] | Callable[[], Sequence[Span]] = (),
        error: str = "",
        warning: str = "",
        target: int | None = None,
        sources: tuple[int, ...] = (),
        index: int | None = None,
        layout: object = None,
        is_count: bool = False,
    ) -> None:
        self.name = name
        self.offset = offset
        self.size = size
        self.type = type
        self.value = value
        self.note = note
        self.error = error
        self.warning = warning
        self.target = target
        self.sources = sources
        self.index = index
        self.layout = layout
        self.is_count = is_count
        self._children = children

    @property
    def end(self) -> int:
        """The offset after the last byte."""
        return self.offset + self.size

    @property
    def children(self) -> Sequence[Span]:
        """The spans inside this span, in file order and without gaps."""
        if callable(self._children):
            self._children = self._children()
        return self._children

    @property
    def passing_children(self) -> Sequence[Span]:
        """The children. Children that do not exist yet are created for this call only and not cached."""
        return self._children() if callable(self._children) else self._children

    def part(self, layout: object) -> Span | None:
        """The first child with this `layout`."""
        return next((span for span in self.children if span.layout is layout), None)

    def child(self, name: str) -> Span:
        """The child of this name; KeyError if there is no such child."""
        for span in self.children:
            if span.name == name:
                return span
        raise KeyError(name)

    def at(self, offset: int) -> list[Span]:
        """The spans that contain the byte at `offset`, from this span to the innermost one. Empty if the byte
        is outside.
        """
        if not self.offset <= offset < self.end:
            return []
        chain = [self]
        while (inner := _holding(chain[-1].children, offset)) is not None:
            chain.append(inner)
        return chain

    def __repr__(self) -> str:
        return f"Span({self.name!r}, 0x{self.offset:X}, {self.size})"


class Rows(Sequence[Span]):
    """Spans of equal size, each created when it is indexed: a million vertices cost nothing until they are
    shown.

    `items` [count] is the array of the rows, which can be searched without making spans; None if there is no
    array.
    """

    unexplained = 0
    """The number of unexplained bytes in the rows."""
    removed = 0
    """The number of bytes in the rows that belonged to removed files."""
    odd: Sequence[int] = ()
    """The indices of the rows with an error or with unexplained bytes."""

    def __init__(
        self, offset: int, stride: int, count: int, make: Callable[[int, int], Span], items: Any = None
    ) -> None:
        self.offset = offset
        self.stride = stride
        self.total = count
        self.items = items
        self._make = make

    def __len__(self) -> int:
        return self.total

    @overload
    def __getitem__(self, index: int) -> Span: ...
    @overload
    def __getitem__(self, index: slice) -> list[Span]: ...
    def __getitem__(self, index: int | slice) -> Span | list[Span]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self.total))]
        row = index + self.total if index < 0 else index
        if not 0 <= row < self.total:
            raise IndexError(index)
        return self._make(row, self._start(row))

    def _start(self, row: int) -> int:
        """The offset of the row with this index."""
        return self.offset + row * self.stride

    def __iter__(self) -> Iterator[Span]:
        return (self[i] for i in range(self.total))


class VariableRows(Rows):
    """Rows of different sizes, each created when it is indexed. Row i has the bytes from `starts[i]` to
    `starts[i + 1]`.
    """

    def __init__(
        self,
        starts: np.ndarray[Any, Any],
        make: Callable[[int, int], Span],
        unexplained: int = 0,
        odd: Sequence[int] = (),
        removed: int = 0,
    ) -> None:
        super().__init__(int(starts[0]), 0, len(starts) - 1, make)
        self.unexplained, self.odd, self.removed = unexplained, odd, removed
        self.starts = starts

    def _start(self, row: int) -> int:
        return int(self.starts[row])


ZEROS, EXAMINED = 1 << 20, 64 << 20
"""The number of bytes that are examined for zeros at a time, and the largest number in total."""
UNCLAIMED = "these bytes belong to no field"


def gap(data: bytes, offset: int, size: int, name: str = UNKNOWN, note: str = UNCLAIMED) -> Span:
    """Make the span of bytes that no field describes. If all of them are zero, the span is padding, which
    counts as explained.
    """
    if not only_zeros(data, offset, offset + size):
        return Span(name, offset, size, UNKNOWN, note=note)
    return Span("zero fill", offset, size, "padding", note=f"only zeros; {note}")


def only_zeros(data: bytes, start: int, end: int) -> bool:
    """Whether all bytes between two offsets are zeros. A range of more than `EXAMINED` bytes counts as other
    bytes, because it would have to be read from the disk.
    """
    if end - start > EXAMINED:
        return False
    stops = ((at, min(at + ZEROS, end)) for at in range(start, end, ZEROS))
    return all(data[at:stop].count(0) == stop - at for at, stop in stops)


def tile(spans: Iterable[Span], offset: int, size: int, data: bytes = b"") -> list[Span]:
    """Return the spans in file order, with an `unknown` span for every range of bytes that no span covers. If
    `data`, the bytes of the file, is given, such a range becomes a `gap` instead.

    A span that overlaps the span before it, or ends outside the range, is cut to the bytes that are still
    free. A cut span loses its children and gets a warning. A span without free bytes is dropped.
    """
    tiles: list[Span] = []
    at, end = offset, offset + size
    for span in sorted(spans, key=lambda span: (span.offset, -span.size)):
        if span.offset < at or span.end > end:
            start, stop = max(span.offset, at), min(span.end, end)
            if stop <= start:
                continue
            span = _clipped(span, start, stop)
        if span.offset > at:
            tiles.append(gap(data, at, span.offset - at))
        tiles.append(span)
        at = span.end
    if at < end:
        tiles.append(gap(data, at, end - at))
    return tiles


def _clipped(span: Span, start: int, stop: int) -> Span:
    """Cut a span to the bytes from `start` to `stop`, with a warning."""
    return Span(
        span.name,
        start,
        stop - start,
        span.type,
        span.value,
        span.note,
        error=span.error,
        warning=f"{span.size - (stop - start)} of its {span.size} bytes belong to other parts",
        sources=span.sources,
        index=span.index,
        layout=span.layout,
    )


def unexplained(span: Span) -> int:
    """The number of bytes inside `span` that no field explains. Rows of a known type count as explained."""
    return sum(unclaimed(span))


def unused(span: Span) -> tuple[int, int]:
    """The number of bytes inside `span` that no field explains, and the number of bytes that the file no
    longer uses, see `FREE`.
    """
    unknown = free = 0
    for each in _counts(span):
        unknown, free = unknown + each[0], free + each[1]
    return unknown, free


def unclaimed(span: Span) -> Iterator[int]:
    """Yield the number of unexplained bytes of each inner span, so that a caller may stop early. Spans are
    not cached, because the tree takes many times the memory of the file.
    """
    return (unknown for unknown, _ in _counts(span))


def _counts(span: Span) -> Iterator[tuple[int, int]]:
    """Yield the unexplained bytes and the free bytes of each inner span."""
    waiting = [iter((span,))]
    while waiting:
        inner = next(waiting[-1], None)
        if inner is None:
            waiting.pop()
            continue
        children = inner.passing_children
        if inner.type in (UNKNOWN, FREE):
            yield (inner.size, 0) if inner.type == UNKNOWN else (0, inner.size)
        elif isinstance(children, Rows):
            yield children.unexplained, children.removed
        else:
            yield 0, 0
            waiting.append(iter(children))


def number_at(spans: Sequence[Span], offset: int) -> int | None:
    """Find the index of the span that contains the byte at `offset`, by bisection."""
    if isinstance(spans, VariableRows):
        row = int(np.searchsorted(spans.starts, offset, "right")) - 1
        return row if 0 <= row < len(spans) else None
    if isinstance(spans, Rows):
        row = (offset - spans.offset) // spans.stride if spans.stride else 0
        return row if 0 <= row < len(spans) else None
    low, high = 0, len(spans)
    while low < high:
        middle = (low + high) // 2
        if spans[middle].end <= offset:
            low = middle + 1
        else:
            high = middle
    return low if low < len(spans) and spans[low].offset <= offset else None


def _holding(spans: Sequence[Span], offset: int) -> Span | None:
    number = number_at(spans, offset)
    return None if number is None else spans[number]
