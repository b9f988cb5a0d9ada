"""The floor of drawing particles: the same quads from a buffer in which their corners lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from viewer.arrays import Array
from viewer.gpu.bindings import Slots
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.target import RenderTarget
from viewer.scene.model import Primitive
from viewer.view.camera import Matrices

VERTEX = """#version 330
uniform mat4 projection;
in vec3 place; in vec2 corner; in vec4 color;
out vec2 uv; out vec4 tint;
void main() { gl_Position = projection * vec4(place, 1.0); uv = corner; tint = color; }
"""
FRAGMENT = """#version 330
uniform sampler2D picture;
in vec2 uv; in vec4 tint;
out vec4 color;
void main() { color = texture(picture, uv) * tint; }
"""
SIDES = np.array(((-1, 1), (-1, -1), (1, 1), (1, -1)), float)
TRIANGLES = np.array((0, 1, 2, 2, 1, 3), np.uint32)


@contextmanager
def ready_quads(
    target: RenderTarget, eye: Matrices, particles: Array, blend: str
) -> Iterator[Callable[[], None]]:
    """Draws [N] of `particle_rows.PARTICLE` towards the viewer, and waits for the GPU."""
    ctx = target.framebuffer.ctx
    program = ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    program["projection"].write(np.ascontiguousarray(eye.projection.T, np.float32))  # type: ignore[union-attr]
    program.extra = Slots((("picture", 0),), ())
    indices = np.arange(len(particles), dtype=np.uint32)[:, None] * 4 + TRIANGLES
    corners, order = ctx.buffer(_corners(eye.view, particles)), ctx.buffer(indices)
    texture = ctx.texture((4, 4), 4, b"\xff" * 64)
    content = [(corners, "3f4 2f4 4f4", "place", "corner", "color")]
    array = ctx.vertex_array(program, content, index_buffer=order)
    pipeline = Pipeline(
        array, target.framebuffer, {"picture": texture}, blend=blend, depth_write=False, cull="none"
    )

    def draw() -> None:
        target.framebuffer.clear()
        pipeline.draw(Primitive.TRIANGLES)
        ctx.finish()

    yield draw
    for owned in (array, texture, order, corners, program):
        owned.release()


def _corners(view: Array, particles: Array) -> Array:
    """[N, 4, 9]: place in eye space, corner of the picture, colour."""
    made = np.zeros((len(particles), 4, 9), np.float32)
    made[:, :, :3] = (particles["position"] @ view[:3, :3].T + view[:3, 3])[:, None]
    made[:, :, :2] += SIDES * particles["size"][:, None, None]
    made[:, :, 3:5], made[:, :, 5:] = SIDES / 2 + 0.5, particles["color"][:, None]
    return made
