from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.bones import CHAIN, skeleton_of, turn
from viewer.animation.clock import TimeMap
from viewer.animation.motion.clip_difference import MOST_TIMES, Motion, clip_difference
from viewer.animation.pose import Layer
from viewer.arrays import Array
from viewer.scene.animation import Animation, Track
from viewer.scene.skeleton import Skeleton


def clip(
    *angles: float,
    length: float = 1.0,
    target: str = "b",
    times: Sequence[float] | None = None,
    period: float | None = None,
) -> Animation:
    """A clip that turns one bone around z by degrees, with keys at equal steps."""
    at = np.linspace(0, length, len(angles)) if times is None else np.array(times)
    values = np.array([turn(each) for each in angles], np.float32).reshape(-1, 4)
    track = Track(target, "rotation", at.astype(np.float32), values, period=period)
    return Animation("clip", length, (track,) if len(angles) else (), (target,))


def motion(made: Animation, skeleton: Skeleton = CHAIN) -> Motion:
    return Motion(skeleton, (Layer(made, 0.0),), (0.0, made.duration))


def row(found: Array, times: Array, at: float) -> list[float]:
    return list(found[int(np.argmin(abs(times - at)))].round(3).tolist())


def test_a_turned_key_is_the_largest_difference_of_its_bone_at_its_time() -> None:
    found = clip_difference(motion(clip(0, 10, 20, 30, 40)), motion(clip(0, 10, 60, 30, 40)))
    first, second, third = found.peaks
    assert (first.name, first.bone, first.other) == ("b", 1, 1)
    assert (first.angle, first.time, first.other_time) == pytest.approx((40, 0.5, 0.5), abs=1e-3)
    assert (second.angle, third.angle) == (0, 0)  # angles are relative to the parent


def test_distances_are_those_of_bones_in_the_model() -> None:
    found = clip_difference(motion(clip(0, 0, 0)), motion(clip(0, 60, 0)))
    c = next(each for each in found.peaks if each.name == "c")
    assert (c.angle, c.distance) == pytest.approx((0, 1), abs=1e-4)  # c is 1 away from b, which turns
    assert (c.time, c.distance_time) == pytest.approx((0.5, 0.5), abs=1e-3)
    assert [each.name for each in found.peaks] == ["b", "c", "a"]


def test_clips_of_other_length_are_the_same_by_share_and_not_by_seconds() -> None:
    walk, run = clip(0, 40, 0), clip(0, 40, 0, length=0.5)
    assert clip_difference(motion(walk), motion(run), TimeMap(0.5)).angles.max() < 1e-3
    by_seconds = clip_difference(motion(walk), motion(run))
    assert row(by_seconds.angles, by_seconds.times, 0.5)[1] == pytest.approx(40, abs=0.1)
    assert row(by_seconds.angles, by_seconds.times, 0.25)[1] == pytest.approx(20, abs=0.1)


def test_keys_of_the_second_clip_are_sampled_where_the_first_clip_meets_them() -> None:
    spike = clip(0, 0, 50, 0, 0, times=(0, 0.1, 0.1012, 0.1024, 0.25), length=0.25)
    for tie, at in ((TimeMap(0.25), 4 * 0.1012), (TimeMap(), 0.1012)):
        found = clip_difference(motion(clip(0, 0)), motion(spike), tie)
        assert found.peaks[0].angle == pytest.approx(50, abs=1e-2), tie
        assert found.peaks[0].time == pytest.approx(at, abs=1e-3)


def test_without_a_tie_the_second_clip_stays_at_one_moment() -> None:
    found = clip_difference(motion(clip(0, 90)), motion(clip(0, 90)), TimeMap(0.0, 0.5))
    assert found.other_times.tolist() == [0.5] * len(found.times)
    assert row(found.angles, found.times, 0.5)[1] == pytest.approx(0, abs=1.6)
    assert row(found.angles, found.times, 0)[1] == pytest.approx(45, abs=0.1)


def test_bones_are_matched_by_name() -> None:
    other = replace(skeleton_of([-1, 0, 0]), names=("c", "b", "hat"))
    found = clip_difference(motion(clip(0, 0, target="hat"), CHAIN), motion(clip(30, 30), other))
    assert found.names == ("b", "c")
    assert found.pairs.first.tolist() == [1, 2] and found.pairs.second.tolist() == [1, 0]
    assert found.peaks[0].angle == pytest.approx(20, abs=1e-3)  # the rest pose of b is turned by 10


def test_skeletons_without_a_common_bone_have_no_difference() -> None:
    stranger = replace(CHAIN, names=("x", "y", "z"))
    found = clip_difference(motion(clip(0, 9)), motion(clip(0, 9), stranger))
    assert found.peaks == [] and found.angles.shape == (len(found.times), 0)


@pytest.mark.parametrize("angles", [(), (30.0,)])
def test_clips_without_length_are_compared_at_one_time(angles: tuple[float, ...]) -> None:
    found = clip_difference(motion(clip(*angles, length=0)), motion(clip(10, 10)), TimeMap(0.0))
    assert found.times.tolist() == [0] and found.other_times.tolist() == [0]
    assert found.peaks[0].angle == pytest.approx(20 if angles else 0, abs=1e-3)


def test_times_that_are_not_finite_are_no_samples() -> None:
    strange = clip(0, 30, 60, times=(0, np.nan, 1))
    found = clip_difference(motion(strange), motion(clip(0, 30, 60)))
    assert np.isfinite(found.times).all() and len(found.peaks) == 3


def test_values_that_are_not_finite_are_as_far_as_can_be() -> None:
    strange = clip(np.nan, np.nan)
    first, second, *_ = clip_difference(motion(strange), motion(clip(0, 0))).peaks
    assert first.angle == 180 and np.isinf(second.distance)


def test_many_keys_are_thinned_over_the_whole_clip() -> None:
    many = clip(*np.sin(np.arange(10_000)) * 30)
    found = clip_difference(motion(many), motion(clip(0, 0)))
    assert len(found.times) == MOST_TIMES
    assert found.times[0] == 0 and found.times[-1] == pytest.approx(1, abs=1e-4)


def test_global_sequences_make_no_difference() -> None:
    ears = clip(0, 40, 0, target="c", period=0.3)
    walk = replace(clip(0, 40, 0), tracks=(*clip(0, 40, 0).tracks, *ears.tracks))
    run = replace(walk, duration=2.0)
    found = clip_difference(motion(walk), motion(run), TimeMap(2.0))
    assert next(each for each in found.peaks if each.name == "c").angle == 0
