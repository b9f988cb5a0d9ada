"""Build the tree of an MPQ archive: the header, the tables, and the files with their sectors, made on
demand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from viewer.binary import Cursor, Rows, Span, VariableRows, item_span, tile
from viewer.binary.cursor import NdArray
from viewer.binary.file_ranges import FILL, GAP, tiles
from viewer.binary.span import UNKNOWN, gap
from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.formats.mpq.files import MpqFiles
from viewer.formats.mpq.layout import BLOCK, HASH, HEADER, SUMMED, U16, USER_DATA, flag_text
from viewer.formats.mpq.tables import Table
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

    parts += _table("hash_table", tables.hashes, HASH, file_name)
    parts += _table("block_table", tables.blocks, BLOCK, lambda item: flag_text(int(item["flags"])))
    parts += _table("high_table", tables.high, U16, int)
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
        span, more = _files_span(part.offset, part.end, files, data)
        spans.append(span)
        shared += more
    return Span(name, 0, end, "archive", None, "", spans), shared


def _table(name: str, table: Table, dtype: np.dtype[Any], value: Callable[[Any], object]) -> list[Span]:
    """The span of a table, with a row for each entry unless the table is compressed. `value` is the text of
    an entry.
    """
    if not table.size:
        return []
    kind = f"{name.partition('_')[0]}[{len(table.items)}]"
    if table.size != len(table.items) * dtype.itemsize:
        return [Span(name, table.offset, table.size, kind, note="compressed")]

    def row(index: int, at: int) -> Span:
        span = item_span(f"[{index}]", dtype, table.items[index], at)
        span.index, span.value = index, value(table.items[index])
        return span

    rows = Rows(table.offset, dtype.itemsize, len(table.items), row, table.items)
    note = "" if dtype is U16 else "decrypted"
    return [Span(name, table.offset, table.size, kind, None, note, rows)]


def _files_span(start: int, end: int, files: MpqFiles, data: bytes) -> tuple[Span, int]:
    """The span of the files between two offsets, and the number of files that share bytes."""
    laid = tiles(files.offsets, files.offsets + files.packed, start, end, data)

    def make(index: int, at: int) -> Span:
        number, size = int(laid.owners[index]), int(laid.starts[index + 1]) - at
        if number in (GAP, FILL):
            return gap(data, at, size, UNKNOWN, "these bytes belong to no file of the archive")
        whole = at == files.offsets[number] and size == files.packed[number]
        note = ", ".join(filter(None, (f"entries[{number}]", flag_text(int(files.flags[number])))))
        children: Any = (lambda: _sectors(files, number, data)) if whole else ()
        return Span(files.names[number], at, size, "file", None, note, children)

    odd = np.flatnonzero(laid.owners == GAP)[: BUDGET.package_problems].tolist()
    rows = VariableRows(laid.starts, make, laid.unexplained, odd)
    return Span("files", start, end - start, "files", None, "in the order of their bytes", rows), laid.shared


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
