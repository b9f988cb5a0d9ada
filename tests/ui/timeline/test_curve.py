"""Curves are what the pose samples."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.animation.pose import Layer, pose
from viewer.scene.animation import Animation, Track
from viewer.scene.maths import normalise
from viewer.scene.skeleton import Skeleton
from viewer.ui.timeline.curve import channels, curve, euler, line

REST = np.array(((0.0, 0, 0, 1),))
BONE = Skeleton(("hip",), np.array([-1], np.int32), REST[:, :3], REST, np.ones((1, 3)))


def clip(count: int, first: float = 0.1, seed: int = 3) -> Animation:
    """Random keys between `first` and 0.9 of a second."""
    random = np.random.default_rng(seed)
    times = np.sort(random.uniform(first, 0.9, count)).astype("<f4")
    rotations = normalise(random.normal(size=(count, 4))).astype("<f4")
    tracks = (
        Track("hip", "position", times, random.normal(size=(count, 3)).astype("<f4")),
        Track("hip", "rotation", times, rotations),
        Track("hip", "scale", times, random.uniform(0.5, 2, (count, 3)).astype("<f4")),
    )
    return Animation("A", 1.0, tracks, ("hip",))


@pytest.mark.parametrize("count", [1, 2, 7, 64])
@pytest.mark.parametrize("looped", [True, False])
def test_a_curve_is_what_the_pose_samples(count: int, looped: bool) -> None:
    moved = clip(count)
    times = np.linspace(0, 0.999, 57)
    posed = [pose(BONE, [Layer(moved, time, looped=looped)]) for time in times]
    expected = {
        "position": [each.positions[0] for each in posed],
        "rotation": [each.rotations[0] for each in posed],
        "scale": [each.scales[0] for each in posed],
    }
    for track in moved.tracks:
        assert np.array_equal(curve(track, times, 1.0, looped), np.array(expected[track.path]))


def test_of_two_tracks_for_a_channel_the_later_one_shows() -> None:
    first, second = clip(2).tracks[0], clip(3).tracks[0]
    found = channels(Animation("A", 1.0, (first, second), ("hip",)), "hip")
    assert found == {"position": second}


def quaternion(axis: int, degrees: float) -> np.ndarray:
    half = np.radians(degrees) / 2
    made = np.zeros(4)
    made[axis], made[3] = np.sin(half), np.cos(half)
    return made


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_turn_around_one_axis_is_its_angle(axis: int) -> None:
    angles = np.array([-80.0, -10, 0, 35, 85])
    found = euler(np.array([quaternion(axis, angle) for angle in angles]))
    assert found[:, axis] == pytest.approx(angles)
    assert np.delete(found, axis, 1) == pytest.approx(0, abs=1e-9)


def test_angles_go_on_past_half_a_turn() -> None:
    found = euler(np.array([quaternion(1, angle) for angle in range(0, 720, 30)]))
    assert found[:, 1] == pytest.approx(np.arange(0, 720, 30))


def test_a_line_of_few_keys_holds_each_of_them() -> None:
    track = clip(9).tracks[0]
    drawn = line(track, (-1.0, 2.0), 100, 1.0, True, True)
    assert drawn.times[[0, -1]].tolist() == [0, 1]
    assert drawn.times[drawn.keys] == pytest.approx(track.times)
    assert drawn.values[drawn.keys] == pytest.approx(track.values)


def test_a_line_of_many_keys_keeps_the_extremes() -> None:
    track = clip(10_000).tracks[0]
    drawn = line(track, (0.0, 1.0), 50, 1.0, True, True)
    assert len(drawn.times) <= 100 and not len(drawn.keys)
    assert drawn.values.max(axis=0) == pytest.approx(track.values.max(axis=0))
    assert drawn.values.min(axis=0) == pytest.approx(track.values.min(axis=0))


def test_a_line_outside_the_clip_is_empty() -> None:
    drawn = line(clip(5).tracks[1], (2.0, 3.0), 50, 1.0, True, False)
    assert len(drawn.times) == len(drawn.values) == 0


def test_rotations_as_quaternions_or_angles() -> None:
    track = clip(5).tracks[1]
    assert line(track, (0, 1), 50, 1.0, True, False).values.shape[1] == 4
    assert line(track, (0, 1), 50, 1.0, True, True).values.shape[1] == 3
