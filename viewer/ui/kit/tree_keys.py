"""The keys of a tree that is drawn as a table: its lines have the same height."""

from __future__ import annotations

from typing import TypeVar

from imgui_bundle import imgui

from viewer.ui.kit.tree_rows import Branch, Path, Row
from viewer.ui.kit.widgets import walked

Node = TypeVar("Node")


def walk(tree: Branch[Node], cursor: Path, height: float) -> Row[Node] | None:
    """The row that an arrow, Home, End or page key leads to from the row at `cursor`, scrolled into the
    middle; None if no such key was pressed. `height` is that of a row in points.
    """
    at = tree.row_of(cursor) if cursor else -1
    page = max(int(imgui.get_window_height() / height) - 2, 1)
    target = walked(at, len(tree), page)
    if target is None:
        return None
    scroll_to(target, height)
    return next(tree.rows(target, target + 1))


def scroll_to(row: int, height: float) -> None:
    """Scroll a row into the middle of the current window."""
    imgui.set_scroll_y(max((row + 0.5) * height - imgui.get_window_height() / 2, 0.0))


def fold(tree: Branch[Node], cursor: Path) -> tuple[Row[Node], Path]:
    """Open the row at `cursor` with the right arrow key, and close it with the left one, which leads from a
    row that is closed to the row above it in the tree. Returns the row, and the new cursor.
    """
    row = next(tree.rows(tree.row_of(cursor), len(tree)))
    for key, opens in ((imgui.Key.right_arrow, True), (imgui.Key.left_arrow, False)):
        if imgui.is_key_pressed(key):
            if row.open != opens and not row.leaf:
                row.toggle()
            elif not opens and row.depth:
                return row, row.path[:-1]
    return row, cursor
