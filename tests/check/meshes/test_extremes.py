"""The outermost vertices of a model reach as far as all of them."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from tests.checked import chain, document_of
from tests.synthetic import model_of, random_skin, vertex_buffer
from viewer.animation.pose import rest
from viewer.check.check_context import CheckContext
from viewer.check.meshes.clip_bounds import DIRECTIONS, Extremes
from viewer.scene.mesh.vertices import VertexMotion, posed

COUNT = 900


def test_few_vertices_reach_nearly_as_far_as_all_in_any_pose() -> None:
    random = np.random.default_rng(5)
    joints = np.zeros((COUNT, 4), np.uint8)
    joints[:, 0] = random.integers(0, 2, COUNT)
    weights = np.tile(np.array((1, 0, 0, 0), np.float32), (COUNT, 1))
    points = random.uniform(-1, 1, (COUNT, 3)).astype(np.float32)
    buffer = vertex_buffer(position=points, weights=weights, joints=joints)
    skeleton = chain("a", "b")
    model = model_of(buffer, indices=np.arange(COUNT, dtype=np.uint16), skeleton=skeleton)
    extremes = Extremes(CheckContext(document_of(model)))
    assert 8 <= len(extremes) <= 2 * 2 * len(DIRECTIONS) and extremes.owner(0) == 0
    pose = replace(rest(skeleton), skin=random_skin(2))
    (found,) = extremes.posed([pose])
    geometry = model.geometries[0]
    every = posed(model, geometry, geometry.lods[0], np.arange(COUNT), VertexMotion(pose.skin))
    missing = found.min(axis=0) - every.min(axis=0), every.max(axis=0) - found.max(axis=0)
    assert np.min(missing) > -1e-5 and np.max(missing) < 0.2


def test_a_model_without_bones_has_none() -> None:
    model = model_of(vertex_buffer(position=np.zeros((4, 3), np.float32)))
    assert len(Extremes(CheckContext(document_of(model)))) == 0
