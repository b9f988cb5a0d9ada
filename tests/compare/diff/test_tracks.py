"""Two tracks sampled at the keys of both, also of engines that combine keys with the rest pose otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.compare.axes_change import MIRRORS, NO_CHANGE, AxesChange
from viewer.compare.diff.deviation import Tolerance
from viewer.compare.diff.tracks import POSITION, ROTATION, SCALE, TrackSide, deviation, same_keys
from viewer.scene.animation import Composition, Track
from viewer.scene.maths import normalise, quaternion_product
from viewer.scene.skeleton import Skeleton

RANDOM = np.random.default_rng(2)
TIMES = np.array([0.0, 0.5, 1.0])
TOLERANCE = Tolerance(1e-5)
ABSOLUTE, RELATIVE = Composition.ABSOLUTE, Composition.RELATIVE


def turns(count: int) -> Array:
    """[count, 4] rotations."""
    return normalise(RANDOM.normal(size=(count, 4)))


REST = Skeleton(
    ("tip",), np.array([-1], np.int32), np.array([[1.0, 2, 3]]), turns(1), np.array([[1.0, 2, 1]])
)


def track(path: str, values: Array, times: Array = TIMES) -> Track:
    """A track of the bone `tip`."""
    return Track("tip", path, times, values)


@pytest.mark.parametrize(
    "axes", [NO_CHANGE, MIRRORS[0], MIRRORS[0].scaled(100)], ids=["same", "mirrored", "scaled"]
)
@pytest.mark.parametrize("path", [ROTATION, POSITION, SCALE])
def test_relative_keys_with_their_rest_pose_are_as_good_as_absolute_ones(path: str, axes: AxesChange) -> None:
    mirror = np.array([1, 1, -1]) if axes.text else np.ones(3)
    if path == ROTATION:
        relative = turns(3)
        absolute = quaternion_product(np.broadcast_to(REST.rotations, (3, 4)), relative)
        stored = absolute * np.append(mirror * np.prod(mirror), 1)
    elif path == POSITION:
        relative = RANDOM.normal(size=(3, 3))
        stored = (REST.positions + relative) * mirror / axes.factor
    else:
        relative = RANDOM.random((3, 3)) + 0.5
        stored = REST.scales * relative
    one = TrackSide(track(path, relative), RELATIVE, REST, 0)
    other = TrackSide(track(path, stored), ABSOLUTE, replace(REST), 0)
    found = deviation(path, one, other, axes, TOLERANCE)
    assert found is not None and found.most < 1e-5


def test_missing_keys_are_the_rest_pose() -> None:
    still = TrackSide(track(POSITION, np.tile(REST.positions, (3, 1))), ABSOLUTE, REST, 0)
    nothing = TrackSide(None, ABSOLUTE, REST, 0)
    found = deviation(POSITION, still, nothing, NO_CHANGE, TOLERANCE)
    assert found is not None and not found.counts
    assert deviation(POSITION, still, TrackSide(None, ABSOLUTE), NO_CHANGE, TOLERANCE) is None


def test_the_largest_deviation_lies_at_a_key_of_either() -> None:
    one = track(POSITION, np.array([[0.0, 0, 0], [0, 0, 0]]), np.array([0.0, 1.0]))
    other = track(POSITION, np.array([[0.0, 0, 0], [0, 3, 4], [0, 0, 0]]), np.array([0.0, 0.25, 1.0]))
    found = deviation(POSITION, TrackSide(one, ABSOLUTE), TrackSide(other, ABSOLUTE), NO_CHANGE, TOLERANCE)
    assert found is not None
    assert (found.most, found.at) == (5.0, 0.25) and found.times.tolist() == [0.0, 0.25, 1.0]


def test_stepped_keys_hold_until_the_next() -> None:
    values = np.array([[0.0, 0, 0], [0, 1, 0]])
    smooth = track(POSITION, values, np.array([0.0, 1.0]))
    between = TrackSide(track(POSITION, np.zeros((3, 3))), ABSOLUTE)
    found = deviation(
        POSITION, TrackSide(replace(smooth, stepped=True), ABSOLUTE), between, NO_CHANGE, TOLERANCE
    )
    assert found is not None and found.amounts.tolist() == [0.0, 0.0, 1.0]
    assert not same_keys(smooth, replace(smooth, stepped=True)) and same_keys(smooth, replace(smooth))
