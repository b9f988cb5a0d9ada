"""Draws the ghosts of a frame: its mesh in other poses, in one colour and translucent."""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.arrays import Color
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.target import clear_depth
from viewer.render.frame import Frame
from viewer.render.mesh.geometry_resources import DrawItem, prepared, visible
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.statistics import DrawStatistics
from viewer.scene.model import TRIANGULAR
from viewer.view.motion_marks import Ghost

EARLIER: Color = (0.96, 0.52, 0.20, 0.6)
LATER: Color = (0.22, 0.62, 0.92, 0.6)
"""The colours of the ghosts next to the time of the picture."""
SOLID = ("replace", "alpha", "premulalpha")
"""The blend modes of surfaces that have ghosts."""
FARTHEST = 0.35
"""The share of its alpha that the ghost farthest in time keeps."""


def draw_ghosts(mesh: MeshResources, frame: Frame, framebuffer: moderngl.Framebuffer) -> DrawStatistics:
    """Draw the ghosts of a frame behind its mesh, from far to near; call it before the mesh is drawn. Each
    geometry is one draw per ghost; lines, points and surfaces that only add light are left out.
    """
    view, projection = frame.matrices.towards_viewer
    mesh.write(frame.pose, frame.options, frame.display, view, projection, frame.clip_time)
    items = [
        item
        for item in visible(mesh, frame.display, frame.matrices)
        if item.lod.primitive in TRIANGULAR and item.gpu_material.material.blend in SOLID
    ]
    total, farthest = DrawStatistics(), max(abs(each.offset) for each in frame.ghosts)
    for ghost in sorted(frame.ghosts, key=lambda each: _depth(each, frame)):
        mesh.deformation.write(ghost.pose, frame.display.morphs)
        red, green, blue, alpha = EARLIER if ghost.offset < 0 else LATER
        near = 1 - abs(ghost.offset) / farthest * (1 - FARTHEST)
        for item in items:
            _draw(mesh, item, frame, framebuffer, (red, green, blue, alpha * near))
            total += DrawStatistics(item.triangles, 1)
    clear_depth(framebuffer, framebuffer.size)
    return total


def _draw(
    mesh: MeshResources, item: DrawItem, frame: Frame, framebuffer: moderngl.Framebuffer, color: Color
) -> None:
    defines = mesh.deformation.defines(mesh.buffers, item.lod)
    program = mesh.composer.program("mesh.vert", "ghost.frag", defines)
    program.set(ghost_color=color)
    pipeline = Pipeline(
        prepared(mesh, item, program),
        framebuffer,
        mesh.bindings(item.lod),
        blend="alpha",
        cull=item.gpu_material.material.cull,
        front_face=frame.matrices.front_face,
    )
    pipeline.draw(item.lod.primitive, item.count, item.lod.start)


def _depth(ghost: Ghost, frame: Frame) -> float:
    """The depth of a ghost's centre in eye space; a lower value is farther away."""
    world = ghost.pose.world
    center = world[:, :, 3].mean(axis=0) if len(world) else np.zeros(3)
    view = frame.matrices.view
    return float(view[2, :3] @ np.nan_to_num(center) + view[2, 3])
