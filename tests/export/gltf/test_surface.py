"""Vertex attributes that glTF refuses are mended and counted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from tests import synthetic
from viewer.export.gltf.surface import made_tangents, normals, part_of, positions, skinning, tangents
from viewer.scene.model import Model

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)


def model(**columns: Any) -> Model:
    """A square."""
    buffer = synthetic.vertex_buffer(position=CORNERS, **columns)
    return synthetic.model_of(buffer, skeleton=synthetic.skeleton_of(3))


def part(of: Model) -> Any:
    found = part_of(of, 0, 0, False)
    assert found is not None
    return found


def test_normals_have_length_1_and_missing_ones_come_from_the_triangles() -> None:
    made = model(normal=np.array([[0, 0, 2], [0, 0, 0], [0, 0, 1], [np.nan, 0, 0]], np.float32))
    mended: Counter[str] = Counter()
    found = normals(made, part(made), positions(made, part(made)), mended)
    assert found is not None and np.allclose(np.abs(found[:, 2]), 1) and np.allclose(found[:, :2], 0)
    assert sorted(mended.values()) == [1, 2]


def test_a_joint_stands_once_in_a_vertex() -> None:
    joints = np.tile(np.array([[1, 1, 2, 0]], np.uint8), (4, 1))
    weights = np.tile(np.array([[0.25, 0.25, 0.5, 0]], np.float32), (4, 1))
    made = model(joints=joints, weights=weights)
    found = skinning(made, part(made), Counter())
    assert found is not None
    assert found.joints[0].tolist() == [1, 0, 2, 0] and found.weights[0].tolist() == [0.5, 0, 0.5, 0]


def test_weights_sum_to_1_and_are_counted() -> None:
    weights = np.array([[0.5, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [np.nan, 0, 0, 0]], np.float32)
    made, mended = model(joints=np.zeros((4, 4), np.uint8), weights=weights), Counter[str]()
    found = skinning(made, part(made), mended)
    assert found is not None and found.unmoved
    assert np.allclose(
        found.weights.astype(float).sum(axis=1) / (255 if found.weights.dtype == "u1" else 1), 1
    )
    assert found.joints[2, 0] == 3  # behind the last bone
    assert sorted(each for each in mended.values() if each) == [1, 2]


def test_tangents_keep_their_handedness() -> None:
    stored = np.array([[2, 0, 0, -1]] * 4, np.float32)
    made = model(normal=np.array([[0, 0, 1]] * 4, np.float32), tangent=stored)
    found = tangents(made, part(made), Counter())
    assert found is not None and found[0].tolist() == [1, 0, 0, -1]


def test_tangents_without_a_length_are_left_out() -> None:
    made, mended = model(tangent=np.zeros((4, 4), np.float32)), Counter[str]()
    assert tangents(made, part(made), mended) is None and sum(mended.values()) == 4


def test_made_tangents_follow_u() -> None:
    made = model()
    turned = np.array([[0, 0, 1]] * 4, np.float32)
    found = made_tangents(CORNERS, turned, CORNERS[:, 1::-1], part(made))
    assert np.allclose(found[:, :3], (0, 1, 0)) and (found[:, 3] == -1).all()


def test_faces_can_be_turned() -> None:
    made = model()
    plain, turned = part_of(made, 0, 0, False), part_of(made, 0, 0, True)
    assert plain is not None and turned is not None
    assert plain.corners.reshape(-1, 3)[:, ::-1].ravel().tolist() == turned.corners.tolist()
