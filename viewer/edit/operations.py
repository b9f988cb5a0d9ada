"""Edits: from a document and typed values to new bytes and the document that they give.

The bytes are changed, read again through the gate of all files, and compared: an edit may change the values
that it names and nothing else. If the layout of the root describes the whole file, the file is then written
anew by the layout, and must be the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

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
from viewer.edit.paths import Node, joined, like, node_at, node_of
from viewer.edit.rules import UNIQUE, expect_index, expect_unique, names_of, rules_of, value_of
from viewer.edit.values import (
    EditError,
    encoded_text,
    encoding_of,
    named_by,
    number_bytes,
    number_dtype,
    text_bytes,
    text_field,
)
from viewer.errors import FormatError
from viewer.family.guard import FAULTS
from viewer.lru import kept_with
from viewer.scene.document import Document
from viewer.scene.edits import ChangedValue, Edit
from viewer.scene.names import path_key
from viewer.storage.documents import opened_again


class IncompleteError(EditError):
    """A file is not edited because it was not read completely."""


class Edited(Struct, frozen=True, eq=False):
    """The document with the new bytes in its `data`, and what changed. `undo` are groups of splices, which
    turn the new bytes back one after the other.
    """

    document: Document
    changes: tuple[ChangedValue, ...]
    undo: tuple[tuple[Splice, ...], ...]


def refusal(document: Document) -> str:
    """Why no value of a document can be edited; empty if some can."""
    if rules_of(document).in_place or isinstance(document.root.layout, Record):
        return ""
    return f"a file of the format {document.format} is not edited"


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
    _expect_apart(nodes)
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
        splices += _lengths(document, splices)
        after = _applied(document, splices, undo)
        _expect_alike(document, after, splices)
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
    _expect_alike(document, after, [splice])
    return _checked(document, after, [node_of(document.root, offset, len(raw))], undo)


def undone(document: Document, undo: Sequence[Sequence[Splice]]) -> Document:
    """The document before an edit, opened from its bytes."""
    data = document.data
    for splices in undo:
        data = spliced(data, splices)
    return opened_again(document, data)


def replacements(document: Document, kind: str, old: str, new: str, *, whole: bool = False) -> list[Edit]:
    """The edits that replace a part of all names of a kind; with `whole` only names that are equal to
    `old`.
    """
    names = (
        (node, name) for node, name in names_of(document, kind) if (name == old if whole else old in name)
    )
    return [Edit(node.path, name.replace(old, new)) for node, name in names]


def _expect_apart(nodes: Sequence[Node]) -> None:
    """EditError if two edits are of the same bytes."""
    ordered = sorted(nodes, key=lambda node: (node.span.offset, node.span.end))
    for node, behind in pairwise(ordered):
        if node.path == behind.path:
            raise EditError(f"{node.path} is set twice")
        if behind.span.offset < node.span.end:
            raise EditError(f"{node.path} and {behind.path} are of the same bytes: set one of them")


def _expect_editable(document: Document, incomplete: bool) -> None:
    why = refusal(document)
    if why:
        raise EditError(why)
    if _own_errors(document) and not incomplete:
        raise IncompleteError("the file was not read completely, and is left as it is")


def _own_errors(document: Document) -> list[FormatError]:
    """The errors of the file itself, not of the files beside it."""
    own = path_key(document.path)
    return [each for each in document.report.errors if not each.file or path_key(each.file) == own]


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
    typed = {each.offset for each in splices}
    for (offset, declared), more in growth.items():
        if offset in typed:
            continue
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
    known, errors = {each.path for each in _own_errors(document)}, _own_errors(after)
    new = next((each for each in errors if each.path not in known), None)
    if new is not None:
        raise EditError(f"the file would be unreadable: {new}")
    if not errors and not _is_written_alike(after):
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


def _expect_alike(one: Document, other: Document, splices: Sequence[Splice]) -> None:
    """EditError if splices of a document change more than values: if other fields would be read from the
    bytes.
    """
    first, second = _read(one), _read(other)
    if first is None or second is None:
        path = _other_node(one.root, other.root, "")
    else:
        path = first_difference(first.record, second.record, splices)
    if path:
        raise EditError(f"the rest of the file would be read differently, from {path} on")


def _other_node(one: Span, other: Span, path: str) -> str:
    """The path of the first node that only one of two trees has; empty if they differ only in values."""
    first, second = one.passing_children, other.passing_children
    alike = (one.name, one.offset, one.size, len(first)) == (
        other.name,
        other.offset,
        other.size,
        len(second),
    )
    if not alike or (one.type != other.type and path):
        return path or "the beginning"
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
            expect_index(after, now, rules.indices[pattern])
        for kind in UNIQUE:
            if pattern in rules.texts.get(kind, ()):
                expect_unique(after, now, kind, pattern)
        if old != new:
            changes.append(ChangedValue(node.path, old or "", new or ""))
    return Edited(after, tuple(changes), tuple(undo))


def _is_number(span: Span) -> bool:
    return number_dtype(span) is not None
