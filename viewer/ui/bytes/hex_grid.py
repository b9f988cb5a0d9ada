"""The grid of the hex view: offsets left, two digits per byte, characters right; and its visible page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

GROUP = 8
WIDTHS = (16, 8, 4)


class HexGrid(Struct, frozen=True):
    """The positions of `columns` bytes per line, in points from the upper left corner of the view.

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
        """Whether `x` is over digits or characters, not over the offsets or right of the line."""
        return self.hex_x(0) - self.glyph / 2 <= x < self.width

    def hex_run(self, start: int, end: int) -> tuple[float, float]:
        """The left and right x of the digits from column `start` up to `end`, which is excluded."""
        return self.hex_x(start) - self.glyph / 2, self.hex_x(end - 1) + 2.5 * self.glyph

    def text_run(self, start: int, end: int) -> tuple[float, float]:
        """The left and right x of the characters from column `start` up to `end`, which is excluded."""
        return self.text_x(start), self.text_x(end)


def fitting(width: float, digits: int, glyph: float, line: float) -> HexGrid:
    """The widest grid that fits, with a round number of columns."""
    grids = [HexGrid(columns, digits, glyph, line) for columns in WIDTHS]
    return next((grid for grid in grids if grid.width <= width), grids[-1])


def runs(first: int, end: int, top: int, bottom: int, columns: int) -> list[tuple[int, int, int]]:
    """The lines with bytes from `first` up to `end` (excluded), between the offsets `top` and `bottom`.

    `top` is the start of a line. Each line is its number below `top`, its first column, and the column behind
    its last one.
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
    """The digits of a line by one of the tables; zeros and other bytes are separate texts."""
    words = [table[byte] for byte in row]
    return " ".join("".join(words[at : at + GROUP]) for at in range(0, len(words), GROUP))


def letters_of(row: bytes, table: list[str]) -> str:
    """The characters of a line by one of the tables."""
    return "".join([table[byte] for byte in row])


Box = tuple[ImVec2, ImVec2]


class HexPage(Struct, frozen=True):
    """The visible lines: `lines` of them from file offset `top` on, at `x`, `y` on the screen."""

    grid: HexGrid
    top: int
    lines: int
    x: float
    y: float

    @property
    def bottom(self) -> int:
        """The offset behind the last visible byte."""
        return self.top + self.lines * self.grid.columns

    def boxes(self, first: int, end: int, run: Callable[[int, int], tuple[float, float]]) -> list[Box]:
        """The screen boxes of the bytes from `first` up to `end` (excluded), line by line."""
        found = []
        for line, start, stop in runs(first, end, self.top, self.bottom, self.grid.columns):
            left, right = run(start, stop)
            y = self.y + line * self.grid.line
            found.append((ImVec2(self.x + left, y), ImVec2(self.x + right, y + self.grid.line)))
        return found

    def offset_at(self, x: float, y: float) -> int:
        """The byte at a point on the screen; beside the bytes, the nearest one of that line."""
        line = int((y - self.y) // self.grid.line)
        return self.top + line * self.grid.columns + self.grid.column_at(x - self.x)


def outline(draw: imgui.ImDrawList, boxes: list[Box], color: int) -> None:
    """Draw one outline around boxes on consecutive lines.

    All boxes but the first start at the left edge, and all but the last end at the right edge. Two outlines
    are drawn if the last box does not touch the first.
    """
    if len(boxes) == 1 or (len(boxes) == 2 and boxes[1][1].x <= boxes[0][0].x):
        for low, high in boxes:
            draw.add_rect(low, high, color)
    elif boxes:
        (first, right), (last, end) = boxes[0], boxes[-1]
        left = last.x
        corners = (first.x, first.y), (right.x, first.y), (right.x, last.y), (end.x, last.y)
        back = (end.x, end.y), (left, end.y), (left, right.y), (first.x, right.y)
        points: list[Any] = [ImVec2(*point) for point in (*corners, *back)]
        draw.add_polyline(points, color, 1.0, imgui.ImDrawFlags_.closed)
