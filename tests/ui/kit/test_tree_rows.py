"""Rows of trees."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from viewer.ui.kit.tree_rows import Branch

NODES: dict[str, list[str]] = {"a": ["b", "c", "d"], "c": ["e", "f"], "f": ["g"], "h": ["i"]}


def children(node: str) -> list[str]:
    return NODES.get(node, [])


def test_a_closed_tree_shows_its_top() -> None:
    assert [row.node for row in Branch(["a", "h"], children).rows(0, 10)] == ["a", "h"]


def test_everything_open_is_depth_first() -> None:
    branch = Branch(["a", "h"], children).open_all()
    rows = list(branch.rows(0, len(branch)))
    assert "".join(row.node for row in rows) == "abcefgdhi"
    assert [row.depth for row in rows] == [0, 1, 1, 2, 2, 3, 1, 0, 1]


@pytest.mark.parametrize("start", range(10))
@pytest.mark.parametrize("stop", range(10))
def test_any_window_is_a_slice_of_the_whole(start: int, stop: int) -> None:
    branch = Branch(["a", "h"], children).open_all()
    whole = [row.node for row in branch.rows(0, len(branch))]
    assert [row.node for row in branch.rows(start, stop)] == whole[start:stop]


def test_a_row_opens_and_closes() -> None:
    branch = Branch(["a"], children)
    next(branch.rows(0, 1)).toggle()
    assert len(branch) == 4
    next(branch.rows(0, 1)).toggle()
    assert len(branch) == 1


class Million(Sequence[int]):
    """Counts how many of its items were asked for."""

    asked = 0

    def __len__(self) -> int:
        return 1_000_000

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        Million.asked += 1
        return index


def test_only_rows_in_sight_are_made() -> None:
    branch: Branch[int] = Branch(Million(), lambda node: Million() if node == 3 else ())
    branch.open(3)
    Million.asked = 0
    assert [row.node for row in branch.rows(500_000, 500_003)] == [499_996, 499_997, 499_998]
    assert Million.asked == 3
    assert len(branch) == 2_000_000


def test_rows_are_made_once_while_in_sight() -> None:
    tree: Branch[int] = Branch(range(1_000_000), lambda node: range(10) if node == 1 else ())
    before = tree.in_sight(1000, 1030)
    after = tree.in_sight(1010, 1040)
    assert after[:20] == before[10:] and before[10] is after[0]
    assert [row.node for row in tree.in_sight(1005, 1015)] == list(range(1005, 1015))
    assert [row.node for row in tree.in_sight(0, 3)] == [0, 1, 2]
    tree.open(1)
    assert [row.depth for row in tree.in_sight(0, 3)] == [0, 0, 1]


def test_rows_of_a_growing_list() -> None:
    nodes = [1, 2]
    tree: Branch[int] = Branch(nodes, lambda node: ())
    assert len(tree.in_sight(0, 2)) == 2
    nodes.append(3)
    assert [row.node for row in tree.in_sight(0, 3)] == [1, 2, 3]


def test_a_path_leads_to_its_row() -> None:
    branch = Branch(["a", "h"], children).open_all()
    paths = [branch.row(number).path for number in range(len(branch))]
    assert paths[5] == (0, 1, 1, 0)
    assert [branch.row_of(path) for path in paths] == list(range(9))


def test_a_hidden_node_is_revealed_and_until_then_its_ancestor_is_its_row() -> None:
    branch = Branch(["h", "a"], children)
    branch.open(0)
    assert branch.row_of((1, 1, 1)) == 2
    assert branch.row(branch.reveal((1, 1, 1))).node == "f"
