"""Spans of chunked files, where each chunk is a tag, a size and a content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from viewer.binary import Cursor, Span
from viewer.binary.dtypes import rows_span
from viewer.binary.reference_tree import fill
from viewer.binary.span import UNKNOWN
from viewer.families.wow.m2.layout.fields import U32
from viewer.families.wow.m2.layout.tables import CHUNK_HEAD, M2Chunk

FILE_IDS = {
    "TXID": "file numbers of the textures",
    "GPID": "file numbers of the models that particles show",
    "RPID": "file numbers of the models whose emitters are carried by particles",
    "SFID": "file numbers of the views",
    "AFID": "sequence id, variation, file number of the keys",
    "SKID": "file number of the skeleton",
    "PFID": "file number of the physics",
    "BFID": "file numbers of the bones",
}
"""The meaning of the chunks that contain only file numbers."""


def chunk_spans(data: bytes, chunks: Sequence[M2Chunk], inside: Mapping[int, Sequence[Span]]) -> list[Span]:
    """Return the spans of all chunks, without gaps. `inside` maps the offset of each understood content to
    its spans. Offsets and not tags are the keys, because a damaged file may repeat a tag.
    """
    return fill(data, [_chunk_span(data, chunk, inside.get(chunk.offset)) for chunk in chunks], 0, len(data))


def _chunk_span(data: bytes, chunk: M2Chunk, inside: Sequence[Span] | None) -> Span:
    begin = chunk.offset - CHUNK_HEAD
    head = [
        Span("tag", begin, 4, "text", chunk.tag),
        Span("size", begin + 4, 4, "u32", int.from_bytes(data[begin + 4 : begin + 8], "little"), "bytes"),
    ]
    if inside is None and chunk.tag in FILE_IDS and chunk.size % U32.itemsize == 0:
        items = Cursor(data, chunk.offset).array(U32, chunk.size // U32.itemsize)
        inside = [rows_span("ids", items, chunk.offset, FILE_IDS[chunk.tag])] if len(items) else []
    elif inside is None:
        inside = (
            [Span("data", chunk.offset, chunk.size, UNKNOWN, None, "not supported")] if chunk.size else []
        )
    return Span(chunk.tag, begin, CHUNK_HEAD + chunk.size, "chunk", None, "", [*head, *inside])


def unread(name: str, kind: str, data: bytes, why: str = "could not be read") -> Span:
    """Return the tree of a file as a single unknown span; `why` is its note."""
    rest = [Span("unreferenced", 0, len(data), UNKNOWN, None, why)] if data else []
    return Span(name, 0, len(data), kind, None, "", rest)
