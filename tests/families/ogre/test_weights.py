"""Bone assignments to blend weights, as the engine makes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ogre_files import rows
from viewer.errors import Report
from viewer.families.ogre.mesh_layout import OWN_ASSIGNMENTS
from viewer.families.ogre.weights import Blending, blend


def blended(count: int, *assignments: tuple[int, int, float], report: Report | None = None) -> Blending:
    made = blend(rows(OWN_ASSIGNMENTS, *assignments), count, report or Report(), "square")
    assert made is not None
    return made


def influences(made: Blending, vertex: int) -> list[tuple[int, float]]:
    """(bone, weight) in the order of the slots."""
    row = made.rows[vertex]
    used = row["weights"] > 0
    bones = made.bones[row["joints"][used]].tolist()
    return [(bone, pytest.approx(float(w))) for bone, w in zip(bones, row["weights"][used], strict=True)]


def test_joints_are_places_in_the_sorted_list_of_used_bones() -> None:
    made = blended(1, (0, 9, 0.5), (0, 4, 0.5))
    assert made.bones.tolist() == [4, 9]
    assert influences(made, 0) == [(9, 0.5), (4, 0.5)]


def test_the_buffer_holds_joints_and_weights_of_every_vertex() -> None:
    buffer = blended(2, (0, 9, 0.75), (0, 4, 0.25), (1, 4, 1.0)).buffer
    joints, weights = buffer.column("joints"), buffer.column("weights")
    assert joints is not None and joints.tolist() == [[1, 0, 0, 0], [0, 0, 0, 0]]
    assert weights is not None and weights.tolist() == [[0.75, 0.25, 0, 0], [1, 0, 0, 0]]


@pytest.mark.parametrize(("count", "told"), [(4, False), (5, True)])
def test_four_bones_of_a_vertex_are_kept_without_a_note(count: int, told: bool) -> None:
    report = Report()
    made = blended(1, *((0, bone, 0.5) for bone in range(count)), report=report)
    assert len(influences(made, 0)) == 4 and bool(report.notes) is told


def test_of_more_than_four_the_strongest_stay_in_their_order() -> None:
    report = Report()
    weights = (0.5, 0.1, 1.0, 0.25, 0.2, 0.05)
    made = blended(1, *((0, bone, weight) for bone, weight in enumerate(weights)), report=report)
    assert [bone for bone, _ in influences(made, 0)] == [0, 2, 3, 4]
    assert made.rows["weights"][0].tolist() == pytest.approx(np.array((0.5, 1, 0.25, 0.2)) / 1.95)
    assert any("1 vertices with more than 4 bones" in text for text in report.notes)


def test_of_equal_weights_the_first_go() -> None:
    made = blended(1, *((0, bone, 0.2) for bone in range(6)))
    assert [bone for bone, _ in influences(made, 0)] == [2, 3, 4, 5]


def test_weights_are_divided_by_their_sum() -> None:
    assert influences(blended(1, (0, 0, 0.5), (0, 1, 1.5)), 0) == [(0, 0.25), (1, 0.75)]


def test_the_same_bone_twice_counts_twice() -> None:
    assert influences(blended(1, (0, 3, 0.5), (0, 3, 0.25), (0, 5, 0.25)), 0) == [
        (3, 0.5),
        (3, 0.25),
        (5, 0.25),
    ]


def test_a_vertex_without_bones_moves_with_the_lowest_in_use() -> None:
    assert influences(blended(2, (1, 7, 1.0), (1, 5, 1.0)), 0) == [(5, 1.0)]


def test_assignments_of_vertices_that_do_not_exist_are_dropped() -> None:
    report = Report()
    made = blended(1, (0, 0, 1.0), (8, 1, 1.0), report=report)
    assert made.bones.tolist() == [0]
    assert any("1 bone assignments" in text for text in report.warnings)


def test_no_assignment_that_counts_is_no_blending() -> None:
    nothing: Any = rows(OWN_ASSIGNMENTS, (8, 1, 1.0))
    assert blend(nothing, 1, Report(), "square") is None


@pytest.mark.usefixtures("any_numbers")
def test_weights_whose_sum_is_too_large_for_f32_become_nothing() -> None:
    made = blended(1, (0, 0, 3e38), (0, 1, 3e38))
    assert made.rows["weights"][0].tolist() == [0, 0, 0, 0]


def test_weights_of_nothing_do_not_divide_by_zero() -> None:
    made = blended(1, (0, 0, 0.0), (0, 1, 0.0))
    assert made.rows["weights"][0].tolist() == [0, 0, 0, 0]
