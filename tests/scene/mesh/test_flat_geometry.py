"""Geometries whose triangles have no area."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from tests.synthetic import QUAD, model_of, skeleton_of, vertex_buffer
from viewer.arrays import Array
from viewer.scene.mesh.flat_geometry import has_no_area, without_area
from viewer.scene.model import Model, Morph, MorphTarget, Primitive, Shape

POINTS = np.repeat(QUAD[:1], 4, axis=0)
LINE = QUAD * np.array((1, 0, 0), np.float32)


def made(positions: Array, primitive: Primitive = Primitive.TRIANGLES) -> Model:
    """A model of one geometry with these positions [4, 3]."""
    model = model_of(vertex_buffer(position=positions))
    geometry = model.geometries[0]
    return replace(
        model, geometries=(replace(geometry, lods=(replace(geometry.lods[0], primitive=primitive),)),)
    )


@pytest.mark.parametrize("primitive", [Primitive.TRIANGLES, Primitive.TRIANGLE_STRIP, Primitive.TRIANGLE_FAN])
@pytest.mark.parametrize(("positions", "flat"), [(POINTS, True), (LINE, True), (QUAD, False)])
def test_points_and_lines_have_no_area(primitive: Primitive, positions: Array, flat: bool) -> None:
    model = made(positions, primitive)
    assert has_no_area(model, model.geometries[0].lods[0]) is flat
    assert without_area(model) == ["only"] * flat


def test_lines_are_no_triangles_without_area() -> None:
    assert without_area(made(LINE, Primitive.LINES)) == []


def test_one_triangle_with_area_among_thousands_counts() -> None:
    positions = np.zeros((3001, 3), np.float32)
    positions[2999:] = (1, 0, 0), (0, 1, 0)
    indices = np.zeros(9000, np.uint16)
    indices[-1], indices[-2] = 2999, 3000
    assert without_area(model_of(vertex_buffer(position=positions), indices=indices)) == []


def test_what_moves_vertices_may_spread_them() -> None:
    model = made(POINTS)
    target = MorphTarget(0, np.zeros(1, np.uint32), np.ones((1, 3), np.float32))
    assert without_area(replace(model, morphs=(Morph("open", (target,)),))) == []
    assert without_area(replace(model, shapes=(Shape(0, QUAD),))) == []
    joints = np.zeros((4, 4), np.uint8)
    skinned = model_of(vertex_buffer(position=POINTS, joints=joints), skeleton=skeleton_of(1))
    assert without_area(skinned) == []


def test_damaged_positions_and_indices_are_no_error() -> None:
    broken = np.full((4, 3), np.nan, np.float32)
    assert without_area(made(broken)) == ["only"]
    assert without_area(model_of(vertex_buffer(position=QUAD), indices=np.full(6, 99, np.uint16))) == []
