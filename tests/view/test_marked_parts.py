"""What a group of items marks of a model."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from tests.quads import quad
from viewer.scene.items import (
    AnimationItem,
    BoneItem,
    GeometryItem,
    IndexItem,
    Item,
    LodItem,
    MaterialItem,
    TextureItem,
    VertexItem,
)
from viewer.scene.material import Material
from viewer.scene.model import Lod, Model, Primitive
from viewer.view.marked_parts import marked_parts


def test_bones_are_marked_by_number() -> None:
    assert marked_parts(Model(""), (BoneItem(3), BoneItem(1), AnimationItem(0))).bones == {1, 3}


@pytest.mark.parametrize("item", [GeometryItem(0), LodItem(0, 1), MaterialItem(0), TextureItem(5)])
def test_a_geometry_is_marked_by_what_it_shows(item: Item) -> None:
    model = quad(Material("M", "/m", units={"diffuse": 5}))
    assert marked_parts(model, (item,)).geometries == {0}


@pytest.mark.parametrize("item", [GeometryItem(7), LodItem(7, 0), MaterialItem(3), TextureItem(0)])
def test_what_the_model_does_not_have_marks_nothing(item: Item) -> None:
    model = quad(Material("M", "/m", units={"diffuse": 5}))
    assert not marked_parts(model, (item,)).geometries


def test_vertices_are_marked_without_the_geometry_that_holds_them() -> None:
    items = (VertexItem(0, 2), VertexItem(0, 1), VertexItem(0, 99), VertexItem(9, 0), GeometryItem(0))
    found = marked_parts(quad(), items)
    assert found.vertices[0, 0].tolist() == [1, 2]
    assert not found.geometries


def test_a_vertex_that_nothing_draws_is_marked_where_its_buffer_is_drawn() -> None:
    model = quad()
    geometry = replace(model.geometries[0], lods=(Lod(0.0, (0,), 0, 3, 3, Primitive.TRIANGLES),))
    found = marked_parts(replace(model, geometries=(geometry,)), (VertexItem(0, 1), VertexItem(0, 2)))
    assert found.vertices[0, 0].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("primitive", "index", "corners"),
    [
        (Primitive.TRIANGLES, 4, [0, 2, 3]),
        (Primitive.TRIANGLE_STRIP, 4, [2, 0, 2]),
        (Primitive.TRIANGLE_STRIP, 0, [0, 1, 2]),
        (Primitive.TRIANGLE_FAN, 5, [0, 2, 3]),
        (Primitive.LINES, 3, [2, 0]),
        (Primitive.POINTS, 5, [3]),
    ],
)
def test_an_index_marks_the_primitive_that_it_is_a_corner_of(
    primitive: Primitive, index: int, corners: list[int]
) -> None:
    model = quad()
    geometry = replace(model.geometries[0], lods=(Lod(0.0, (0,), 0, 0, 6, primitive),))
    found = marked_parts(replace(model, geometries=(geometry,)), (IndexItem(0, index), GeometryItem(0)))
    assert found.primitives[0, 0].tolist() == [corners]
    assert not found.geometries


def test_indices_of_one_triangle_mark_it_once() -> None:
    found = marked_parts(quad(), (IndexItem(0, 3), IndexItem(0, 5), IndexItem(0, 0), IndexItem(0, 60)))
    assert np.array_equal(found.primitives[0, 0], [[0, 1, 2], [0, 2, 3]])
