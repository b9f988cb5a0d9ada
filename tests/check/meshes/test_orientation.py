"""Each rule for the sides of triangles fires on a mesh made to break it."""

from __future__ import annotations

import numpy as np

from tests.checked import FLAT_NORMALS, FLAT_UVS, findings, square, texts
from tests.synthetic import QUAD_INDICES
from viewer.arrays import Array
from viewer.scene.items import GeometryItem, IndexItem
from viewer.scene.material import Material

BACK = np.array((0, 1, 2, 0, 3, 2), np.uint16)


def test_triangles_that_face_away_from_their_normals_are_told() -> None:
    (found,) = findings("mesh/winding", square(indices=BACK))
    assert found.text == "50 % of the triangles of only face away from their normals (first #1)"
    assert found.items == (IndexItem(0, 3), GeometryItem(0))
    assert texts("mesh/winding", square(normal=FLAT_NORMALS * 0)) == []


def test_both_sides_of_a_leaf_may_have_the_normals_of_one() -> None:
    both = np.concatenate((QUAD_INDICES, QUAD_INDICES[::-1]))
    assert texts("mesh/winding", square(indices=both)) == []


def test_sides_do_not_count_where_they_are_not_culled_or_not_lit() -> None:
    for material in (Material("", "a", cull="none"), Material("", "a", unlit=True)):
        assert (
            texts("mesh/winding", square(indices=BACK, materials=(material,), geometry={"material": 0})) == []
        )


def tangents(*handedness: float) -> Array:
    """[4, 3 or 4] tangents along X."""
    column = np.zeros((4, 3), np.float32)
    column[:, 0] = 1
    last = np.array(handedness, np.float32)[:, None]
    return np.concatenate((column, last), axis=1) if handedness else column


MIRRORED = np.array(((0, 0), (1, 0), (1, 1), (1, 0.5)), np.float32)
"""Texture coordinates that turn the second triangle round."""


def test_a_mirrored_texture_needs_a_handedness() -> None:
    text = "50 % of the triangles of only show the texture mirrored, and their tangents have no handedness"
    (found,) = findings("mesh/mirrored-uv", square(uv0=MIRRORED, tangent=tangents()))
    assert found.text == text and found.items[-1] == GeometryItem(0)
    assert texts("mesh/mirrored-uv", square(uv0=FLAT_UVS, tangent=tangents())) == []
    assert texts("mesh/mirrored-uv", square(uv0=MIRRORED)) == []


def test_the_place_in_the_texture_and_missing_normals_tell_no_mirror() -> None:
    moved = FLAT_UVS * np.float32(0.1) + np.array((0.9, -3), np.float32)
    assert texts("mesh/mirrored-uv", square(uv0=moved, tangent=tangents())) == []
    assert texts("mesh/mirrored-uv", square(uv0=MIRRORED + 5, tangent=tangents())) != []
    assert texts("mesh/mirrored-uv", square(uv0=MIRRORED, tangent=tangents(), normal=None)) == []


def test_the_handedness_has_to_differ_on_the_mirrored_part() -> None:
    (text,) = texts("mesh/mirrored-uv", square(uv0=MIRRORED, tangent=tangents(1, 1, 1, 1)))
    assert text.endswith("and their tangents all have the same handedness")
    assert texts("mesh/mirrored-uv", square(uv0=MIRRORED, tangent=tangents(-1, 3, -1, -1))) == []


def test_a_material_without_a_normal_map_needs_no_handedness() -> None:
    flat = {"materials": (Material("", "a", units={"diffuse": 0}),), "geometry": {"material": 0}}
    assert texts("mesh/mirrored-uv", square(uv0=MIRRORED, tangent=tangents(), **flat)) == []
