"""The heat map: the angular speed of each bone between its keys."""

from __future__ import annotations

import numpy as np
import pytest

from tests.animation.bones import turn
from viewer.animation.motion.heat_map import heat_map, hottest, key_speeds
from viewer.animation.motion.rotation_keys import RotationKeys, rotation_keys
from viewer.scene.animation import Animation, Track


def keys_of(**angles: dict[float, float]) -> RotationKeys:
    """A track for each bone, with an angle in degrees around z at each time."""
    tracks = tuple(
        Track(
            name,
            "rotation",
            np.array([*own], np.float32),
            np.array([turn(angle) for angle in own.values()], np.float32).reshape(-1, 4),
        )
        for name, own in angles.items()
    )
    return rotation_keys(Animation("Turn", 2.0, tracks, tuple(angles)))


def test_the_speed_is_that_from_a_key_to_the_next() -> None:
    keys = keys_of(a={0: 0, 0.5: 45, 1: 45, 2: 15}, b={0: 10})
    np.testing.assert_allclose(key_speeds(keys), (90, 0, 30, 0, 0), atol=1e-3)


def test_both_signs_of_a_rotation_are_the_same() -> None:
    keys = keys_of(a={0: 0, 1: 350})
    assert key_speeds(keys)[0] == pytest.approx(10, abs=0.01)


def test_a_column_has_the_highest_speed_in_it() -> None:
    keys = keys_of(a={0: 0, 1: 10, 1.1: 30, 2: 30}, b={0.5: 0, 1.5: 40})
    speeds = key_speeds(keys)
    cells = heat_map(keys, speeds, (0, None, 1), (0.0, 2.0), 4)
    np.testing.assert_allclose(cells[0], (10, 10, 200, 0), atol=0.1)
    np.testing.assert_allclose(cells[1], 0)
    np.testing.assert_allclose(cells[2], (0, 40, 40, 0), atol=0.1)


def test_zoomed_in_between_two_keys_all_columns_have_their_speed() -> None:
    keys = keys_of(a={0: 0, 1: 10, 2: 60})
    np.testing.assert_allclose(heat_map(keys, key_speeds(keys), (0,), (1.2, 1.3), 3), 50, atol=0.1)
    np.testing.assert_allclose(heat_map(keys, key_speeds(keys), (0,), (-2.0, -1.0), 3), 0)


@pytest.mark.parametrize("angles", [{}, {0: 5}, {0: 0, 1: 0}, {0: 0, np.nan: 90, 1: 20}, {0: 0, 1e-12: 90}])
def test_tracks_of_few_or_broken_keys_have_no_speed_that_is_not_finite(angles: dict[float, float]) -> None:
    keys = keys_of(a=angles)
    speeds = key_speeds(keys)
    assert np.isfinite(speeds).all() and hottest(speeds) >= 1
    assert np.isfinite(heat_map(keys, speeds, (0,), (0.0, 1.0), 5)).all()
