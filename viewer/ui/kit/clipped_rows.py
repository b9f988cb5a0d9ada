"""Long lists: only the rows in sight are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from imgui_bundle import imgui

from viewer.ui.kit.tree_rows import Branch, Row

Node = TypeVar("Node")
NO_HEIGHT = -1.0
"""The height of rows that the clipper measures by itself."""


def clipped_ranges(count: int, height: float = NO_HEIGHT) -> Iterator[tuple[int, int]]:
    """Ranges (first, end) of the rows in sight, of `count` rows, each `height` points high. The rows of a
    range are to be drawn before the next range is asked for.
    """
    clipper = imgui.ListClipper()
    clipper.begin(count, height)
    while clipper.step():
        yield clipper.display_start, clipper.display_end


def clipped(count: int, height: float = NO_HEIGHT) -> Iterator[int]:
    """The numbers of the rows in sight; each row is to be drawn before the next is asked for."""
    for first, end in clipped_ranges(count, height):
        yield from range(first, end)


def clipped_tree(tree: Branch[Node], height: float) -> Iterator[Row[Node]]:
    """The rows of a tree in sight; what is drawn for a row has ids of its own."""
    for first, end in clipped_ranges(len(tree), height):
        for number, row in enumerate(tree.in_sight(first, end), first):
            imgui.push_id(number)
            yield row
            imgui.pop_id()
