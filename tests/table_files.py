"""Tables of World of Warcraft, packed by hand."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

Cell = int | float | str


def table_bytes(rows: Sequence[Sequence[Cell]], columns: int | None = None) -> bytes:
    """A table of rows with `columns` cells (None: as many as the first row has); missing cells are 0."""
    width = len(rows[0]) if columns is None else columns
    strings, known = bytearray(b"\0"), {"": 0}

    def cell(value: Cell) -> bytes:
        if isinstance(value, float):
            return struct.pack("<f", value)
        if isinstance(value, str):
            if value not in known:
                known[value] = len(strings)
                strings.extend(value.encode() + b"\0")
            value = known[value]
        return struct.pack("<I", value & 0xFFFFFFFF)

    packed = b"".join(cell(value) for row in rows for value in [*row, *[0] * (width - len(row))])
    return struct.pack("<4s4I", b"WDBC", len(rows), width, 4 * width, len(strings)) + packed + strings


def models() -> bytes:
    """CreatureModelData of 1.12.1: a bear with id 7 before a frog with id 3."""
    return table_bytes(
        [(7, 0, "Creature\\Bear\\Bear.mdx", 1, 1.0), (3, 4, "Creature\\Frog\\Frog.mdx", 0, 0.7)], 16
    )


def displays() -> bytes:
    """CreatureDisplayInfo of 1.12.1: two bears, a frog, and a display of a missing model."""
    return table_bytes(
        [
            (706, 7, 0, 0, 1.5, 255, "BearSkinBlack"),
            (707, 7, 0, 0, 1.0, 255, "BearSkinBrown", "BearEyes"),
            (12, 3, 0, 0, 0.5, 128, "FrogGreen"),
            (99, 1000, 0, 0, 1.0, 255, "Nobody"),
        ],
        12,
    )


def tables() -> Mapping[str, bytes]:
    """Tables with known, moved and unknown columns, by file name."""
    return {
        "CreatureModelData.dbc": models(),
        "CreatureDisplayInfo.dbc": displays(),
        "CharSections.dbc": table_bytes([(1, 1, 0, 0, "Skin", "Fur", "", 17, 0, 2)]),
        "Weather.dbc": table_bytes([(1, "a", 2, 1), (5, "bc", 9, 0)]),
    }
