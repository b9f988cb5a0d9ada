"""Reads tables into documents, with the columns of the client that wrote them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

import numpy as np

from viewer.arrays import Array
from viewer.binary import Record, Span, Struct
from viewer.binary.whole_file import read_whole, root_span
from viewer.budget import BUDGET
from viewer.errors import FormatError, Report, Topic, counted
from viewer.families.wow.dbc.columns import CELL, CLIENTS, columns_of, known_tables, referrers
from viewer.families.wow.dbc.layout import HEAD, HEADER, HEADER_SIZE, U8, U32, DbcRows, TextBlock
from viewer.family.format import OpenedFile
from viewer.scene.document import Document, Origin
from viewer.scene.items import RowItem
from viewer.scene.table import Table, TableColumn

Columns = tuple[TableColumn, ...]
FIRST_TEXT = 1
"""The offset of the first text. A column of texts must have a number that is larger than this offset. If all
numbers of the column are 0 or 1, they may be switches, and the column counts as numbers.
"""


def load_table(file: OpenedFile) -> Document:
    """Read a table. Its columns follow from the file's name, the number of columns and the size of a row."""
    return read_table(file.path, file.data)


def read_table(path: PurePath, data: bytes) -> Document:
    """Read a table from its bytes; the name of its file says which table it is."""
    report = Report()
    head = read_whole(HEADER, data, path, report)
    error = _refusal(head) if report.complete else None
    if error is not None:
        error.file = str(path)
        report.fail(error)
    if not report.complete:
        return _document(path, data, root_span(HEADER, head, data, path, report), None, report)
    name = known_tables().get(path.stem.casefold(), path.stem)
    clients, columns = _columns(name, head, data)
    rows = DbcRows(columns, head.record_size)
    layout = Record("table", *HEAD, rows, TextBlock())
    record = read_whole(layout, data, path, report)
    records = record.get("records", np.empty(0, rows.dtype))
    strings = record.get("strings", np.empty(0, U8)).tobytes()
    table = rows.texts = Table(name, clients, columns, records, strings, referrers(name))
    _complain(table, report)
    return _document(path, data, root_span(layout, record, data, path, report), table, report)


def _document(path: PurePath, data: bytes, root: Span, table: Table | None, report: Report) -> Document:
    rows = next((each for each in root.children if isinstance(each.layout, DbcRows)), None)
    return Document(
        path=str(path),
        format="WoW table",
        version=", ".join(table.clients) if table and table.clients else "unknown columns",
        data=data,
        root=root,
        content=table,
        report=report,
        origin=Origin(lambda: {RowItem(0): rows} if rows is not None else {}),
    )


def _refusal(head: Struct) -> FormatError | None:
    """The error of a header whose rows cannot be read; None if they can."""
    size, most = head.record_size, BUDGET.table_columns
    why = ""
    if not 0 < size <= most * CELL:
        why = f"a row of {counted(size, 'byte')}: 1 to {most * CELL} expected"
    elif head.field_count > size:
        why = f"{counted(head.field_count, 'column')} in a row of {counted(size, 'byte')}"
    return FormatError(why, "table/record_size", HEADER_SIZE - 2 * CELL) if why else None


def _columns(name: str, head: Struct, data: bytes) -> tuple[tuple[str, ...], Columns]:
    """The clients whose columns the table has, and the columns."""
    cells = _cells(head, data)
    strings = _strings(head, data)
    fitting = [(client, columns) for client, columns in _known_layouts(name) if _fits(columns, head)]
    if not fitting:
        return (), _unknown(head, cells, strings)
    odd = [_odd_texts(columns, cells, strings) for _, columns in fitting]
    best = fitting[odd.index(min(odd))][1]
    return tuple(CLIENTS[client] for client, columns in fitting if columns == best), best


def _known_layouts(name: str) -> Iterator[tuple[int, Columns]]:
    """Yield each client that has a known table, and its columns."""
    for client in range(len(CLIENTS)) if name in known_tables().values() else ():
        found: list[TableColumn] = []
        for column in columns_of(name, client):
            for each, type in column.names(client):
                found.append(TableColumn(each, type, CELL * len(found), column.reference, column.note))
        if found:
            yield client, tuple(found)


def _fits(columns: Columns, head: Struct) -> bool:
    found: tuple[int, int] = head.field_count, head.record_size
    return found == (len(columns), len(columns) * CELL)


def _cells(head: Struct, data: bytes) -> Array:
    """The cells [rows, columns] u4 of all complete rows in the file, without the bytes after whole cells."""
    size = head.record_size
    count = min((len(data) - HEADER_SIZE) // size, head.record_count)
    raw = np.frombuffer(data, U8, count * size, HEADER_SIZE).reshape(count, size)
    whole = size // CELL
    strides = (size, CELL)
    return np.ndarray((count, whole), U32, raw.data if count else b"", 0, strides)


def _strings(head: Struct, data: bytes) -> bytes:
    """The block of texts. It is shorter than declared if the file ends before."""
    start = HEADER_SIZE + head.record_count * head.record_size
    return data[start : start + min(head.string_size, BUDGET.table_text_bytes)]


def _odd_texts(columns: Columns, cells: Array, strings: bytes) -> int:
    """In text columns, the number of cells that do not point at the beginning of a text."""
    begins = _beginnings(strings)
    return sum(
        int(np.count_nonzero(~_begin(cells[:, number], begins)))
        for number, each in enumerate(columns)
        if each.type == "text"
    )


def _beginnings(strings: bytes) -> Array:
    """Whether a text begins at each offset of the texts [size] bool."""
    begins = np.ones(max(len(strings), 1), bool)
    begins[1:] = np.frombuffer(strings, U8)[:-1] == 0
    return begins


def _begin(offsets: Array, begins: Array) -> Array:
    """[rows] bool: whether a text begins at the offset in each row."""
    inside = offsets < len(begins)
    return np.asarray(inside & begins[np.where(inside, offsets, 0)])


def _unknown(head: Struct, cells: Array, strings: bytes) -> Columns:
    """The numbered columns of a table with an unknown layout.

    A column is text if all its values are offsets of texts. The bytes after the last whole cell, and all
    bytes of a table with a byte per column, are numbers of one byte.
    """
    whole = 0 if head.field_count == head.record_size else head.record_size // CELL
    begins = _beginnings(strings)
    texts = [bool(_is_text(cells[:, number], begins)) for number in range(whole)]
    named = [
        TableColumn(f"column_{number + 1}", "text" if is_text else "number", CELL * number)
        for number, is_text in enumerate(texts)
    ]
    rest = range(CELL * whole, head.record_size)
    return (*named, *(TableColumn(f"column_{whole + n + 1}", "number", at) for n, at in enumerate(rest)))


def _is_text(offsets: Array, begins: Array) -> bool:
    return bool(offsets.max(initial=0) > FIRST_TEXT) and bool(_begin(offsets, begins).all())


def _complain(table: Table, report: Report) -> None:
    """Report the text columns with offsets outside the texts, a line each."""
    most = max(len(table.strings), 1)
    for column in table.columns:
        if column.type != "text":
            continue
        stored = table.records[column.name]
        count = int(np.count_nonzero(stored >= most))
        if count and report.complete:
            text = f"{column.name}: {counted(count, 'offset')} outside the texts, shown as empty texts"
            report.warn(text, topic=Topic.REFERENCE, offset=HEADER_SIZE + column.offset)
