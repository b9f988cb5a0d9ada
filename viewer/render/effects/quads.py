"""Particles as quads: one draw per emitter for heads and one for tails.

The vertex shader computes each particle from its number and the time; the geometry shader makes its quad. No
particle is stored or uploaded. The CPU sorts particles only if the emitter requests sorting and the result of
the blend mode depends on the order.
"""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.arrays import Array
from viewer.gpu.bindings import NO_BINDINGS, Bindings
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.program import Program
from viewer.gpu.shader import Composer
from viewer.render.effects.carried_resources import CarriedResources
from viewer.render.effects.emitter_resources import EmitterResources
from viewer.render.mesh.lights import Illumination
from viewer.render.mesh.materials import SPOT
from viewer.render.mesh.mesh_programs import FrameKind
from viewer.render.statistics import DrawStatistics
from viewer.scene.choices import Shading
from viewer.scene.model import Primitive

Drawn = EmitterResources | CarriedResources

COVERING = ("alpha", "premulalpha")
"""Blend modes whose result depends on the draw order."""
GLOWING = ("add", "addalpha")
USUAL = FrameKind()
DEPTH, DEPTH_ROW = ("depth",), np.dtype("f4")
ROOM = 1024


class Quads:
    """Draws prepared emitters as quads. The uniform block `frame` belongs to the caller, programs to the
    composer.
    """

    def __init__(self, composer: Composer, frame: moderngl.Buffer) -> None:
        self._composer = composer
        self._frame = frame
        self._arrays: dict[tuple[Program, bool], moderngl.VertexArray] = {}
        self._order: moderngl.Buffer | None = None

    def draw(
        self,
        each: Drawn,
        texture: moderngl.Texture,
        framebuffer: moderngl.Framebuffer,
        unit: float,
        most: int,
        frame_kind: FrameKind,
    ) -> DrawStatistics:
        """Draw the quads of the newest particles of a prepared emitter; at most `most` particles."""
        total, count = DrawStatistics(), min(each.count, most)
        if not count:
            return total
        bindings = {"Frame": self._frame, "diffuse_map": texture, **each.bindings}
        if _sorted(each):
            self._sort(each, count)
        for tail in kinds(each):
            program = self.program(each, tail, frame_kind)
            program.set(unit_length=unit, spot=int(texture.extra == SPOT))
            pipeline = Pipeline(
                self._array(program, _sorted(each)),
                framebuffer,
                bindings,
                blend=each.emitter.blending,
                depth_write=each.emitter.depth_write,
                cull="none",
            )
            pipeline.draw(Primitive.POINTS, count)
            total += DrawStatistics(2 * count, 1)
        return total

    def draw_numbers(
        self,
        each: Drawn,
        texture: moderngl.Texture,
        framebuffer: moderngl.Framebuffer,
        unit: float,
        most: int,
    ) -> None:
        """Draw particle numbers instead of colours, for the same particles as `draw`; see
        `pick_particle.frag`.
        """
        count = min(each.count, most)
        if not count:
            return
        bindings = {"Frame": self._frame, "diffuse_map": texture, **each.bindings}
        for tail in kinds(each):
            defines = (*each.defines, "NUMBERED", *(("TAIL",) if tail else ()))
            program = self._program("pick_particle.frag", defines)
            glows = int(each.emitter.blending in GLOWING)
            program.set(unit_length=unit, emitter=each.number, glows=glows, spot=int(texture.extra == SPOT))
            pipeline = Pipeline(self._array(program), framebuffer, bindings, cull="none")
            pipeline.draw(Primitive.POINTS, count)

    def captured(
        self,
        each: Drawn,
        varyings: tuple[str, ...],
        row: np.dtype,
        count: int | None = None,
        more: tuple[str, ...] = (),
        also: Bindings = NO_BINDINGS,
    ) -> Array:
        """Return the vertex shader's output for each birth of a prepared emitter, [count] of `row`, newest
        first.

        `more` are further defines, and `also` are the bindings for them.
        """
        count = each.count if count is None else count
        if not count:
            return np.empty(0, row)
        defines = (*each.defines, "CAPTURED", *more, *(() if each.emitter.head else ("TAIL",)))
        program = self._composer.program("particle.vert", None, defines, varyings)
        bindings = {"Frame": self._frame, **each.bindings, **also}
        return self._composer.capture.read(self._array(program), bindings, row, count)

    def program(self, each: Drawn, tail: bool, frame_kind: FrameKind = USUAL) -> Program:
        """Return the program that draws the emitter's heads (or tails, if `tail`) in frames of the kind
        `frame_kind`.
        """
        lights = frame_kind.shading is Shading.LIT and frame_kind.light is not Illumination.NONE
        lit = lights and "unlit" not in each.emitter.flags
        light = ("LIT", *frame_kind.defines) if lit else ()
        return self._program("particle.frag", (*each.defines, *(("TAIL",) if tail else ()), *light))

    def release(self) -> None:
        """Release all GPU data except the programs."""
        self._drop_arrays()

    def _program(self, fragment: str, defines: tuple[str, ...]) -> Program:
        return self._composer.program("particle.vert", fragment, defines, geometry="particle.geom")

    def _sort(self, each: Drawn, count: int) -> None:
        """Sort the newest `count` particles, farthest first, and write this order to the index buffer."""
        order = np.argsort(self.captured(each, DEPTH, DEPTH_ROW, count), kind="stable").astype(np.uint32)
        if self._order is None or self._order.size < order.nbytes:
            self._drop_arrays()
            self._order = self._composer.ctx.buffer(reserve=max(2 * order.nbytes, ROOM))
        self._order.write(order)

    def _array(self, program: Program, ordered: bool = False) -> moderngl.VertexArray:
        """Return a vertex array without attributes, because the shader makes a particle from its vertex
        number.

        With `ordered` the numbers come from the index buffer that `_sort` wrote.
        """
        found = self._arrays.get((program, ordered))
        if found is None or found.program is not program.handle:
            if found is not None:
                found.release()
            indices = self._order if ordered else None
            found = self._composer.ctx.vertex_array(program.handle, [], index_buffer=indices)
            self._arrays[program, ordered] = found
        return found

    def _drop_arrays(self) -> None:
        """Release the vertex arrays and their index buffer."""
        for array in self._arrays.values():
            array.release()
        self._arrays.clear()
        if self._order is not None:
            self._order.release()


def unit_length(view: Array) -> float:
    """Return the length in eye space of one unit of the file's axes."""
    return float(np.cbrt(abs(np.linalg.det(view[:3, :3]))))


def kinds(each: Drawn) -> tuple[bool, ...]:
    """Return the kinds of quads that an emitter draws: False for heads, True for tails."""
    return (False,) * each.emitter.head + (True,) * each.emitter.tail


def _sorted(each: Drawn) -> bool:
    return "sorted" in each.emitter.flags and each.emitter.blending in COVERING
