"""Vertices that move without bones, in the real mesh.vert: whole shapes, whole normals, and the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.conftest import SHARED, read_json
from tests.synthetic import model_of, pose_of, random_skin, skeleton_of, vertex_buffer
from viewer.animation.pose import Layer, Pose, moves, pose
from viewer.arrays import Array
from viewer.render.bake import BakedGeometry
from viewer.scene.display import ModelDisplay
from viewer.scene.mesh.vertices import ShapeBlend, posed
from viewer.scene.model import Model, Morph, MorphTarget, Shape
from viewer.scene.skeleton import BONELESS
from viewer.storage.documents import open_document

Bake = Callable[..., list[BakedGeometry]]

COUNT = 600
"""Enough for three shapes with normals to fill more than one row of a table."""
STILL = pose(BONELESS)
POSES = sorted((SHARED / "oracle" / "ogre" / "poses").glob("*.npz"))
TOLERANCE, TURN_TOLERANCE = 1e-5, 1e-3


def directions(seed: int, count: int = COUNT) -> Array:
    made = np.random.default_rng(seed).normal(size=(count, 3)).astype(np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True))


def shaped(normals: bool, **columns: Array) -> Model:
    """A cloud of points with three shapes."""
    shapes = tuple(
        Shape(0, 3 * directions(10 + number), directions(20 + number) if normals else None)
        for number in range(3)
    )
    buffer = vertex_buffer(position=directions(1), normal=directions(2), **columns)
    return model_of(buffer, indices=np.arange(COUNT, dtype=np.uint16), shapes=shapes)


def between(*blend: Any) -> Pose:
    return replace(STILL, shapes={0: ShapeBlend(*blend)})


@pytest.mark.parametrize("normals", [False, True])
def test_two_shapes_are_blended(baked: Bake, normals: bool) -> None:
    model = shaped(normals)
    (made,) = baked(model, between(2, 1, 0.25))
    _, second, first = model.shapes
    expected = 0.75 * first.positions + 0.25 * second.positions
    np.testing.assert_allclose(made.positions, expected, atol=1e-5)
    if not normals:
        np.testing.assert_allclose(made.normals, directions(2), atol=1e-5)
        return
    turned = 0.75 * first.normals + 0.25 * second.normals  # type: ignore[operator]
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    np.testing.assert_allclose(made.normals, turned, atol=1e-4)


@pytest.mark.parametrize(
    "posed", [None, STILL, between(0, 9, 0.5), replace(STILL, shapes={5: ShapeBlend(0, 1, 0)})]
)
def test_without_a_shape_of_its_own_the_buffer_stays(baked: Bake, posed: Pose | None) -> None:
    (made,) = baked(shaped(True), posed)
    np.testing.assert_allclose(made.positions, directions(1), atol=1e-6)


def test_shapes_come_before_skinning(baked: Bake) -> None:
    random = np.random.default_rng(4)
    joints = random.integers(0, 3, (COUNT, 4)).astype(np.uint8)
    weights = random.dirichlet(np.ones(4), COUNT).astype(np.float32)
    model = replace(shaped(False, joints=joints, weights=weights), skeleton=skeleton_of(3))
    skin = random_skin(3)
    (made,) = baked(model, replace(pose_of(skin), shapes={0: ShapeBlend(1, 1, 0.0)}))
    points = np.append(model.shapes[1].positions, np.ones((COUNT, 1)), axis=1)
    expected = np.einsum("vj,vjrc,vc->vr", weights.astype(np.float64), skin[joints], points)
    np.testing.assert_allclose(made.positions, expected, atol=1e-5)


def posed_normals(model: Model, base: Array, weights: dict[int, float]) -> Array:
    """The engine's rule, in numpy."""
    turn = np.zeros_like(base)
    for number, weight in weights.items():
        (target,) = model.morphs[number].targets
        assert target.normals is not None
        turn[target.vertices] += weight * target.normals
    reach = np.linalg.norm(turn, axis=1, keepdims=True)
    turn = np.where(reach < 1 - 1e-4, turn + base * (1 - reach), turn)
    return np.asarray(turn / np.linalg.norm(turn, axis=1, keepdims=True))


@pytest.mark.parametrize("weights", [{0: 0.5}, {0: 0.4, 1: 0.3}, {0: 1.0}, {0: 1.5, 1: 0.2}, {}])
def test_whole_normals_share_with_the_base(baked: Bake, weights: dict[int, float]) -> None:
    half = np.arange(COUNT // 2, dtype=np.uint32)
    targets = [
        MorphTarget(0, half + 100 * n, directions(30 + n, len(half)), directions(40 + n, len(half)))
        for n in range(2)
    ]
    morphs = tuple(Morph(f"pose {n}", (target,)) for n, target in enumerate(targets))
    buffer = vertex_buffer(position=directions(1), normal=directions(2))
    model = model_of(buffer, indices=np.arange(COUNT, dtype=np.uint16), morphs=morphs, morph_normals="whole")
    (made,) = baked(model, display=ModelDisplay(morphs=weights))
    np.testing.assert_allclose(made.normals, posed_normals(model, directions(2), weights), atol=1e-4)


def test_a_slider_takes_the_place_of_the_timeline(baked: Bake) -> None:
    everything = np.arange(COUNT, dtype=np.uint32)
    morph = Morph("up", (MorphTarget(0, everything, np.ones((COUNT, 3), np.float32)),))
    model = model_of(
        vertex_buffer(position=directions(1)), indices=np.arange(COUNT, dtype=np.uint16), morphs=(morph,)
    )
    playing = replace(STILL, morphs={0: 0.25})
    (made,) = baked(model, playing)
    np.testing.assert_allclose(made.positions, directions(1) + 0.25, atol=1e-5)
    (made,) = baked(model, playing, ModelDisplay(morphs={0: 2.0}))
    np.testing.assert_allclose(made.positions, directions(1) + 2, atol=1e-5)


@pytest.mark.parametrize("path", POSES, ids=lambda path: path.stem)
def test_the_engine_animates_the_same(baked: Bake, corpus: Path, path: Path) -> None:
    said, engine = read_json(path.with_suffix(".json")), np.load(path)
    stem = path.stem.rsplit("_", 2)[0]
    document = open_document(next((corpus / "ogre").rglob(f"{stem}.mesh")))
    model = document.model
    assert model is not None
    animation = next(each for each in document.animations if each.name == said["name"])
    made = baked(model, pose(model.skeleton or BONELESS, [Layer(animation, said["time"])]))
    compared = 0
    for number, geometry in enumerate(made):
        names = (f"anim__{number}__positions", "anim__shared__positions")
        name = next((name for name in names if name in engine), None)
        if name is None:
            continue
        compared += 1
        used = np.isfinite(geometry.positions[:, 0])
        expected, normals = engine[name][used], engine[name.replace("positions", "normals")][used]
        limit = TOLERANCE * np.ptp(expected, axis=0).max()
        assert np.abs(geometry.positions[used] - expected).max() < limit
        assert np.abs(geometry.normals[used] - normals).max() < TURN_TOLERANCE
    assert compared


def test_markers_are_where_the_shader_has_the_vertices(baked: Bake) -> None:
    """`scene.vertices.posed` is the same rule in numpy: positions and directions of normals."""
    everything = np.arange(COUNT, dtype=np.uint32)
    morphs = tuple(
        Morph(f"pose {n}", (MorphTarget(0, everything, directions(30 + n), directions(40 + n)),))
        for n in range(2)
    )
    model = replace(shaped(True), morphs=morphs, morph_normals="whole")
    playing = replace(between(0, 2, 0.3), morphs={0: 0.4, 1: 0.9})
    (made,) = baked(model, playing)
    (geometry,) = model.geometries
    place = posed(model, geometry, geometry.lods[0], np.arange(COUNT), moves(playing, {}))
    np.testing.assert_allclose(made.positions, place, atol=1e-5)
    turned = posed(model, geometry, geometry.lods[0], np.arange(COUNT), moves(playing, {}), "normal")
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    np.testing.assert_allclose(made.normals, turned, atol=1e-3)
