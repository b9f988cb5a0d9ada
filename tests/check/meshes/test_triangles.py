"""Each rule for triangles fires on a mesh made to break it."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from tests.checked import findings, square, texts, with_row
from tests.synthetic import QUAD, QUAD_INDICES, model_of, vertex_buffer
from viewer.arrays import Array
from viewer.check.meshes.triangles import ENTRIES, FEW, cache_misses
from viewer.scene.items import GeometryItem, IndexItem, LodItem
from viewer.scene.model import Lod, Model, Primitive


def test_triangles_with_one_position_twice_are_told() -> None:
    twice = np.array((0, 1, 2, 0, 2, 2), np.uint16)
    text = "only: 1 of 2 triangles have two corners at one position"
    assert texts("mesh/degenerate-triangle", square(indices=twice)) == [text]
    assert texts("mesh/degenerate-triangle", square(position=with_row(QUAD, 3, *QUAD[2]))) == [text]


def test_triangles_without_area_of_the_finest_level_are_told_with_their_indices() -> None:
    flat = np.array((0, 1, 2, 2, 2, 3), np.uint16)
    (found,) = findings("mesh/degenerate-triangle", square(indices=flat))
    assert found.items == (IndexItem(0, 3), LodItem(0, 0))


def test_the_level_of_flat_triangles_is_told_if_there_are_several() -> None:
    model = square(indices=np.array((0, 1, 2, 0, 2, 2), np.uint16))
    (only,) = model.geometries
    levels = replace(only, lods=(replace(only.lods[0], count=3), only.lods[0]))
    (found,) = findings("mesh/degenerate-triangle", replace(model, geometries=(levels,)))
    assert found.text == "only: 1 of 2 triangles of level 1 have two corners at one position"
    assert found.items == (LodItem(0, 1),)


def test_a_mesh_without_any_area_is_told_elsewhere() -> None:
    assert texts("mesh/degenerate-triangle", square(position=np.zeros_like(QUAD))) == []


def test_a_triangle_on_another_one_is_told_with_its_indices() -> None:
    rule = "mesh/duplicate-triangle"
    turned = np.array((0, 1, 2, 0, 2, 3, 3, 0, 2), np.uint16)
    (found,) = findings(rule, square(indices=turned))
    assert found.text == "1 of 3 triangles of only lie on another one (first #2)"
    assert found.items == (IndexItem(0, 6), GeometryItem(0))
    copied = model_of(
        vertex_buffer(position=np.tile(QUAD, (2, 1))), indices=np.append(QUAD_INDICES, (4, 5, 6))
    )
    assert texts(rule, copied) == ["1 of 3 triangles of only lie on another one (first #2)"]


def test_the_back_of_a_triangle_and_triangles_without_area_are_no_duplicates() -> None:
    rule = "mesh/duplicate-triangle"
    assert texts(rule, square(indices=np.array((0, 1, 2, 0, 2, 1), np.uint16))) == []
    assert texts(rule, square(indices=np.array((0, 1, 1, 0, 1, 1), np.uint16))) == []


@pytest.mark.parametrize("primitive", [Primitive.TRIANGLE_STRIP, Primitive.TRIANGLE_FAN, Primitive.POINTS])
def test_strips_fans_and_points_are_told(primitive: Primitive) -> None:
    def drawn(kind: Primitive) -> Model:
        model = square()
        lods = (model.geometries[0].lods[0], Lod(5.0, (0,), 0, 0, 4, kind))
        return replace(model, geometries=(replace(model.geometries[0], lods=lods),))

    (found,) = findings("mesh/primitive-type", drawn(primitive))
    assert found.text == f"only is drawn as {primitive.value}" and found.items == (LodItem(0, 1),)
    assert texts("mesh/primitive-type", drawn(Primitive.LINES)) == []


def grid(side: int) -> Array:
    """[T, 3] the triangles of a regular grid, row by row."""
    rows = np.arange(side)[:, None] * (side + 1)
    corners = np.array((0, 1, side + 1, 1, side + 2, side + 1))
    return ((rows + np.arange(side)).reshape(-1, 1) + corners).reshape(-1, 3).astype(np.uint32)


def test_triangles_in_a_random_order_are_told() -> None:
    rule, ordered = "mesh/vertex-order", grid(28)
    assert len(ordered) > FEW
    mixed = np.random.default_rng(1).permutation(ordered)
    points = np.random.default_rng(2).random((29 * 29, 3), np.float32)

    def told(triangles: Array) -> list[str]:
        return texts(rule, model_of(vertex_buffer(position=points), indices=triangles.reshape(-1)))

    assert told(ordered) == [] and told(mixed[: FEW - 1]) == []
    (text,) = told(mixed)
    assert text.startswith("only: 2.9") and text.endswith(
        " vertices are computed for each triangle; a better order needs only 0.6"
    )


def test_triangles_without_common_vertices_are_in_no_bad_order() -> None:
    apart = np.random.default_rng(1).permutation(np.arange(3 * FEW, dtype=np.uint32).reshape(-1, 3))
    points = np.random.default_rng(2).random((3 * FEW, 3), np.float32)
    assert (
        texts("mesh/vertex-order", model_of(vertex_buffer(position=points), indices=apart.reshape(-1))) == []
    )


@pytest.mark.parametrize(("between", "again"), [(ENTRIES - 1, 0), (ENTRIES, 1)])
def test_a_vertex_stays_in_the_cache_until_as_many_others_are_computed(between: int, again: int) -> None:
    corners = np.array([*range(between + 1), *[0] * (3 - (between + 1) % 3)], np.uint32).reshape(-1, 3)
    assert cache_misses(corners) == (between + 1 + again, between + 1, len(corners))
