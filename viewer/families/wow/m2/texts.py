"""The texts of models, which lie outside their records: reads a text, and finds a place for another one.

A text that fits is written over the old one, and its count follows. Any other text goes to the end of the
block of data, and its reference follows; other references to the old place keep it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from viewer.binary import Cursor, Span
from viewer.binary.splicing import Splice
from viewer.binary.tables import REF, Reference
from viewer.errors import Report
from viewer.families.wow.m2.layout.fields import CHAR
from viewer.families.wow.m2.layout.tables import CHUNK_HEAD, M2Chunk, chunks_of
from viewer.families.wow.m2.probe import CHUNKED, SKELETON_CHUNKS
from viewer.scene.document import Document

ALIGNMENT = 16
"""Blocks of data begin at multiples of this number."""


class StoredText(NamedTuple):
    """A text and its reference. `at` is the offset of the reference, `base` the offset of the block from
    which it counts. `begin` and `length` say where of the text are. `raw` is the text without
    zeros.
    """

    at: int
    base: int
    begin: int
    length: int
    raw: bytes


def stored_text(document: Document, span: Span) -> bytes | None:
    """The bytes of the text that a node is or refers to; None for any other node."""
    found = _found(document, span)
    return None if found is None else found.raw


def place_text(document: Document, span: Span, raw: bytes) -> Sequence[Splice]:
    """Return what to change so that a node refers to another text."""
    found = _found(document, span)
    if found is None or found.raw == raw:
        return ()
    zeros = max(found.length - len(found.raw), 0) if found.length else 1
    room = _room(document, found)
    if len(raw) + max(zeros, 1) <= room:
        size = max(found.length, len(raw) + zeros)
        text = Splice(found.begin, size, raw.ljust(size, b"\0"))
        return (text, _reference(found, found.begin, len(raw) + zeros))
    block = _block(document.data, found.at)
    end = block.offset + block.size
    begin = end + -(end - found.base) % ALIGNMENT
    text = Splice(end, 0, b"\0" * (begin - end) + raw + b"\0" * max(zeros, 1))
    splices = [text, _reference(found, begin, len(raw) + max(zeros, 1))]
    if block.offset:
        grown = struct.pack("<I", block.size + len(text.raw))
        splices.append(Splice(block.offset - len(grown), len(grown), grown))
    return splices


def _found(document: Document, span: Span) -> StoredText | None:
    """The text of a node: of a reference to letters, or of the letters themselves."""
    layout = span.layout
    if not isinstance(layout, Reference) or layout.dtype != CHAR:
        return None
    if span.type != "text" and span.size != REF.itemsize:
        return None
    at = span.sources[0] if span.sources else span.offset
    data, block = document.data, _block(document.data, at)
    stored = Cursor(data, at).array(REF, 1)[0]
    count, offset = int(stored["count"]), int(stored["offset"])
    begin = block.offset + offset
    if begin + count > block.offset + block.size:
        return StoredText(at, block.offset, begin, 0, b"")
    return StoredText(at, block.offset, begin, count, data[begin : begin + count].strip(b"\0"))


def _room(document: Document, found: StoredText) -> int:
    """How many bytes a text has in its place: its own, and the zeros of the padding behind it. None if other
    references share the place.
    """
    if not found.length:
        return 0
    chain = document.root.at(found.begin)
    text = next((each for each in chain if each.offset == found.begin and each.type == "text"), None)
    if text is None or len(set(text.sources)) > 1 or text.size != found.length:
        return 0
    behind = document.root.at(text.end)
    padding = behind[-1].size if behind and behind[-1].type == "padding" else 0
    return found.length + (padding if padding and behind[-1].offset == text.end else 0)


def _reference(found: StoredText, begin: int, count: int) -> Splice:
    pair = np.array((count, begin - found.base), REF)
    return Splice(found.at, REF.itemsize, pair.tobytes())


def _block(data: bytes, offset: int) -> M2Chunk:
    """The block of data that has a reference: a chunk, or the whole file."""
    if data.startswith((CHUNKED, *SKELETON_CHUNKS)):
        for chunk in chunks_of(data, Report()):
            if chunk.offset - CHUNK_HEAD <= offset < chunk.offset + chunk.size:
                return chunk
    return M2Chunk("MD20", 0, len(data))
