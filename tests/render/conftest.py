"""Fixtures of the picture tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.frames import frame_for
from tests.quads import FRONT
from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.gpu.target import RenderTarget
from viewer.render.bake import BakedGeometry, bake
from viewer.render.renderer import Renderer
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.model import Model

SIZE = (16, 16)


@pytest.fixture
def renderer(ctx: Any) -> Iterator[Renderer]:
    made = Renderer(ctx)
    yield made
    made.release()


@pytest.fixture
def shot(ctx: Any) -> Iterator[Callable[..., Array]]:
    """Draws a model, [16, 16, 4]."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)

    def draw(
        model: Model,
        display_options: DisplayOptions,
        camera: Any = FRONT,
        pose: Any = None,
        images: Any = None,
        display: ModelDisplay | None = None,
    ) -> Array:
        mesh = renderer.upload(model, images)
        try:
            frame = frame_for(mesh, SIZE, pose, display_options, camera, display=display or ModelDisplay())
            renderer.draw(mesh, frame, target.framebuffer)
            return target.read()
        finally:
            mesh.release()

    yield draw
    target.release()
    renderer.release()


@pytest.fixture
def baked(ctx: Any) -> Iterator[Callable[..., list[BakedGeometry]]]:
    """Uploads, bakes and releases a model."""
    renderer = Renderer(ctx)

    def run(
        model: Model, posed: Pose | None = None, display: ModelDisplay | None = None
    ) -> list[BakedGeometry]:
        mesh = renderer.upload(model)
        try:
            return bake(mesh, posed, display or ModelDisplay())
        finally:
            mesh.release()

    yield run
    renderer.release()
