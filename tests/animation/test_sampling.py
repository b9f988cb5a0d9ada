from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.animation.clock import clamped, wrapped
from viewer.animation.sampling import PreparedClip, even_times, key_pairs, prepare
from viewer.arrays import Array
from viewer.scene.animation import Animation, Track
from viewer.scene.maths import slerp


def positions(times: list[float], xs: list[float], target: str = "bone") -> Track:
    """A track that moves along x."""
    values = np.zeros((len(xs), 3), np.float32)
    values[:, 0] = xs
    return Track(target, "position", np.array(times, np.float32), values)


def turns(times: list[float], degrees: list[float], target: str = "bone") -> Track:
    """A track that turns around z."""
    half = np.radians(degrees) / 2
    values = np.stack((0 * half, 0 * half, np.sin(half), np.cos(half)), axis=1).astype(np.float32)
    return Track(target, "rotation", np.array(times, np.float32), values)


def clip_of(*tracks: Track, duration: float = 2.0) -> PreparedClip:
    targets = tuple(dict.fromkeys(track.target for track in tracks))
    bones = {name: number for number, name in enumerate(targets)}
    return prepare(Animation("clip", duration, tracks, targets), bones, len(targets))


def x_at(clip: PreparedClip, time: float, looped: bool) -> float:
    return float(clip.sample(np.array([time]), looped).vectors[0, 0, 0])


def degrees_at(clip: PreparedClip, time: float, looped: bool) -> float:
    z, w = clip.sample(np.array([time]), looped).rotations[0, 0, 2:]
    return float(np.degrees(2 * np.arctan2(z, w)))


@pytest.mark.parametrize("looped", [False, True])
@pytest.mark.parametrize(("time", "x"), [(0.5, 10), (0.75, 15), (1.0, 20), (1.25, 10)])
def test_between_two_keys_the_mix_is_linear(time: float, x: float, looped: bool) -> None:
    clip = clip_of(positions([0.5, 1.0, 1.5], [10, 20, 0]))
    assert x_at(clip, time, looped) == pytest.approx(x)


@pytest.mark.parametrize("looped", [False, True])
def test_before_the_first_key_the_first_stretch_goes_on_backwards(looped: bool) -> None:
    clip = clip_of(positions([0.5, 1.0], [10, 20]), turns([0.5, 1.0], [30, 60]))
    assert x_at(clip, 0.25, looped) == pytest.approx(5)
    assert degrees_at(clip, 0.25, looped) == pytest.approx(15)


def test_after_the_last_key_a_loop_goes_on_to_the_first() -> None:
    clip = clip_of(positions([0.0, 1.5], [10, 20]), turns([0.0, 1.5], [0, 90]))
    assert x_at(clip, 1.75, looped=True) == pytest.approx(15)
    assert degrees_at(clip, 1.75, looped=True) == pytest.approx(45)


def test_the_gap_of_a_loop_reaches_to_a_first_key_after_the_start() -> None:
    clip = clip_of(positions([0.5, 1.5], [10, 20]))
    assert x_at(clip, 1.75, looped=True) == pytest.approx(17.5)


def test_after_the_last_key_without_a_loop_it_stands() -> None:
    clip = clip_of(positions([0.0, 1.5], [10, 20]), turns([0.0, 1.5], [0, 90]))
    assert x_at(clip, 1.75, looped=False) == pytest.approx(20)
    assert degrees_at(clip, 1.75, looped=False) == pytest.approx(90)


def test_a_last_key_at_the_very_end_of_a_loop_shows_key_zero() -> None:
    clip = clip_of(positions([0.0, 2.0], [10, 20]))
    ends, factor = clip.timelines.between(np.array([2.0]), 2.0, looped=True)
    assert (ends[1, 0, 0], factor[0, 0]) == (0, 1.0)


@pytest.mark.parametrize("time", [-1.5, 0.5, 2.5, 4.5])
def test_a_loop_wraps_any_time(time: float) -> None:
    assert x_at(clip_of(positions([0.0, 1.0], [0, 10])), time, looped=True) == pytest.approx(5)


@pytest.mark.parametrize(("time", "x"), [(-3.0, 0), (7.0, 20)])
def test_without_a_loop_time_is_clamped(time: float, x: float) -> None:
    assert x_at(clip_of(positions([0.0, 2.0], [0, 20])), time, looped=False) == pytest.approx(x)


@pytest.mark.parametrize("looped", [False, True])
@pytest.mark.parametrize("time", [0.0, 0.7, 1.9])
def test_a_single_key_always_holds(time: float, looped: bool) -> None:
    assert x_at(clip_of(positions([0.7], [3])), time, looped) == 3


def test_keys_at_the_same_time_jump_to_the_later_one() -> None:
    clip = clip_of(positions([0.0, 1.0, 1.0, 2.0], [0, 10, 50, 60]))
    assert x_at(clip, 1.0, looped=False) == pytest.approx(50)
    assert x_at(clip, np.nextafter(1.0, 0), looped=False) == pytest.approx(10)


def test_a_key_counts_from_its_stored_time_on() -> None:
    stored = float(np.float32(0.1))
    clip = clip_of(positions([0.0, 0.1, 0.2], [0, 1, 5]))
    times = np.array((stored, np.nextafter(stored, 0)))
    assert clip.timelines.between(times, 2.0, looped=False)[0][0, 0].tolist() == [1, 0]


def test_rotations_take_the_shorter_way() -> None:
    track = turns([0.0, 1.0], [10, 30])
    track.values[1] *= -1
    assert degrees_at(clip_of(track), 0.5, looped=False) == pytest.approx(20)


def test_of_two_tracks_for_the_same_thing_the_later_one_counts() -> None:
    clip = clip_of(positions([0.0], [1]), positions([0.0], [2]))
    assert clip.sample(np.zeros(1), looped=False).vectors[:, 0, 0].tolist() == [2]


def test_tracks_without_keys_or_bones_are_left_out() -> None:
    stray = Track("nobody", "scale", np.zeros(1, np.float32), np.ones((1, 3), np.float32))
    animation = Animation("clip", 1.0, (positions([], []), stray), ("bone", "nobody"))
    sample = prepare(animation, {"bone": 0}, 1).sample(np.array([0.5]), looped=True)
    assert (len(sample.vectors), len(sample.rotations)) == (0, 0)


def test_scales_have_their_slots_below_the_positions() -> None:
    scale = Track("b", "scale", np.zeros(1, np.float32), np.full((1, 3), 4, np.float32))
    sample = clip_of(positions([0.0], [1], "a"), scale).sample(np.zeros(1), looped=False)
    found = zip(sample.vector_slots.tolist(), sample.vectors[:, 0, 0].tolist(), strict=True)
    assert dict(found) == {0: 1, 3: 4}


def test_equal_rows_of_times_are_kept_once() -> None:
    clip = clip_of(positions([0, 1], [1, 2], "a"), turns([0, 1], [1, 2], "a"), positions([0, 1], [3, 4], "b"))
    assert clip.timelines.times.tolist() == [0.0, 1.0]


def test_a_clip_without_length_shows_its_start() -> None:
    assert x_at(clip_of(positions([0.0, 1.0], [3, 4]), duration=0.0), 0.7, looped=True) == 3


def _one(track: Track, time: float, duration: float, looped: bool) -> Array:
    """One track by the rules of the engine, key by key."""
    times = [float(time) for time in track.times]
    time = wrapped(time, duration) if looped else clamped(time, duration)
    first = max((key for key in range(len(times)) if times[key] <= time), default=0)
    second = first + 1 if first + 1 < len(times) else 0 if looped else first
    gap = times[second] - times[first]
    gap += duration if gap < 0 else 0.0
    factor = (time - times[first]) / gap if gap > 0 else 1.0
    a, b = track.values[[first, second]].astype(np.float64)
    return slerp(a, b, np.array([factor])) if track.path == "rotation" else a + (b - a) * factor


def test_a_part_has_the_tracks_and_rows_of_its_bones_alone() -> None:
    clip = clip_of(positions([0, 1], [1, 2], "a"), turns([0, 2], [9, 9], "b"), positions([0, 2], [3, 5], "b"))
    part = clip.part(np.array([1]), 2)
    sample = part.sample(np.array((0.0, 1.0)), looped=False)
    assert (sample.vector_slots.tolist(), sample.bones.tolist()) == ([0], [0])
    assert sample.vectors[0, :, 0].tolist() == [3, 4]
    assert [each.times.tolist() for each in part.timelines.timings(None)] == [[0, 2]]


def test_the_keys_around_times_hold_outside() -> None:
    first, second, factor = key_pairs(np.array((1.0, 3.0)), np.array((0.0, 1.5, 9.0)))
    assert (first.tolist(), second.tolist()) == ([0, 0, 1], [1, 1, 1])
    assert factor[:2].tolist() == [0, 0.25]
    assert key_pairs(np.array((1.0, 3.0)), np.array([1.5]), stepped=True)[2].tolist() == [0]


@st.composite
def _animations(draw: st.DrawFn) -> Animation:
    tracks = []
    for number in range(draw(st.integers(1, 5))):
        times = sorted(draw(st.lists(st.integers(0, 40), min_size=1, max_size=9)))
        seconds = (np.array(times) / 20).astype(np.float32)
        random = np.random.default_rng(draw(st.integers(0, 99)))
        kind = draw(st.sampled_from(["position", "rotation", "scale"]))
        values = random.normal(size=(len(times), 4 if kind == "rotation" else 3)).astype(np.float32)
        if kind == "rotation":
            values /= np.linalg.norm(values, axis=1, keepdims=True)
        tracks.append(Track(f"bone{number}", kind, seconds, values))
    return Animation("random", draw(st.sampled_from([1.5, 2.0, 2.25])), tuple(tracks))


@given(_animations(), st.lists(st.floats(-5, 5), min_size=1, max_size=3), st.booleans())
def test_all_tracks_and_times_at_once_equal_each_by_itself(
    animation: Animation, times: list[float], looped: bool
) -> None:
    bones = {track.target: number for number, track in enumerate(animation.tracks)}
    sample = prepare(animation, bones, len(bones)).sample(np.array(times), looped)
    for at, time in enumerate(times):
        expected = [(track.path, _one(track, time, animation.duration, looped)) for track in animation.tracks]
        vectors = [value for path, value in expected if path != "rotation"]
        rotations = [value for path, value in expected if path == "rotation"]
        assert np.allclose(sample.vectors[:, at], np.reshape(vectors, (-1, 3)), atol=1e-12)
        assert np.allclose(sample.rotations[:, at], np.reshape(rotations, (-1, 4)), atol=1e-12)


def test_even_times_reach_both_ends_at_no_lower_rate() -> None:
    assert even_times(1.0, 30.0, 300).tolist() == pytest.approx([step / 30 for step in range(31)])
    assert even_times(0.99, 30.0, 300).tolist() == pytest.approx([0.99 * step / 30 for step in range(31)])
    assert even_times(0.001, 30.0, 300).tolist() == [0.0, 0.001]
    assert len(even_times(1e30, 30.0, 300)) == 301
    assert all(even_times(none, 30.0, 300).tolist() == [0.0] for none in (0.0, -1.0, np.inf, np.nan))
