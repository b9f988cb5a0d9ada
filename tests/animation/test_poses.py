"""Poses at many times at once are those of one time after the other, to the last bit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.bones import same, skeleton_of, still
from viewer.animation.pose import Layer, pose, poses
from viewer.animation.rig import rig
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


def check(
    skeleton: Skeleton,
    layers: Sequence[Layer],
    view: Array | None = None,
    weights: Array | None = None,
) -> None:
    """All times at once have the poses of one time after the other."""
    found = poses(skeleton, layers, TIMES, view, weights)
    assert len(found) == len(TIMES)
    for number, (each, time) in enumerate(zip(found, TIMES.tolist(), strict=True)):
        shares = [layer.weight for layer in layers] if weights is None else weights[:, number].tolist()
        alone = [replace(layer, time=time, weight=share) for layer, share in zip(layers, shares, strict=True)]
        assert same(each, pose(skeleton, alone, view))


@pytest.mark.parametrize("looped", [True, False])
@pytest.mark.parametrize("composition", ENGINES)
def test_one_clip(composition: Composition, looped: bool) -> None:
    check(ENGINES[composition], [Layer(clip(composition), 0.0, looped=looped)])


@pytest.mark.parametrize("composition", ENGINES)
def test_mixed_clips_whose_weights_change(composition: Composition) -> None:
    first, second = clip(composition), clip(composition, 2)
    layers = [Layer(first, 0.0), Layer(second, 0.0, start_bone=1), Layer(second, 0.0, 0.5, additive=True)]
    fade = np.linspace(0, 1, len(TIMES))
    check(ENGINES[composition], layers, weights=np.stack((1 - fade, fade, np.full(len(TIMES), 0.5))))


def test_weights_of_single_bones() -> None:
    check(FORK, [Layer(clip(), 0.0, 0.5, bone_weights=np.linspace(0, 1, 6))])


@pytest.mark.parametrize("ignores", [None, np.array((0, 0, 7, 3, 0, 6), np.uint8)])
def test_bones_that_turn_to_the_camera(ignores: Array | None) -> None:
    billboards = np.array((0, 1, 0, 0, 0, 3), np.uint8)
    turned = replace(ENGINES[Composition.PIVOT], billboards=billboards, ignores=ignores)
    layers = [Layer(clip(Composition.PIVOT), 0.0)]
    check(turned, layers, np.eye(3))
    check(turned, layers)


def test_no_layers_no_tracks_no_bones_and_no_times() -> None:
    check(FORK, [])
    check(FORK, [Layer(still(nobody_position=(1, 2, 3)), 0.0)])
    check(skeleton_of([]), [Layer(clip(), 0.0)])
    assert len(poses(FORK, [], np.empty(0))) == 0


@pytest.mark.parametrize("bones", [(0,), (3,), (5, 2)])
@pytest.mark.parametrize("composition", ENGINES)
def test_some_bones_are_posed_as_in_the_whole_skeleton(
    composition: Composition, bones: tuple[int, ...]
) -> None:
    skeleton = replace(ENGINES[composition], billboards=np.array((0, 0, 1, 0, 1, 0), np.uint8))
    layers = [Layer(clip(composition), 0.0), Layer(clip(composition, 2), 0.0, 0.5, start_bone=1)]
    chosen = rig(skeleton, bones).bones
    assert set(bones) <= set(chosen.tolist()) and len(chosen) < len(skeleton)
    whole, some = (poses(skeleton, layers, TIMES, np.eye(3), bones=each) for each in (None, bones))
    np.testing.assert_allclose(some.skin, whole.skin[:, chosen], atol=1e-12)
    np.testing.assert_allclose(some.rotations, whole.rotations[:, chosen], atol=1e-12)


@pytest.mark.usefixtures("any_numbers")
def test_infinite_numbers_of_a_damaged_file_are_no_error() -> None:
    broken = still(a_position=(np.inf, np.nan, 3e38), b_scale=(3e38, 3e38, 3e38))
    assert not np.isfinite(poses(FORK, [Layer(broken, 0.0)], TIMES).world).all()


@pytest.mark.usefixtures("any_numbers")
def test_a_signalling_nan_of_a_damaged_file_stays_a_nan() -> None:
    values = np.array([0x7F800001] * 3, np.uint32).view(np.float32).reshape(1, 3)
    track = Track("a", "position", np.zeros(1, np.float32), values)
    broken = Animation("broken", 1.0, (track,), ("a",))
    assert np.isnan(poses(FORK, [Layer(broken, 0.0)], TIMES).positions[:, 0]).all()
