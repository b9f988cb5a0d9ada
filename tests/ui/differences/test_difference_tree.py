"""The tree of differences."""

from __future__ import annotations

from msgspec.structs import replace

from tests.ui.differences.conftest import ADDED, FOUND, MOVED, VERTICES
from viewer.scene.difference import DifferenceGroup
from viewer.scene.text_filter import TextFilter
from viewer.ui.differences.differences_panel import (
    DifferenceBranch,
    Node,
    change_text,
    difference_tree,
    whole,
)
from viewer.ui.kit.tree_rows import Branch


def texts(tree: Branch[Node]) -> list[str]:
    nodes = [row.node for row in tree.rows(0, len(tree))]
    return [getattr(each, "title", "") or getattr(each, "name", "") for each in nodes]


def test_each_kind_of_part_is_a_branch() -> None:
    assert texts(difference_tree(FOUND, TextFilter(""), ()))[:5] == [
        "Bones (2)",
        "tip",
        "hat",
        "Vertices (1)",
        "post",
    ]


def test_closed_groups_stay_closed() -> None:
    assert texts(difference_tree(FOUND[:3], TextFilter(""), {DifferenceGroup.BONES})) == [
        "Bones (2)",
        "Vertices (1)",
        "post",
    ]


def test_a_filter_keeps_what_has_all_words() -> None:
    assert texts(difference_tree(FOUND, TextFilter("bones added"), ())) == ["Bones (1)", "hat"]
    assert texts(difference_tree(FOUND, TextFilter("MOVED vert"), ())) == ["Vertices (1)", "post"]
    assert not len(difference_tree(FOUND, TextFilter("nowhere"), ()))


def test_a_difference_is_told() -> None:
    assert change_text(MOVED) == "turned by 12°" and change_text(ADDED) == "added"
    assert change_text(replace(ADDED, text="under base")) == "added, under base"
    assert change_text(replace(MOVED, text="")) == "changed"
    assert whole(VERTICES) == "vertices: post\n4 of 20 vertices moved"


def test_notes_are_a_branch_of_their_own() -> None:
    tree = difference_tree(("a note", *FOUND[:1]), TextFilter(""), ())
    nodes = [row.node for row in tree.rows(0, len(tree))]
    assert isinstance(nodes[0], DifferenceBranch) and nodes[0].title == "Notes (1)" and nodes[1] == "a note"
    assert not len(difference_tree(("a note",), TextFilter("other"), ()))
