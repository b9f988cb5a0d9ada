"""The lines of the hex view on the screen: positions of bytes, and outlines around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from viewer.ui.bytes.hex_grid import HexGrid, runs

Box = tuple[ImVec2, ImVec2]


class HexPage(Struct, frozen=True):
    """The visible lines: the file from offset `top` on, `lines` of them, at `x`, `y` on the screen."""

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
        """The byte at a point on the screen, or the nearest byte of that line."""
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
