"""Points on the surface of a model that move with its vertices."""

from __future__ import annotations

import numpy as np
import pytest

from tests.quads import quad
from viewer.scene.mesh.surface_points import SurfacePoint, surface_positions, surface_values, surface_weights
from viewer.scene.mesh.vertices import VertexMotion

STILL = VertexMotion()
MIDDLE = SurfacePoint(0, 0, (0, 1, 2), (0.5, 0.0, 0.5))
TRIANGLE = np.array(((-1.0, -1.0, 0.0, 1.0), (1.0, -1.0, 0.0, 1.0), (1.0, 1.0, 0.0, 1.0)))


def test_a_point_is_the_weighted_mean_of_its_corners() -> None:
    assert np.allclose(surface_positions(quad(), [MIDDLE], STILL), (0.0, 0.0, 0.0))
    assert surface_values(quad(), MIDDLE, "uv0") == pytest.approx((0.5, 0.5, 0.0, 0.0))


def test_a_corner_of_its_primitive_is_a_point() -> None:
    assert np.allclose(surface_positions(quad(), [MIDDLE.at_corner(1)], STILL), (1.0, -1.0, 0.0))


@pytest.mark.parametrize(
    "gone",
    [SurfacePoint(1, 0, (0,), (1.0,)), SurfacePoint(0, 1, (0,), (1.0,)), SurfacePoint(0, 0, (9,), (1.0,))],
)
def test_a_point_that_the_model_does_not_have_is_not_finite(gone: SurfacePoint) -> None:
    found = surface_positions(quad(), [gone, MIDDLE], STILL)
    assert np.isnan(found[0]).all() and np.isfinite(found[1]).all()
    assert surface_values(quad(), gone, "uv0") is None


def test_weights_are_those_of_the_point_in_the_picture() -> None:
    assert surface_weights(TRIANGLE, (1.0, 0.0)) == pytest.approx((0.0, 0.5, 0.5), abs=1e-9)


def test_weights_have_perspective() -> None:
    near, far = np.array((-1.0, 0.0, 0.0, 1.0)), np.array((3.0, 0.0, 0.0, 3.0))
    weights = surface_weights(np.stack((near, far)), (0.0, 0.0))
    assert weights == pytest.approx((0.75, 0.25)), "the middle of the picture is nearer to the near end"


def test_a_point_beside_the_triangle_is_on_its_edge() -> None:
    weights = surface_weights(TRIANGLE, (1.5, 0.0))
    assert min(weights) >= 0 and sum(weights) == pytest.approx(1.0)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_corners_that_are_all_at_one_place_or_not_finite_have_weights(count: int) -> None:
    for value in (0.0, np.nan, 1e-30):
        weights = surface_weights(np.full((count, 4), value), (0.0, 0.0))
        assert len(weights) == count and sum(weights) == pytest.approx(1.0)
