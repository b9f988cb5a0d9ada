"""Vertices of damaged files: any number is posed without a warning."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from tests.synthetic import model_of, model_record, vertex_buffer
from viewer.binary import Cursor
from viewer.errors import Report
from viewer.families.urho3d.model import build_model
from viewer.families.urho3d.model_layout import MODEL
from viewer.scene.mesh.vertices import (
    ShapeBlend,
    VertexMotion,
    corners,
    drawn_vertices,
    four_floats,
    influences,
    moved_by_bones,
    posed,
    values,
)
from viewer.scene.model import Lod, Model, Primitive, Shape

HOSTILE = {"largest": 3.4e38, "infinite": float("inf"), "nan": float("nan"), "tiny": 1e-40}


def model(number: float) -> Model:
    """The synthetic model with one hostile vertex; the number is in its position, normal and weights."""
    record = model_record()
    vertices = record.vertex_buffers[0].vertices
    for part in ("position", "normal", "weights"):
        vertices[part][0] = number
    return build_model("x", MODEL.read(Cursor(MODEL.pack(record))), Report())


@pytest.mark.usefixtures("any_numbers")
@pytest.mark.parametrize("number", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("semantic", ["position", "normal"])
def test_a_hostile_vertex_is_posed_and_the_others_stay_where_they_are(number: float, semantic: str) -> None:
    made = model(number)
    lod = made.geometries[0].lods[0]
    rows = drawn_vertices(made, lod)
    skin = np.tile(np.eye(3, 4), (2, 1, 1)) * (1e300 if number == 3.4e38 else 1)
    moved = posed(made, made.geometries[0], lod, rows, VertexMotion(skin), semantic)
    assert moved.shape == (len(rows), 3)
    if number != 3.4e38:
        whole = posed(model(0.5), made.geometries[0], lod, rows, VertexMotion(skin), semantic)
        assert np.allclose(moved[1:], whole[1:])


@pytest.mark.parametrize("number", HOSTILE.values(), ids=HOSTILE)
def test_hostile_weights_are_counted(number: float) -> None:
    counts, sums = moved_by_bones(model(number), model(number).geometries[0])
    assert len(counts) == len(sums) == 2


def test_a_signalling_nan_of_a_column_stays_a_nan() -> None:
    column = np.frombuffer(struct.pack("<2I", 0x7F800001, 0x3F800000), "<f4").reshape(1, 2)
    element = next(e for e in model(1.0).vertex_buffers[0].elements if e.semantic == "uv0")
    values = four_floats(column, element)
    assert np.isnan(values[0, 0]) and values[0, 1:].tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("primitive", "last"),
    [
        (Primitive.TRIANGLES, [13, 14, 15]),
        (Primitive.LINES, [14, 15]),
        (Primitive.POINTS, [16]),
        (Primitive.TRIANGLE_STRIP, [14, 15, 16]),
        (Primitive.LINE_STRIP, [15, 16]),
        (Primitive.TRIANGLE_FAN, [10, 15, 16]),
    ],
)
def test_a_number_past_the_last_primitive_counts_as_the_last(primitive: Primitive, last: list[int]) -> None:
    """llvmpipe counts the parts of a clipped triangle as primitives."""
    lod = Lod(0.0, (0,), None, 10, 7, primitive)
    assert corners(Model(""), lod, 9).tolist() == last


def test_the_joints_of_many_vertices_mean_the_same_bones_as_those_of_few() -> None:
    joints = np.tile(np.array(((0, 1), (1, 2), (5, 0)), np.uint8), (100, 1))
    weights = np.full((300, 2), 0.5, np.float32)
    model = model_of(
        vertex_buffer(joints=joints, weights=weights), geometry={"bone_map": np.array((4, 2, 9))}
    )
    (geometry,) = model.geometries
    many, few = (influences(model, geometry, geometry.lods[0], np.arange(count), 8) for count in (300, 3))
    assert many is not None and few is not None
    assert few[0].tolist() == [[4, 2, 4, 4], [2, 8, 4, 4], [8, 4, 4, 4]]
    assert (many[0].reshape(100, 3, 4) == few[0]).all() and (many[1][:3] == few[1]).all()


@pytest.mark.parametrize("count", [0, 3])
def test_a_shape_without_these_normals_leaves_them_as_they_are(count: int) -> None:
    positions, normals = (np.random.default_rng(seed).random((4, 3), np.float32) for seed in (1, 2))
    own = vertex_buffer(position=positions, normal=normals)
    shape = Shape(0, positions + 1, normals[:count] + 1 if count else None)
    made = model_of(own, indices=np.arange(4, dtype=np.uint16), shapes=(shape,))
    geometry, moves = made.geometries[0], VertexMotion(shapes={0: ShapeBlend(0, 0, 0.0)})
    moved = {
        semantic: posed(made, geometry, geometry.lods[0], np.arange(4), moves, semantic)
        for semantic in ("position", "normal")
    }
    assert moved["position"] == pytest.approx(positions + 1)
    assert moved["normal"] == pytest.approx(normals)


def test_values_are_in_the_order_of_the_asked_vertices() -> None:
    made = model(0.5)
    lod = made.geometries[0].lods[0]
    count = made.vertex_buffers[0].count
    whole = values(made, lod, "position", np.arange(count))
    assert whole is not None and len(np.unique(whole, axis=0)) > 2
    for rows in (np.arange(count)[::-1], np.array((3, 3, 0)), np.roll(np.arange(count), 1)):
        some = values(made, lod, "position", rows)
        assert some is not None and (some == whole[rows]).all()
