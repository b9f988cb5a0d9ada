"""Transform feedback over the real mesh.vert, against numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.synthetic import model_of, pose_of, random_skin, skeleton_of, vertex_buffer
from viewer.arrays import Array
from viewer.render.bake import BakedGeometry
from viewer.scene.display import ModelDisplay
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, Morph, MorphTarget, Primitive

Bake = Callable[..., list[BakedGeometry]]
COUNT = 50


def skinned(positions: Array, joints: Array, weights: Array, skin: Array) -> Array:
    """[V, 3]: what the engines' formula gives."""
    blended = np.einsum("vj,vjrc->vrc", weights.astype(np.float64), skin[joints])
    return np.einsum("vrc,vc->vr", blended, np.append(positions, np.ones((len(positions), 1)), axis=1))


def columns(bones: int, influences: int = 4, seed: int = 3) -> dict[str, Array]:
    random = np.random.default_rng(seed)
    weights = random.dirichlet(np.ones(influences), COUNT).astype(np.float32)
    normals = random.normal(size=(COUNT, 3)).astype(np.float32)
    return {
        "position": random.normal(size=(COUNT, 3)).astype(np.float32),
        "normal": normals / np.linalg.norm(normals, axis=1, keepdims=True),
        "joints": random.integers(0, bones, (COUNT, 4)).astype(np.uint8),
        "weights": weights,
    }


def whole(*buffers: Any, **fields: Any) -> Model:
    return model_of(*buffers, indices=np.arange(COUNT // 3 * 3, dtype=np.uint16), **fields)


def shown(geometry: BakedGeometry) -> slice:
    return slice(0, len(geometry.indices))


@pytest.mark.parametrize("bones", [5, 250])
def test_skinning_through_the_identity(baked: Bake, bones: int) -> None:
    data, skin = columns(bones), random_skin(bones)
    (made,) = baked(whole(vertex_buffer(**data), skeleton=skeleton_of(bones)), pose_of(skin))
    expected = skinned(data["position"], data["joints"], data["weights"], skin)
    np.testing.assert_allclose(made.positions[shown(made)], expected[shown(made)], atol=1e-5)


def test_normals_turn_with_the_blended_matrix(baked: Bake) -> None:
    data, skin = columns(4), random_skin(4)
    (made,) = baked(whole(vertex_buffer(**data), skeleton=skeleton_of(4)), pose_of(skin))
    skin[:, :, 3] = 0
    expected = skinned(data["normal"], data["joints"], data["weights"], skin)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(made.normals[shown(made)], expected[shown(made)], atol=1e-5)


def test_a_bone_map_reaches_any_of_300_bones(baked: Bake) -> None:
    data, skin = columns(7), random_skin(300)
    bone_map = np.array((299, 0, 150, 256, 7, 255, 298), np.uint32)
    model = whole(vertex_buffer(**data), geometry={"bone_map": bone_map}, skeleton=skeleton_of(300))
    (made,) = baked(model, pose_of(skin))
    expected = skinned(data["position"], bone_map[data["joints"]], data["weights"], skin)
    np.testing.assert_allclose(made.positions[shown(made)], expected[shown(made)], atol=1e-5)


def test_thousands_of_bones_wrap_into_rows(baked: Bake) -> None:
    data, skin = columns(3), random_skin(2000)
    data["joints"] = np.random.default_rng(5).integers(0, 2000, (COUNT, 4)).astype(np.uint16)
    (made,) = baked(whole(vertex_buffer(**data), skeleton=skeleton_of(2000)), pose_of(skin))
    expected = skinned(data["position"], data["joints"], data["weights"], skin)
    np.testing.assert_allclose(made.positions[shown(made)], expected[shown(made)], atol=1e-5)


def test_byte_weights_in_any_place_of_the_vertex(baked: Bake) -> None:
    data, skin = columns(6), random_skin(6)
    weights = np.round(data.pop("weights") * 255).astype(np.uint8)
    buffer = vertex_buffer(
        ("weights",), 4, weights=weights, **{k: data[k] for k in ("joints", "normal", "position")}
    )
    (made,) = baked(whole(buffer, skeleton=skeleton_of(6)), pose_of(skin))
    expected = skinned(data["position"], data["joints"], weights / 255, skin)
    np.testing.assert_allclose(made.positions[shown(made)], expected[shown(made)], atol=1e-5)


@pytest.mark.parametrize("influences", [1, 2, 3])
def test_missing_weights_are_zero(baked: Bake, influences: int) -> None:
    data, skin = columns(6, influences), random_skin(6)
    (made,) = baked(whole(vertex_buffer(**data), skeleton=skeleton_of(6)), pose_of(skin))
    expected = skinned(data["position"], data["joints"][:, :influences], data["weights"], skin)
    np.testing.assert_allclose(made.positions[shown(made)], expected[shown(made)], atol=1e-5)


def test_attributes_may_lie_in_several_streams(baked: Bake) -> None:
    data, skin = columns(6), random_skin(6)
    first = vertex_buffer(weights=data["weights"], position=data["position"])
    second = vertex_buffer(normal=data["normal"], joints=data["joints"])
    (made,) = baked(whole(first, second, skeleton=skeleton_of(6)), pose_of(skin))
    expected = skinned(data["position"], data["joints"], data["weights"], skin)
    np.testing.assert_allclose(made.positions[shown(made)], expected[shown(made)], atol=1e-5)


def test_joints_that_mean_no_bone_leave_vertices_alone(baked: Bake) -> None:
    data, skin = columns(3), random_skin(3)
    data["joints"][:] = (200, 255, 3, 77)
    model = whole(
        vertex_buffer(**data), geometry={"bone_map": np.array((0, 1, 2, 999))}, skeleton=skeleton_of(3)
    )
    (made,) = baked(model, pose_of(skin))
    np.testing.assert_allclose(made.positions[shown(made)], data["position"][shown(made)], atol=1e-5)


@pytest.mark.parametrize("skeleton", [None, skeleton_of(4)])
def test_without_a_pose_vertices_are_as_the_file_has_them(baked: Bake, skeleton: Any) -> None:
    data = columns(4)
    (made,) = baked(whole(vertex_buffer(**data), skeleton=skeleton))
    np.testing.assert_allclose(made.positions[shown(made)], data["position"][shown(made)], atol=1e-6)
    np.testing.assert_allclose(made.normals[shown(made)], data["normal"][shown(made)], atol=1e-6)


def morphs_of(count: int) -> tuple[Morph, ...]:
    random = np.random.default_rng(9)
    made = []
    for number in range(count):
        vertices = random.permutation(COUNT)[:20].astype(np.uint32)
        deltas = random.normal(size=(2, 20, 3)).astype(np.float32)
        made.append(
            Morph(f"m{number}", (MorphTarget(0, vertices, deltas[0], deltas[1] if number else None),), 0.25)
        )
    return tuple(made)


def test_morphs_add_up_before_skinning(baked: Bake) -> None:
    data, skin, morphs = columns(5), random_skin(5), morphs_of(6)
    weights = {0: 1.0, 1: -0.5, 3: 2.0, 4: 0.0}
    model = whole(vertex_buffer(**data), skeleton=skeleton_of(5), morphs=morphs)
    (made,) = baked(model, pose_of(skin), ModelDisplay(morphs=weights))
    positions, normals = data["position"].astype(np.float64), data["normal"].astype(np.float64)
    for number, morph in enumerate(morphs):
        target, weight = morph.targets[0], weights.get(number, 0.25)
        positions[target.vertices] += weight * target.positions
        if target.normals is not None:
            normals[target.vertices] += weight * target.normals
    expected = skinned(positions, data["joints"], data["weights"], skin)
    np.testing.assert_allclose(made.positions[shown(made)], expected[shown(made)], atol=2e-5)
    skin[:, :, 3] = 0
    turned = skinned(normals, data["joints"], data["weights"], skin)
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    np.testing.assert_allclose(made.normals[shown(made)], turned[shown(made)], atol=2e-5)


def test_only_used_rows_are_numbers(baked: Bake) -> None:
    buffer = vertex_buffer(position=columns(1)["position"])
    (made,) = baked(model_of(buffer, indices=np.array((4, 2, 9), np.uint32)))
    assert np.flatnonzero(np.isfinite(made.positions[:, 0])).tolist() == [2, 4, 9]
    assert made.indices.tolist() == [4, 2, 9] and not np.nan_to_num(made.normals).any()


def test_each_geometry_follows_its_own_level(baked: Bake) -> None:
    buffers = (
        vertex_buffer(position=np.eye(3, dtype=np.float32)),
        vertex_buffer(position=-np.ones((4, 3), "f4")),
    )
    near, far = (Lod(10.0 * n, (n,), 0, 0, 3, Primitive.TRIANGLES) for n in (0, 1))
    geometries = (Geometry("two", (near, far)), Geometry("one", (near,)), Geometry("none", ()))
    model = Model("m", buffers, (IndexBuffer(np.arange(3, dtype=np.uint16)),), geometries)
    two, one, none = baked(model, display=ModelDisplay(lod=7))
    assert [len(two.positions), len(one.positions), len(none.positions)] == [4, 3, 0]
    assert two.positions[0].tolist() == [-1, -1, -1]


def test_indices_past_the_vertices_are_never_drawn(baked: Bake) -> None:
    (made,) = baked(
        model_of(vertex_buffer(position=columns(1)["position"]), indices=np.array((0, 1, COUNT), "u4"))
    )
    assert len(made.indices) == 0 and np.isnan(made.positions).all()


def test_an_empty_vertex_buffer_bakes_to_nothing(baked: Bake) -> None:
    empty = vertex_buffer(position=np.empty((0, 3), np.float32))
    (made,) = baked(model_of(empty, indices=np.empty(0, np.uint16)))
    assert made.positions.shape == (0, 3)


def test_a_morph_of_other_vertices_changes_nothing(baked: Bake) -> None:
    data = columns(2)
    stray = MorphTarget(0, np.array((COUNT + 5,), np.uint32), np.ones((1, 3), np.float32))
    (made,) = baked(whole(vertex_buffer(**data), morphs=(Morph("stray", (stray,), 1.0),)))
    np.testing.assert_allclose(made.positions[shown(made)], data["position"][shown(made)], atol=1e-6)
