"""The view frustum: spheres inside, across its sides and outside."""

from __future__ import annotations

import math

import numpy as np
import pytest

from viewer.animation.effects.motion_reach import Sphere
from viewer.scene.camera import Orbit
from viewer.view.camera import Frustum, frustum, matrices

BOX = np.array(((-1.0, -1, -1), (1, 1, 1)))


def seen(camera: Orbit) -> Frustum:
    eye = matrices(camera, np.eye(4), (200, 100), BOX)
    return frustum(eye.view, eye.projection)


@pytest.mark.parametrize("camera", [Orbit(yaw=0, pitch=0, distance=4.0), Orbit(distance=4.0, ortho=True)])
def test_what_lies_before_the_camera_is_inside(camera: Orbit) -> None:
    assert not seen(camera).excludes(Sphere(np.zeros(3), 0.0))
    assert not seen(camera).excludes(Sphere(np.full(3, 1e6), 1e7))


@pytest.mark.parametrize("away", [(-9.0, 0, 0), (9, 0, 0), (0, -9, 0), (0, 9, 0), (0, 0, 9)])
def test_what_lies_beside_or_behind_it_is_outside(away: tuple[float, float, float]) -> None:
    view = seen(Orbit(yaw=0.0, pitch=0.0, distance=4.0))
    assert view.excludes(Sphere(np.array(away), 1.0))
    assert not view.excludes(Sphere(np.array(away), 9.0))


def test_the_side_is_where_the_picture_ends() -> None:
    camera = Orbit(yaw=0.0, pitch=0.0, distance=4.0)
    eye = matrices(camera, np.eye(4), (200, 100), BOX)
    edge = 4.0 / eye.projection[1, 1]
    centre, slant = np.array((0.0, edge + 1.0, 0.0)), 1.0 / math.hypot(1.0, edge / 4.0)
    assert seen(camera).excludes(Sphere(centre, slant * 0.99))
    assert not seen(camera).excludes(Sphere(centre, slant * 1.01))


def test_numbers_that_are_not_finite_exclude_nothing() -> None:
    view = seen(Orbit(distance=4.0))
    assert not view.excludes(Sphere(np.zeros(3), math.inf))
    assert not view.excludes(Sphere(np.full(3, math.nan), 1.0))
    assert not view.excludes(Sphere(np.full(3, 9.0), math.nan))


@pytest.mark.usefixtures("any_numbers")
def test_numbers_near_the_largest_exclude_nothing() -> None:
    view = seen(Orbit(distance=4.0))
    largest = float(np.finfo(np.float64).max)
    assert not view.excludes(Sphere(np.zeros(3), largest))
    assert not view.excludes(Sphere(np.full(3, largest), largest))
