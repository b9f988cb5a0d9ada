"""Particles drawn as models: one instanced draw per material of the model."""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.animation.clock import wrapped
from viewer.animation.effects.model_particles import faces, phases, poses, tumbling, turns
from viewer.animation.effects.random_hash import WORD
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.gpu.bindings import Bindings
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.table import TexelTable
from viewer.gpu.upload import Part
from viewer.render.effects.emitter_resources import EmitterResources
from viewer.render.mesh.draw_order import VisibleItem
from viewer.render.mesh.geometry_resources import DrawItem, GeometryResources, prepared
from viewer.render.mesh.mesh_programs import FrameKind
from viewer.render.statistics import DrawStatistics
from viewer.render.view_parameters import ViewParameters
from viewer.scene.emitter import ModelReference
from viewer.scene.material import ClipTime
from viewer.scene.maths import IDENTITY
from viewer.scene.model import Model, Primitive

MEMBER = np.dtype(
    [("rows", "f4", (3, 4)), ("dye", "f4", 4), ("poses", "f4", 3), ("number", "u4")],
)
"""An instance: one particle drawn as a model.

`rows` is the matrix from the model's axes to the file's axes; `dye` is the colour (sRGB, straight alpha);
`number` counts births. `poses` blends two poses: it has the index of the first bone of each pose, and the
factor between them.
"""
FLAT = 1e-30
"""Axes with a smaller determinant than this are degenerate."""
COVERING = 0.999
"""A particle with a larger alpha than this counts as opaque."""
INSTANCED = ("INSTANCED",)


class ModelParticles:
    """Draws the particles of an emitter as instances of a model. `mesh` owns its geometries and materials."""

    def __init__(self, mesh: GeometryResources, reference: ModelReference[Model]) -> None:
        self._mesh = mesh
        self._animation = reference.animation
        self._members = mesh.composer.ctx.buffer(reserve=BUDGET.particle_models * MEMBER.itemsize)
        self._poses: TexelTable | None = None
        self._count = 0
        self._view: bytes | None = None

    def members(self, each: EmitterResources, rows: Array, view_parameters: ViewParameters) -> Array:
        """Make the instances [N] of `MEMBER`, farthest first, from the live particles [N] of `PARTICLE`.

        Particles without size are left out.
        """
        view, effect_time = view_parameters.view, view_parameters.effect_time
        rows = rows[rows["size"] > 0][-BUDGET.particle_models :]
        rows = rows[np.argsort(rows["position"] @ view[2, :3], kind="stable")]
        numbers = rows["number"].astype(np.int64)
        ages = rows["age"].astype(np.float64)
        space = each.frame(effect_time)[:, :3] if "model space" in each.emitter.flags else np.eye(3)
        self._pose(None if tumbling(each.emitter) else view[:3, :3] @ space)
        assert each.emission is not None, "the emitter is prepared"
        axes = space @ turns(each.emitter, each.seed, each.emission.alike(numbers), ages)
        made = np.zeros(len(rows), MEMBER)
        made["rows"][:, :, :3] = axes * rows["size"][:, None, None]
        made["rows"][:, :, 3] = rows["position"]
        made["dye"] = rows["color"]
        made["dye"][:, 3][rows["color"][:, 3] > COVERING] = 1.0
        made["number"] = numbers & WORD
        duration = self._animation.duration if self._animation is not None else 0.0
        first, second, part = phases(ages, self._count, duration)
        bones = self._mesh.deformation.bones
        made["poses"] = np.stack((first * bones, second * bones, part), axis=-1)
        return made

    def draw(
        self,
        members: Array,
        time: float,
        view_parameters: ViewParameters,
        solid: bool,
    ) -> DrawStatistics:
        """Draw the opaque parts of `members` if `solid` is True, else the blended parts. Opaque materials of
        faded particles belong to the blended parts. `time` in seconds animates the materials.
        """
        fades = members["dye"][:, 3] < 1
        groups = {True: members[~fades]} if solid else {True: members[fades], False: members}
        shown = [each for each in self._shown(time) if each.alpha > 0]
        total = DrawStatistics()
        for covers, group in groups.items():
            fitting = [each for each in shown if (each.blend == "replace") == covers]
            if len(group) and fitting:
                self._begin(group, view_parameters)
                for each in fitting:
                    total += self._draw(each, len(group), time, view_parameters, solid)
        return total

    def draw_numbers(self, members: Array, emitter: int, view_parameters: ViewParameters) -> None:
        """Draw particle numbers instead of colours, see `pick_model.frag`."""
        if not len(members):
            return
        self._begin(members, view_parameters)
        for item in self._items():
            defines = (*self._mesh.deformation.defines(self._mesh.buffers, item.lod), *INSTANCED, "NUMBERED")
            program = self._mesh.composer.program("mesh.vert", "pick_model.frag", defines)
            program.set(emitter=emitter)
            pipeline = Pipeline(
                prepared(self._mesh, item, program, self._parts()),
                view_parameters.framebuffer,
                self._bindings(item),
                cull=item.gpu_material.material.cull,
                front_face=view_parameters.front_face,
            )
            pipeline.draw(item.lod.primitive, item.count, item.lod.start, len(members))

    def arrive(self) -> None:
        """Build the programs and poses for the first draw."""
        self._pose(np.eye(3))
        for item in self._items():
            self._program(item)

    def release(self) -> None:
        """Release the instance buffer and the poses."""
        self._members.release()
        if self._poses is not None:
            self._poses.release()

    def _items(self) -> list[DrawItem]:
        model = self._mesh.model
        found = [
            self._mesh.item(number, 0, layer)
            for number, geometry in enumerate(model.geometries)
            for layer in (range(1 + len(geometry.layers)) if geometry.shown and geometry.lods else ())
        ]
        return [item for item in found if item.count]

    def _shown(self, time: float) -> list[VisibleItem]:
        """Return the items with their appearance at a time, in draw order."""
        clip = self._animation
        at = 0.0 if clip is None else wrapped(time, clip.duration)
        clip_time = ClipTime(time, clip, at)
        shown = [VisibleItem(item, item.gpu_material.appearance(clip_time)) for item in self._items()]

        def sort_key(each: VisibleItem) -> tuple[int, int]:
            return each.item.gpu_material.material.render_order, each.item.gpu_material.material.layer

        return sorted(shown, key=sort_key)

    def _begin(self, members: Array, view_parameters: ViewParameters) -> None:
        """Upload the instances and the view."""
        self._members.write(members)
        self._mesh.programs.begin(FrameKind.of(view_parameters.options, view_parameters.lights.kind))
        self._mesh.write_frame(
            view_parameters.options,
            None,
            view_parameters.view,
            view_parameters.projection,
            view_parameters.to_world,
            view_parameters.lights,
        )

    def _bindings(self, item: DrawItem) -> Bindings:
        """Return the bindings of the mesh. The poses of the clip replace its skin matrices."""
        assert self._poses is not None, "members must be called first"
        return {**self._mesh.bindings(item.lod), "skin_matrices": self._poses.texture}

    def _draw(
        self, visible: VisibleItem, count: int, time: float, view_parameters: ViewParameters, solid: bool
    ) -> DrawStatistics:
        item, material = visible.item, visible.item.gpu_material.material
        item.gpu_material.write(time, visible.appearance)
        pipeline = Pipeline(
            prepared(self._mesh, item, self._program(item), self._parts()),
            view_parameters.framebuffer,
            {**self._bindings(item), **item.gpu_material.bindings(time)},
            blend="alpha" if visible.blend == "replace" and not solid else visible.blend,
            depth="<=" if material.depth_test else None,
            depth_write=material.depth_write,
            cull=material.cull,
            front_face=view_parameters.front_face,
        )
        primitive = Primitive.POINTS if material.fill == "point" else item.lod.primitive
        pipeline.draw(primitive, item.count, item.lod.start, count)
        return DrawStatistics(item.triangles * count, 1)

    def _program(self, item: DrawItem) -> Any:
        defines = (*self._mesh.defines(item.lod, item.gpu_material), *INSTANCED)
        return self._mesh.programs.program(defines, item.gpu_material.features)

    def _parts(self) -> tuple[Part, ...]:
        """Return the vertex attributes of an instance."""
        return (
            (self._members, "4f4 4f4 4f4 32x/i", "in_row0", "in_row1", "in_row2"),
            (self._members, "48x 4f4 16x/i", "in_dye"),
            (self._members, "64x 3f4 4x/i", "in_poses"),
            (self._members, "76x 1u4/i", "in_number"),
        )

    def _pose(self, view: Array | None) -> None:
        """Upload the poses of the clip.

        If the model has billboards, the poses are uploaded whenever `view` [3, 3] (from the model's axes to
        eye space) changes, else only once.
        """
        skeleton = self._mesh.model.skeleton
        solid = view is not None and abs(np.linalg.det(view)) > FLAT
        turned = view if solid and faces(skeleton) else None
        key = b"" if turned is None else turned.tobytes()
        if self._view == key:
            return
        self._view = key
        table = poses(skeleton, self._animation, turned) if skeleton else IDENTITY[None, None]
        if self._poses is None or self._count < len(table):
            if self._poses is not None:
                self._poses.release()
            self._poses = TexelTable(self._mesh.composer.ctx, max(table.size // 4, 1), 4)
        self._count = len(table)
        self._poses.write(table.reshape(-1, 4))
