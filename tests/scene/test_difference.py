"""Differences in their order, and their summary."""

from __future__ import annotations

import pytest

from viewer.scene.difference import Change, Difference, DifferenceGroup, Differences, in_order
from viewer.scene.items import GeometryItem, VertexItem

BONES, VERTICES, CLIPS = DifferenceGroup.BONES, DifferenceGroup.VERTICES, DifferenceGroup.ANIMATIONS


def of(name: str, text: str = "", amount: float = 0.0, minor: bool = False) -> Difference:
    """A changed animation."""
    return Difference(CLIPS, Change.CHANGED, name, text, amount, minor=minor)


def test_groups_and_changes_have_an_order() -> None:
    version = Difference(DifferenceGroup.VERSION, Change.CHANGED, "version")
    kinds = [Difference(BONES, change, change.value) for change in Change]
    assert [each.name for each in in_order([version, *kinds])] == [
        "removed",
        "added",
        "renamed",
        "changed",
        "version",
    ]


def test_the_differences_of_a_part_follow_each_other_the_largest_part_first() -> None:
    found = [
        of("Run", "a", 1),
        of("Walk", "b", 5),
        of("Run", "c", 3),
        of("Walk", "length"),
        of("Sit", "keys"),
    ]
    assert [each.text for each in in_order(found)] == ["length", "b", "c", "a", "keys"]


def test_what_changes_nothing_comes_last() -> None:
    assert [each.text for each in in_order([of("Run", "keys", minor=True), of("Run", "a", 1)])] == [
        "a",
        "keys",
    ]


@pytest.mark.parametrize(
    ("found", "unequal", "summary"),
    [
        ([], 0, "same bytes"),
        ([], 1, "same meaning, 1 byte differs"),
        ([], 12, "same meaning, 12 bytes differ"),
        ([of("Run"), of("Run"), of("Walk")], 9, "different: 2 animations"),
        ([of("Run", minor=True)], 9, "same picture and motion, different: 1 animation"),
        ([Difference(BONES, Change.CHANGED, "skeleton", "2 bones → none")], 9, "different: skeleton"),
        ([Difference(DifferenceGroup.BOUNDS, Change.CHANGED, "bounds")], 9, "different: bounds"),
    ],
)
def test_the_summary(found: list[Difference], unequal: int, summary: str) -> None:
    differences = Differences(in_order(found), unequal_bytes=unequal)
    assert differences.summary == summary
    assert differences.same == (not found)


def test_vertices_are_counted_by_their_geometries() -> None:
    found = [
        Difference(VERTICES, Change.CHANGED, name, items=(VertexItem(0, row), GeometryItem(0)))
        for name, row in (("head", 1), ("head level 1", 2))
    ]
    assert Differences(tuple(found), unequal_bytes=1).summary == "different: vertices of 1 geometry"
