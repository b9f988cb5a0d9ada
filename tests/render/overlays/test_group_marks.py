"""The marks of a group of items in the picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.frames import frame_for
from tests.quads import FRONT, display_options, quad
from tests.synthetic import QUAD
from viewer.arrays import Array
from viewer.gpu.target import RenderTarget
from viewer.render.overlays.group_marks import GroupMarks, group_segments
from viewer.render.overlays.segments import GROUP_COLOR
from viewer.render.renderer import Renderer
from viewer.scene.items import GeometryItem, IndexItem, Item, VertexItem
from viewer.view.marked_parts import MarkedParts, marked_parts
from viewer.view.selection import Selection

SIZE = (64, 64)
RED_ENOUGH = 60
"""How much more red than blue a marked pixel has."""


@pytest.fixture
def reddish(ctx: Any) -> Iterator[Any]:
    """[64, 64] bool: where the picture of the quad with a marked group is more red than blue."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)
    mesh = renderer.upload(quad())

    def draw(*items: Item) -> Array:
        frame = frame_for(mesh, SIZE, None, display_options(), FRONT, selection=Selection(group=items))
        renderer.draw(mesh, frame, target.framebuffer)
        pixels = target.read().astype(int)
        return np.asarray(pixels[..., 0] - pixels[..., 2] > RED_ENOUGH)

    yield draw
    mesh.release()
    target.release()
    renderer.release()


def test_a_group_is_marked_until_it_is_cleared(reddish: Any) -> None:
    assert reddish(GeometryItem(0)).mean() > 0.1
    assert not reddish().any()


def test_vertices_are_dots_at_their_places(reddish: Any) -> None:
    one, both = reddish(VertexItem(0, 0)), reddish(VertexItem(0, 0), VertexItem(0, 2))
    assert 0 < one.sum() < both.sum() < 200
    rows, columns = np.nonzero(one)
    assert rows.mean() > 32 > columns.mean(), "vertex 0 is at the lower left"


def test_a_triangle_has_its_edges_and_corners() -> None:
    model = quad()
    edges, dots = group_segments(model, None, {}, marked_parts(model, (IndexItem(0, 4),)))
    assert {tuple(each) for each in edges["start"].tolist()} == {tuple(QUAD[n].tolist()) for n in (0, 2, 3)}
    assert len(edges) == 3 and not np.array_equal(edges["start"], edges["end"])
    assert len(dots[np.all(dots["color"] == np.float32(GROUP_COLOR), axis=1)]) == 3


def test_the_primitive_of_a_selected_index_has_the_colour_of_the_selection(ctx: Any) -> None:
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)
    mesh = renderer.upload(quad())
    pictures = []
    for picked in (None, IndexItem(0, 4)):
        frame = frame_for(mesh, SIZE, None, display_options(), FRONT, selection=Selection(picked=picked))
        renderer.draw(mesh, frame, target.framebuffer)
        pictures.append(target.read().astype(int))
    bluer = pictures[1][..., 2] - pictures[1][..., 0] > RED_ENOUGH
    assert bluer.sum() > 40 and not np.array_equal(*pictures)
    mesh.release()
    target.release()
    renderer.release()


def test_corners_past_the_vertices_mark_nothing() -> None:
    parts = MarkedParts(primitives={(0, 0): np.array([[0, 1, 99]])})
    assert group_segments(quad(), None, {}, parts) == []


def test_the_parts_of_a_group_are_searched_once() -> None:
    marks, model, group = GroupMarks(), quad(), (VertexItem(0, 1),)
    first = marks.parts(model, group)
    assert marks.parts(model, (VertexItem(0, 1),)) is first
    assert marks.parts(quad(), group) is not first
    assert marks.parts(model, (VertexItem(0, 2),)).vertices[0, 0].tolist() == [2]
