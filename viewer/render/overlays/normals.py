"""Vertex normals as lines over the surface."""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.gpu.pipeline import Pipeline
from viewer.render.frame import Frame
from viewer.render.mesh.geometry_resources import prepared, visible
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.scene.maths import scale_of
from viewer.scene.model import Primitive

COLOR = (0.35, 0.85, 0.95, 0.9)
LENGTH = 0.015
"""Length of the lines as a share of the model's diagonal."""


def draw_normals(mesh: MeshResources, frame: Frame, framebuffer: moderngl.Framebuffer) -> None:
    """Draw the normals of the visible geometries on the framebuffer. `mesh` must have been written for this
    frame.
    """
    scale = scale_of(frame.matrices.to_world) or 1.0
    reach = LENGTH * float(np.linalg.norm(frame.extent[1] - frame.extent[0])) / scale
    for item in visible(mesh, frame.display, frame.matrices):
        defines = mesh.deformation.defines(mesh.buffers, item.lod)
        program = mesh.composer.program("mesh.vert", "wire.frag", defines, geometry="normals.geom")
        program.set(wire_color=COLOR, reach=reach)
        pipeline = Pipeline(
            prepared(mesh, item, program),
            framebuffer,
            mesh.bindings(item.lod),
            blend="alpha",
            depth_write=False,
            cull="none",
        )
        pipeline.draw(Primitive.POINTS, item.count, item.lod.start)
