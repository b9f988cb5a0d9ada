"""The layout of a texture: the geometries that use it, their edges in it, and the triangles at a point."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.quads import quad
from viewer.arrays import Array
from viewer.scene.material import Appearance, ClipTime, Material, Texture, TextureStage
from viewer.scene.mesh.surface_points import SurfacePoint, surface_values
from viewer.scene.mesh.uv_layout import (
    TextureUse,
    UvMesh,
    points_at,
    texture_uses,
    used_textures,
    uv_matrix,
    uv_mesh,
    uv_triangles,
)
from viewer.scene.model import Model

STILL = np.eye(2, 3)
ONE, TWO = Texture("one"), Texture("two")


def textured(**fields: Any) -> Model:
    """A quad with two textures."""
    material = Material("own", units={"diffuse": 0, "second": 1}, **fields)
    return quad(material, (ONE, TWO))


def mesh_of(uv: Array) -> UvMesh:
    made = uv_mesh(quad(columns={"uv0": np.asarray(uv, np.float32)}), 0, 0, 0)
    assert made is not None
    return made


def corners(uv: Any) -> Array:
    return np.array(uv, np.float32)


WHOLE = corners([(0, 1), (1, 1), (1, 0), (0, 0)])


def test_a_use_has_the_set_of_texture_coordinates_of_its_layer() -> None:
    model = textured(uv_set=0, second=TextureStage(uv_set=1))
    assert texture_uses(model, 0) == (TextureUse(0, 0, "diffuse", 0),)
    assert texture_uses(model, 1) == (TextureUse(0, 0, "second", 1),)
    assert texture_uses(model, 2) == ()


def test_a_texture_that_a_reflection_places_has_no_layout() -> None:
    assert texture_uses(textured(sphere=True), 0) == ()
    assert texture_uses(textured(second=TextureStage(sphere=True)), 1) == ()
    assert texture_uses(quad(Material("m", units={"environment": 0}), (ONE,)), 0) == ()


def test_colour_textures_are_the_first_used_ones() -> None:
    model = quad(Material("m", units={"normal": 1, "diffuse": 0, "environment": 2}), (ONE, TWO, ONE))
    assert used_textures(model) == (0, 1)


def test_each_edge_is_listed_once() -> None:
    mesh = mesh_of(WHOLE)
    assert len(mesh.triangles) == 2
    assert sorted(map(tuple, mesh.edges.tolist())) == [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)]


def test_vertices_with_damaged_coordinates_have_no_edges() -> None:
    mesh = mesh_of(corners([(0, 1), (np.nan, 1), (1, 0), (0, 0)]))
    assert len(mesh.triangles) == 1 and 1 not in mesh.edges


def test_a_geometry_without_these_coordinates_has_no_layout() -> None:
    assert uv_mesh(quad(), 0, 0, 3) is None


def test_an_animated_transform_moves_the_layout() -> None:
    material = Material(
        "m",
        uv_motion=lambda seconds: ((1.0, 0.0, 0.0, seconds), (0.0, 1.0, 0.0, 0.0)),
        second=TextureStage(u_offset=(2.0, 0.0, 0.0, 0.0)),
    )
    assert uv_matrix(material, "diffuse", ClipTime(0.25))[0].tolist() == [1.0, 0.0, 0.25]
    assert uv_matrix(material, "second", ClipTime(0.25))[0].tolist() == [2.0, 0.0, 0.0]
    shown = Appearance((1, 1, 1, 1), second_v=(0.0, 1.0, 0.0, 0.5))
    moving = replace(material, motion=lambda clip_time: shown)
    assert uv_matrix(moving, "second")[1].tolist() == [0.0, 1.0, 0.5]
    assert uv_matrix(moving, "diffuse").tolist() == STILL.tolist()


def found(
    uv: Array, at: tuple[float, float], repeats: bool = True, matrix: Array = STILL
) -> list[SurfacePoint]:
    return list(points_at(uv_triangles(mesh_of(uv), matrix), (0, 0), at, repeats, 16))


@pytest.mark.parametrize("at", [(0.25, 0.125), (0.75, 0.5), (0.5, 0.875)])
def test_a_point_of_the_texture_is_found_on_the_mesh(at: tuple[float, float]) -> None:
    (point,) = found(WHOLE, at)
    uv = surface_values(quad(columns={"uv0": WHOLE}), point, "uv0")
    assert uv is not None and uv[:2] == pytest.approx(at)


def test_a_moved_layout_is_searched_where_it_is() -> None:
    moved = np.array(((1.0, 0.0, 2.0), (0.0, 1.0, 0.0)))
    assert not found(WHOLE, (0.25, 0.125), repeats=False, matrix=moved)
    assert found(WHOLE, (2.25, 0.125), repeats=False, matrix=moved)


def test_a_repeated_texture_is_found_in_all_repetitions() -> None:
    assert len(found(WHOLE * 2, (0.25, 0.125))) == 4
    assert len(found(WHOLE * 2, (0.25, 0.125), repeats=False)) == 1
    assert not found(WHOLE, (1.25, 0.125), repeats=False)


def test_no_more_points_are_found_than_wanted() -> None:
    triangles = uv_triangles(mesh_of(WHOLE * 4), STILL)
    assert len(points_at(triangles, (0, 0), (0.25, 0.125), True, 3)) == 3


def test_triangles_without_area_have_no_points() -> None:
    assert not found(np.zeros((4, 2), np.float32), (0.0, 0.0))
