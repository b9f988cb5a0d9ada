"""The curve of spline emitters: even steps along Bézier pieces."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.animation.effects.particle_motion import SAMPLES, even_points

QUARTER = 0.5522847498
"""Control points at this distance make a piece that is nearly a quarter of a circle."""
CIRCLE = np.array(
    (
        (1, 0, 0),
        (1, QUARTER, 0),
        (QUARTER, 1, 0),
        (0, 1, 0),
        (-QUARTER, 1, 0),
        (-1, QUARTER, 0),
        (-1, 0, 0),
    )
)


def test_steps_are_even_and_lie_on_the_curve() -> None:
    points, _ = even_points(CIRCLE)
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    np.testing.assert_allclose(steps, np.pi / (SAMPLES - 1), rtol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 1, atol=1e-3)


def test_directions_run_along_it() -> None:
    points, ways = even_points(CIRCLE)
    np.testing.assert_allclose(np.linalg.norm(ways, axis=1), 1, atol=1e-9)
    inner = slice(1, -1)
    np.testing.assert_allclose((ways * points).sum(axis=1)[inner], 0, atol=2e-3)


def test_the_ends_are_the_first_and_last_point() -> None:
    points, _ = even_points(CIRCLE)
    np.testing.assert_allclose(points[[0, -1]], CIRCLE[[0, -1]], atol=1e-9)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_too_few_points_make_straight_lines(count: int) -> None:
    corners = np.array(((0, 0, 0), (2, 0, 0), (2, 2, 0)), float)[:count]
    points, _ = even_points(corners)
    np.testing.assert_allclose(points[0], corners[0])
    np.testing.assert_allclose(points[-1], corners[-1])


def test_points_that_coincide_have_a_direction_all_the_same() -> None:
    points, ways = even_points(np.zeros((4, 3)))
    assert not points.any() and (np.linalg.norm(ways, axis=1) == 1).all()


def test_no_points_make_nothing() -> None:
    points, ways = even_points(np.empty((0, 3)))
    assert len(points) == len(ways) == 0


def test_points_that_are_no_numbers_stay_finite() -> None:
    points, ways = even_points(np.array(((np.nan, 0, 0), (np.inf, 0, 0), (1e30, 0, 0), (1, 0, 0))))
    assert np.isfinite(points).all() and np.isfinite(ways).all()
