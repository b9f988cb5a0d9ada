"""The bones that carry a model over the ground, and clips that stay in place."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.bones import skeleton_of
from viewer.animation.pose import Layer, poses
from viewer.animation.root_motion import in_place, root_motion
from viewer.arrays import Array
from viewer.scene.animation import Animation, Composition, Track

UP = (0.0, 1.0, 0.0)
BONES = skeleton_of([-1, 0, 1, 2, 0])
"""`a` stands still and carries the hip `b`; `e` lies beside the hip."""
TIMES = np.array((0.0, 0.5, 1.0, 2.0))


def moved(target: str, *values: tuple[float, float, float]) -> Track:
    times = np.linspace(0, 2, len(values)).astype(np.float32)
    return Track(target, "position", times, np.array(values, np.float32))


def clip(*tracks: Track, **more: object) -> Animation:
    targets = tuple(dict.fromkeys(each.target for each in tracks))
    return replace(Animation("Walk", 2.0, tracks, targets), **more)


WALK = clip(moved("a", (0, 0, 0)), moved("b", (1, 0, 0), (1.5, 1, 3), (2, 0, 8)))


def world(animation: Animation, bone: int, skeleton: object = BONES) -> Array:
    return poses(skeleton, (Layer(animation, 0.0, looped=False),), TIMES).world[:, bone, :, 3]  # type: ignore[arg-type]


def test_the_topmost_bone_that_drifts_carries_the_model() -> None:
    found = root_motion(BONES, WALK, UP)
    assert found is not None and (found.bone, found.bones) == (1, (1,))


def test_the_path_is_that_of_the_bone() -> None:
    found = root_motion(BONES, WALK, UP)
    assert found is not None
    assert np.allclose([found.at(time) for time in TIMES], world(WALK, 1), atol=1e-2)
    assert np.allclose(found.path[[0, -1]], world(WALK, 1)[[0, -1]])


@pytest.mark.parametrize("composition", [*Composition])
@pytest.mark.parametrize("scale", [1.0, 2.5])
def test_a_clip_in_place_keeps_its_height_only(composition: Composition, scale: float) -> None:
    own = replace(WALK, composition=composition, link_scale=scale)
    before, after = world(own, 1), world(in_place(BONES, own, UP), 1)
    assert np.allclose(after[:, 1], before[:, 1], atol=1e-6)
    assert np.allclose(after[:, [0, 2]], before[0, [0, 2]], atol=1e-6)


def test_up_is_the_axis_that_is_given() -> None:
    after = world(in_place(BONES, WALK, (0.0, 0.0, 1.0)), 1)
    assert np.allclose(after[:, 2], world(WALK, 1)[:, 2], atol=1e-6)
    assert np.allclose(after[:, :2], after[0, :2], atol=1e-6)


def test_bones_beside_the_carrier_lose_its_motion() -> None:
    both = clip(*WALK.tracks, moved("e", (1, 0, 0), (4, 0, 0), (1, 0, 9)))
    found = root_motion(BONES, both, UP)
    assert found is not None and found.bones == (1, 4)
    apart = world(both, 4) - world(both, 1)
    still = world(found.still, 4) - world(found.still, 1)
    assert np.allclose(still[[0, 3]], apart[[0, 3]], atol=1e-5)


@pytest.mark.parametrize(
    "tracks",
    [
        (moved("b", (1, 0, 0), (9, 0, 9), (1, 0, 0)),),
        (moved("b", (1, 0, 0), (1, 9, 0)),),
        (moved("b", (1, 0, 0), (1.01, 0, 0)),),
        (moved("d", (1, 0, 0), (1, 0, 9)),),
        (moved("b", (1, 0, 0)),),
        (moved("z", (1, 0, 0), (1, 0, 9)),),
        (),
    ],
    ids=["comes back", "rises", "hardly moves", "a hand", "one key", "no bone", "no track"],
)
def test_without_root_motion_a_clip_is_unchanged(tracks: tuple[Track, ...]) -> None:
    own = clip(*tracks)
    flat = skeleton_of([-1, 0, 1, 2, 0], rotations=np.tile(np.array((0, 0, 0, 1), np.float32), (5, 1)))
    assert root_motion(flat, own, UP) is None and in_place(flat, own, UP) is own


@pytest.mark.parametrize("length", [0.0, np.inf, np.nan])
def test_a_clip_without_a_length_has_no_root_motion(length: float) -> None:
    assert root_motion(BONES, replace(WALK, duration=length), UP) is None


def test_numbers_that_are_not_finite_make_no_path() -> None:
    with np.errstate(invalid="ignore"):
        assert root_motion(BONES, clip(moved("b", (1, 0, 0), (np.nan, 0, 0), (1, 0, 9))), UP) is None
