"""Describe comments of Direct3D 9 programs: the constant table (CTAB) that compilers write, and texts.

Source: Windows SDK, `d3dx9shader.h`, D3DXSHADER_CONSTANTTABLE and D3DXSHADER_CONSTANTINFO.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import Array, Cursor, Fixed, Magic, Record, record_dtype
from viewer.budget import BUDGET
from viewer.errors import FormatError

U16, U32 = np.dtype("<u2"), np.dtype("<u4")
HEADER = 4
"""Size in bytes of the four-letter tag; offsets in the table count from the byte after it."""
SHOWN = 8

TABLE = Record(
    "constant table",
    Magic("magic", (b"CTAB",), note="in a comment token; offsets count from the end of these letters"),
    Fixed("size", U32, note="size of this header, bytes"),
    Fixed("creator", U32, note="offset of the compiler's name"),
    Fixed("version", U32, note="version token of the program"),
    Fixed("constants", U32, note="number of rows"),
    Fixed("info", U32, note="offset of the rows"),
    Fixed("flags", U32, note="options of the compiler"),
    Fixed("target", U32, note="offset of the profile's name, such as vs_3_0"),
)
ROW = record_dtype(
    ("name", U32, "offset of the constant's name"),
    ("set", U16, "0: bool b, 1: int i, 2: float c, 3: sampler s"),
    ("register", U16, "number of the first register"),
    ("count", U16, "number of registers"),
    ("reserved", U16, "always 0"),
    ("type", U32, "offset of the description of the constant's type"),
    ("value", U32, "offset of the constant's default value, 0: none"),
)
ROWS = Record(
    "rows",
    Array("rows", ROW, "constants", note="rows, one for each constant"),
    note="The rows begin at the offset that the field `info` of the table gives.",
)
SETS = ("b", "i", "c", "s")
"""Register letters by D3DXREGISTER_SET."""


def described(data: bytes) -> tuple[str, str]:
    """Describe a comment in one line, and list the constants by name and register if the comment is a CTAB
    (otherwise the list is empty).
    """
    if data.startswith(b"CTAB"):
        try:
            return _table(data)
        except FormatError:
            return "CTAB, broken", ""
    text = data.split(b"\0")[0]
    if text and text.isascii() and text.decode("ascii").isprintable():
        return text[: BUDGET.shader_name_bytes].decode("ascii"), ""
    four = data[:4]
    known = four.isalnum() and four.isascii()
    return f"{four.decode('ascii') + ', ' if known else ''}{len(data)} bytes", ""


def _table(data: bytes) -> tuple[str, str]:
    table = TABLE.read(Cursor(data))
    if table.constants > BUDGET.shader_constants:
        raise FormatError(f"{table.constants} constants")
    rows = Cursor(data, HEADER + table.info).array(ROW, table.constants)
    named = [f"{_text(data, row['name'])} {_registers(row)}" for row in rows[:SHOWN]]
    more = [f"and {len(rows) - SHOWN} more"] if len(rows) > SHOWN else []
    return f"CTAB {_text(data, table.target)}, {_text(data, table.creator)}", ", ".join(named + more)


def _registers(row: np.void) -> str:
    file = SETS[row["set"]] if row["set"] < len(SETS) else "?"
    first, count = int(row["register"]), int(row["count"])
    return f"{file}{first}" + (f"–{file}{first + count - 1}" if count > 1 else "")


def _text(data: bytes, offset: int) -> str:
    return Cursor(data, min(HEADER + int(offset), len(data))).text()[: BUDGET.shader_name_bytes]
