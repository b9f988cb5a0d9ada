"""What a format says of its names and indices: lists the names, and refuses wrong values."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.binary import Span
from viewer.binary.code_pages import decode
from viewer.edit.paths import Node, like, nodes_like
from viewer.edit.values import EditError, number_dtype, number_text, value_text
from viewer.errors import counted
from viewer.family import registry
from viewer.family.format import EditRules, IndexRange
from viewer.scene.document import Document, items_of

UNIQUE = ("bones",)
"""The kinds of names that may not repeat in a file."""


def rules_of(document: Document) -> EditRules:
    """What the document's format knows about editing."""
    format = registry.format_named(document.format)
    return EditRules() if format is None else format.edits


def value_of(document: Document, node: Node) -> str | None:
    """The value of a node, as `set` takes it; None if the node has no value."""
    span, data = node.span, document.data
    raw = rules_of(document).stored_text(document, span)
    if raw is not None:
        return decode(raw)
    dtype = number_dtype(span)
    if dtype is not None and not isinstance(span.value, str):
        return number_text(dtype, data[span.offset : span.end], document.order)
    return None if span.value is None else value_text(span.value)


def names_of(document: Document, kind: str) -> Iterator[tuple[Node, str]]:
    """Yield the nodes of all stored names of a kind, such as bones or textures, with the names."""
    for pattern in rules_of(document).texts.get(kind, ()):
        for node in nodes_like(document.root, pattern):
            name = value_of(document, node)
            if name is not None:
                yield node, name


def expect_index(document: Document, node: Node, range: IndexRange) -> None:
    """EditError if a number is no index of a row."""
    dtype, span = number_dtype(node.span), node.span
    if dtype is None:
        return
    raw = document.data[span.offset : span.end]
    numbers = np.frombuffer(raw, dtype.base.newbyteorder(document.order)).tolist()
    numbers = [each for each in numbers if each not in range.others]
    if range.values:
        known = {value_of(document, each) for each in nodes_like(document.root, range.values)}
        wrong = next((each for each in numbers if str(each) not in known), None)
        listed = f"no {range.values.rpartition('/')[2]} has this number"
    else:
        count = _row_count(document, range)
        wrong = next((each for each in numbers if not 0 <= each < count + range.past), None)
        listed = f"{range.tables[0]} has {counted(count, 'row')}"
    if wrong is not None:
        raise EditError(f"{node.path}: {wrong} is out of range: {listed}")


def field_range(document: Document, node: Node) -> tuple[int, int] | None:
    """The smallest and the largest index that a number may hold; None if it is no index of rows."""
    range = rules_of(document).indices.get(like(node.path))
    if range is None or range.values:
        return None
    return min((0, *range.others)), _row_count(document, range) + range.past - 1


def _row_count(document: Document, range: IndexRange) -> int:
    """The number of rows of the largest of the tables."""
    tables = [each for pattern in range.tables for each in nodes_like(document.root, pattern)]
    return max((_rows_of(document, each.span) for each in tables), default=0)


def _rows_of(document: Document, span: Span) -> int:
    """The number of rows of a table, or the number that a field says."""
    dtype = number_dtype(span)
    if dtype is not None and not dtype.shape:
        return int(number_text(dtype, document.data[span.offset : span.end], document.order))
    rows = items_of(span).children
    return len(rows) - (1 if len(rows) and rows[0].is_count else 0)


def expect_unique(document: Document, node: Node, kind: str, pattern: str) -> None:
    """EditError if another part has the same name."""
    name = value_of(document, node)
    for other in nodes_like(document.root, pattern):
        if other.path != node.path and value_of(document, other) == name:
            raise EditError(f"{node.path}: {other.path} has the name {name!r} already")
