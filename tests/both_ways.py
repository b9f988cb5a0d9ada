"""A file read with tables of chunks and one chunk at a time: whether both are the same in every respect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from viewer.binary import Record, Rows, Span, Struct, read_layout
from viewer.binary.cursor import Cursor
from viewer.scene.animation import Animation

ROWS_COMPARED = 3


def assert_read_alike(layout: Record, data: bytes, order: Literal["<", ">"] = "<") -> None:
    """The same values, spans, errors and remarks."""
    with_tables, one_by_one = (read_layout(layout, data, order, attempts) for attempts in (2, 0))
    assert told(with_tables[1]) == told(one_by_one[1])
    for first, second in zip(
        lines_of(layout, with_tables[0], data), lines_of(layout, one_by_one[0], data), strict=True
    ):
        assert first == second


def told(cursor: Cursor) -> list[Any]:
    """All that is said about the file, and what is left of it."""
    errors = [(str(error), error.path, error.offset) for error in cursor.errors]
    return [errors, cursor.remarks, cursor.offset, cursor.encodings, cursor.records]


def lines_of(layout: Record, record: Struct, data: bytes) -> Iterator[tuple[Any, ...]]:
    """What the tree of the record says."""
    return span_lines(layout.span("file", record, 0, len(data)))


def span_lines(span: Span) -> Iterator[tuple[Any, ...]]:
    """A span and all spans below, of equal rows only the first and the last."""
    yield (
        (span.name, span.offset, span.size, span.type, str(span.value), span.note, span.error, span.warning),
        (span.target, span.sources, span.index, span.is_count, id(span.layout)),
    )
    children = span.children
    if isinstance(children, Rows):
        yield children.offset, children.stride, children.total, children.unexplained, len(children.odd)
        yield (None,) if children.items is None else (children.items.dtype, children.items.tobytes())
        children = [*children[:ROWS_COMPARED], *children[-1:]]
    for child in children:
        yield from span_lines(child)


def animation_lines(animation: Animation) -> Iterator[tuple[Any, ...]]:
    """What an animation says, with the bits of its keys."""
    yield animation.name, animation.duration, animation.targets, animation.keyframes, animation.link_scale
    for track in animation.tracks:
        yield track.target, track.path, track.times.tobytes(), track.values.tobytes(), track.values.dtype
