"""Poses of OGRE skeletons: relative to the bind pose, scales kept apart, animations averaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.conftest import SHARED, read_json
from viewer.animation.pose import Layer, Pose, pose, rest
from viewer.arrays import Array
from viewer.scene.animation import Animation, Composition, Track
from viewer.scene.maths import IDENTITY, quaternion_product, rotation_matrix
from viewer.scene.model import Model
from viewer.scene.skeleton import Skeleton
from viewer.storage.documents import open_document

POSES = sorted((SHARED / "oracle" / "ogre" / "poses").glob("*.npz"))
NO_TURN = (0.0, 0.0, 0.0, 1.0)
TOLERANCE = 1e-5


def turn(degrees: float) -> Array:
    """A rotation around z."""
    return np.array([0, 0, np.sin(np.radians(degrees) / 2), np.cos(np.radians(degrees) / 2)], np.float32)


def chain(**changes: Any) -> Skeleton:
    """Bones a, b and c, each 1 along x from its parent and turned by 10 degrees."""
    made = Skeleton(
        names=("a", "b", "c"),
        parents=np.array((-1, 0, 1), np.int32),
        positions=np.tile(np.array((1, 0, 0), np.float32), (3, 1)),
        rotations=np.tile(turn(10), (3, 1)),
        scales=np.ones((3, 3), np.float32),
        sheared=False,
    )
    return replace(made, **changes)


def clip(*tracks: tuple[str, str, Any], duration: float = 1.0, **changes: Any) -> Animation:
    """Tracks (bone, path, {time: value})."""
    made = tuple(
        Track(bone, path, np.array(list(keys), np.float32), np.array(list(keys.values()), np.float32))
        for bone, path, keys in tracks
    )
    names = tuple(dict.fromkeys(track.target for track in made))
    return Animation("clip", duration, made, names, 0, Composition.RELATIVE, **changes)


def moved(animation: Animation, time: float = 0.0, skeleton: Skeleton | None = None, **layer: Any) -> Pose:
    return pose(skeleton or chain(), [Layer(animation, time, **layer)])


def test_the_bind_pose_moves_nothing() -> None:
    assert rest(chain()).skin == pytest.approx(np.tile(IDENTITY, (3, 1, 1)), abs=1e-7)


def test_an_identity_key_is_the_bind_pose() -> None:
    still = clip(
        ("b", "position", {0: (0, 0, 0)}), ("b", "rotation", {0: NO_TURN}), ("b", "scale", {0: (1, 1, 1)})
    )
    assert moved(still).world == pytest.approx(rest(chain()).world)


def test_translations_are_added_in_the_parents_axes() -> None:
    made = moved(clip(("b", "position", {0: (0, 2, 0)})))
    assert made.positions[1] == pytest.approx((1, 2, 0))


def test_rotations_come_before_the_bind_rotation() -> None:
    tip = np.array([np.sin(0.4), 0, 0, np.cos(0.4)])
    made = moved(clip(("b", "rotation", {0: tip})))
    assert made.rotations[1] == pytest.approx(quaternion_product(turn(10).astype(np.float64), tip), abs=1e-6)


def test_scales_multiply_and_are_never_sheared() -> None:
    made = moved(clip(("a", "scale", {0: (1, 3, 1)})))
    axes = made.world[2, :, :3]
    assert np.linalg.norm(axes, axis=0) == pytest.approx((1, 3, 1))
    assert axes.T @ axes == pytest.approx(np.diag((1, 9, 1)), abs=1e-6), "the axes stay at right angles"


def test_the_skin_matrix_parts_scale_and_rotation() -> None:
    """q·(s ∘ (v − bind)) + t, also where the bind pose has a scale of its own."""
    skeleton = chain(scales=np.array([(1, 2, 1)] * 3, np.float32))
    made = moved(clip(("b", "scale", {0: (1, 3, 1)}), ("b", "rotation", {0: turn(30)})), skeleton=skeleton)
    bind = rest(skeleton)
    q = rotation_matrix(turn(30).astype(np.float64))
    point = np.array((0.3, -0.7, 0.2))
    expected = made.world[1, :, 3] + q @ (np.array((1, 3, 1)) * (point - bind.world[1, :, 3]))
    assert made.skin[1, :, :3] @ point + made.skin[1, :, 3] == pytest.approx(expected, abs=1e-6)


KEYS = {0.0: (0, 0, 0), 0.5: (2, 0, 0)}


@pytest.mark.parametrize(
    ("time", "looped", "x"),
    [(0.25, True, 1), (0.75, True, 2), (1.0, True, 0), (1.25, True, 1), (1.0, False, 2), (-3, False, 0)],
)
def test_ends_are_held_and_loops_wrap(time: float, looped: bool, x: float) -> None:
    made = moved(clip(("a", "position", KEYS)), time, looped=looped)
    assert made.positions[0, 0] - 1 == pytest.approx(x)


def test_before_the_first_key_the_first_holds() -> None:
    late = clip(("a", "position", {0.5: (2, 0, 0), 1.0: (4, 0, 0)}))
    assert moved(late, 0.1).positions[0, 0] == pytest.approx(3)


def test_of_keys_at_one_time_the_first_counts_at_that_time() -> None:
    times, values = (
        np.array((0, 0.5, 0.5, 1), np.float32),
        np.array([(n, 0, 0) for n in (0, 1, 5, 6)], np.float32),
    )
    steps = replace(clip(("a", "position", KEYS)), tracks=(Track("a", "position", times, values),))
    assert moved(steps, 0.5).positions[0, 0] == pytest.approx(2)
    assert moved(steps, 0.5001).positions[0, 0] > 5.9


def test_a_clip_without_length_is_a_pose() -> None:
    still = clip(("a", "position", {0: (5, 0, 0)}), duration=0.0)
    assert moved(still, 7.0).positions[0, 0] == pytest.approx(6)


def test_rotations_take_the_shorter_way() -> None:
    far = clip(("a", "rotation", {0: turn(0), 1: -turn(90)}))
    assert moved(far, 0.5).rotations[0] == pytest.approx(turn(55), abs=1e-6)


def test_a_weight_makes_the_move_smaller() -> None:
    animation = clip(
        ("a", "position", {0: (4, 0, 0)}), ("a", "rotation", {0: turn(90)}), ("a", "scale", {0: (3, 1, 1)})
    )
    made = moved(animation, weight=0.5)
    assert made.positions[0, 0] == pytest.approx(3)
    assert made.rotations[0] == pytest.approx(turn(55), abs=1e-6)
    assert made.scales[0, 0] == pytest.approx(2)


def test_a_links_scale_takes_the_place_of_the_weight_in_scales_only() -> None:
    linked = clip(("a", "position", {0: (4, 0, 0)}), ("a", "scale", {0: (3, 1, 1)}), link_scale=0.25)
    made = moved(linked, weight=0.5)
    assert made.positions[0, 0] == pytest.approx(1.5)
    assert made.scales[0, 0] == pytest.approx(1.5)


def together(skeleton: Skeleton, *weights: float) -> float:
    """How far along x bone a is moved by clips of 4 each."""
    animation = clip(("a", "position", {0: (4, 0, 0)}))
    made = pose(skeleton, [Layer(animation, 0, weight) for weight in weights])
    return float(made.positions[0, 0]) - 1


def test_animations_are_averaged_where_their_weights_are_more_than_one() -> None:
    assert together(chain(), 1, 1) == pytest.approx(4)
    assert together(chain(), 1, 0.5, 0.5) == pytest.approx(4)
    assert together(chain(), 0.25, 0.5) == pytest.approx(3)


def test_a_cumulative_skeleton_adds_them_up() -> None:
    assert together(chain(cumulative=True), 1, 1) == pytest.approx(8)


@given(st.integers(0, 999))
def test_bones_in_model_space_equal_the_way_down_bone_by_bone(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = 12
    parents = np.array([-1, *(random.integers(-1, bone) for bone in range(1, count))], np.int32)
    turns = random.normal(size=(count, 4))
    skeleton = Skeleton(
        tuple(map(str, range(count))),
        parents,
        random.normal(size=(count, 3)),
        turns / np.linalg.norm(turns, axis=1, keepdims=True),
        random.uniform(0.5, 2, (count, 3)),
        sheared=False,
    )
    made = rest(skeleton).world
    nowhere = (np.zeros(3), np.eye(3), np.ones(3))
    derived: list[tuple[Array, Array, Array]] = []
    for bone, above in enumerate(parents):
        at, q, s = derived[above] if above >= 0 else nowhere
        derived.append(
            (
                at + q @ (s * skeleton.positions[bone]),
                q @ rotation_matrix(skeleton.rotations[bone]),
                s * skeleton.scales[bone],
            )
        )
    for (at, q, s), world in zip(derived, made, strict=True):
        np.testing.assert_allclose(world, np.column_stack((q * s, at)), atol=1e-9)


@pytest.mark.parametrize(
    "path", [path for path in POSES if "talk" not in path.name and "facial" not in path.name]
)
def test_bones_are_where_the_engine_has_them(corpus: Path, path: Path) -> None:
    said = read_json(path.with_suffix(".json"))
    stem = path.stem.rsplit("_", 2)[0]
    mesh = next(found for found in (corpus / "ogre").rglob(f"{stem}.mesh"))
    document = open_document(mesh)
    model = document.content
    assert isinstance(model, Model)
    assert model.skeleton is not None
    animation = next(each for each in document.animations if each.name == said["name"])
    derived = np.load(path)["anim__derived"]
    made = pose(model.skeleton, [Layer(animation, said["time"])])
    limit = TOLERANCE * np.ptp(derived[:, :3], axis=0).max()
    assert np.abs(made.world[:, :, 3] - derived[:, :3]).max() < limit
    expected = rotation_matrix(derived[:, 3:7].astype(np.float64)) * derived[:, None, 7:]
    assert np.abs(made.world[:, :, :3] - expected).max() < 1e-5
