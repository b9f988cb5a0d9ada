"""The gradient behind a model: drawn, kept and copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import FRONT, quad
from viewer.arrays import Array, Size
from viewer.gpu.target import RenderTarget
from viewer.render.overlays.grid import Ground, GroundGrid
from viewer.render.passes.background import Background
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.choices import LightKind
from viewer.scene.display import DisplayOptions
from viewer.scene.model import Model
from viewer.view.camera import Matrices, matrices
from viewer.view.framing import posed_bounds

Draw = Callable[..., Array]


@pytest.fixture
def draw(ctx: Any) -> Iterator[Draw]:
    """Draws a model or nothing in one renderer, each time to another target: [height, width, 4]."""
    renderer = Renderer(ctx)
    meshes: list[Any] = []

    def run(model: Model | None = None, samples: int = 0, size: Size = (48, 32), **options: Any) -> Array:
        target = RenderTarget(ctx, size, samples)
        meshes.append(renderer.upload(model) if model else None)
        frame = frame_for(model, size, None, DisplayOptions(**options), FRONT)
        renderer.draw(meshes[-1], frame, target.framebuffer)
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
    grid = GroundGrid(renderer.composer)
    background = Background(renderer.composer, grid)
    pictures = []
    for _ in range(3):
        background.draw(target.framebuffer, (16, 16), DisplayOptions())
        pictures.append(target.read()[16:, :16].copy())
    assert pictures[0].any() and all((each == pictures[0]).all() for each in pictures)
    for owned in (background, grid, renderer, target):
        owned.release()


@pytest.mark.parametrize("light_theme", [False, True])
def test_the_gradient_has_no_bands(draw: Draw, light_theme: bool) -> None:
    """Noise mixes neighbouring steps: where one begins, rows hold pixels of both."""
    pixels = draw(size=(64, 256), light_theme=light_theme)[..., :3]
    steps = np.flatnonzero(np.diff(np.median(pixels[..., 0], axis=1)))
    mixed = [len(np.unique(row[:, 0])) > 1 for row in pixels[steps]]
    assert len(steps) > 10 and all(mixed)
    assert np.ptp(pixels.astype(int), axis=1).max() <= 2


@pytest.mark.parametrize("samples", [0, 4])
def test_a_copied_ground_is_the_drawn_one(ctx: Any, samples: int) -> None:
    """Fresh renderers draw what one renderer copies, while the camera moves and while it rests."""
    above, model = Orbit(yaw=20.0, pitch=30.0, distance=6.0), standing()
    cameras = [above, above.seen_from("front"), replace(above, yaw=50.0), replace(above, yaw=60.0)]
    seen = [matrices(camera, model.to_world, SIZE, BOX) for camera in cameras]
    kept = Renderer(ctx)
    for number in (0, 0, 0, 0, 1, 1, 1, 2, 3, 2, 2, 2, 2, 0):
        fresh = Renderer(ctx)
        expected, found = (over_ground(each, model, seen[number], samples) for each in (fresh, kept))
        fresh.release()
        np.testing.assert_array_equal(found, expected)
        assert len(np.unique(expected.reshape(-1, 4), axis=0)) > 20
    kept.release()
    assert ctx.error == "GL_NO_ERROR"


@pytest.mark.parametrize("color", [None, (0.5, 0.5, 0.5, 1.0)])
@pytest.mark.parametrize("grounded", [False, True])
def test_a_background_that_rests_is_copied_instead_of_drawn(
    ctx: Any, grounded: bool, color: tuple[float, ...] | None
) -> None:
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)
    grid = GroundGrid(renderer.composer)
    background = Background(renderer.composer, grid)
    seen = matrices(Orbit(yaw=20.0, pitch=30.0, distance=6.0), np.eye(4), SIZE, BOX)
    ground = Ground(seen, BOX, color) if grounded else None
    drawn = []
    for _ in range(4):
        query = ctx.query(primitives=True)
        with query:
            background.draw(target.framebuffer, SIZE, DisplayOptions(background=color), ground)
        drawn.append(query.primitives > 0)
    assert drawn == [grounded or color is None] * 2 + [False] * 2
    for owned in (background, grid, renderer, target):
        owned.release()


def test_lines_lie_over_what_is_below_the_ground(ctx: Any) -> None:
    """Seen from above, a plate at the level of the lines or over it hides them, a plate below does not."""
    renderer, above = Renderer(ctx), Orbit(pitch=89.0, distance=4.0)
    shown = {}
    for height in (-0.5, 0.5):
        model = plate(height)
        seen = matrices(above, model.to_world, SIZE, posed_bounds(model))
        shown[height] = over_ground(renderer, model, seen, 0)[16:32, 24:40]
    renderer.release()
    spread = {height: np.ptp(pixels, axis=(0, 1)).max() for height, pixels in shown.items()}
    assert spread[-0.5] > 20 and spread[0.5] == 0


BOX = np.array(((-1.0, 0.0, -1.0), (1.0, 2.0, 1.0)))
SIZE = (64, 48)


def standing() -> Model:
    """A quad that stands on the ground."""
    return quad(to_world=np.array(((1.0, 0, 0, 0), (0, 1, 0, 1), (0, 0, 1, 0), (0, 0, 0, 1))))


def plate(height: float) -> Model:
    """A quad that lies at a height."""
    return quad(to_world=np.array(((1.0, 0, 0, 0), (0, 0, 1, height), (0, -1, 0, 0), (0, 0, 0, 1))))


def over_ground(renderer: Renderer, model: Model, seen: Matrices, samples: int) -> Array:
    """[height, width, 4]: the model over the ground."""
    mesh, target = renderer.upload(model), RenderTarget(renderer.ctx, SIZE, samples)
    options = DisplayOptions(light=LightKind.UNLIT, axes=False)
    extent = BOX if model.to_world[1, 1] else None
    frame = frame_for(mesh, SIZE, None, options, Orbit(), extent, seen=seen)
    renderer.draw(mesh, frame, target.framebuffer)
    pixels = target.read().astype(int)
    for owned in (mesh, target):
        owned.release()
    return pixels
