"""The work of the driver: particles, poses, samples, uploads, mip levels. Each row names the driver.

Run by name (`dev.py bench gpu`), in four minutes at most; smaller where the driver draws in software. The
limits are those of Mesa's software renderer: no GPU was there when they were set.
"""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import moderngl
import numpy as np
import pytest
from msgspec.structs import replace

from tests.benchmarks.frame import BEACON, PLAIN
from tests.benchmarks.made import LARGE, large_model
from tests.benchmarks.measure import Row, Rows, best
from tests.frames import frame_for
from viewer.animation.pose import Layer, Pose, pose
from viewer.arrays import Size
from viewer.gpu import headless, texture
from viewer.gpu.mip_levels import draws_in_software
from viewer.gpu.target import RenderTarget, clear
from viewer.render.renderer import Renderer
from viewer.scene.animation import Animation
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions
from viewer.scene.emitter import Curve, Emitter, Ramp
from viewer.scene.material import Image, Texture
from viewer.scene.model import Model
from viewer.scene.texture_images import decode_textures
from viewer.storage.documents import open_document
from viewer.view.framing import fit, posed_bounds

SIZE = (1280, 720)
BOX = np.array(((-4.0, -4, -4), (4, 4, 4)))
LIFE = 5.0
"""Seconds that a particle lives."""
QUADS = """#version 330
out vec2 place;
void main() {
    int corner = gl_VertexID % 6, quad = gl_VertexID / 6;
    place = vec2((corner + corner / 3) & 1, corner / 2 & 1);
    gl_Position = vec4(vec2(quad % 1280, quad / 1280 % 720) / vec2(640, 360) - 1 + place / 64, 0, 1);
}
"""
PLAIN_QUAD = """#version 330
in vec2 place;
out vec4 color;
void main() { color = vec4(place, 0, 0.1); }
"""


class Amounts(NamedTuple):
    """How much is drawn: emitters, particles of each, poses, the size and samples of a picture, and the side
    of a texture.
    """

    emitters: int
    particles: int
    poses: int
    picture: Size
    samples: int
    side: int


GPU = Amounts(100, 10_000, 1000, (3840, 2160), 8, 4096)
SOFTWARE = Amounts(10, 1000, 20, (1920, 1080), 4, 1024)


def rows() -> Rows:
    """Wall time until the driver has finished, against less work in the same context."""
    with headless.context() as ctx:
        driver = f"{ctx.info['GL_VENDOR']}, {ctx.info['GL_RENDERER']}"
        amounts = SOFTWARE if draws_in_software(ctx) else GPU
        for row in (_particles(ctx, amounts), _poses(ctx, amounts), _samples(ctx, amounts), _upload(ctx)):
            yield replace(row, floor_name=f"{row.floor_name}; {driver}")
    row = _levels(amounts.side)
    yield replace(row, floor_name=f"{row.floor_name}; {driver}")


def _finished(ctx: moderngl.Context, work: Callable[[], object]) -> float:
    """The shortest time of some work until the driver has done it."""

    def once() -> None:
        work()
        ctx.finish()

    once()  # compiles shaders
    return best(once, 2)


def _particles(ctx: moderngl.Context, amounts: Amounts) -> Row:
    """Emitters that emit all the time, each frame at another time."""
    numbers = {"rate": amounts.particles / LIFE, "lifespan": LIFE, "speed": 1.0, "vertical_range": 3.0}
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    small, clock = Ramp(np.zeros(1), np.full((1, 2), 0.02)), itertools.count()
    emitter = Emitter("plane", -1, (0.0, 0.0, 0.0), 0, 4, curves=lambda _: curves, scales=small)
    count = amounts.emitters * amounts.particles
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)
    mesh = renderer.upload(Model("made", emitters=(emitter,) * amounts.emitters))
    camera, drawn = Orbit(distance=12), []

    def ours() -> None:
        frame = frame_for(mesh, SIZE, None, PLAIN, camera, BOX, time=LIFE + next(clock) / 60)
        drawn.append(renderer.draw(mesh, frame, target.framebuffer).triangles)

    program = ctx.program(vertex_shader=QUADS, fragment_shader=PLAIN_QUAD)
    quads = ctx.vertex_array(program, [])

    def floor() -> None:
        clear(target.framebuffer, SIZE)
        ctx.enable_only(ctx.BLEND)
        quads.render(ctx.TRIANGLES, 6 * count)

    row = Row(f"{count:,} particles", _finished(ctx, ours), _finished(ctx, floor), 5, "as many still quads")
    assert min(drawn) > count, f"of {2 * count} triangles of living particles {min(drawn)} are drawn"
    for owned in (mesh, renderer, target, quads, program):
        owned.release()
    return row


@contextmanager
def _dancer(
    ctx: moderngl.Context, options: DisplayOptions, size: Size
) -> Iterator[tuple[Callable[[float], Pose], Callable[[Pose], None], RenderTarget]]:
    """The pose of the sample that dances at a time, a function that draws it in a pose, and its target."""
    document, clip = open_document(BEACON[0]), open_document(BEACON[1]).content
    model = document.model
    assert model is not None and model.skeleton is not None and isinstance(clip, Animation)
    skeleton, extent = model.skeleton, posed_bounds(model)
    renderer, target = Renderer(ctx), RenderTarget(ctx, size, options.samples)
    mesh, camera = renderer.upload(model, decode_textures(document)), fit(Orbit(), extent, size)

    def draw(posed: Pose) -> None:
        renderer.draw(mesh, frame_for(mesh, size, posed, options, camera, extent), target.framebuffer)

    yield lambda time: pose(skeleton, [Layer(clip, time)]), draw, target
    for owned in (mesh, renderer, target):
        owned.release()


def _poses(ctx: moderngl.Context, amounts: Amounts) -> Row:
    """Frames of a skinned model in as many poses."""
    with _dancer(ctx, PLAIN, SIZE) as (posed, draw, _):
        times, still = [number / 60 for number in range(amounts.poses)], posed(0)
        ours = _finished(ctx, lambda: [draw(posed(time)) for time in times])
        floor = _finished(ctx, lambda: [draw(still) for _ in times])
    return Row(f"{amounts.poses} frames of {BEACON[0].stem} in other poses", ours, floor, 3, "in one pose")


def _samples(ctx: moderngl.Context, amounts: Amounts) -> Row:
    """A large picture of the sample over gradient and ground."""
    size = amounts.picture
    with _dancer(ctx, DisplayOptions(samples=amounts.samples), size) as (posed, draw, target):
        still = posed(0.5)

        def resolved(work: Callable[[], object]) -> None:
            work()
            target.resolve()

        ours = _finished(ctx, lambda: resolved(lambda: draw(still)))
        floor = _finished(ctx, lambda: resolved(lambda: clear(target.framebuffer, size)))
        name = f"frame of {size[0]}×{size[1]} with {target.samples} samples"
    return Row(name, ours, floor, 8, "clear and resolve")


def _upload(ctx: moderngl.Context) -> Row:
    """A model of 100 MB, from its arrays to its buffers."""
    with tempfile.TemporaryDirectory() as folder:
        model = open_document(large_model(folder)).model
        assert model is not None
        renderer, stored = Renderer(ctx), [*model.vertex_buffers, *model.index_buffers]
        ours = _finished(ctx, lambda: renderer.upload(model).release())
        floor = _finished(ctx, lambda: [ctx.buffer(each.data).release() for each in stored])
        renderer.release()
    return Row(f"upload of {LARGE // 10**6} MB", ours, floor, 3, "its arrays as buffers")


def _levels(side: int) -> Row:
    """The first texture of a context with mip levels, made by the CPU or the driver, as the program does."""
    pixels = np.random.default_rng(1).integers(0, 255, (side, side, 4), np.uint8)
    with headless.context() as ctx:
        here = texture.makes_levels(ctx, (side, side))
    times = {True: [9.0], False: [9.0]}
    with pytest.MonkeyPatch.context() as patch:
        for on_cpu in (True, False) * 5:
            patch.setattr(texture, "makes_levels", lambda *_, on_cpu=on_cpu: on_cpu)
            with headless.context() as ctx:
                start = time.perf_counter()
                texture.image_texture(ctx, Image((pixels,)), Texture("made"), srgb=True)
                ctx.finish()
                times[on_cpu].append(time.perf_counter() - start)
    by, other = ("CPU", "driver") if here else ("driver", "CPU")
    name = f"first mip levels of {side}² by the {by}"
    return Row(name, min(times[here]), min(times[not here]), 1, f"by the {other}")
