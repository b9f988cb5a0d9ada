"""The edge around what is selected, and the vertices' normals: two quads in pictures of 64 × 64 pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import FRONT, display_options, quad
from viewer.gpu.target import RenderTarget
from viewer.render.renderer import Renderer
from viewer.scene.choices import Shading
from viewer.scene.display import ModelDisplay
from viewer.scene.items import GeometryItem, Item
from viewer.scene.material import Material
from viewer.scene.model import Geometry, Model
from viewer.view.selection import Selection

SIZE = (64, 64)
EDGE = np.array((0.36, 0.66, 0.98)) * 255
SAND = quad(Material("m", diffuse=(0.8, 0.6, 0.2, 1.0)))
Draw = Callable[..., Any]


@pytest.fixture
def draw(ctx: Any) -> Iterator[Draw]:
    """Draws a model with something selected, [64, 64, 3] numbers."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)

    def shoot(model: Model, item: Item | None, camera: Any = FRONT, hidden: Any = (), **options: Any) -> Any:
        mesh = renderer.upload(model)
        marked, display = Selection(None, item), ModelDisplay(hidden=set(hidden))
        frame = frame_for(
            mesh, SIZE, None, display_options(**options), camera, selection=marked, display=display
        )
        renderer.draw(mesh, frame, target.framebuffer)
        mesh.release()
        return target.read()[..., :3].astype(int)

    yield shoot
    target.release()
    renderer.release()


def edges(pixels: Any) -> Any:
    """Where the edge is."""
    return (np.abs(pixels - EDGE) < 40).all(axis=-1)


def test_the_edge_is_a_frame_around_the_selected_geometry(draw: Draw) -> None:
    plain, marked = draw(SAND, None), draw(SAND, GeometryItem(0))
    covered, edge = (plain > 0).any(axis=-1), edges(marked)
    rows, columns = np.flatnonzero(covered.any(axis=1)), np.flatnonzero(covered.any(axis=0))
    assert edge[rows[0] - 1, 32] and edge[rows[-1] + 1, 32], "above and below"
    assert edge[32, columns[0] - 1] and edge[32, columns[-1] + 1], "left and right"
    assert not (edge & covered).any() and not edge[32, :8].any()
    assert not edges(plain).any()


def test_a_hidden_geometry_has_no_edge(draw: Draw) -> None:
    assert not edges(draw(SAND, GeometryItem(0), hidden={0})).any()


def test_the_edge_shows_through_what_stands_before_it(draw: Draw) -> None:
    behind = Geometry("behind", SAND.geometries[0].lods, material=0)
    both = replace(SAND, geometries=(*SAND.geometries, behind))
    assert edges(draw(both, GeometryItem(1))).any()


def test_a_silhouette_stays_bare(draw: Draw) -> None:
    assert not edges(draw(SAND, GeometryItem(0), shading=Shading.SILHOUETTE)).any()


def test_normals_stand_on_their_vertices(draw: Draw) -> None:
    aside = replace(FRONT, yaw=90.0)
    without, pixels = draw(SAND, None, aside), draw(SAND, None, aside, vertex_normals=True)
    new = (pixels != without).any(axis=-1)
    rows, columns = np.nonzero(new)
    assert new.sum() >= 2 and len(set(rows)) <= 6, "lines at the upper and the lower corners"
    assert (np.diff(np.sort(columns)) <= 2).all()


def test_vertices_without_a_normal_have_no_line(draw: Draw) -> None:
    bare = quad(Material("m"), columns={"normal": np.zeros((4, 3), np.float32)})
    aside = replace(FRONT, yaw=90.0)
    assert (draw(bare, None, aside) == draw(bare, None, aside, vertex_normals=True)).all()
