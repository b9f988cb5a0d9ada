"""Poses at many times at once are those of one time after the other, to the last bit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.bones import same, skeleton_of, still
from viewer.animation import pose_batch
from viewer.animation.pose import Layer, pose
from viewer.animation.pose_batch import poses
from viewer.arrays import Array
from viewer.scene.animation import Animation, Composition, Track
from viewer.scene.skeleton import Skeleton

FORK = skeleton_of([-1, 0, 1, 1, -1, 4])
TIMES = np.linspace(-0.7, 3.1, 23)
ENGINES = {
    Composition.ABSOLUTE: FORK,
    Composition.RELATIVE: replace(FORK, sheared=False),
    Composition.PIVOT: replace(FORK, pivots=np.zeros((6, 3))),
}


def clip(composition: Composition = Composition.ABSOLUTE, seed: int = 1) -> Animation:
    """Keys at other times for each bone; every path."""
    dice = np.random.default_rng(seed)

    def track(name: str, path: str, **options: Any) -> Track:
        """Some keys."""
        times = np.sort(dice.uniform(0, 2, dice.integers(1, 9)))
        values = dice.normal(1, 0.5, (len(times), 4 if path == "rotation" else 3)).astype(np.float32)
        return Track(name, path, times, values, **options)

    tracks = [track(name, path) for name in "abde" for path in ("position", "rotation", "scale")]
    if composition is Composition.PIVOT:
        tracks += [track("c", "rotation", period=0.3), track("f", "position", stepped=True)]
    return Animation("clip", 2.0, tuple(tracks), tuple("abcdef"), composition=composition)


def check(skeleton: Skeleton, times: Sequence[Sequence[Layer]], view: Array | None = None) -> None:
    """Both ways have the same poses."""
    found = poses(skeleton, times, view)
    assert len(found) == len(times)
    assert all(same(each, pose(skeleton, layers, view)) for each, layers in zip(found, times, strict=True))


@pytest.mark.parametrize("looped", [True, False])
@pytest.mark.parametrize("composition", ENGINES)
def test_one_clip(composition: Composition, looped: bool) -> None:
    animation = clip(composition)
    check(ENGINES[composition], [[Layer(animation, float(time), looped=looped)] for time in TIMES])


@pytest.mark.parametrize("composition", ENGINES)
def test_mixed_clips_whose_weights_change(composition: Composition) -> None:
    first, second = clip(composition), clip(composition, 2)
    times = [
        [
            Layer(first, time, 1 - number / 22),
            Layer(second, time * 0.7, number / 22, start_bone=1),
            Layer(second, time, 0.5, additive=True),
        ]
        for number, time in enumerate(TIMES.tolist())
    ]
    check(ENGINES[composition], times)


def test_layers_that_differ_from_time_to_time() -> None:
    first, second = clip(), clip(seed=2)
    check(FORK, [[Layer(first, 0.1)], [Layer(second, 0.2)], [], [Layer(first, 0.3), Layer(second, 0.4)]])


def test_weights_of_single_bones() -> None:
    weights = np.linspace(0, 1, 6)
    check(FORK, [[Layer(clip(), float(time), 0.5, bone_weights=weights)] for time in TIMES])


def test_bones_that_turn_to_the_camera() -> None:
    turned = replace(ENGINES[Composition.PIVOT], billboards=np.array((0, 1, 0, 0, 0, 1), np.uint8))
    animation = clip(Composition.PIVOT)
    times = [[Layer(animation, float(time))] for time in TIMES]
    check(turned, times, np.eye(3))
    check(turned, times)


def test_no_layers_no_tracks_no_bones_and_no_times() -> None:
    check(FORK, [[], []])
    check(FORK, [[Layer(still(nobody_position=(1, 2, 3)), float(time))] for time in TIMES])
    check(skeleton_of([]), [[Layer(clip(), 0.0)], [Layer(clip(), 1.0)]])
    check(FORK, [])


def test_more_bones_than_are_posed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pose_batch, "BONES_AT_ONCE", 25)
    animation = clip()
    check(FORK, [[Layer(animation, float(time))] for time in TIMES])


def test_times_are_posed_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    animation = clip()
    monkeypatch.setattr(pose_batch, "pose", lambda *_: pytest.fail("one time after the other"))
    assert len(poses(FORK, [[Layer(animation, float(time))] for time in TIMES])) == len(TIMES)


@pytest.mark.usefixtures("any_numbers")
def test_infinite_numbers_of_a_damaged_file_are_no_error() -> None:
    broken = still(a_position=(np.inf, np.nan, 3e38), b_scale=(3e38, 3e38, 3e38))
    found = poses(FORK, [[Layer(broken, 0.0)], [Layer(broken, 0.5)]])
    assert not np.isfinite(found[1].world).all()
