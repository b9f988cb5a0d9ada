"""Each rule for normals, tangents and texture coordinates fires on a mesh that lacks them."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import replace

from tests.checked import FLAT_NORMALS, FLAT_UVS, findings, square, texts, with_row
from viewer.scene.items import GeometryItem, VertexItem
from viewer.scene.material import Material
from viewer.scene.model import Model, Primitive

TANGENTS = np.tile(np.array((1, 0, 0, 1), np.float32), (4, 1))


def with_material(units: dict[str, int], /, columns: dict[str, Any] | None = None, **fields: Any) -> Model:
    """A square with a material of these texture units."""
    return square(
        **(columns or {}),
        materials=(Material("skin", "skin.xml", units=units, **fields),),
        geometry={"material": 0},
    )


def test_normals_without_a_length_are_told() -> None:
    text = "1 of 4 vertices of only (first #1) has a normal of length 0"
    assert texts("mesh/zero-normal", square(normal=with_row(FLAT_NORMALS, 1, 0, 0, 0))) == [text]


def test_a_lit_mesh_without_normals_is_told() -> None:
    rule, bare = "mesh/missing-normals", {"normal": None}
    text = "only has no normals, and its material is lit"
    assert texts(rule, square(normal=None)) == texts(rule, with_material({}, bare)) == [text]
    assert texts(rule, with_material({}, bare, unlit=True)) == []


def test_lines_need_no_normals() -> None:
    model = square(normal=None)
    (only,) = model.geometries
    lines = replace(only, lods=(replace(only.lods[0], primitive=Primitive.LINES, count=4),))
    assert texts("mesh/missing-normals", replace(model, geometries=(lines,))) == []
    nothing = replace(only, lods=(replace(only.lods[0], count=0),))
    assert texts("mesh/missing-normals", replace(model, geometries=(nothing,))) == []


def test_a_normal_map_needs_tangents() -> None:
    rule, text = "mesh/missing-tangents", "only has no tangents, and its material has a normal map"
    (found,) = findings(rule, with_material({"normal": 0}))
    assert found.text == text and found.items == (GeometryItem(0),)
    assert texts(rule, with_material({"diffuse": 0})) == []
    assert texts(rule, with_material({"normal": 0}, {"tangent": TANGENTS})) == []
    old = np.ascontiguousarray(TANGENTS[:, :3])
    assert texts(rule, with_material({"normal": 0}, {"uv1": old})) == []


def test_tangents_without_a_length_are_told_where_they_are_used() -> None:
    rule, columns = "mesh/zero-tangent", {"tangent": with_row(TANGENTS, 2, 0, 0, 0, 1)}
    (found,) = findings(rule, with_material({"normal": 0}, columns))
    assert found.text == "1 of 4 vertices of only (first #2) has a tangent of length 0"
    assert found.items == (VertexItem(0, 2), GeometryItem(0))
    assert texts(rule, with_material({"diffuse": 0}, columns)) == []


def test_a_texture_needs_texture_coordinates() -> None:
    rule = "mesh/missing-uvs"
    text = "only has no texture coordinates of set 0, and its material has a texture (diffuse)"
    assert texts(rule, with_material({"diffuse": 0})) == [text]
    assert texts(rule, with_material({"diffuse": 0}, {"uv0": FLAT_UVS})) == []
    assert len(texts(rule, with_material({"diffuse": 0}, {"uv0": FLAT_UVS}, uv_set=1))) == 1
    assert texts(rule, with_material({"environment": 0})) == []
    assert texts(rule, with_material({"diffuse": 0}, sphere=True)) == []


def test_texture_coordinates_that_are_all_the_same_are_told() -> None:
    rule, same = "mesh/constant-uv", np.full((4, 2), 0.5, np.float32)
    text = "all vertices of only have the texture coordinates 0.5, 0.5"
    assert texts(rule, with_material({"diffuse": 0}, {"uv0": same})) == [text]
    assert texts(rule, with_material({"diffuse": 0}, {"uv0": with_row(same, 3, 0.5, 1)})) == []
    assert texts(rule, with_material({}, {"uv0": same})) == []


def test_a_level_without_tangents_is_named() -> None:
    model = with_material({"normal": 0}, {"tangent": TANGENTS})
    (only,) = model.geometries
    far = replace(only.lods[0], distance=5.0, streams=(1,))
    buffers = *model.vertex_buffers, *square().vertex_buffers
    both = replace(model, vertex_buffers=buffers, geometries=(replace(only, lods=(*only.lods, far)),))
    text = "level 1 of only has no tangents, and its material has a normal map"
    assert texts("mesh/missing-tangents", both) == [text]
