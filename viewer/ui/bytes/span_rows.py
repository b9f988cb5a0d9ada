"""The spans of a file as text rows for the chunk tree, and as tinted fields for the hex view."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from viewer.binary.dtypes import RECORD
from viewer.binary.span import UNKNOWN, Span, number_at
from viewer.scene.document import Document
from viewer.ui.item_text import name_in
from viewer.ui.kit.texts import label_text, shortened, value_text
from viewer.ui.kit.tree_rows import Path, Row

UNKNOWN_TINT, ERROR_TINT = 8, 9


class SpanRow(Struct, frozen=True):
    """The texts of a row of the chunk tree. `path` is the path of its span."""

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
    """The bytes of an innermost field, `first` up to `end` (excluded).

    `tint` is 0..7, or one of the constants above.
    """

    first: int
    end: int
    tint: int


def span_line(row: Row[Span], document: Document, digits: int) -> SpanRow:
    """The texts of a span in the tree, with `digits` hex digits in its offset.

    A row of a table of items has the name of its item too: `[3]  Head`.
    """
    span = row.node
    name = _item_name(span, document) if span.name.startswith("[") else ""
    return _line(span, row.path, f"{span.name}  {name}" if name else span.name, digits)


def _item_name(span: Span, document: Document) -> str:
    """The name of the item that a span holds; empty if it holds no item, or an item without a name."""
    item = document.origin.item(span.offset)
    found = document.origin.span(item) if item is not None else None
    if item is None or found is None or (found.offset, found.end) != (span.offset, span.end):
        return ""
    name = name_in(document, item)
    return "" if name.endswith(f" {item.number}") else name


def hit_line(row: Row[Path], root: Span, digits: int) -> SpanRow:
    """The texts of a span in a list of hits, which names it by its path."""
    path = row.node
    return _line(node_at(root, path), path, path_name(root, path), digits)


def _line(span: Span, path: Path, name: str, digits: int) -> SpanRow:
    offset, size = f"{span.offset:0{digits}X}", f"{span.size:,}".replace(",", " ")
    return SpanRow(span, path, label_text(name), offset, size, span.error or value_of(span))


def value_of(span: Span) -> str:
    """The value in one line; without a value, the values of the span's fields."""
    if span.type != RECORD or span.value is not None:
        return value_text(span.value)
    return shortened("  ".join(value_text(inner.value) for inner in span.children))


def path_to(root: Span, first: int, last: int) -> Path:
    """The path from the root to the innermost span that contains the bytes `first` to `last`.

    The root has the path (0,), and so have bytes outside the root.
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
    """The span at a path; if the path does not exist any more, its last existing span."""
    span = root
    for number in path[1:]:
        if number >= len(span.children):
            return span
        span = span.children[number]
    return span


def path_name(root: Span, path: Path) -> str:
    """`bones/[3]/name`: the names along the path, without the root."""
    names, span = [], root
    for number in path[1:]:
        span = span.children[number]
        names.append(span.name)
    return "/".join(names) or root.name


def patches(root: Span, first: int, end: int) -> list[FieldTint]:
    """The innermost fields between two offsets, in order; no other spans are created."""
    return list(_patches(root, max(first, root.offset), min(end, root.end)))


def _patches(
    span: Span, first: int, end: int, depth: int = 0, number: int = 0, above: int = 0
) -> Iterator[FieldTint]:
    """Yield the fields below a span, with tints.

    `number` is the index of the span among its siblings, `above` the index of its parent. They decide the
    tint, so that it stays when the view scrolls and repeats in every second row of an array.
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
