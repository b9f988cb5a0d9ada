"""The spans of the tables and files of an archive, and the report of its truncated files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from viewer.binary import Rows, Span, VariableRows, item_span
from viewer.binary.cursor import NdArray
from viewer.binary.file_ranges import FILL, GAP, REMOVED, tiles, with_removed
from viewer.binary.span import FREE, UNKNOWN, gap
from viewer.budget import BUDGET
from viewer.errors import FormatError, Report, Topic, printable


class ArchiveTable(msgspec.Struct, frozen=True, eq=False):
    """A table of an archive: its decrypted entries, and its offset and stored size in the file."""

    items: NdArray
    offset: int
    size: int


class FilePlaces(msgspec.Struct, frozen=True, eq=False):
    """Where N files of an archive are stored: their `names`, their `offsets` and their stored sizes `packed`
    [N] i64 in bytes.
    """

    names: Sequence[str]
    offsets: NdArray
    packed: NdArray


def table_spans(
    name: str, table: ArchiveTable, dtype: np.dtype[Any], value: Callable[[Any], object], note: str = ""
) -> list[Span]:
    """The span of a table, with a row for each entry unless the table is compressed; none for a missing
    table. `value` is a function that makes the shown value of an entry.
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
    return [Span(name, table.offset, table.size, kind, None, note, rows)]


def files_span(
    start: int,
    end: int,
    places: FilePlaces,
    data: bytes,
    note: Callable[[int], str],
    parts: Callable[[int], Sequence[Span]] | None = None,
    removed: tuple[NdArray, NdArray] | None = None,
) -> tuple[Span, int]:
    """The span of the files between two offsets, and the number of files that share bytes with files before
    them. For the number of a file, `note` makes the text about this file, and `parts` makes the spans of its
    parts. `removed` are the offsets and the sizes [M] i64 of removed files that the archive's tables still
    name.
    """
    offsets, packed = places.offsets, places.packed
    laid = tiles(offsets, offsets + packed, start, end, data)
    if removed is not None:
        laid = with_removed(laid, removed[0], removed[0] + removed[1], data)

    def make(index: int, at: int) -> Span:
        number, size = int(laid.owners[index]), int(laid.starts[index + 1]) - at
        if number == REMOVED:
            return Span("free space", at, size, FREE, note="space of removed files")
        if number in (GAP, FILL):
            return gap(data, at, size, UNKNOWN, "these bytes belong to no file of the archive")
        whole = parts is not None and at == offsets[number] and size == packed[number]
        children: Any = (lambda: parts(number)) if whole and parts else ()
        return Span(places.names[number], at, size, "file", None, note(number), children)

    odd = np.flatnonzero(laid.owners == GAP)[: BUDGET.package_problems].tolist()
    rows = VariableRows(laid.starts, make, laid.unexplained, odd, laid.removed)
    return Span("files", start, end - start, "files", None, "in the order of their bytes", rows), laid.shared


def report_cut_files(places: FilePlaces, start: int, end: int, report: Report) -> None:
    """Report each file that is not between the offsets `start` and `end`, up to a limit."""
    broken = np.flatnonzero((places.offsets + places.packed > end) | (places.offsets < start))
    for number in broken[: BUDGET.package_errors].tolist():
        at, packed = int(places.offsets[number]), int(places.packed[number])
        why = f"{printable(places.names[number])}: {packed} bytes declared, {max(end - at, 0)} left"
        report.fail(FormatError(why, f"entries[{number}]", min(max(at, 0), end), topic=Topic.CUT))
    if len(broken) > BUDGET.package_errors:
        why = f"{len(broken) - BUDGET.package_errors} more files are incomplete"
        report.fail(FormatError(why, "entries", start, topic=Topic.CUT))
