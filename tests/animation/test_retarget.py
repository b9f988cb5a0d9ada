"""Clips that play on another skeleton."""

from __future__ import annotations

import gc
from weakref import ref

import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.bones import skeleton_of
from viewer.animation.hierarchy import hierarchy
from viewer.animation.pose import Layer, poses, rest
from viewer.animation.retarget import retargeted
from viewer.animation.root_motion import in_place
from viewer.arrays import Array
from viewer.scene.animation import Animation, ClipRig, Composition, Track, match
from viewer.scene.maths import normalise, quaternion_inverse, quaternion_product, rotation_matrix
from viewer.scene.skeleton import Skeleton

PARENTS = [-1, 0, 1, 2, 1, 4, 0, 6]
"""A root, a hip with two spine bones and an arm of two bones, and a leg of two bones."""
TIMES = np.linspace(0.0, 0.999, 23)
WORLD = np.eye(4)
MIRROR = np.diag((1.0, 1.0, -1.0))


def rig() -> Skeleton:
    """Bones without symmetry, with turned rest poses."""
    random = np.random.default_rng(5)
    positions = random.uniform(-1, 1, (len(PARENTS), 3)) + np.array((0, 0.5, 0))
    rotations = normalise(random.normal(size=(len(PARENTS), 4)))
    return skeleton_of(PARENTS, positions=positions, rotations=rotations)


def clip(skeleton: Skeleton, composition: Composition = Composition.RELATIVE) -> Animation:
    """All bones turn; the hip `b` moves as well."""
    random, times = np.random.default_rng(6), np.array((0, 0.3, 0.7, 1.0))
    tracks = [
        Track(name, "rotation", times, normalise(random.normal(size=(4, 4)) * 0.3 + (0, 0, 0, 1)))
        for name in skeleton.names
    ]
    tracks.append(Track("b", "position", times, random.uniform(-1, 1, (4, 3))))
    return Animation(
        "Walk", 1.0, tuple(tracks), skeleton.names, composition=composition, rig=ClipRig(skeleton)
    )


def joints(skeleton: Skeleton, animation: Animation) -> Array:
    return poses(skeleton, (Layer(animation, 0.0, looped=False),), TIMES).world[..., 3]


def whole_rotations(skeleton: Skeleton) -> Array:
    return hierarchy(skeleton.parents).accumulate(skeleton.rotations, quaternion_product)


def placed(skeleton: Skeleton, points: Array, whole: Array) -> Skeleton:
    """The skeleton with other rest positions [B, 3] and rotations [B, 4] in the model's axes."""
    parents = skeleton.parents
    above = np.concatenate((whole, [[0, 0, 0, 1]]))[parents]
    start = np.concatenate((points, [[0, 0, 0]]))[parents]
    local = quaternion_product(quaternion_inverse(above), whole)
    steps = np.einsum("bji,bj->bi", rotation_matrix(above), points - start)
    return replace(skeleton, positions=steps, rotations=local)


@pytest.mark.parametrize("composition", [*Composition])
def test_equal_rest_poses_need_no_conversion(composition: Composition) -> None:
    source = rig()
    order = np.arange(len(source))
    other = replace(source, rotations=source.rotations * np.where(order % 2, -1, 1)[:, None])
    animation = clip(source, composition)
    assert retargeted(animation, other, WORLD) is animation
    assert retargeted(replace(animation, rig=None), skeleton_of(PARENTS), WORLD).rig is None


def test_other_rest_rotations_give_the_same_joints() -> None:
    source = rig()
    random = np.random.default_rng(7)
    whole = quaternion_product(whole_rotations(source), normalise(random.normal(size=(len(source), 4))))
    other = placed(source, rest(source).world[..., 3], whole)
    assert np.allclose(rest(other).world[..., 3], rest(source).world[..., 3])
    animation = clip(source)
    expected, found = joints(source, animation), joints(other, retargeted(animation, other, WORLD))
    assert np.abs(found - expected).max() < 2e-3
    assert np.abs(found - joints(other, animation)).max() > 0.1, "the clip itself poses it in another way"


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_a_mirrored_and_scaled_copy_moves_like_the_original(scale: float) -> None:
    source = rig()
    whole = whole_rotations(source) * (-1, -1, 1, 1)  # a rotation seen in a mirror at z = 0
    other = placed(source, rest(source).world[..., 3] @ MIRROR * scale, whole)
    animation = clip(source)
    expected = joints(source, animation) @ MIRROR * scale
    found = joints(other, retargeted(animation, other, WORLD))
    assert np.abs(found - expected).max() < 2e-3 * scale


def test_axes_of_the_formats_count_where_the_rest_poses_say_nothing() -> None:
    source = skeleton_of([-1, 0], rotations=np.tile((0.0, 0, 0, 1), (2, 1)))
    other = replace(source, positions=source.positions * 2)
    turn = np.array(((0.0, 0, np.sin(0.3), np.cos(0.3)),) * 2)
    animation = Animation(
        "Turn", 1.0, (Track("a", "rotation", np.array((0.0, 1.0)), turn),), ("a",), rig=ClipRig(source)
    )
    z_up = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])
    made = retargeted(animation, other, z_up)
    (track,) = (each for each in made.tracks if each.path == "rotation")
    assert np.allclose(track.values, (0, -np.sin(0.3), 0, np.cos(0.3)), atol=1e-6)


def test_other_lengths_keep_their_bones_and_scale_the_motion_of_the_hip() -> None:
    source = rig()
    points = rest(source).world[..., 3]
    other = placed(source, points * 3 + np.linspace(0, 1, 8)[:, None] ** 2, whole_rotations(source))
    made = retargeted(clip(source), other, WORLD)
    still = {each.target for each in made.tracks if each.path == "position"}
    assert still <= {"a", "b"} and "b" in still
    lengths = np.linalg.norm(other.positions, axis=1)[2:]
    posed = poses(other, (Layer(made, 0.0),), TIMES)
    assert np.allclose(np.linalg.norm(posed.positions, axis=-1)[:, 2:], lengths, rtol=1e-5)


def test_a_bone_in_between_that_the_model_lacks_turns_the_bones_below() -> None:
    source = rig()
    names = tuple("spare" if name == "c" else name for name in source.names)
    other = replace(placed(source, rest(source).world[..., 3] * 2, whole_rotations(source)), names=names)
    only = clip(source)
    only = replace(only, tracks=tuple(each for each in only.tracks if each.target == "c"), targets=("c",))
    made = retargeted(only, other, WORLD)
    assert {each.target for each in made.tracks if each.path == "rotation"} == {"d"}
    assert match(made, other.names).unmatched == ("c",), "it stays in the report"


def test_a_skeleton_without_a_bone_of_the_clip_gets_no_tracks_and_no_warning() -> None:
    source = rig()
    other = replace(
        source, names=tuple(f"other {name}" for name in source.names), positions=source.positions * 2
    )
    assert retargeted(clip(source), other, WORLD).tracks == ()


def test_bones_without_a_track_are_left_to_other_layers() -> None:
    source = rig()
    other = placed(source, rest(source).world[..., 3] * 2, whole_rotations(source))
    arm = clip(source)
    arm = replace(arm, tracks=tuple(each for each in arm.tracks if each.target in "ef"), targets=("e", "f"))
    assert {each.target for each in retargeted(arm, other, WORLD).tracks} == {"e", "f"}


def test_the_converted_clip_is_made_once_and_keeps_no_skeleton() -> None:
    source = rig()
    other = placed(source, rest(source).world[..., 3] * 2, whole_rotations(source))
    animation = clip(source)
    made = retargeted(animation, other, WORLD)
    assert retargeted(animation, other, WORLD) is made and made.rig is None
    assert retargeted(animation, source, WORLD) is animation


@pytest.mark.parametrize("length", [0.0, np.inf, np.nan])
def test_a_clip_without_a_length_is_one_pose(length: float) -> None:
    source = rig()
    other = placed(source, rest(source).world[..., 3] * 2, whole_rotations(source))
    made = retargeted(replace(clip(source), duration=length), other, WORLD)
    assert all(np.isfinite(each.values).all() for each in made.tracks)


def test_a_skeleton_that_nothing_uses_is_freed_with_its_clips() -> None:
    source = rig()
    other = placed(source, rest(source).world[..., 3] * 2, whole_rotations(source))
    animation = clip(source)
    made = retargeted(animation, other, WORLD)
    still = in_place(other, made, (0.0, 1.0, 0.0)), in_place(source, animation, (0.0, 1.0, 0.0))
    assert all(each.rig is None for each in still)
    gone = ref(source), ref(other)
    del source, other, animation, made, still
    gc.collect()
    assert [each() for each in gone] == [None, None]
