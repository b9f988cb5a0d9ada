"""The outline of the selected geometry: constant width, visible through other geometries."""

from __future__ import annotations

from collections.abc import Collection

import moderngl

from viewer.arrays import Color, Size
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.gpu.target import clear, release_framebuffers
from viewer.render.frame import Frame
from viewer.render.mesh.geometry_resources import prepared, visible
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.overlays.segments import ACCENT
from viewer.scene.model import Primitive

INSIDE: Color = (1.0, 1.0, 1.0, 1.0)
WIDTH = 1.6
"""Width of the outline in points."""


class SelectionOutline:
    """Draws the outline. Owns a mask as large as the picture; the programs belong to the composer."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer
        self._edge = Drawable(composer, ("outline.vert", "outline.frag"))
        self._mask: moderngl.Texture | None = None
        self._target: moderngl.Framebuffer | None = None

    def draw(
        self,
        mesh: MeshResources,
        frame: Frame,
        numbers: Collection[int],
        framebuffer: moderngl.Framebuffer,
    ) -> None:
        """Draw the outline of the geometries `numbers` on `framebuffer`.

        Hidden geometries get no outline. `mesh` must have been written for this frame.
        """
        items = [item for item in visible(mesh, frame.display, frame.matrices) if item.number in numbers]
        if not items:
            return
        size = framebuffer.size
        target, mask = self._fitting(size)
        clear(target, size)
        for item in items:
            defines = mesh.deformation.defines(mesh.buffers, item.lod)
            program = self._composer.program("mesh.vert", "wire.frag", defines)
            program.set(wire_color=INSIDE)
            covered = Pipeline(
                prepared(mesh, item, program),
                target,
                mesh.bindings(item.lod),
                depth=None,
                depth_write=False,
                cull="none",
            )
            covered.draw(item.lod.primitive, item.count, item.lod.start)
        radius = WIDTH * frame.density
        self._edge.program.set(edge=ACCENT, radius=(radius / size[0], radius / size[1]))
        pipeline = Pipeline(
            self._edge.array,
            framebuffer,
            {"mask": mask},
            blend="premulalpha",
            depth=None,
            depth_write=False,
            cull="none",
        )
        pipeline.draw(Primitive.TRIANGLES, 3)

    def release(self) -> None:
        """Release the mask and the vertex array."""
        self._drop()
        self._edge.release()

    def _fitting(self, size: Size) -> tuple[moderngl.Framebuffer, moderngl.Texture]:
        if self._target is None or self._mask is None or self._mask.size != size:
            self._drop()
            self._mask = self._composer.ctx.texture(size, 1)
            self._mask.repeat_x = self._mask.repeat_y = False
            self._target = self._composer.ctx.framebuffer([self._mask])
        assert self._mask is not None, "the mask is made with its target"
        return self._target, self._mask

    def _drop(self) -> None:
        if self._target is not None:
            release_framebuffers(self._target)
        if self._mask is not None:
            self._mask.release()
        self._target = self._mask = None
