"""Where each byte stands in the hex view: offsets left, two digits a byte, characters right."""

from __future__ import annotations

from viewer.dataclass import dataclass

GROUP = 8
WIDTHS = (16, 8, 4)


@dataclass(frozen=True, slots=True)
class HexGrid:
    """`columns` bytes a line; lengths in points, from the upper left corner of the view.

    `glyph` is the width of a character, `line` the height of a line, `digits` those of an offset.
    """

    columns: int
    digits: int
    glyph: float
    line: float

    @property
    def width(self) -> float:
        """Of a whole line."""
        return self.text_x(self.columns)

    def hex_x(self, column: int) -> float:
        """Where the two digits of a byte begin; every eight bytes there is a gap."""
        return (self.digits + 2 + 3 * column + column // GROUP) * self.glyph

    def text_x(self, column: int) -> float:
        """Where the character of a byte begins."""
        gaps = (self.columns - 1) // GROUP
        return (self.digits + 3 + 3 * self.columns + gaps + column) * self.glyph

    def column_at(self, x: float) -> int:
        """The column under a pointer, in the digits or in the characters; the nearest one elsewhere."""
        if x >= self.text_x(0) - self.glyph / 2:
            return max(0, min(int((x - self.text_x(0)) / self.glyph), self.columns - 1))
        ends = (self.hex_x(column) + 2.5 * self.glyph for column in range(self.columns - 1))
        return sum(x >= end for end in ends)

    def on_bytes(self, x: float) -> bool:
        """Whether a pointer is over digits or characters, not over the offsets or behind the line."""
        return self.hex_x(0) - self.glyph / 2 <= x < self.width

    def hex_run(self, start: int, end: int) -> tuple[float, float]:
        """Left and right of the digits from column `start` to before `end`."""
        return self.hex_x(start) - self.glyph / 2, self.hex_x(end - 1) + 2.5 * self.glyph

    def text_run(self, start: int, end: int) -> tuple[float, float]:
        """Left and right of the characters from column `start` to before `end`."""
        return self.text_x(start), self.text_x(end)


def fitting(width: float, digits: int, glyph: float, line: float) -> HexGrid:
    """The widest grid of a round number of columns that fits."""
    grids = [HexGrid(columns, digits, glyph, line) for columns in WIDTHS]
    return next((grid for grid in grids if grid.width <= width), grids[-1])


def runs(first: int, end: int, top: int, bottom: int, columns: int) -> list[tuple[int, int, int]]:
    """The lines that the bytes from `first` to before `end` take up, as far as they are between the offsets
    `top` (the start of a line) and `bottom`: number of the line below `top`, first column, column behind the
    last."""
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
    """The digits of a line by one of the tables; zeros and other bytes are two texts of the same places."""
    words = [table[byte] for byte in row]
    return " ".join("".join(words[at : at + GROUP]) for at in range(0, len(words), GROUP))


def letters_of(row: bytes, table: list[str]) -> str:
    """The characters of a line by one of the tables."""
    return "".join([table[byte] for byte in row])
