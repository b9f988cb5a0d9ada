"""How far numbers may be apart."""

from __future__ import annotations

import math

import pytest

from viewer.compare.diff.deviation import EXACT, tolerance_of


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
