"""Ambient occlusion: how open the surroundings of each visible surface are, in half of the picture's size.

The opaque surfaces are drawn with their normals and distances. From these a shader estimates the openness,
which is then blurred. `openness.glsl` reads the result while the surfaces are drawn with their materials.
"""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.arrays import Array, Size
from viewer.gpu.bindings import NO_BINDINGS, Bindings
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.gpu.target import clear, release_framebuffers
from viewer.render.frame import Frame
from viewer.render.mesh.draw_order import VisibleItem
from viewer.render.mesh.geometry_resources import prepared, visible
from viewer.render.mesh.material_block import MASKED
from viewer.render.mesh.mesh_programs import FRAGMENT, FrameKind
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.scene.model import TRIANGULAR, Primitive

REACH = 0.09
"""The distance at which surfaces still darken each other, in diagonals of the box around the model."""
DARKNESS = 1.7
"""How strongly surfaces darken each other."""


class OcclusionPass:
    """Draws the openness of surfaces. Owns its targets; the programs belong to the composer."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer
        self._openness = Drawable(composer, ("outline.vert", "occlusion.frag"))
        self._blur = Drawable(composer, ("outline.vert", "occlusion_blur.frag"))
        self._size: Size = (0, 0)
        self._textures: list[moderngl.Texture] = []
        self._framebuffers: list[moderngl.Framebuffer] = []
        self._depth: moderngl.Renderbuffer | None = None
        self._bindings = NO_BINDINGS

    def draw(self, mesh: MeshResources, frame: Frame, size: Size) -> Bindings:
        """Draw the openness in a picture of `size`; return its map for the surfaces. The map is valid until
        the next call.
        """
        self._fit((-(-size[0] // 2), -(-size[1] // 2)))
        view, projection = frame.matrices.towards_viewer
        self._draw_surfaces(mesh, frame, view, projection)
        reach = REACH * float(np.linalg.norm(frame.extent[1] - frame.extent[0]))
        surfaces, first, second = self._textures
        self._openness.program.set(projection=projection, reach=max(reach, 1e-6), darkness=DARKNESS)
        self._fill(self._framebuffers[1], self._openness, {"surfaces": surfaces})
        for framebuffer, source, step in (
            (self._framebuffers[2], first, (1, 0)),
            (self._framebuffers[1], second, (0, 1)),
        ):
            self._blur.program.set(step_size=step)
            self._fill(framebuffer, self._blur, {"occlusion": source})
        return self._bindings

    def release(self) -> None:
        """Release the targets and the vertex arrays."""
        self._drop()
        self._openness.release()
        self._blur.release()

    def _draw_surfaces(self, mesh: MeshResources, frame: Frame, view: Array, projection: Array) -> None:
        """Draw normal and distance of the opaque surfaces into the first target."""
        clip_time, framebuffer = frame.clip_time, self._framebuffers[0]
        mesh.write(frame.pose, frame.options, frame.display, view, projection, clip_time)
        clear(framebuffer, self._size)
        for item in visible(mesh, frame.display, frame.matrices):
            shown = VisibleItem(item, item.gpu_material.appearance(clip_time))
            if shown.blend != "replace" or shown.alpha <= 0 or item.lod.primitive not in TRIANGULAR:
                continue
            item.gpu_material.write(frame.time, shown.appearance)
            own = (each for each in item.defines if each != "NORMAL_MAP")
            tested = item.gpu_material.features & MASKED
            defines = (*own, *FrameKind().defines, "SURFACES", *(() if tested else ("FEATURES=0",)))
            program = self._composer.program("mesh.vert", FRAGMENT, defines)
            pipeline = Pipeline(
                prepared(mesh, item, program),
                framebuffer,
                {**mesh.bindings(item.lod), **item.gpu_material.bindings(frame.time)},
                cull=item.gpu_material.material.cull,
                front_face=frame.matrices.front_face,
            )
            pipeline.draw(item.lod.primitive, item.count, item.lod.start)

    def _fill(self, framebuffer: moderngl.Framebuffer, drawable: Drawable, bindings: Bindings) -> None:
        """Draw over the whole framebuffer."""
        clear(framebuffer, self._size)
        pipeline = Pipeline(drawable.array, framebuffer, bindings, depth=None, depth_write=False, cull="none")
        pipeline.draw(Primitive.TRIANGLES, 3)

    def _fit(self, size: Size) -> None:
        """Make the targets for a size, if they have another one."""
        if self._size == size:
            return
        self._drop()
        ctx = self._composer.ctx
        self._textures = [ctx.texture(size, 4, dtype="f4") for _ in range(3)]
        self._depth = ctx.depth_renderbuffer(size)
        depths = (self._depth, None, None)
        self._framebuffers = [
            ctx.framebuffer([texture], depth) for texture, depth in zip(self._textures, depths, strict=True)
        ]
        for texture in self._textures:
            texture.filter = moderngl.NEAREST, moderngl.NEAREST
        self._size, self._bindings = size, {"occlusion_map": self._textures[1]}

    def _drop(self) -> None:
        if self._depth is not None:
            release_framebuffers(*self._framebuffers)
            self._depth.release()
            for each in self._textures:
                each.release()
        self._size, self._depth, self._bindings = (0, 0), None, NO_BINDINGS
