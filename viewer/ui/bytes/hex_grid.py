"""The layout of the hex view: offsets on the left, two digits per byte, characters on the right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

GROUP = 8
WIDTHS = (16, 8, 4)


class HexGrid(Struct, frozen=True):
    """The positions of digits and characters, in points from the upper left corner of the view.

    A line has `columns` bytes and is `line` points high. `glyph` is the width of a character, `digits` the
    number of offset digits.
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
        """The x of a byte's two digits, with a gap every eight bytes."""
        return (self.digits + 2 + 3 * column + column // GROUP) * self.glyph

    def text_x(self, column: int) -> float:
        """The x of a byte's character."""
        gaps = (self.columns - 1) // GROUP
        return (self.digits + 3 + 3 * self.columns + gaps + column) * self.glyph

    def column_at(self, x: float) -> int:
        """The column whose digits or character are nearest to `x`."""
        if x >= self.text_x(0) - self.glyph / 2:
            return max(0, min(int((x - self.text_x(0)) / self.glyph), self.columns - 1))
        ends = (self.hex_x(column) + 2.5 * self.glyph for column in range(self.columns - 1))
        return sum(x >= end for end in ends)

    def on_bytes(self, x: float) -> bool:
        """Whether `x` is over digits or characters."""
        return self.hex_x(0) - self.glyph / 2 <= x < self.width

    def hex_run(self, start: int, end: int) -> tuple[float, float]:
        """The left and right x of the digits of the columns `start` up to `end` (excluded)."""
        return self.hex_x(start) - self.glyph / 2, self.hex_x(end - 1) + 2.5 * self.glyph

    def text_run(self, start: int, end: int) -> tuple[float, float]:
        """The left and right x of the characters of the columns `start` up to `end` (excluded)."""
        return self.text_x(start), self.text_x(end)


def fitting(width: float, digits: int, glyph: float, line: float) -> HexGrid:
    """Return the widest grid, with 16, 8 or 4 columns, that fits into `width` points."""
    grids = [HexGrid(columns, digits, glyph, line) for columns in WIDTHS]
    return next((grid for grid in grids if grid.width <= width), grids[-1])


def runs(first: int, end: int, top: int, bottom: int, columns: int) -> list[tuple[int, int, int]]:
    """Divide the bytes from `first` up to `end` (excluded) into lines. Bytes before `top` and from `bottom`
    on are left out.

    `top` is the offset at the start of a line. For each line, return its index (0 at `top`), its first
    column, and the column after its last column.
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
    """Return the hex digits of a line as text.

    With the table `BRIGHT`, the text has the digits of all bytes except zeros; with `DIM`, only the digits of
    zeros. Spaces replace the digits of other bytes.
    """
    words = [table[byte] for byte in row]
    return " ".join("".join(words[at : at + GROUP]) for at in range(0, len(words), GROUP))


def letters_of(row: bytes, table: list[str]) -> str:
    """Return the characters of a line as text.

    With the table `LETTER`, the text has the printable characters; with `DOT`, it has dots for all other
    bytes. Spaces fill the rest of the line.
    """
    return "".join([table[byte] for byte in row])


CellBox = tuple[ImVec2, ImVec2]


class HexPage(Struct, frozen=True):
    """The visible part of the file: `lines` lines from the file offset `top` on, drawn at `x`, `y` on the
    screen.
    """

    grid: HexGrid
    top: int
    lines: int
    x: float
    y: float

    @property
    def bottom(self) -> int:
        """The offset after the last visible byte."""
        return self.top + self.lines * self.grid.columns

    def boxes(self, first: int, end: int, run: Callable[[int, int], tuple[float, float]]) -> list[CellBox]:
        """One screen rectangle per line for the bytes from `first` up to `end` (excluded).

        `run` is the grid's `hex_run` or `text_run`.
        """
        found = []
        for line, start, stop in runs(first, end, self.top, self.bottom, self.grid.columns):
            left, right = run(start, stop)
            y = self.y + line * self.grid.line
            found.append((ImVec2(self.x + left, y), ImVec2(self.x + right, y + self.grid.line)))
        return found

    def offset_at(self, x: float, y: float) -> int:
        """The offset of the byte at a point on the screen. If no byte is at the point, the nearest byte of
        the line at this height counts.
        """
        line = int((y - self.y) // self.grid.line)
        return self.top + line * self.grid.columns + self.grid.column_at(x - self.x)


def outline(draw: imgui.ImDrawList, boxes: list[CellBox], color: int) -> None:
    """Draw one outline around boxes on consecutive lines.

    The boxes form a text selection: each box except the first starts at the left edge, and each box except
    the last ends at the right edge. Two outlines are drawn if two boxes do not touch.
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
