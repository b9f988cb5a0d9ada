"""A table of a tree under a mouse and keys."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from viewer.scene.text_filter import TextFilter
from viewer.ui.kit import tree_table
from viewer.ui.kit.tree_rows import Branch, Row, flat
from viewer.ui.kit.tree_table import Column, TableRows, TreeTable

COLUMNS: tuple[Column[int], ...] = (
    Column("name"),
    Column("double", 5.0, mono=True, right=True, text=lambda node: str(2 * node)),
)


class Numbers(TableRows[int]):
    """Numbers as rows; what is done to them is noted."""

    def __init__(self) -> None:
        self.done: list[tuple[Any, ...]] = []

    def line(self, row: Row[int]) -> tuple[float, str]:
        return row.depth * 10.0, str(row.node)

    def menu(self, row: Row[int]) -> None:
        self.done.append(("menu", row.node))

    def choose(self, row: Row[int], by_key: bool) -> None:
        self.done.append(("key" if by_key else "click", row.node))

    def open(self, row: Row[int]) -> None:
        self.done.append(("open", row.node))

    def folded(self, row: Row[int]) -> None:
        self.done.append(("folded", row.node, row.open))


@pytest.fixture
def tree() -> Branch[int]:
    """A thousand numbers; 3 has two below it."""
    return Branch(range(1000), lambda node: (31, 32) if node == 3 else ())


@pytest.fixture(params=[COLUMNS, ()], ids=["table", "lines"])
def table(request: pytest.FixtureRequest) -> TreeTable[int]:
    return TreeTable("numbers", request.param)


def at(table: TreeTable[int], row: int) -> tuple[float, float]:
    style = imgui.get_style()
    table_height = imgui.get_text_line_height() + 2 * style.cell_padding.y
    height = table_height if table.columns else imgui.get_text_line_height_with_spacing()
    return 60.0, (row + 0.5) * height


def test_keys_walk_enter_and_leave_branches(desk: Any, tree: Branch[int], table: TreeTable[int]) -> None:
    rows = Numbers()
    desk.show(lambda state, post: table(tree, rows))
    desk.click(*at(table, 2))
    for key in ("DOWN", "RIGHT", "RIGHT", "LEFT", "LEFT", "RETURN", "END"):
        desk.key(key)
    assert rows.done == [
        ("click", 2),
        ("key", 3),
        ("folded", 3, True),
        ("key", 31),
        ("key", 3),
        ("folded", 3, False),
        ("open", 3),
        ("key", 999),
    ]


def test_a_double_click_opens_a_row_and_a_right_click_its_menu(
    desk: Any, tree: Branch[int], table: TreeTable[int]
) -> None:
    rows = Numbers()
    desk.show(lambda state, post: table(tree, rows))
    desk.click(*at(table, 1))
    desk.click(*at(table, 1))
    assert rows.done == [("click", 1), ("open", 1)]
    desk.click(*at(table, 4), "right")
    desk.frames()
    assert rows.done[-1] == ("menu", 4) and table.cursor == (4,)


def test_a_row_far_away_is_shown_and_few_are_drawn(
    desk: Any, tree: Branch[int], table: TreeTable[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: set[int] = set()
    rows = Numbers()
    monkeypatch.setattr(rows, "behind", lambda row: drawn.add(row.node))
    table.show((500,))
    desk.show(lambda state, post: table(tree, rows))
    desk.frames(2)
    drawn.clear()
    desk.frames()
    assert 500 in drawn and len(drawn) < 40


def test_the_arrow_and_a_double_click_open_and_close_a_branch(
    desk: Any, tree: Branch[int], table: TreeTable[int]
) -> None:
    desk.show(lambda state, post: table(tree, Numbers()))
    _, y = at(table, 3)
    desk.click(12.0, y)
    assert len(tree) == 1002
    desk.frames(60)
    desk.click(60.0, y)
    desk.click(60.0, y)
    assert len(tree) == 1000


def test_only_the_row_at_the_cursor_is_drawn_as_selected(
    desk: Any, tree: Branch[int], table: TreeTable[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    selected: list[str] = []
    draw = imgui.tree_node_ex

    def drawn(label: str, flags: int) -> bool:
        if flags & imgui.TreeNodeFlags_.selected:
            selected.append(label)
        return bool(draw(label, flags))

    monkeypatch.setattr(imgui, "tree_node_ex", drawn)
    desk.show(lambda state, post: table(tree, Numbers()))
    desk.click(*at(table, 4))
    selected.clear()
    desk.frames()
    assert selected == ["4###row"]


def test_cells_are_drawn_behind_their_label(
    desk: Any, tree: Branch[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(tree_table, "right_aligned", lambda text, color: drawn.append(text))
    desk.show(lambda state, post: TreeTable("numbers", COLUMNS)(tree, Numbers()))
    assert drawn[:3] == ["0", "2", "4"]


def test_what_is_found_is_kept_until_data_filter_or_order_change() -> None:
    table, made = TreeTable("numbers", COLUMNS), list[Branch[int]]()

    def make() -> Branch[int]:
        made.append(flat([int(each) for each in table.filter.matching(map(str, range(20)))]))
        return made[-1]

    whole = table.kept((1,), make)
    table.cursor = (4,)
    assert table.kept((1,), make) is whole and table.cursor == (4,)
    table.filter = TextFilter("1")
    assert list(table.kept((1,), make).nodes) == [1, *range(10, 20)] and table.cursor == ()
    table.filter = TextFilter(" 1 ")
    table.kept((1,), make)
    assert len(made) == 2, "the words are the same"
    table.order = ("double", True)
    table.kept((1,), make)
    table.filter, table.order = TextFilter(), None
    assert table.kept((1,), make) is whole and len(made) == 3, "with its open branches"
    assert table.kept((2,), make) is not whole


@pytest.mark.parametrize(
    ("order", "rows"), [(None, [2, 0, 1]), (("key", False), [1, 2, 0]), (("key", True), [0, 2, 1])]
)
def test_rows_are_sorted_by_the_numbers_of_a_column(order: tuple[str, bool] | None, rows: list[int]) -> None:
    keys = Column[int]("key", keys=lambda: np.array([9, 1, 5]))
    table = TreeTable("numbers", [Column("name"), keys])
    table.order = order
    assert table.ordered(np.array([2, 0, 1])).tolist() == rows


@pytest.mark.parametrize("count", [0, 1, 100_000])
def test_any_number_of_rows_is_drawn_and_walked(desk: Any, count: int) -> None:
    table, rows = TreeTable("numbers", COLUMNS), Numbers()
    tree = flat(range(count))
    desk.show(lambda state, post: table(tree, rows))
    desk.click(*at(table, 0))
    for key in ("DOWN", "END", "HOME"):
        desk.key(key)
    last = max(count - 1, 0)
    walked = [("click", 0), ("key", min(1, last)), ("key", last), ("key", 0)]
    assert rows.done == (walked if count else [])


def test_a_column_that_is_not_shown_leaves_the_others_their_texts(
    desk: Any, tree: Branch[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(tree_table, "colored", lambda text, color: drawn.append(text))
    columns = [Column[int](name, text=lambda node, name=name: f"{name}{node}") for name in ("a", "b", "c")]
    desk.show(lambda state, post: TreeTable("numbers", columns)(tree, Numbers(), ("a", "c")))
    assert drawn[:2] == ["c0", "c1"]
