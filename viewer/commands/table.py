"""The rows of a table: `rigscope list TABLE` and `export TABLE`, and the part of `info` about tables."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Sequence
from typing import Any

from viewer.commands.info.columns import section
from viewer.commands.info.fact_table import error_facts, finite, json_text
from viewer.commands.options.parser import UsageError
from viewer.commands.output import confirm, notice, outcome, replaced_line
from viewer.errors import printable
from viewer.scene.choices import TABLE_SUFFIXES
from viewer.scene.document import Document
from viewer.scene.reading_context import ReadingContext
from viewer.scene.table import CellValue, Table, shown
from viewer.storage.documents import open_document
from viewer.storage.package_path import on_disk
from viewer.storage.writing import replaced

Facts = dict[str, Any]
BLOCK = 1000
"""The number of rows whose values are in memory at once."""


def table_facts(table: Table) -> Facts:
    """The facts of a table without its rows."""
    return {
        "name": table.name,
        "clients": list(table.clients),
        "rows": len(table),
        "columns": [
            {"name": each.name, "type": each.type, "offset": each.offset, "reference": each.reference or None}
            for each in table.columns
        ],
        "text_bytes": len(table.strings),
    }


def table_summary(table: Facts | None) -> Iterator[str]:
    """Yield the text about a table; nothing if the file is not a table."""
    if table is None:
        return
    clients = ", ".join(table["clients"]) or "an unknown client"
    yield f"table {printable(table['name'])} of {clients}: {table['rows']:,} rows"

    def row(_: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for a column."""
        return each["name"], each["type"], f"0x{each['offset']:X}", each["reference"] or ""

    yield from section("columns", ("name", "type", "offset", "row of"), table["columns"], row)


def rows_of(table: Table) -> Iterator[tuple[CellValue, ...]]:
    """Yield the values of each row, in file order."""
    columns = range(len(table.columns))
    for start in range(0, len(table), BLOCK):
        yield from zip(*(table.values(each, slice(start, start + BLOCK)) for each in columns), strict=True)


def table_text(table: Table) -> Iterator[str]:
    """Yield the rows as text in aligned columns. Numbers are aligned to the right."""
    heads = [each.name for each in table.columns]
    widths = [len(head) for head in heads]
    for row in rows_of(table):
        widths = [max(pair) for pair in zip(widths, map(len, _cells(table, row)), strict=True)]
    yield _line(table, heads, widths)
    for row in rows_of(table):
        yield _line(table, _cells(table, row), widths)


def _cells(table: Table, row: Sequence[CellValue]) -> list[str]:
    return [printable(shown(value, each.type)) for value, each in zip(row, table.columns, strict=True)]


def _line(table: Table, cells: Sequence[str], widths: Sequence[int]) -> str:
    aligned = (
        f"{cell:<{width}}" if each.type == "text" else f"{cell:>{width}}"
        for cell, width, each in zip(cells, widths, table.columns, strict=True)
    )
    return f"{'  '.join(aligned).rstrip()}\n"


def table_json(document: Document, table: Table) -> Iterator[str]:
    """Yield the table as one JSON object, with a line for each row. A row has its values by column name."""
    whole, names = json_text(table_facts(table)), [each.name for each in table.columns]
    yield f'{{"file": {json_text(document.path)}, "table": {whole}, "rows": ['
    comma = "\n"
    for row in rows_of(table):
        yield comma + json_text(finite(dict(zip(names, row, strict=True))))
        comma = ",\n"
    yield f'\n], "errors": {json_text(error_facts(document))}}}\n'


def table_csv(table: Table) -> Iterator[str]:
    """Yield the rows as comma-separated values, below a line with the names of the columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([each.name for each in table.columns])
    for row in rows_of(table):
        yield text.getvalue()
        text.seek(0)
        text.truncate()
        writer.writerow(row)
    yield text.getvalue()


def export_table(paths: Sequence[str], output: str, context: ReadingContext) -> int:
    """Write all rows of a table to `output`, `.csv` or `.json`; return the exit status."""
    if len(paths) > 1:
        raise UsageError(f"needs one TABLE, not {len(paths)}")
    document = open_document(paths[0], context)
    table = document.content
    if not isinstance(table, Table):
        raise UsageError(f"{document.path} is no table: {' and '.join(TABLE_SUFFIXES)} are for tables")
    pieces = table_csv(table) if output.lower().endswith(".csv") else table_json(document, table)
    existed = os.path.exists(output)
    with replaced(output, [on_disk(paths[0])]) as file:
        file.writelines(piece.encode("utf-8", "replace") for piece in pieces)
    if existed:
        notice(replaced_line(output))
    else:
        confirm(output)
    return outcome([document])
