"""The nearest of many points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from viewer.arrays import Array
from viewer.compare.nearest_points import nearest

RANDOM = np.random.default_rng(5)


def sphere(count: int) -> Array:
    """[count, 3] f32: random points on a sphere."""
    points = RANDOM.normal(size=(count, 3))
    return (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(
    "others",
    [
        sphere(900),
        sphere(900) * (1, 0, 0) + (0, 3, 0),
        np.concatenate((sphere(300) * 1e-3, sphere(300) + 5)),
        sphere(1),
        np.repeat(sphere(3), 100, axis=0),
        sphere(900) * 1e6,
    ],
    ids=["sphere", "flat", "clusters", "one", "equal", "far"],
)
def test_the_nearest_point_is_found(others: Array) -> None:
    points, others = sphere(400), others.astype(np.float32)
    numbers, distances = nearest(points, others)
    table = np.linalg.norm(points[:, None].astype(np.float64) - others, axis=2)
    np.testing.assert_allclose(distances, table.min(axis=1), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(table[np.arange(len(points)), numbers], distances, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("spoil", [lambda points: points * np.inf, lambda points: points * np.nan])
def test_points_that_are_not_finite_are_infinitely_far(spoil: Callable[[Array], Array]) -> None:
    points = sphere(10)
    with np.errstate(invalid="ignore"):
        spoiled = spoil(points)
    mixed = np.concatenate((spoiled, points))
    assert np.isinf(nearest(mixed, points)[1]).tolist() == [True] * 10 + [False] * 10
    assert np.isinf(nearest(points, spoiled)[1]).all()
    assert nearest(points, mixed)[0].min() == 10


def test_huge_numbers_do_not_overflow_the_cells() -> None:
    points = np.array([[3e38, -3e38, 0], [1, 2, 3]], np.float32)
    assert nearest(points, points[::-1])[0].tolist() == [1, 0]
