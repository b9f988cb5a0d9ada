"""Build the tree of an MPQ archive: the header, the tables, and the files with their sectors, made on
demand.
"""

from __future__ import annotations

from typing import Any

from viewer.binary import Cursor, Span, VariableRows, tile
from viewer.binary.cursor import NdArray
from viewer.binary.span import UNKNOWN
from viewer.errors import FormatError
from viewer.families.wow.mpq.files import MpqFiles
from viewer.families.wow.mpq.layout import BLOCK, HASH, HEADER, SUMMED, U16, USER_DATA, flag_names
from viewer.storage.archive_tree import files_span, table_spans
from viewer.storage.reading import piece_of


def mpq_tree(name: str, data: bytes, files: MpqFiles) -> tuple[Span, int]:
    """Return the root span over all bytes of the file, and the number of files that share bytes with files
    before them.
    """
    tables, end = files.tables, len(data)
    header = HEADER.read(Cursor(data, tables.start))
    parts = [header.span("header")]
    if tables.user_data is not None:
        parts.append(USER_DATA.read(Cursor(data, tables.user_data)).span("user_data"))
    first = min(part.offset for part in parts)
    if first:
        parts.append(Span("host", 0, first, "bytes", note="the file before the archive"))
    names = dict(zip(files.blocks.tolist(), files.names, strict=True))

    def file_name(item: Any) -> object:
        return names.get(int(item["block"]), "")

    def note(number: int) -> str:
        return ", ".join((f"entries[{number}]", *flag_names(int(files.flags[number]))))

    parts += table_spans("hash_table", tables.hashes, HASH, file_name, "decrypted")
    parts += table_spans("block_table", tables.blocks, BLOCK, _flags, "decrypted")
    parts += table_spans("high_table", tables.high, U16, int)
    parts += [
        Span(each, at, size, "bytes", note="this table is not read")
        for each, (at, size) in tables.others.items()
        if size
    ]
    taken, shared = tile(parts, 0, end), 0
    spans: list[Span] = []
    for part in taken:
        if part.type != UNKNOWN:
            spans.append(part)
            continue
        span, more = files_span(
            part.offset,
            part.end,
            files.places,
            data,
            note,
            lambda number: _sectors(files, number, data),
            files.removed,
        )
        spans.append(span)
        shared += more
    return Span(name, 0, end, "archive", None, "", spans), shared


def _flags(block: Any) -> str:
    """The flags that an entry of the block table has, by name."""
    return ", ".join(flag_names(int(block["flags"])))


def _sectors(files: MpqFiles, number: int, data: bytes) -> list[Span]:
    """The spans of a file's sectors; empty for a file without sectors and for a file that cannot be read."""
    try:
        offsets = files.sectors(number, lambda at, size: piece_of(data, at, size))
    except FormatError:
        return []
    if offsets is None:
        return []
    at, summed = int(files.offsets[number]), int(files.flags[number]) & SUMMED > 0
    spans = [Span("sector_offsets", at, len(offsets) * 4, f"u32[{len(offsets)}]", note="decrypted")]
    stops: NdArray = offsets[: len(offsets) - summed] + at
    wide, size = files.tables.sector, int(files.sizes[number])

    def sector(index: int, begin: int) -> Span:
        unpacked = min(wide, size - index * wide)
        return Span(
            f"[{index}]", begin, int(stops[index + 1]) - begin, "sector", None, f"{unpacked} bytes unpacked"
        )

    if stops[-1] > stops[0]:
        rows = VariableRows(stops, sector)
        spans.append(Span("sectors", int(stops[0]), int(stops[-1] - stops[0]), "sectors", None, "", rows))
    if summed and offsets[-1] > offsets[-2]:
        spans.append(
            Span("checksums", int(stops[-1]), int(offsets[-1] - offsets[-2]), "bytes", None, "Adler-32")
        )
    return tile(spans, at, int(files.packed[number]))
