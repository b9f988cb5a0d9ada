"""A table of a game: rows of numbers, and texts that the rows refer to."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from msgspec import Struct

from viewer.arrays import Array
from viewer.binary.code_pages import decode

ColumnType = Literal["number", "flags", "decimal", "text"]
"""The type of a column: signed numbers, unsigned numbers of bits, floats, or offsets of texts."""
CellValue = int | float | str


class TableColumn(Struct, frozen=True):
    """A column. The numbers of the column refer to the table named `reference`, by the first column of that
    table. `reference` is empty if they refer to no table. `offset` is the column's offset in a row, in bytes.
    """

    name: str
    type: ColumnType
    offset: int
    reference: str = ""
    note: str = ""


class Table(Struct, frozen=True, eq=False, dict=True):
    """A table of R rows and C columns.

    `records` [R] are the rows in file order, a view of the file's bytes. The fields of `records` have the
    names of the columns. Text columns store offsets into `strings`, the file's block of NUL-terminated texts.
    `clients` are the versions of the game whose layout the table has; empty if the layout is unknown.
    `referrers` are the names of the known tables with references to this table.
    """

    name: str
    clients: tuple[str, ...]
    columns: tuple[TableColumn, ...]
    records: Array
    strings: bytes
    referrers: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.records)

    def text(self, offset: int) -> str:
        """The text at an offset of the string block; empty if the offset is outside."""
        if not 0 < offset < len(self.strings):
            return ""
        end = self.strings.find(b"\0", offset)
        return decode(self.strings[offset : end if end >= 0 else len(self.strings)])

    def value(self, row: int, column: int) -> CellValue:
        """The value of a cell as text or number, see `values`."""
        return self.values(column, slice(row, row + 1))[0]

    def column(self, name: str) -> int | None:
        """The number of the column with this name."""
        return self._columns_by_name.get(name)

    def values(self, column: int, rows: slice | Array = slice(None)) -> list[CellValue]:
        """The values of a column in some rows: a range in file order, or an array [N] of row numbers. A
        decimal has as few digits as its float needs.
        """
        each = self.columns[column]
        stored = self.records[each.name][rows].tolist()
        if each.type == "decimal":
            return [float(str(value)) for value in self.records[each.name][rows]]
        if each.type != "text":
            return list(stored)
        known = {offset: self.text(offset) for offset in set(stored)}
        return [known[offset] for offset in stored]

    def row_of(self, id: int) -> int | None:
        """The row with this number in the first column; the last of these rows if there are several."""
        return self._rows_by_id.get(id)

    @cached_property
    def _columns_by_name(self) -> dict[str, int]:
        return {each.name: number for number, each in enumerate(self.columns)}

    @cached_property
    def _rows_by_id(self) -> dict[int, int]:
        if not self.columns:
            return {}
        return {id: row for row, id in enumerate(self.records[self.columns[0].name].tolist())}


def shown(value: CellValue, type: ColumnType) -> str:
    """The text of a value; bits are shown in hexadecimal."""
    return f"0x{value:X}" if type == "flags" and value else str(value)
