"""The texts of tables: reads the text of a cell, and finds a place for another one.

A text that fits is written over the old one if no other cell refers to it. Any other text goes to the end of
the texts, unless it is there already.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from viewer.binary import Span
from viewer.binary.splicing import Splice
from viewer.families.wow.dbc.layout import HEADER_SIZE, U32
from viewer.scene.document import Document
from viewer.scene.table import Table, TableColumn

SIZE_AT = HEADER_SIZE - U32.itemsize
"""The offset of the field with the size of the texts."""


def stored_text(document: Document, span: Span) -> bytes | None:
    """The bytes of a cell's text; None if the node is no cell of a column of texts."""
    table = document.content
    if not isinstance(span.layout, TableColumn) or not isinstance(table, Table):
        return None
    begin = _offset(document, span)
    if not 0 < begin < len(table.strings):
        return b""
    return table.strings[begin:].partition(b"\0")[0]


def place_text(document: Document, span: Span, raw: bytes) -> Sequence[Splice]:
    """Return what to change so that a cell refers to another text."""
    table, old = document.content, stored_text(document, span)
    if not isinstance(table, Table) or old is None or old == raw:
        return ()
    begin, strings = _offset(document, span), table.strings
    start = HEADER_SIZE + table.records.nbytes
    room = _room(table, begin)
    if old and 0 < len(raw) < room:
        size = max(len(old), len(raw))
        return (Splice(start + begin, size, raw.ljust(size, b"\0")),)
    there = 0 if not raw else strings.find(b"\0" + raw + b"\0") + 1
    if not raw or there:
        return (Splice(span.offset, span.size, struct.pack("<I", there)),)
    lead = b"" if strings.endswith(b"\0") else b"\0"
    text = lead + raw + b"\0"
    return (
        Splice(start + len(strings), 0, text),
        Splice(span.offset, span.size, struct.pack("<I", len(strings) + len(lead))),
        Splice(SIZE_AT, U32.itemsize, struct.pack("<I", len(strings) + len(text))),
    )


def _offset(document: Document, span: Span) -> int:
    return int.from_bytes(document.data[span.offset : span.end], "little")


def _room(table: Table, begin: int) -> int:
    """How many bytes a text has in its place, with the zeros behind it. 0 if another cell refers into it."""
    end = table.strings.find(b"\0", begin)
    while 0 <= end < len(table.strings) and not table.strings[end]:
        end += 1
    texts = [table.records[each.name] for each in table.columns if each.type == "text"]
    if sum(int((offsets == begin).sum()) for offsets in texts) != 1:
        return 0
    later = [offsets[(offsets > begin) & (offsets < end)] for offsets in texts]
    return min([end, *(int(each.min()) for each in later if len(each))]) - begin
