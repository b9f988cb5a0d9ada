"""Deviations of positions, rotations and directions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from viewer.compare.diff.deviation import (
    EXACT,
    Tolerance,
    between_directions,
    deviation_text,
    rotation_angles,
    rounded,
    tolerance_of,
)
from viewer.scene.maths import angles, lengths, rotation_matrix


def about_z(degrees: float) -> np.ndarray:
    """[1, 4] the rotation about z."""
    half = np.radians(degrees) / 2
    return np.array([[0, 0, np.sin(half), np.cos(half)]])


@pytest.mark.parametrize("degrees", [0, 1e-4, 1, 90, 179, 180])
def test_angles_between_rotations(degrees: float) -> None:
    one, other = about_z(20), about_z(20 + degrees)
    for factor in (1, -1, 3):
        assert angles(one, factor * other)[0] == pytest.approx(degrees, abs=1e-6)
    matrices = rotation_matrix(one) * 2, rotation_matrix(other) * 0.5
    assert rotation_angles(*matrices)[0] == pytest.approx(degrees, abs=1e-5)


def test_numbers_that_are_not_finite_are_as_far_as_can_be() -> None:
    strange = np.array([[np.nan, 0, 0, 1]])
    assert angles(strange, about_z(0))[0] == 180
    assert np.isinf(lengths(strange)[0])


def test_angles_between_directions_of_any_length() -> None:
    one, other = np.array([[2.0, 0, 0], [0, 0, 0]]), np.array([[0, 0.5, 0], [0, 0, 0]])
    assert between_directions(one, other).tolist() == pytest.approx([90, 0])


def test_only_what_counts_is_told() -> None:
    tolerance = Tolerance(0.1)
    assert deviation_text(0.05, 0.001, 0, tolerance) == ""
    assert deviation_text(0.25, 30, 1, tolerance) == "moved by 0.25, turned by 30°, scale differs by 1"
    assert rounded(float("inf")) == "not finite"


@pytest.mark.parametrize(
    ("chosen", "size", "distance"),
    [(None, 200.0, 2e-3), (None, 0.0, 1e-5), (None, math.inf, 1e-5), (0.5, 200.0, 0.5)],
)
def test_the_distance_follows_the_size_or_the_user(
    chosen: float | None, size: float, distance: float
) -> None:
    assert tolerance_of(chosen, size).distance == pytest.approx(distance)


def test_zero_asks_for_equal_numbers() -> None:
    assert tolerance_of(0, 200) == EXACT
