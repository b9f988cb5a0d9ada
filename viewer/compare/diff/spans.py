"""Finds the spans that differ between two files, with their paths and both values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from msgspec import Struct

from viewer.binary.span import UNKNOWN, Rows, Span, VariableRows
from viewer.scene.document import Document

LISTED_SPANS = 1000
"""The largest number of listed spans."""
LOOKED_AT = 4096
"""The largest number of compared entries in a list whose rows differ in size."""


class SpanDifference(Struct, frozen=True):
    """A differing span with its field path. `offset` and `value` belong to the first file, `other_offset` and
    `other_value` to the second; both are None for a file that does not have the span. `explained` is True if
    a field of the format gives the bytes a meaning.
    """

    path: str
    offset: int | None
    other_offset: int | None
    value: Any = None
    other_value: Any = None
    explained: bool = True


def span_differences(one: Document, other: Document) -> Iterator[SpanDifference]:
    """Find the innermost spans that differ, at most `LISTED_SPANS`, in the order of the first file."""
    walker = _SpanWalker(one.data, other.data)
    return islice(walker.differ(one.root, other.root, ""), LISTED_SPANS)


def unequal_bytes(one: bytes, other: bytes) -> int:
    """Count the differing bytes. For files of different sizes, count the bytes of the longer file between the
    equal beginning and the equal end.
    """
    if one == other:
        return 0
    first, second = np.frombuffer(one, np.uint8), np.frombuffer(other, np.uint8)
    if len(first) == len(second):
        return int(np.count_nonzero(first != second))
    short = min(len(first), len(second))
    head = _equal(first[:short], second[:short])
    tail = _equal(first[len(first) - short :][::-1], second[len(second) - short :][::-1])
    return max(len(first), len(second)) - min(head + tail, short)


def _equal(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> int:
    """The number of bytes before the first difference."""
    different = one != other
    return int(different.argmax()) if different.any() else len(one)


class _SpanWalker:
    """Walks two span trees in parallel, and skips spans with the same bytes."""

    def __init__(self, one: bytes, other: bytes) -> None:
        self.one, self.other = memoryview(one), memoryview(other)

    def differ(self, one: Span, other: Span, path: str) -> Iterator[SpanDifference]:
        """Find the innermost differing spans inside the spans `one` and `other`."""
        if self.one[one.offset : one.end] == self.other[other.offset : other.end]:
            return
        first, second = one.passing_children, other.passing_children
        if not len(first) or not len(second):
            known = UNKNOWN not in (one.type, other.type)
            values = self._value(one), self._value(other, True)
            yield SpanDifference(path, one.offset, other.offset, *values, known)
            return
        pairs = self._pairs(first, second, (one.offset, other.offset) if one.size == other.size else None)
        for child, partner in pairs:
            if child is None and partner is not None:
                inner = _joined(path, partner.name)
                value = self._value(partner, True)
                yield SpanDifference(inner, None, partner.offset, None, value, partner.type != UNKNOWN)
            elif partner is None and child is not None:
                inner, value = _joined(path, child.name), self._value(child)
                yield SpanDifference(inner, child.offset, None, value, None, child.type != UNKNOWN)
            elif child is not None and partner is not None:
                yield from self.differ(child, partner, _joined(path, child.name))

    def _value(self, span: Span, second: bool = False) -> Any:
        """The value of a span; its first bytes if it has no value."""
        if span.value is not None:
            return span.value
        data = self.other if second else self.one
        return bytes(data[span.offset : min(span.end, span.offset + 16)])

    def _pairs(
        self, first: Sequence[Span], second: Sequence[Span], starts: tuple[int, int] | None
    ) -> Iterator[tuple[Span | None, Span | None]]:
        """Pair the children of two spans; None stands for a missing counterpart. If the parents have the same
        size, `starts` are their offsets: children then match first by name and by offset in the parent.
        """
        if _is_table(first) and _is_table(second) and first.stride == second.stride:  # type: ignore[attr-defined]
            yield from self._row_pairs(first, second)
            return
        ours, theirs = list(islice(first, LOOKED_AT)), list(islice(second, LOOKED_AT))
        if starts is not None:
            places = {(span.name, span.offset - starts[1]): span for span in theirs}
            found = {id(span): places.pop((span.name, span.offset - starts[0]), None) for span in ours}
            theirs = list(places.values())
        else:
            found = {}
        yield from _by_name(ours, theirs, found)

    def _row_pairs(self, first: Any, second: Any) -> Iterator[tuple[Span | None, Span | None]]:
        """Pair the differing rows of two tables. Rows with the same index match. In tables of different
        length, equal rows at the end of both tables match, too.
        """
        one, other = _table(self.one, first), _table(self.other, second)
        count = min(len(one), len(other))
        unequal = _unequal_rows(one[:count], other[:count])
        end = 0
        if unequal and len(one) != len(other):
            from_end = _unequal_rows(one[::-1][:count], other[::-1][:count])
            end = min(from_end[0] if from_end else count, count - unequal[0])
        for row in unequal:
            if row < count - end:
                yield first[row], second[row]
        for row in range(count - end, len(one) - end):
            yield first[row], None
        for row in range(count - end, len(other) - end):
            yield None, second[row]


def _table(data: memoryview, rows: Rows) -> np.ndarray[Any, Any]:
    """[count, stride]: the bytes of each row."""
    size = len(rows) * rows.stride
    return np.frombuffer(data, np.uint8, size, rows.offset).reshape(len(rows), rows.stride)


def _unequal_rows(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> list[int]:
    """The indices of differing rows in two tables of one shape, at most `LISTED_SPANS`."""
    found: list[int] = []
    step = max((1 << 22) // one.shape[1], 1)
    for start in range(0, len(one), step):
        different = (one[start : start + step] != other[start : start + step]).any(axis=1)
        found += (np.flatnonzero(different) + start).tolist()
        if len(found) >= LISTED_SPANS:
            break
    return found[:LISTED_SPANS]


def _by_name(
    ours: Sequence[Span], theirs: Sequence[Span], counterparts: dict[int, Span | None]
) -> Iterator[tuple[Span | None, Span | None]]:
    """Pair spans with their counterparts. `counterparts` has the known counterparts by the id of the span.
    Any other span matches the next span of the same name.
    """
    names: Counter[str] = Counter()
    partners: dict[tuple[str, int], Span] = {}
    for span in theirs:
        partners[span.name, names[span.name]] = span
        names[span.name] += 1
    names.clear()
    for span in ours:
        partner = counterparts.get(id(span))
        if partner is None:
            partner = partners.pop((span.name, names[span.name]), None)
            names[span.name] += 1
        yield span, partner
    for span in partners.values():
        yield None, span


def _is_table(spans: Sequence[Span]) -> bool:
    return isinstance(spans, Rows) and not isinstance(spans, VariableRows) and spans.stride > 0


def _joined(path: str, name: str) -> str:
    return f"{path}{name}" if name.startswith("[") or not path else f"{path}/{name}"
