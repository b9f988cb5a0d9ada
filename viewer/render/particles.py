"""The particle pass: each emitter is one draw for its heads and one for its tails.

The vertex shader works every particle out from its number and the time; nothing of a particle is kept or
uploaded. Only emitters that ask to be sorted, and blend so that it shows, get the order of their particles
from the CPU.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import moderngl
import numpy as np

from viewer.animation.approximations import MOST
from viewer.gpu.bindings import UNITS
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer, Program
from viewer.gpu.table import Table
from viewer.render.emitter_resources import EmitterResources, Instant
from viewer.render.paint import Paint
from viewer.render.statistics import Statistics
from viewer.scene.emitter import MOST_EMITTERS
from viewer.scene.look import PAINTED, Look
from viewer.scene.model import Model, Primitive

Array = np.ndarray[Any, Any]

QUAD = np.array((0, 1, 2, 2, 1, 3), np.uint32)
"""The corners of two triangles among the four vertices of a particle."""
COVERING = ("alpha", "premulalpha")
"""Blends that depend on the order."""
GLOWING = ("add", "addalpha")
DEPTH = ("depth",)
ROOM = 1024


class Particles:
    """The emitters of one model. Textures belong to `paint`, programs to the composer."""

    def __init__(self, composer: Composer, model: Model, paint: Paint) -> None:
        count = min(len(model.emitters), MOST_EMITTERS)
        self.emitters = [EmitterResources(composer.ctx, model, number) for number in range(count)]
        self._composer = composer
        self._paint = paint
        self._arrays: dict[Program, moderngl.VertexArray] = {}
        self._order: Table | None = None
        self._room = 0
        self._quads: moderngl.Buffer | None = None

    def arrive(self) -> Iterator[float]:
        """Build the programs and textures that will be drawn with, one after another."""
        for each in self.emitters:
            self._paint.particle_texture(each.emitter.texture)
            for tail in _kinds(each):
                self._program(each, tail)
                yield 1.0

    def draw(self, look: Look, instant: Instant, view: Array) -> Statistics:
        """Draw what `look` shows of the particles; `view` [4, 4] as in the bound `Frame` block."""
        if look.shading not in PAINTED:
            return Statistics()
        total, unit = Statistics(), unit_length(view)
        for each in self.prepared(look, instant):
            ordered = _sorted(each) and self._sort(each)
            self._paint.particle_texture(each.emitter.texture).use(UNITS["diffuse_map"])
            for tail in _kinds(each):
                program = self._program(each, tail)
                program.set(unit_length=unit)
                if ordered and self._order is not None:
                    self._order.use(UNITS["particle_order"])
                pipeline = Pipeline(
                    self._array(program, each.count),
                    blend=each.emitter.blending,
                    depth_write=each.emitter.depth_write,
                    cull="none",
                )
                pipeline.draw(Primitive.TRIANGLES, len(QUAD) * each.count)
                total += Statistics(2 * each.count, 1)
        return total

    def draw_numbers(self, look: Look, instant: Instant, view: Array) -> None:
        """Draw which particle covers each pixel instead of colours, as `pick_particle.frag` says."""
        if look.shading not in PAINTED:
            return
        for each in self.prepared(look, instant):
            self._paint.particle_texture(each.emitter.texture).use(UNITS["diffuse_map"])
            for tail in _kinds(each):
                defines = (*each.defines, "NUMBERED", *(("TAIL",) if tail else ()))
                program = self._composer.program("particle.vert", "pick_particle.frag", defines)
                glows = int(each.emitter.blending in GLOWING)
                program.set(unit_length=unit_length(view), emitter=each.number, glows=glows)
                pipeline = Pipeline(self._array(program, each.count), cull="none")
                pipeline.draw(Primitive.TRIANGLES, len(QUAD) * each.count)

    def prepared(self, look: Look, instant: Instant) -> Iterator[EmitterResources]:
        """The emitters that are shown and have particles, in the order they are drawn, each bound. Once there
        are too many particles for one picture, the rest has none."""
        left = MOST
        for each in sorted(self.emitters, key=lambda each: each.emitter.priority):
            if look.effects.draws(each.item) and each.prepare(instant, look.effects, left):
                left -= each.count
                each.use()
                yield each

    def captured(self, each: EmitterResources, varyings: tuple[str, ...], numbers: int) -> Array:
        """[count, numbers] f32: what the vertex shader says of each birth, the newest first. The emitter is
        prepared and bound."""
        defines = (*each.defines, "CAPTURED", *(() if each.emitter.head else ("TAIL",)))
        program = self._composer.program("particle.vert", None, defines, varyings)
        buffer = self._composer.ctx.buffer(reserve=each.count * numbers * 4)
        try:
            # the default mode would be triangles, which drop what does not fill one
            self._array(program).transform(buffer, moderngl.POINTS, vertices=each.count)
            return np.frombuffer(buffer.read(), np.float32).reshape(each.count, numbers)
        finally:
            buffer.release()

    def _array(self, program: Program, quads: int = 0) -> moderngl.VertexArray:
        """A vertex array without attributes, vertices are made of their numbers; with the corners of so many
        quads, if there are to be any."""
        if quads * QUAD.nbytes > (self._quads.size if self._quads else 0):
            self._drop_arrays()
            self._quads = self._composer.ctx.buffer(corners(1 << max(quads - 1, ROOM - 1).bit_length()))
        found = self._arrays.get(program)
        if found is None or found.program is not program.handle:
            if found is not None:
                found.release()
            indices = self._quads if quads else None
            found = self._composer.ctx.vertex_array(program.handle, [], index_buffer=indices)
            self._arrays[program] = found
        return found

    def _drop_arrays(self) -> None:
        """Release the vertex arrays and the corners that they share."""
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()
        if self._quads is not None:
            self._quads.release()

    def release(self) -> None:
        """Release everything but textures and programs."""
        self._drop_arrays()
        for each in (*self.emitters, self._order):
            if each is not None:
                each.release()

    def _program(self, each: EmitterResources, tail: bool) -> Program:
        flags = {"TAIL": tail, "SORTED": _sorted(each), "LIT": "unlit" not in each.emitter.flags}
        defines = (*each.defines, *(name for name, wanted in flags.items() if wanted))
        return self._composer.program("particle.vert", "particle.frag", defines)

    def _sort(self, each: EmitterResources) -> bool:
        """Put the emitter's particles in order, the farthest first."""
        order = np.argsort(self.captured(each, DEPTH, 1)[:, 0], kind="stable")
        if self._order is None or self._room < each.count:
            if self._order is not None:
                self._order.release()
            self._room = max(2 * each.count, ROOM)
            self._order = Table(self._composer.ctx, self._room, 1, "i4")
        self._order.write(order[:, None])
        return True


def corners(quads: int) -> Array:
    """[6 × quads] u32: which vertices the triangles of so many quads join."""
    return (np.arange(quads, dtype=np.uint32)[:, None] * 4 + QUAD).ravel()


def unit_length(view: Array) -> float:
    """How long one unit of the file's axes is in eye space."""
    return float(np.cbrt(abs(np.linalg.det(view[:3, :3]))))


def _kinds(each: EmitterResources) -> tuple[bool, ...]:
    """Which quads it draws: False for heads, True for tails."""
    return (False,) * each.emitter.head + (True,) * each.emitter.tail


def _sorted(each: EmitterResources) -> bool:
    return "sorted" in each.emitter.flags and each.emitter.blending in COVERING
