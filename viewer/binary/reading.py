"""A whole file by its layout: chunks of one shape at once where this reads the same as one by one."""

from __future__ import annotations

from typing import Any, Literal

from viewer.binary.chunk_table import ChunkTables
from viewer.binary.cursor import Cursor
from viewer.binary.record import Record, Struct
from viewer.errors import FormatError

ATTEMPTS = 2
"""How often a file is read with tables: the first attempt finds the chunks that are of another shape than
their headers promise, the second reads these one by one."""


def read_layout(
    layout: Record, data: bytes, order: Literal["<", ">"] = "<", attempts: int = ATTEMPTS
) -> tuple[Struct, Cursor]:
    """The record of a file, as far as it can be read, and the cursor with all errors and remarks.

    With no `attempts` every chunk is read by itself; the result is the same.
    """
    passed: set[int] = set()
    for _ in range(attempts):
        tables = ChunkTables(frozenset(passed))
        found = _read(layout, data, order, tables)
        unsound = tables.unsound()
        if not unsound:
            return found
        passed |= unsound
    return _read(layout, data, order, None)


def _read(
    layout: Record, data: bytes, order: Literal["<", ">"], tables: ChunkTables | None
) -> tuple[Struct, Cursor]:
    cursor = Cursor(data, order=order)
    cursor.tables = tables
    try:
        record: Any = layout.read(cursor)
    except FormatError as last:
        cursor.errors.append(last.inside(layout.name))
        record = last.partial
    return record, cursor
