"""Edits: from a document and typed values to new bytes and the document that they give.

The bytes are changed, read again through the gate of all files, and compared: an edit may change the values
that it names and nothing else. If the layout of the root describes the whole file, the file is then written
anew by the layout, and must be the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from viewer.binary import Record, Rows, Span, VariableRows
from viewer.binary.code_pages import decode
from viewer.binary.rewriting import (
    ReadRecord,
    chunks_around,
    first_difference,
    read_again,
    written_again,
)
from viewer.binary.splicing import Splice, inverse, spliced
from viewer.edit.paths import Node, joined, like, node_at, node_of, nodes_like
from viewer.edit.values import (
    EditError,
    encoded_text,
    encoding_of,
    named_by,
    number_bytes,
    number_dtype,
    number_text,
    text_bytes,
    text_field,
    value_text,
)
from viewer.errors import FormatError, counted
from viewer.family import registry
from viewer.family.format import EditRules, IndexRange
from viewer.family.guard import FAULTS
from viewer.lru import kept_with
from viewer.scene.document import Document, items_of
from viewer.scene.edits import ChangedValue, Edit
from viewer.storage.documents import opened_again

UNIQUE = ("bones",)
"""The kinds of names that may not repeat in a file."""


class Edited(Struct, frozen=True, eq=False):
    """The document with the new bytes in its `data`, and what changed. `undo` are groups of splices, which
    turn the new bytes back one after the other.
    """

    document: Document
    changes: tuple[ChangedValue, ...]
    undo: tuple[tuple[Splice, ...], ...]


def rules_of(document: Document) -> EditRules:
    """What the document's format knows about editing."""
    format = registry.format_named(document.format)
    return EditRules() if format is None else format.edits


def refusal(document: Document) -> str:
    """Why no value of a document can be edited; empty if some can."""
    if rules_of(document).in_place or isinstance(document.root.layout, Record):
        return ""
    return f"a file of the format {document.format} is not edited"


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


def rewritten(document: Document) -> bytes:
    """Write every record of a file anew by its layout; return the bytes, which are the file's own. A file
    that is changed in place is returned as it is. EditError if other bytes would be written.
    """
    _expect_editable(document, incomplete=False)
    if not _is_written_alike(document):
        raise EditError("the file cannot be written back to its own bytes")
    return document.data


def edited(document: Document, edits: Sequence[Edit], *, incomplete: bool = False) -> Edited:
    """Set values of a document that wears no display or look.

    EditError if the file cannot be edited or a value is refused, ResourceError for a path that does not
    exist. A file that was not read completely is edited only with `incomplete`.
    """
    _expect_editable(document, incomplete)
    nodes = [_target(document, node_at(document.root, each.path)) for each in edits]
    repeated = next((each for number, each in enumerate(nodes) if each.path in _paths(nodes[:number])), None)
    if repeated is not None:
        raise EditError(f"{repeated.path} is set twice")
    rules = rules_of(document)
    read = _read(document)
    splices, placed = list[Splice](), list[tuple[Node, bytes]]()
    for node, each in zip(nodes, edits, strict=True):
        try:
            old = rules.stored_text(document, node.span)
            if old is None:
                splices.append(_splice(document, node.span, each.value, read.page if read else ""))
            else:
                placed.append((node, _placed(old, each.value)))
        except EditError as error:
            raise EditError(f"{node.path}: {error}") from None
    after, undo = document, list[tuple[Splice, ...]]()
    splices = [each for each in splices if _bytes_at(document, each) != each.raw]
    if splices:
        after = _applied(document, [*splices, *_lengths(document, splices)], undo)
        _expect_alike(document, after)
    for node, raw in placed:
        moves = rules.place_text(after, node_at(after.root, node.path).span, raw)
        after = _applied(after, moves, undo) if moves else after
    return _checked(document, after, nodes, undo, [each.value for each in edits])


def with_bytes(document: Document, offset: int, raw: bytes, *, incomplete: bool = False) -> Edited:
    """Overwrite bytes. The bytes have to belong to fields that may have any value. Raises as `edited`."""
    _expect_editable(document, incomplete)
    splice, undo = Splice(offset, len(raw), raw), list[tuple[Splice, ...]]()
    if not 0 <= offset <= offset + len(raw) <= len(document.data):
        raise EditError("the bytes are outside the file")
    after = _applied(document, [splice], undo) if _bytes_at(document, splice) != raw else document
    _expect_alike(document, after)
    return _checked(document, after, [node_of(document.root, offset, len(raw))], undo)


def undone(document: Document, undo: Sequence[Sequence[Splice]]) -> Document:
    """The document before an edit, opened from its bytes."""
    data = document.data
    for splices in undo:
        data = spliced(data, splices)
    return opened_again(document, data)


def names_of(document: Document, kind: str) -> Iterator[tuple[Node, str]]:
    """Yield the nodes of all stored names of a kind, such as bones or textures, with the names."""
    for pattern in rules_of(document).texts.get(kind, ()):
        for node in nodes_like(document.root, pattern):
            name = value_of(document, node)
            if name is not None:
                yield node, name


def replacements(document: Document, kind: str, old: str, new: str) -> list[Edit]:
    """The edits that replace a part of all names of a kind."""
    return [Edit(node.path, name.replace(old, new)) for node, name in names_of(document, kind) if old in name]


def _paths(nodes: Sequence[Node]) -> set[str]:
    return {each.path for each in nodes}


def _expect_editable(document: Document, incomplete: bool) -> None:
    why = refusal(document)
    if why:
        raise EditError(why)
    if document.report.errors and not incomplete:
        raise EditError(
            "the file was not read completely, and is left as it is; --incomplete edits the fields that "
            "were read"
        )


def _target(document: Document, node: Node) -> Node:
    """The node whose bytes an edit of `node` changes: the name inside a record, or the reference to a
    text.
    """
    span = node.span
    if rules_of(document).stored_text(document, span) is not None and span.sources:
        source = node_of(document.root, span.sources[0], 0)
        return node if source.span is document.root else source
    if number_dtype(span) is None and text_field(span) is None:
        name = named_by(span)
        if name is not None:
            return node_of(document.root, name.offset, name.size)
    return node


def _splice(document: Document, span: Span, text: str, page: str) -> Splice:
    """The change that gives a field in a record another value."""
    raw, dtype, field = document.data[span.offset : span.end], number_dtype(span), text_field(span)
    if dtype is not None and not span.warning:
        return Splice(span.offset, span.size, number_bytes(dtype, text, span.note, document.order))
    if field is not None and raw.endswith(field.terminator):
        return Splice(span.offset, span.size, text_bytes(field, text, raw, str(span.value), page))
    raise EditError(_why_fixed(span))


def _why_fixed(span: Span) -> str:
    """Why a node has no value that can be set."""
    if span.is_count:
        return "a count follows from the number of its items"
    inner = ", ".join(each.name for each in span.passing_children[:6])
    if inner:
        return f"it has no value of its own; its parts are {inner}"
    return f"bytes of the type {span.type or 'unknown'} are not edited"


def _placed(old: bytes, text: str) -> bytes:
    """The bytes of a text that is stored outside its record, without a terminator."""
    if "\0" in text:
        raise EditError("a text cannot have a zero byte in it")
    return encoded_text(text, encoding_of(old, decode(old), ""))


def _bytes_at(document: Document, splice: Splice) -> bytes:
    return document.data[splice.offset : splice.offset + splice.size]


def _lengths(document: Document, splices: Sequence[Splice]) -> list[Splice]:
    """The changes of the lengths that the chunks around longer or shorter texts declare. A right length
    stays right, and a wrong one stays wrong by the same number of bytes.
    """
    read, growth = _read(document), dict[tuple[int, int], int]()
    if read is None or not any(each.growth for each in splices):
        return []
    for each in splices:
        for offset, declared in chunks_around(read.record, each.offset):
            growth[offset, declared] = growth.get((offset, declared), 0) + each.growth
    found = []
    for (offset, declared), more in growth.items():
        dtype = np.dtype("u4").newbyteorder(document.order)
        if not 0 <= declared + more <= np.iinfo(np.uint32).max:
            raise EditError(f"the chunk at 0x{offset:X} would be longer than its length can say")
        found.append(Splice(offset, dtype.itemsize, np.array(declared + more, dtype).tobytes()))
    return found


def _applied(document: Document, splices: Sequence[Splice], undo: list[tuple[Splice, ...]]) -> Document:
    """The document with changed bytes. `undo` gets the splices back as its first group.

    EditError if the bytes cannot be read as well as before, or would be written differently.
    """
    data = spliced(document.data, splices)
    try:
        after = opened_again(document, data)
    except FormatError as error:
        raise EditError(f"the file would be unreadable: {error}") from None
    known = {str(each.why) for each in document.report.errors}
    new = next((each for each in after.report.errors if str(each.why) not in known), None)
    if new is not None:
        raise EditError(f"the file would be unreadable: {new}")
    if not after.report.errors and not _is_written_alike(after):
        raise EditError("the file cannot be written back to its own bytes")
    undo.insert(0, inverse(document.data, splices))
    return after


@kept_with
def _read(document: Document) -> ReadRecord | None:
    """The record of a file that its layout writes anew; None for a file that is changed in place."""
    layout = document.root.layout
    return read_again(layout, document.data, document.order) if isinstance(layout, Record) else None


def _is_written_alike(document: Document) -> bool:
    """Whether the layout of a file, if it has one, writes the file's own bytes."""
    layout, data, read = document.root.layout, document.data, _read(document)
    if read is None or not isinstance(layout, Record):
        return True
    try:
        return read.whole and written_again(layout, read.record, data, document.order) == data
    except FAULTS:  # a field of a plugin
        return False


def _expect_alike(one: Document, other: Document) -> None:
    """EditError if two documents differ in more than values: if other fields would be read from the bytes."""
    first, second = _read(one), _read(other)
    if first is None or second is None:
        path = _other_node(one.root, other.root, "")
    else:
        path = first_difference(first.record, second.record)
    if path:
        raise EditError(f"the rest of the file would be read differently, from {path} on")


def _other_node(one: Span, other: Span, path: str) -> str:
    """The path of the first node that only one of two trees has; empty if they differ only in values."""
    first, second = one.passing_children, other.passing_children
    if one.name != other.name or len(first) != len(second) or (one.type != other.type and path):
        return path or one.name
    if isinstance(first, Rows) and isinstance(second, Rows):
        if first.stride != second.stride or _row_type(first) != _row_type(second):
            return path
        if not isinstance(first, VariableRows):
            return ""
    pairs = ((a, b, joined(path, a.name)) for a, b in zip(first, second, strict=True))
    return next((found for a, b, inner in pairs if (found := _other_node(a, b, inner))), "")


def _row_type(rows: Rows) -> object:
    return None if rows.items is None else rows.items.dtype


def _checked(
    before: Document,
    after: Document,
    nodes: Sequence[Node],
    undo: list[tuple[Splice, ...]],
    values: Sequence[str] = (),
) -> Edited:
    """Compare what was set with what is read now. EditError for a text that is read differently, an index out
    of its range, or a name that another part has.
    """
    changes, rules = list[ChangedValue](), rules_of(after)
    for number, node in enumerate(nodes):
        now = node_at(after.root, node.path)
        old, new = value_of(before, node), value_of(after, now)
        shown = now.span.value if text_field(now.span) is not None else new
        if values and isinstance(shown, str) and not _is_number(now.span) and shown != values[number]:
            raise EditError(f"{node.path}: {values[number]!r} would be read as {shown!r}")
        pattern = like(node.path)
        if pattern in rules.indices:
            _expect_index(after, now, rules.indices[pattern])
        for kind in UNIQUE:
            if pattern in rules.texts.get(kind, ()):
                _expect_unique(after, now, kind, pattern)
        if old != new:
            changes.append(ChangedValue(node.path, old or "", new or ""))
    return Edited(after, tuple(changes), tuple(undo))


def _is_number(span: Span) -> bool:
    return number_dtype(span) is not None


def _expect_index(document: Document, node: Node, range: IndexRange) -> None:
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


def _expect_unique(document: Document, node: Node, kind: str, pattern: str) -> None:
    """EditError if another part has the same name."""
    name = value_of(document, node)
    for other in nodes_like(document.root, pattern):
        if other.path != node.path and value_of(document, other) == name:
            raise EditError(f"{node.path}: {other.path} has the name {name!r} already")
