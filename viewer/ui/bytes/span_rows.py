"""The spans of a file as rows of the chunk tree, and as tinted fields of the hex view."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from viewer.binary.dtypes import RECORD
from viewer.binary.span import UNKNOWN, Span, number_at
from viewer.scene.document import Document
from viewer.ui.item_text import name_in
from viewer.ui.kit.texts import grouped, label_text, shortened, value_text
from viewer.ui.kit.tree_rows import Path, Row

UNKNOWN_TINT, ERROR_TINT = 8, 9


class SpanRow(Struct, frozen=True):
    """The texts of a row of the chunk tree, with its span and the span's path."""

    span: Span
    path: Path
    label: str
    offset: str
    size: str
    value: str

    @property
    def unknown(self) -> bool:
        """Whether the bytes of the span belong to no field."""
        return self.span.type == UNKNOWN


class FieldTint(Struct, frozen=True):
    """The bytes of a field without subfields, from `first` up to `end` (excluded).

    `tint` is 0..7, UNKNOWN_TINT or ERROR_TINT.
    """

    first: int
    end: int
    tint: int


def span_line(row: Row[Span], document: Document, digits: int) -> SpanRow:
    """Return the texts of a tree row, with `digits` hex digits in its offset.

    The label of an array row that is an item ends with the item's name: `[3]  Head`.
    """
    span = row.node
    name = _item_name(span, document) if span.name.startswith("[") else ""
    return _line(span, row.path, f"{span.name}  {name}" if name else span.name, digits)


def _item_name(span: Span, document: Document) -> str:
    """The name of the item that has exactly the bytes of a span; empty if there is no such item or it has no
    name.
    """
    item = document.origin.item(span.offset)
    found = document.origin.span(item) if item is not None else None
    if item is None or found is None or (found.offset, found.end) != (span.offset, span.end):
        return ""
    name = name_in(document, item)
    return "" if name.endswith(f" {item.number}") else name


def hit_line(row: Row[Path], root: Span, digits: int) -> SpanRow:
    """Return the texts of a row in the list of hits, with the span's path as label."""
    path = row.node
    return _line(node_at(root, path), path, path_name(root, path), digits)


def _line(span: Span, path: Path, name: str, digits: int) -> SpanRow:
    offset, size = f"{span.offset:0{digits}X}", grouped(span.size)
    return SpanRow(span, path, label_text(name), offset, size, span.error or value_of(span))


def value_of(span: Span) -> str:
    """The value of a span in one line; for a record without a value, the values of its fields."""
    if span.type != RECORD or span.value is not None:
        return value_text(span.value)
    return shortened("  ".join(value_text(inner.value) for inner in span.children))


def path_to(root: Span, first: int, last: int) -> Path:
    """Return the path of the innermost span that contains the bytes `first` to `last`.

    The path of the root is (0,); it is also returned for bytes outside the root.
    """
    path, span = [0], root
    while True:
        children = span.children
        number = number_at(children, first)
        if number is None or children[number].end <= last:
            return tuple(path)
        path.append(number)
        span = children[number]


def node_at(root: Span, path: Path) -> Span:
    """Return the span at a path.

    If the path no longer exists, return the last span along it that still exists.
    """
    span = root
    for number in path[1:]:
        if number >= len(span.children):
            return span
        span = span.children[number]
    return span


def path_name(root: Span, path: Path) -> str:
    """Join the names along a path, without the root: `bones/[3]/name`."""
    names, span = [], root
    for number in path[1:]:
        span = span.children[number]
        names.append(span.name)
    return "/".join(names) or root.name


def patches(root: Span, first: int, end: int) -> list[FieldTint]:
    """Return the innermost fields between two offsets, in order. Spans outside the range are not created."""
    return list(_patches(root, max(first, root.offset), min(end, root.end)))


def _patches(
    span: Span, first: int, end: int, depth: int = 0, number: int = 0, above: int = 0
) -> Iterator[FieldTint]:
    """Yield the innermost fields of a span, with tints.

    `number` is the index of the span among its siblings, and `above` the index of its parent. The tint
    depends only on these indices and on `depth`; therefore it does not change when the view scrolls.
    Neighbouring array rows have different tints.
    """
    children = span.children
    start = number_at(children, first)
    if start is None:
        if first < end:
            tint = _tint(span, (number + depth) % 4 + 4 * (above % 2))
            yield FieldTint(max(span.offset, first), min(span.end, end), tint)
        return
    for inner in range(start, len(children)):
        child = children[inner]
        if child.offset >= end:
            return
        yield from _patches(child, max(child.offset, first), min(child.end, end), depth + 1, inner, number)


def _tint(span: Span, plain: int) -> int:
    return ERROR_TINT if span.error else UNKNOWN_TINT if span.type == UNKNOWN else plain
