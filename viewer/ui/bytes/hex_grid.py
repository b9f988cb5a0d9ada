"""The positions of bytes in the hex view: offsets left, two digits per byte, characters right."""

from __future__ import annotations

from msgspec import Struct

GROUP = 8
WIDTHS = (16, 8, 4)


class HexGrid(Struct, frozen=True):
    """`columns` bytes per line; lengths are in points from the upper left corner of the view.

    `glyph` is the width of a character, `line` the height of a line, `digits` the number of offset digits.
    """

    columns: int
    digits: int
    glyph: float
    line: float

    @property
    def width(self) -> float:
        """The width of a whole line."""
        return self.text_x(self.columns)

    def hex_x(self, column: int) -> float:
        """The x of the two digits of a byte; there is a gap every eight bytes."""
        return (self.digits + 2 + 3 * column + column // GROUP) * self.glyph

    def text_x(self, column: int) -> float:
        """The x of the character of a byte."""
        gaps = (self.columns - 1) // GROUP
        return (self.digits + 3 + 3 * self.columns + gaps + column) * self.glyph

    def column_at(self, x: float) -> int:
        """The column at `x`, in the digits or in the characters; elsewhere the nearest column."""
        if x >= self.text_x(0) - self.glyph / 2:
            return max(0, min(int((x - self.text_x(0)) / self.glyph), self.columns - 1))
        ends = (self.hex_x(column) + 2.5 * self.glyph for column in range(self.columns - 1))
        return sum(x >= end for end in ends)

    def on_bytes(self, x: float) -> bool:
        """Whether `x` is over digits or characters, not over the offsets or behind the line."""
        return self.hex_x(0) - self.glyph / 2 <= x < self.width

    def hex_run(self, start: int, end: int) -> tuple[float, float]:
        """The left and right x of the digits from column `start` up to `end`, which is excluded."""
        return self.hex_x(start) - self.glyph / 2, self.hex_x(end - 1) + 2.5 * self.glyph

    def text_run(self, start: int, end: int) -> tuple[float, float]:
        """The left and right x of the characters from column `start` up to `end`, which is excluded."""
        return self.text_x(start), self.text_x(end)


def fitting(width: float, digits: int, glyph: float, line: float) -> HexGrid:
    """The widest grid with a round number of columns that fits."""
    grids = [HexGrid(columns, digits, glyph, line) for columns in WIDTHS]
    return next((grid for grid in grids if grid.width <= width), grids[-1])


def runs(first: int, end: int, top: int, bottom: int, columns: int) -> list[tuple[int, int, int]]:
    """The lines with bytes from `first` up to `end` (excluded), between the offsets `top` and `bottom`.

    `top` is the start of a line. Each line is its number below `top`, its first column, and the column behind
    its last.
    """
    first, end = max(first, top), min(end, bottom)
    found = []
    while first < end:
        line, column = divmod(first - top, columns)
        upto = min(column + end - first, columns)
        found.append((line, column, upto))
        first += upto - column
    return found


BRIGHT = [f"{byte:02X} " if byte else "   " for byte in range(256)]
DIM = ["   " if byte else "00 " for byte in range(256)]
LETTER = [chr(byte) if 32 <= byte < 127 else " " for byte in range(256)]
DOT = [" " if 32 <= byte < 127 else "." for byte in range(256)]


def digits_of(row: bytes, table: list[str]) -> str:
    """The digits of a line by one of the tables; zeros and other bytes are two texts with equal positions."""
    words = [table[byte] for byte in row]
    return " ".join("".join(words[at : at + GROUP]) for at in range(0, len(words), GROUP))


def letters_of(row: bytes, table: list[str]) -> str:
    """The characters of a line by one of the tables."""
    return "".join([table[byte] for byte in row])
