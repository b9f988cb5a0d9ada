"""Vertices and triangles in findings have their numbers in the buffers of the file."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from tests.checked import document_of, square
from viewer.check.check_context import CheckContext, Surface
from viewer.check.meshes.vertices import share_text, triangle_items, vertex_items
from viewer.check.rule import MOST_ITEMS
from viewer.scene.items import GeometryItem, IndexItem, VertexItem
from viewer.scene.model import Model, Primitive


def surface(model: Model) -> Surface:
    """The only surface of a model."""
    (found,) = CheckContext(document_of(model)).surfaces
    return found


def test_rows_are_numbers_of_drawn_vertices() -> None:
    partly = surface(square(indices=np.array((1, 2, 3), np.uint16)))
    off = np.array((0, 2))
    assert vertex_items(partly, off) == (VertexItem(0, 1), VertexItem(0, 3), GeometryItem(0))
    assert share_text(partly, off) == "2 of 3 vertices of only (first #1)"


def test_a_triangle_begins_with_its_first_index() -> None:
    whole = square()
    assert triangle_items(surface(whole), np.array((1,))) == (IndexItem(0, 3), GeometryItem(0))
    strip = replace(whole.geometries[0].lods[0], primitive=Primitive.TRIANGLE_STRIP)
    drawn = replace(whole, geometries=(replace(whole.geometries[0], lods=(strip,)),))
    assert triangle_items(surface(drawn), np.array((1,))) == (GeometryItem(0),)


def test_of_many_triangles_the_first_are_named() -> None:
    assert len(triangle_items(surface(square()), np.arange(1000))) == MOST_ITEMS + 1
