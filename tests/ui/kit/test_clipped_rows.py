"""Long lists: what is drawn of them."""

from __future__ import annotations

from typing import Any

from imgui_bundle import imgui

from viewer.ui.kit.tree_rows import Branch
from viewer.ui.kit.widgets import clipped, clipped_ranges, clipped_tree

ROWS = 1000


def test_only_rows_in_sight_are_drawn(desk: Any) -> None:
    seen: list[int] = []

    def draw(state: Any, post: Any) -> None:
        seen.clear()
        for number in clipped(ROWS):
            seen.append(number)
            imgui.text(str(number))

    desk.show(draw)
    assert seen[0] == 0 and 10 < len(set(seen)) < 100


def test_the_list_is_as_high_as_all_its_rows(desk: Any) -> None:
    height = 0.0

    def draw(state: Any, post: Any) -> None:
        nonlocal height
        top = imgui.get_cursor_pos_y()
        for first, end in clipped_ranges(ROWS, 20.0):
            for _ in range(first, end):
                imgui.dummy((1.0, 20.0 - imgui.get_style().item_spacing.y))
        height = imgui.get_cursor_pos_y() - top

    desk.show(draw)
    assert height == ROWS * 20.0


def test_a_click_hits_its_row_of_a_tree(desk: Any) -> None:
    tree: Branch[int] = Branch(range(ROWS), lambda node: ())
    hit: list[int] = []

    def draw(state: Any, post: Any) -> None:
        for row in clipped_tree(tree, desk.line):
            if imgui.selectable("same name", False)[0]:
                hit.append(row.node)

    desk.show(draw)
    desk.click(50, 2.5 * desk.line)
    assert hit == [2]
