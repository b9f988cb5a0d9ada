"""Triangles are compared by the positions of their corners."""

from __future__ import annotations

import numpy as np
import pytest

from tests.synthetic import QUAD, model_of, vertex_buffer
from viewer.arrays import Array
from viewer.check.meshes.faces import Faces
from viewer.scene.model import Lod, Primitive


def faces(indices: object, points: Array = QUAD, rows: Array | None = None) -> Faces:
    """The triangles of these indices and points."""
    model = model_of(vertex_buffer(position=points), indices=np.array(indices, np.uint16))
    kept = np.arange(len(points)) if rows is None else rows
    return Faces(model, model.geometries[0].lods[0], kept, points[kept])


def test_corners_are_numbers_of_drawn_vertices() -> None:
    assert faces((0, 1, 3), rows=np.array((0, 1, 3))).corners.tolist() == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("primitive", "corners"),
    [
        (Primitive.TRIANGLES, [[0, 1, 2]]),
        (Primitive.TRIANGLE_STRIP, [[0, 1, 2], [2, 1, 3]]),
        (Primitive.TRIANGLE_FAN, [[0, 1, 2], [0, 2, 3]]),
        (Primitive.LINES, []),
    ],
)
def test_a_level_may_have_no_indices(primitive: Primitive, corners: list[list[int]]) -> None:
    model = model_of(vertex_buffer(position=QUAD))
    lod = Lod(0.0, (0,), None, 0, 4, primitive)
    assert Faces(model, lod, np.arange(4), QUAD).corners.tolist() == corners


def test_flat_triangles_use_a_position_twice() -> None:
    points = np.array(((0, 0, 0), (1, 0, 0), (0, 1, 0), (-0.0, 0, 0)), np.float32)
    assert faces((0, 1, 2, 0, 1, 1, 3, 1, 0), points).flat.tolist() == [False, True, True]


def test_triangles_repeat_from_any_corner_on() -> None:
    count, first = faces((0, 1, 2, 2, 3, 0, 1, 2, 0, 2, 0, 1, 2, 1, 0)).repeated(8)
    assert count == 2 and first.tolist() == [2, 3]


def test_without_another_triangle_or_positions_none_repeats() -> None:
    count, first = faces((0, 1, 2, 0, 2, 3)).repeated(8)
    assert (count, len(first)) == (0, 0)
    model = model_of(vertex_buffer(position=QUAD))
    bare = Faces(model, model.geometries[0].lods[0], np.arange(4), None)
    assert bare.repeated(8)[0] == 0 and not bare.flat.any() and not bare.has_back(np.arange(2)).any()


def test_many_repeated_triangles_are_counted_and_the_first_named() -> None:
    random = np.random.default_rng(6)
    points = random.random((300, 3), np.float32)
    once = random.permutation(300).reshape(-1)
    count, first = faces(np.tile(once, 3), points).repeated(16)
    assert count == 200 and len(first) == 16 and (first >= 100).all()


def test_a_triangle_has_a_back() -> None:
    assert faces((0, 1, 2, 0, 2, 1, 0, 2, 3)).has_back(np.arange(3)).tolist() == [True, True, False]


def test_some_triangles_are_spread_over_the_level() -> None:
    numbers, corners = faces((0, 1, 2) * 10).spread(4)
    assert numbers.tolist() == [0, 3, 6, 9] and corners.shape == (4, 3)
