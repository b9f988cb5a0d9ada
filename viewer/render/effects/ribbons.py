"""The ribbons of a model. Each has a baked table, from which the shader makes the strip."""

from __future__ import annotations

from functools import cached_property

import moderngl
import numpy as np
from msgspec import Struct

from viewer.animation.effects.ribbon import EdgeRange, RibbonTable, bake, edges, finite
from viewer.arrays import Array, Color
from viewer.gpu.bindings import Bindings
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.program import Program
from viewer.gpu.shader import Composer
from viewer.gpu.table import TexelTable
from viewer.render.effects.quads import GLOWING
from viewer.render.mesh.materials import GpuMaterials
from viewer.render.mesh.mesh_programs import FrameKind, MeshPrograms
from viewer.render.statistics import DrawStatistics
from viewer.render.view_parameters import EffectTime, ViewParameters, layers_key
from viewer.scene.emitter import Ribbon
from viewer.scene.items import RibbonItem
from viewer.scene.material import STILL_U, STILL_V, Material
from viewer.scene.model import Model, Primitive

EDGE = np.dtype([("time", "f4"), ("top", "f4", 3), ("bottom", "f4", 3), ("color", "f4", 4)])
"""An edge of a ribbon: the time of its birth in seconds, its ends in the file's axes, its colour."""
VARYINGS = ("edge_age", "edge_top", "edge_bottom", "edge_color")
CORNERS = 4
WIRE = (0.03, 0.06, 0.10, 0.6)


class BakedRibbon(Struct, frozen=True, eq=False):
    """The table of a ribbon. The table is valid while the key of the playing layers is `key`. If the skeleton
    has billboards, the view must also be `view`.
    """

    key: tuple[object, ...]
    view: bytes
    table: RibbonTable
    texels: TexelTable


class VisibleRibbon(Struct, frozen=True, eq=False):
    """A ribbon at `time` seconds; its width is multiplied by `size`.

    `uv` are `u_offset` and `v_offset` of its material.
    """

    ribbon: Ribbon
    baked: BakedRibbon
    edges: EdgeRange
    time: float
    size: float
    uv: tuple[Color, Color]

    def apply(self, program: Program) -> None:
        """Set the uniforms of the ribbon in `program`."""
        table, now = self.baked.table, self.edges
        program.set(
            table_rows=table.rows,
            now=table.now(self.time, now.lifetime),
            period=table.bake_interval.seconds if table.bake_interval.looped else 0.0,
            youngest=now.youngest,
            between=now.between,
            lifetime=now.lifetime,
            gravity=finite(self.ribbon.gravity),
            breadth=self.size,
            moved_u=self.uv[0],
            moved_v=self.uv[1],
            grid=(self.ribbon.rows, self.ribbon.columns),
        )


class Ribbons:
    """Draws a model's ribbons. It owns their tables; the mesh owns programs, materials and the `Frame`
    block.
    """

    def __init__(
        self, composer: Composer, model: Model, materials: GpuMaterials, frame: moderngl.Buffer
    ) -> None:
        self._composer = composer
        self._model = model
        self._materials = materials
        self._frame = frame
        self._baked: dict[int, BakedRibbon] = {}
        self._arrays: dict[Program, moderngl.VertexArray] = {}

    @cached_property
    def programs(self) -> MeshPrograms:
        """The programs for the materials of all ribbons."""
        kinds = {self._materials.gpu_material_of(layer).features for layer in self._layers()}
        return MeshPrograms(self._composer, kinds, "ribbon.vert")

    def prepare(self) -> None:
        """Build the programs for the first draw."""
        for layer in self._layers():
            self._array(self._program(layer))

    def draw(self, view_parameters: ViewParameters) -> DrawStatistics:
        """Draw the ribbons that the options show.

        The `Frame` block must already describe the view `view_parameters`.
        """
        total, options, effect_time = DrawStatistics(), view_parameters.options, view_parameters.effect_time
        if not options.with_materials:
            return total
        self.programs.begin(FrameKind.of(options, view_parameters.lights.of_effects))
        effects = effect_time.effects
        chosen = [item for item in enumerate(self._model.ribbons) if effects.draws(RibbonItem(item[0]))]
        for number, ribbon in sorted(chosen, key=lambda item: item[1].priority):
            shown = self.prepared(number, effect_time)
            if shown.edges.count < 2:
                continue
            for material in ribbon.layers:
                self._draw(shown, material, view_parameters.framebuffer)
                total += DrawStatistics(2 * (shown.edges.count - 1), 1)
            if options.wireframe:
                self._draw_edges(shown, view_parameters.framebuffer)
                total += DrawStatistics(0, 1)
        return total

    def draw_numbers(self, view_parameters: ViewParameters, first: int) -> None:
        """Draw ribbon numbers instead of colours, counted from `first`, see `pick_particle.frag`."""
        effect_time, effects = view_parameters.effect_time, view_parameters.effect_time.effects
        if not view_parameters.options.with_materials:
            return
        program = self._composer.program("ribbon.vert", "pick_particle.frag", ("NUMBERED",))
        for number, ribbon in enumerate(self._model.ribbons):
            material = next((each for each in ribbon.layers if each.units), None)
            if material is None or not effects.draws(RibbonItem(number)):
                continue
            shown = self.prepared(number, effect_time)
            shown.apply(program)
            program.set(emitter=first + number, glows=int(material.blend in GLOWING))
            bindings = self._material_bindings(shown, material)
            pipeline = Pipeline(self._array(program), view_parameters.framebuffer, bindings, cull="none")
            if shown.edges.count > 1:
                pipeline.draw(Primitive.TRIANGLE_STRIP, CORNERS, instances=shown.edges.count - 1)

    def capture(self, number: int, effect_time: EffectTime) -> Array:
        """Return the edges of a ribbon as the shader computes them, [N] of `EDGE`, the leading edge first."""
        shown = self.prepared(number, effect_time)
        program = self._composer.program("ribbon.vert", None, (), VARYINGS)
        shown.apply(program)
        array, count = self._array(program), shown.edges.count
        found = self._composer.capture.read(array, self._bindings(shown), EDGE, 1, count).copy()
        found["time"] = shown.time - found["time"]
        return found

    def release(self) -> None:
        """Release the tables and vertex arrays."""
        for baked in self._baked.values():
            baked.texels.release()
        for array in self._arrays.values():
            array.release()

    def prepared(self, number: int, effect_time: EffectTime) -> VisibleRibbon:
        """Prepare a ribbon for a time; its table is baked again if the playing layers changed."""
        item, ribbon, effects = RibbonItem(number), self._model.ribbons[number], effect_time.effects
        own_time = effect_time.of(item)
        now = edges(ribbon, own_time, effects.cold, effects.rate(item), effects.period)
        move = ribbon.texture_transform
        uv = (STILL_U, STILL_V) if move is None else move(effect_time.clip_time(own_time))
        return VisibleRibbon(
            ribbon, self._table(number, effect_time, own_time), now, own_time, effects.size(item), uv
        )

    def _table(self, number: int, effect_time: EffectTime, time: float) -> BakedRibbon:
        """Return the table for the current layers and view direction. If the last table is for other layers
        or another direction, bake a new table.
        """
        found, key = self._baked.get(number), layers_key(effect_time.layers)
        view = b"" if effect_time.view is None else effect_time.view.tobytes()
        if found is not None:
            faces = found.view == view or not found.table.faces
            if found.key == key and faces and found.table.covers(time):
                return found
            found.texels.release()
        ribbon, skeleton = self._model.ribbons[number], self._model.skeleton
        table = bake(ribbon, skeleton, effect_time.layers, effect_time.view, time)
        texels = TexelTable(self._composer.ctx, len(table.texels), 4)
        texels.write(table.texels)
        self._baked[number] = BakedRibbon(key, view, table, texels)
        return self._baked[number]

    def _layers(self) -> list[Material]:
        return [layer for ribbon in self._model.ribbons for layer in ribbon.layers]

    def _program(self, material: Material) -> Program:
        return self.programs.program((), self._materials.gpu_material_of(material).features)

    def _bindings(self, ribbon: VisibleRibbon) -> Bindings:
        return {"Frame": self._frame, "ribbon_table": ribbon.baked.texels.texture}

    def _material_bindings(self, ribbon: VisibleRibbon, material: Material) -> Bindings:
        """Upload the material at the ribbon's time; return the bindings of the ribbon and the material."""
        gpu_material = self._materials.gpu_material_of(material)
        gpu_material.write(ribbon.time)
        return {**self._bindings(ribbon), **gpu_material.bindings(ribbon.time)}

    def _draw(self, ribbon: VisibleRibbon, material: Material, framebuffer: moderngl.Framebuffer) -> None:
        program = self._program(material)
        ribbon.apply(program)
        pipeline = Pipeline(
            self._array(program),
            framebuffer,
            self._material_bindings(ribbon, material),
            blend=material.blend,
            depth="<=" if material.depth_test else None,
            depth_write=material.depth_write,
            cull="none",
        )
        pipeline.draw(Primitive.TRIANGLE_STRIP, CORNERS, instances=ribbon.edges.count - 1)

    def _draw_edges(self, ribbon: VisibleRibbon, framebuffer: moderngl.Framebuffer) -> None:
        program = self._composer.program("ribbon.vert", "wire.frag")
        ribbon.apply(program)
        program.set(wire_color=WIRE)
        pipeline = Pipeline(
            self._array(program),
            framebuffer,
            self._bindings(ribbon),
            blend="alpha",
            depth_write=False,
            cull="none",
            wireframe=True,
        )
        pipeline.draw(Primitive.TRIANGLE_STRIP, CORNERS, instances=ribbon.edges.count - 1)

    def _array(self, program: Program) -> moderngl.VertexArray:
        """Return a vertex array without buffers, because the shader makes vertices from their numbers."""
        found = self._arrays.get(program)
        if found is None or found.program is not program.handle:
            if found is not None:
                found.release()
            found = self._arrays[program] = self._composer.ctx.vertex_array(program.handle, [])
        return found
