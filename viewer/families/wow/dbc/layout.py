"""The layout of the tables of World of Warcraft, `.dbc` (WDBC): equal rows, then a block of texts.

A text is stored as its offset in the block; 0 is the empty text. The file states neither the client nor the
meaning of the columns: both follow from the file's name, the number of columns and the size of a row.

Source: measured on all 138 tables of 1.12.1 and on tables of 3.3.5a; wowdev.wiki "DBC".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from viewer.binary import Array, Fixed, Magic, Record, Rows, Span, VariableRows, tile
from viewer.binary.code_pages import decode
from viewer.binary.cursor import Dtype, NdArray
from viewer.binary.dtypes import RECORD
from viewer.binary.specification import SpecificationRow, SpecificationSection, dtype_text, specification
from viewer.budget import BUDGET
from viewer.families.wow.dbc.columns import CELL, CLIENTS, TABLES, DbcColumn
from viewer.scene.table import Table, TableColumn

U8, U32 = np.dtype("u1"), np.dtype("<u4")
STORED: dict[str, Dtype] = {
    "number": np.dtype("<i4"),
    "flags": U32,
    "decimal": np.dtype("<f4"),
    "text": U32,
}
"""The stored type of a cell, by the type of its column."""

HEAD = (
    Magic("magic", (b"WDBC",), note="World of Warcraft"),
    Fixed("record_count", U32, note="number of rows"),
    Fixed("field_count", U32, note="number of columns"),
    Fixed("record_size", U32, note="size of a row, bytes"),
    Fixed("string_size", U32, note="size of the texts, bytes"),
)
HEADER = Record("table", *HEAD)
HEADER_SIZE = HEADER.minimum
FILE = Record(
    "table",
    *HEAD,
    Array("records", U8, "record_count * record_size", note="rows, as below"),
    Array("strings", U8, "string_size", note="texts, each with a NUL at its end; the first is empty"),
)
"""The layout of every table, without its columns."""


class DbcRows(Array):
    """The rows of a table. The tree shows their texts from the table `texts`."""

    def __init__(self, columns: Iterable[TableColumn], size: int) -> None:
        self.columns = tuple(columns)
        dtype = row_dtype(self.columns, size)
        super().__init__("records", dtype, "record_count", "rows", most=BUDGET.table_rows, salvage=True)
        self.texts: Table | None = None

    def span(self, name: str, value: NdArray, start: int, end: int) -> Span:
        """The node of the rows. A text column shows its text, and points at the text's bytes."""
        size = value.dtype.itemsize

        def row(index: int, at: int) -> Span:
            return Span(f"[{index}]", at, size, RECORD, children=lambda: cells(index, at), index=index)

        def cells(index: int, at: int) -> list[Span]:
            return tile((self._cell(value[index], each, at, end) for each in self.columns), at, size)

        rows = Rows(start, size, len(value), row, value)
        return Span(name, start, end - start, f"{RECORD}[{len(value)}]", None, self.note, rows, layout=self)

    def _cell(self, number: Any, column: TableColumn, row: int, strings: int) -> Span:
        """The node of a cell of the row at offset `row`; `strings` is the offset of the texts."""
        value, at = number[column.name].item(), row + column.offset
        size = number.dtype[column.name].itemsize
        if column.type != "text" or self.texts is None:
            dtype = number.dtype[column.name]
            return Span(column.name, at, size, column.type, value, column.note, layout=dtype)
        target = strings + value if 0 < value < len(self.texts.strings) else None
        text = self.texts.text(value)
        return Span(column.name, at, size, column.type, text, column.note, target=target, layout=column)


class TextBlock(Array):
    """The field of NUL-terminated texts, to which the rows of the table refer by offset."""

    def __init__(self) -> None:
        note, most = "texts, each with a NUL at its end; the first is empty", BUDGET.table_text_bytes
        super().__init__("strings", U8, "string_size", note, most, salvage=True)

    def span(self, name: str, value: NdArray, start: int, end: int) -> Span:
        """The node of the texts, with a child for each."""

        def children() -> VariableRows:
            edges = np.unique(np.concatenate([[0], np.flatnonzero(value == 0) + 1, [len(value)]])) + start

            def text(index: int, at: int) -> Span:
                raw = value[at - start : edges[index + 1] - start].tobytes()
                shown = decode(raw.rstrip(b"\0"))
                return Span(f"[{index}]", at, len(raw), "text", shown, index=index)

            return VariableRows(edges, text)

        return Span(name, start, end - start, "texts", None, self.note, children, layout=self)


def row_dtype(columns: Iterable[TableColumn], size: int) -> Dtype:
    """Make the dtype of a row of `size` bytes, in which each column reaches up to the next one."""
    listed = tuple(columns)
    ends = [*(each.offset for each in listed[1:]), size]
    sizes = [end - each.offset for each, end in zip(listed, ends, strict=False)]
    named: Any = {
        "names": [each.name for each in listed],
        "formats": [
            U8 if count == 1 else STORED[each.type] for each, count in zip(listed, sizes, strict=True)
        ],
        "offsets": [each.offset for each in listed],
        "itemsize": size,
    }
    made: Dtype = np.dtype(named)
    return made


def sections() -> tuple[SpecificationSection, ...]:
    """The specification of the file, and of the columns of each known table."""
    tables = (SpecificationSection(name, "", tuple(_rows(columns))) for name, columns in TABLES.items())
    return (specification(FILE), *tables)


def _rows(columns: tuple[DbcColumn, ...]) -> Iterator[SpecificationRow]:
    """Yield a row for each column of a known table."""
    for number, column in enumerate(columns):
        note = f"row of {column.reference}" if column.reference else column.note
        yield SpecificationRow(
            0, _offsets(columns, number), column.name, _type(column), _presence(column), note
        )


def _offsets(columns: tuple[DbcColumn, ...], number: int) -> str:
    """The offsets of a column in a row, one for each range of clients."""
    offsets: dict[int, str] = {}
    for client in range(columns[number].since, columns[number].until + 1):
        before = (each for each in columns[:number] if each.since <= client <= each.until)
        offsets.setdefault(CELL * sum(len(list(each.names(client))) for each in before), CLIENTS[client])
    first, *later = offsets.items()
    return ", ".join([f"0x{first[0]:02X}", *(f"0x{at:02X} from {client}" for at, client in later)])


def _type(column: DbcColumn) -> str:
    stored = "text offset" if column.type == "text" else dtype_text(STORED[column.type])
    count = f"×{column.count}" if column.count > 1 else ""
    return f"localised {stored}" if column.localised else stored + count


def _presence(column: DbcColumn) -> str:
    """The clients that have a column; empty for all clients."""
    if column.since:
        only = column.until < len(CLIENTS) - 1
        return f"only {CLIENTS[column.since]}" if only else f"since {CLIENTS[column.since]}"
    return f"up to {CLIENTS[column.until]}" if column.until < len(CLIENTS) - 1 else ""
