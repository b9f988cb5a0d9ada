"""The gradient behind a model: drawn, kept and copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.quads import FRONT, quad
from viewer.arrays import Array, Size
from viewer.gpu.target import RenderTarget
from viewer.render.background import Background
from viewer.render.renderer import Frame, Renderer
from viewer.scene.display import DisplayOptions
from viewer.scene.model import Model

Draw = Callable[..., Array]


@pytest.fixture
def draw(ctx: Any) -> Iterator[Draw]:
    """Draws a model or nothing in one renderer, each time to another target: [height, width, 4]."""
    renderer = Renderer(ctx)
    meshes: list[Any] = []

    def run(model: Model | None = None, samples: int = 0, size: Size = (48, 32), **options: Any) -> Array:
        target = RenderTarget(ctx, size, samples)
        meshes.append(renderer.upload(model) if model else None)
        frame = Frame(None, DisplayOptions(**options), FRONT)
        renderer.draw(meshes[-1], frame, target.framebuffer, size)
        pixels = target.read().copy()
        target.release()
        return pixels

    yield run
    for mesh in meshes:
        if mesh is not None:
            mesh.release()
    renderer.release()
    assert ctx.error == "GL_NO_ERROR"


@pytest.mark.parametrize("samples", [0, 4])
@pytest.mark.parametrize("model", [None, quad()])
def test_a_copied_gradient_is_the_drawn_one(draw: Draw, model: Model | None, samples: int) -> None:
    drawn, kept, copied, again = (draw(model, samples) for _ in range(4))
    assert drawn[0, 0].any() and (drawn == kept).all()
    assert (drawn == copied).all() and (drawn == again).all()


def test_a_copy_serves_only_its_size_samples_and_theme(draw: Draw) -> None:
    fresh = [draw(), draw(size=(24, 24)), draw(samples=4), draw(light_theme=True)]
    for _ in range(3):
        kept = draw()
    others = [draw(size=(24, 24)), draw(samples=4), draw(light_theme=True), draw()]
    assert (kept == fresh[0]).all() and (others[3] == fresh[0]).all()
    assert all((one == other).all() for one, other in zip(others[:3], fresh[1:], strict=True))


def test_a_picture_smaller_than_its_framebuffer_is_drawn_every_time(ctx: Any) -> None:
    renderer, target = Renderer(ctx), RenderTarget(ctx, (32, 32))
    background = Background(renderer.composer)
    pictures = []
    for _ in range(3):
        background.clear(target.framebuffer, (16, 16), DisplayOptions())
        pictures.append(target.read()[16:, :16].copy())
    assert pictures[0].any() and all((each == pictures[0]).all() for each in pictures)
    for owned in (background, renderer, target):
        owned.release()


@pytest.mark.parametrize("light_theme", [False, True])
def test_the_gradient_has_no_bands(draw: Draw, light_theme: bool) -> None:
    """Noise mixes neighbouring steps: where one begins, rows hold pixels of both."""
    pixels = draw(size=(64, 256), light_theme=light_theme)[..., :3]
    steps = np.flatnonzero(np.diff(np.median(pixels[..., 0], axis=1)))
    mixed = [len(np.unique(row[:, 0])) > 1 for row in pixels[steps]]
    assert len(steps) > 10 and all(mixed)
    assert np.ptp(pixels.astype(int), axis=1).max() <= 2
