"""Whole pictures of a bent, coloured tube that this file calculates: for what pixel probes do not see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.frames import frame_for
from tests.synthetic import model_of, pose_of, skeleton_of, vertex_buffer
from viewer.gpu.target import RenderTarget
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.choices import Shading
from viewer.scene.display import DisplayOptions
from viewer.scene.material import Image, Material, Texture
from viewer.scene.model import Model

SIZE = (120, 120)
RINGS, SIDES = 24, 32
Draw = Callable[..., np.ndarray]


@pytest.fixture
def draw(ctx: Any) -> Iterator[Draw]:
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE, 4)

    def run(display_options: DisplayOptions) -> np.ndarray:
        mesh = renderer.upload(tube(), {0: stripes()})
        renderer.draw(
            mesh,
            frame_for(mesh, SIZE, bent(), display_options, Orbit(distance=5.5, pitch=15.0)),
            target.framebuffer,
        )
        mesh.release()
        return np.ascontiguousarray(target.read()[..., :3])

    yield run
    target.release()
    renderer.release()


def tube() -> Model:
    """A tube along y from -1 to 1, with two bones that share it."""
    around, along = np.meshgrid(np.arange(SIDES + 1) / SIDES, np.arange(RINGS + 1) / RINGS)
    angle = around.ravel() * 2 * np.pi
    normal = np.stack((np.sin(angle), np.zeros_like(angle), np.cos(angle)), axis=1).astype(np.float32)
    position = normal * np.float32(0.6)
    position[:, 1] = along.ravel() * 2 - 1
    upper = np.clip(position[:, 1] + 0.5, 0, 1)
    buffer = vertex_buffer(
        ("weights",),
        position=position,
        normal=normal,
        uv0=np.stack((around.ravel(), 1 - along.ravel()), axis=1).astype(np.float32),
        weights=np.round(np.stack((1 - upper, upper, 0 * upper, 0 * upper), axis=1) * 255).astype(np.uint8),
        joints=np.tile(np.array((0, 1, 0, 0), np.uint8), (len(position), 1)),
    )
    corner = (np.arange(RINGS)[:, None] * (SIDES + 1) + np.arange(SIDES)).ravel()[:, None]
    indices = (corner + np.array((0, 1, SIDES + 2, 0, SIDES + 2, SIDES + 1))).astype(np.uint16).ravel()
    material = Material("m", units={"diffuse": 0}, specular=(0.4, 0.4, 0.4, 30.0), cull="none")
    fields = {"materials": (material,), "textures": (Texture("stripes"),), "skeleton": skeleton_of(2)}
    return model_of(buffer, indices=indices, geometry={"material": 0}, **fields)


def stripes() -> Image:
    rows = np.array(((200, 60, 40, 255), (240, 220, 180, 255)), np.uint8)[np.arange(64) // 8 % 2]
    return Image((np.repeat(rows[:, None], 64, axis=1),))


def bent() -> Any:
    """The upper bone leans to the side."""
    skin = np.tile(np.eye(3, 4), (2, 1, 1))
    cosine, sine = np.cos(0.7), np.sin(0.7)
    skin[1, :2, :2] = (cosine, -sine), (sine, cosine)
    return pose_of(skin)


@pytest.mark.parametrize("shading", [Shading.LIT, Shading.BONES])
def test_the_tube_looks_as_it_did(draw: Draw, golden: Any, shading: Shading) -> None:
    golden(
        f"tube_{shading.value}",
        draw(DisplayOptions(shading=shading, wireframe=shading is Shading.BONES, axes=False)),
    )
