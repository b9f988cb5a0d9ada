"""Keys that leave their neighbours: the popped key is the first of the list, sharp motion is no outlier."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from tests.animation.motion.measure_key_outliers import cases, real_clips, share, untouched
from tests.animation.motion.turned_keys import clip_of, spun, swing
from tests.conftest import ROOT
from viewer.animation.motion.key_outliers import facts, key_outliers
from viewer.arrays import Array
from viewer.scene.animation import Animation, MorphTrack, Track


def popped(angles: Array, key: int, by: float = 40.0) -> Array:
    changed = angles.copy()
    changed[key] += by
    return changed


BODY = {f"bone {number}": spun(swing(phase=number / 3)) for number in range(10)}
"""Ten bones that swing one after the other."""


@pytest.mark.parametrize("by", [-40.0, -15.0, 15.0, 40.0])
def test_the_turned_key_is_the_first_of_the_list(by: float) -> None:
    first, second = key_outliers(clip_of(**BODY, hand=spun(popped(swing(), 20, by)))).rows(2)
    assert (first.bone, first.key, first.time) == ("hand", 20, 0.5)
    assert first.angle == pytest.approx(abs(by), abs=1)
    assert first.ratio > 3 * second.ratio


@pytest.mark.parametrize("key", [0, 1, 2, 38, 39, 40])
@pytest.mark.parametrize("by", [-40.0, -15.0, 15.0, 40.0])
def test_a_turned_key_near_an_end_is_the_first_or_second_of_the_list(key: int, by: float) -> None:
    rows = key_outliers(clip_of(**BODY, hand=spun(popped(swing(), key, by)))).rows(2)
    assert ("hand", key) in [(row.bone, row.key) for row in rows]


def test_opposite_signs_of_the_same_rotation_are_no_outliers() -> None:
    rotations = spun(swing())
    rotations[::3] *= -1
    assert max(key_outliers(clip_of(hand=rotations)).ratios, default=0) < 0.2


@pytest.mark.parametrize(
    "angles",
    [
        np.minimum(np.arange(41) * 12.0, 240),  # a stop
        np.where(np.arange(41) < 20, 0, 90.0),  # a step
        np.abs(np.arange(41) - 20.0) * 12,  # a turn back
    ],
    ids=["stop", "step", "corner"],
)
def test_sharp_motion_is_no_outlier(angles: Array) -> None:
    assert not any(row.pops for row in key_outliers(clip_of(**BODY, hand=spun(angles))).rows())


def test_a_key_that_leaves_with_many_bones_at_once_counts_less_than_one_alone() -> None:
    stamp = {name: spun(popped(swing(phase=number / 3), 10)) for number, name in enumerate(BODY)}
    stamped = {row.bone: row.ratio for row in key_outliers(clip_of(**stamp)).rows(10)}
    (alone,) = key_outliers(clip_of(**BODY | {"bone 3": stamp["bone 3"]})).rows(1)
    assert alone.ratio > 5 * stamped["bone 3"]


def test_a_restless_track_hides_a_key_that_a_quiet_one_shows() -> None:
    restless = swing() + 20 * np.sin(np.arange(41) * 2.4)
    quiet, hidden = (
        next(row for row in key_outliers(clip_of(hand=spun(popped(angles, 20)))).rows() if row.key == 20)
        for angles in (swing(), restless)
    )
    assert quiet.ratio > 3 * hidden.ratio


def test_a_bone_can_be_left_out() -> None:
    clip = clip_of(**BODY, hand=spun(popped(swing(), 20)))
    assert not any(row.bone == "hand" for row in key_outliers(clip, {"hand"}).rows())


@pytest.mark.parametrize("count", [0, 1, 2])
def test_tracks_of_few_keys_pop_nowhere(count: int) -> None:
    assert not any(row.pops for row in key_outliers(clip_of(hand=spun(np.arange(count) * 5.0))).rows())


def test_keys_that_are_not_finite_keep_the_others_in_the_list() -> None:
    times = np.linspace(0, 1, 41)
    times[[3, 30]] = np.nan, np.inf
    rotations = spun(popped(swing(), 20))
    rotations[8] = np.nan
    rotations[9] = 0
    (first,) = key_outliers(clip_of(times=times, hand=rotations)).rows(1)
    assert first.key == 20
    assert np.isfinite(key_outliers(clip_of(times=times, hand=rotations)).ratios).all()


def test_keys_out_of_order_and_at_one_time_are_measured_in_the_order_of_time() -> None:
    times = np.linspace(0, 1, 41)
    times[[6, 7]] = times[[7, 6]]
    times[12] = times[11]
    rotations = spun(popped(swing(), 20))
    rotations[[6, 7]] = rotations[[7, 6]]
    (first,) = key_outliers(clip_of(times=times, hand=rotations)).rows(1)
    assert (first.key, first.time) == (20, 0.5)


def test_global_sequences_positions_and_morphs_have_no_part_in_it() -> None:
    looping = clip_of(period=0.4, hand=spun(popped(swing(), 20)))
    position = Track("hand", "position", np.arange(3.0), np.eye(3, dtype=np.float32))
    morph = MorphTrack(np.zeros(1, int), np.arange(3.0), np.eye(3, 1, dtype=np.float32))
    for clip in (looping, Animation("a", 1.0, (position,)), Animation("b", 1.0, (), morph_tracks=(morph,))):
        assert facts(clip) == []


def test_facts_are_the_thousand_largest_in_degrees_and_seconds() -> None:
    noise = np.random.default_rng(1).normal(0, 20, (40, 41))
    found = facts(clip_of(**{f"bone {row}": spun(angles) for row, angles in enumerate(noise)}))
    assert len(found) == 1000
    assert [each["ratio"] for each in found] == sorted((each["ratio"] for each in found), reverse=True)
    (first, *_) = facts(clip_of(**BODY, hand=spun(popped(swing(), 20))))
    assert first == {"bone": "hand", "time": 0.5, "angle": pytest.approx(40, abs=1), "ratio": first["ratio"]}


def test_two_hundred_bones_of_ten_thousand_keys_take_less_than_a_second() -> None:
    angles = swing(10_000) + np.random.default_rng(1).normal(0, 1, 10_000)
    clip = clip_of(
        **{f"bone {number}": spun(angles) for number in range(199)}, hand=spun(popped(angles, 5000))
    )
    started = time.process_time()
    (first,) = key_outliers(clip).rows(1)
    assert time.process_time() - started < 3  # half a second on an idle processor
    assert (first.bone, first.key) == ("hand", 5000)


def test_a_sample_of_turned_keys_of_the_samples_clips() -> None:
    found = [case for clip in real_clips([ROOT / "assets"]) for case in cases(clip, 211)]
    for turn, least in ((40, 0.98), (15, 0.9)):
        count, first, _ = share(found, turn, -1, turn / 3)
        assert count > 30
        assert first >= least


def test_a_sample_of_turned_keys_of_real_clips(corpus: Path) -> None:
    clips = list(real_clips([corpus / "ogre" / "media", corpus / "ogre" / "opendungeons", corpus / "m2"]))
    found = [case for clip in clips for case in cases(clip, 997)]
    for turn, least in ((40, 0.98), (15, 0.9)):
        count, first, _ = share(found, turn, -1, turn / 3)
        assert count > 100
        assert first >= least
    assert share(found, 40, -1, 40 / 3)[2] >= 0.8
    names = {clip.name for clip, _ in untouched(clips)}
    assert names == {"jaiqua.mesh:Stagger", "ninja.mesh:Crouch", "ninja.mesh:Walk", "robot.mesh:Walk"}
