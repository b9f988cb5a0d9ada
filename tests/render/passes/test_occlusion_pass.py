"""Ambient occlusion: corners are dark, open surfaces keep their colours, also in parallel projection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.balls import balls, dielectric
from tests.frames import frame_for
from tests.synthetic import model_of, vertex_buffer
from viewer.arrays import Array
from viewer.gpu.target import RenderTarget
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.choices import LightKind
from viewer.scene.display import DisplayOptions
from viewer.scene.material import Material
from viewer.scene.model import Model

SIZE = (97, 64)
BLACK = (0.0, 0.0, 0.0, 1.0)
CAMERAS = [Orbit(distance=7.0, yaw=0.0, pitch=45.0), Orbit(distance=7.0, yaw=0.0, pitch=45.0, ortho=True)]
Draw = Callable[..., Array]


@pytest.fixture
def draw(ctx: Any) -> Iterator[Draw]:
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)

    def run(model: Model, camera: Orbit, **more: Any) -> Array:
        """[height, width] red."""
        options = DisplayOptions(grid=False, axes=False, background=BLACK, light=LightKind.HEADLAMP, **more)
        mesh = renderer.upload(model)
        renderer.draw(mesh, frame_for(mesh, SIZE, None, options, camera), target.framebuffer)
        mesh.release()
        return target.read()[..., 0].astype(int)

    yield run
    target.release()
    renderer.release()


def corner() -> Model:
    """A floor that reaches from z = 0 to 4, and a wall of height 4 at z = 0 that faces +z."""
    floor = np.array(((-4, 0, 0), (-4, 0, 4), (4, 0, 4), (4, 0, 0)), np.float32)
    wall = np.array(((-4, 4, 0), (-4, 0, 0), (4, 0, 0), (4, 4, 0)), np.float32)
    normals = np.repeat(np.array(((0, 1, 0), (0, 0, 1)), np.float32), 4, axis=0)
    buffer = vertex_buffer(position=np.concatenate((floor, wall)), normal=normals)
    indices = np.array((0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7), np.uint16)
    return model_of(
        buffer, indices=indices, geometry={"material": 0}, materials=(Material("m", cull="none"),)
    )


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_corner_is_dark_and_the_open_floor_is_not(draw: Draw, camera: Orbit) -> None:
    plain, dark = (draw(corner(), camera, occlusion=on)[:, 48] for on in (False, True))
    loss = (plain - dark) / np.maximum(plain, 1)
    shown = np.flatnonzero(plain)
    assert loss[shown].max() > 0.15
    deepest = shown[loss[shown].argmax()]
    edges = (shown[0], shown[-1])
    assert min(abs(deepest - edge) for edge in edges) > 8
    assert all(loss[edge] < 0.06 for edge in edges)


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_lone_ball_keeps_its_colours(draw: Draw, camera: Orbit) -> None:
    plain, dark = (draw(balls([dielectric(1.0)]), camera, occlusion=on) for on in (False, True))
    assert np.count_nonzero(plain) > 100
    assert np.abs(plain - dark).max() <= 12


def test_it_is_off_by_default_and_without_materials(draw: Draw) -> None:
    assert not DisplayOptions().occlusion
    with_it = draw(corner(), CAMERAS[0], occlusion=True)
    assert (with_it != draw(corner(), CAMERAS[0])).any()


def test_blended_surfaces_are_open(draw: Draw) -> None:
    glass = Material("glass", diffuse=(1.0, 1.0, 1.0, 0.5), blend="alpha")
    plain, dark = (draw(balls([glass]), CAMERAS[0], occlusion=on) for on in (False, True))
    assert (plain == dark).all() and plain.max() > 50
