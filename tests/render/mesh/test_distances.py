"""Surfaces in the colours of their distances: a quad whose corners have numbers of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import FRONT, display_options, quad
from tests.synthetic import QUAD, pose_of, skeleton_of
from viewer.arrays import Array
from viewer.gpu.target import RenderTarget
from viewer.render.renderer import Renderer
from viewer.scene.choices import Shading
from viewer.scene.material import Material

SIZE = (16, 16)
Draw = Callable[..., Any]


@pytest.fixture
def draw(ctx: Any) -> Iterator[Draw]:
    """Draws a quad with each of some lists of shares: [16, 16, 3] numbers for each list."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)

    def shoot(*lists: Any, model: Any = None, pose: Any = None) -> list[Array]:
        mesh = renderer.upload(model or quad())
        found = []
        for shares in lists:
            if shares is not None:
                mesh.distances.show([np.array(shares, np.float32)])
            frame = frame_for(mesh, SIZE, pose, display_options(Shading.DISTANCE), FRONT)
            renderer.draw(mesh, frame, target.framebuffer)
            found.append(target.read()[..., :3].astype(int))
        mesh.release()
        return found

    yield shoot
    target.release()
    renderer.release()


def test_farther_is_lighter(draw: Draw) -> None:
    pictures = draw(*([share] * 4 for share in (0.05, 0.3, 0.6, 1.0)))
    lights = [picture[8, 8].sum() for picture in pictures]
    assert lights == sorted(lights) and lights[0] < 0.6 * lights[-1]


def test_what_did_not_move_is_grey(draw: Draw) -> None:
    grey, least = draw([0.0] * 4, [0.001] * 4)
    assert np.ptp(grey[8, 8]) < 50 < np.ptp(least[8, 8])


def test_between_vertices_the_colours_change_gradually(draw: Draw) -> None:
    (picture,) = draw([0.1, 1.0, 1.0, 0.1])
    row = picture[8, 5:12].sum(axis=1)
    assert (np.diff(row) > 0).all()


def test_what_has_no_counterpart_is_striped(draw: Draw) -> None:
    for picture in draw(None, [np.nan] * 4):
        inner = picture[6:10, 4:12].reshape(-1, 3)
        assert np.ptp(inner.sum(axis=1)) > 150 and np.ptp(inner, axis=1).max() < 50


def test_the_distances_stay_with_posed_vertices(draw: Draw) -> None:
    model = quad(
        columns={"joints": np.zeros((4, 4), np.uint8), "weights": np.tile(np.float32([1, 0, 0, 0]), (4, 1))},
        skeleton=skeleton_of(1),
    )
    away = np.eye(3, 4)[None].copy()
    away[0, 0, 3] = 0.5
    still, moved = (draw([1.0] * 4, model=model, pose=pose)[0] for pose in (None, pose_of(away)))
    assert (still[8] != moved[8]).any()


def test_distances_past_the_vertices_are_left_out(draw: Draw) -> None:
    (picture,) = draw([1.0] * (len(QUAD) + 3))
    assert picture[8, 8].sum() > 300


def test_a_material_of_holes_keeps_them(draw: Draw) -> None:
    hole = replace(Material("m"), diffuse=(1.0, 1.0, 1.0, 0.2), alpha_mask=0.5)
    assert draw([1.0] * 4, model=quad(hole))[0].max() == 0
