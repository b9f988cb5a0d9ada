"""Each rule for bounds fires on a box that does not hold the model."""

from __future__ import annotations

import numpy as np

from tests.checked import FLAT_BOUNDS, chain, skinned, square, texts


def test_vertices_outside_the_bounds_are_told() -> None:
    text = "vertices of only are up to 1 outside the bounds, 70.71 % of their diagonal"
    smaller = np.array(((-1, -1, 0), (0, 0, 0)), np.float32)
    assert texts("mesh/stale-bounds", square(bounds=smaller)) == [text]


def test_bounds_may_be_those_of_the_rest_pose() -> None:
    raised = chain("a", "b", positions=np.array(((0, 5, 0), (0, 0, 0)), np.float32))
    weights = ((1.0, 0, 0, 0),) * 4
    for height in (0, 5):
        bounds = FLAT_BOUNDS + np.array((0, height, 0), np.float32)
        assert texts("mesh/stale-bounds", skinned(weights, skeleton=raised, bounds=bounds)) == []
    bounds = FLAT_BOUNDS + np.array((0, 9, 0), np.float32)
    assert len(texts("mesh/stale-bounds", skinned(weights, skeleton=raised, bounds=bounds))) == 1
