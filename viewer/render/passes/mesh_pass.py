"""The mesh pass: draws a model's geometries with their materials."""

from __future__ import annotations

from collections.abc import Mapping

import moderngl
import numpy as np

from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.gpu.pipeline import Pipeline
from viewer.render.mesh.draw_order import VisibleItem, ordered
from viewer.render.mesh.geometry_resources import DrawItem, prepared, visible
from viewer.render.mesh.lights import illumination
from viewer.render.mesh.mesh_programs import FrameKind
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.statistics import DrawStatistics
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.material import ClipTime
from viewer.scene.model import LINES, TRIANGULAR, Primitive
from viewer.view.camera import Matrices

Tint = tuple[float, float, float, float]
WIRE = (0.03, 0.06, 0.10, 0.6)
WIRE_OFFSET = (-1.0, -1.0)
LINE = 2.0
"""Thickness of lines in pixels at density 1."""
OTHER_SIDE = {"back": "front", "front": "back"}
"""The opposite of each side that a material can cull."""


def draw_mesh(
    mesh: MeshResources,
    framebuffer: moderngl.Framebuffer,
    pose: Pose | None,
    options: DisplayOptions,
    display: ModelDisplay,
    matrices: Matrices,
    clip_time: ClipTime,
    tints: Mapping[int, Tint],
    density: float,
) -> DrawStatistics:
    """Draw the visible geometries on the framebuffer with their materials at `clip_time`.

    `tints` are overlay colours by geometry number; `density` is pixels per point.
    """
    view, projection = towards_viewer(matrices)
    mesh.write(pose, options, display, view, projection, clip_time)
    with_materials = options.with_materials
    items = [
        VisibleItem(item, item.gpu_material.appearance(clip_time))
        for item in visible(mesh, display, matrices)
    ]
    seen = [each for each in items if each.alpha > 0 or not with_materials]
    drawn = ordered(seen, mesh.model, pose, with_materials, view, mesh.corners)
    mesh.programs.begin(FrameKind(options.shading, illumination(options.lighting, mesh.model.lights)))
    total = DrawStatistics()
    for each in drawn:
        item = each.item
        item.gpu_material.write(clip_time.time, each.appearance)
        _draw(mesh, framebuffer, each, clip_time.time, options, matrices.front_face, density)
        total += DrawStatistics(item.triangles, 1)
        if options.back_faces and _has_back(each):
            _draw_back(mesh, framebuffer, item, clip_time.time, matrices.front_face)
            total += DrawStatistics(item.triangles, 1)
        if options.wireframe and item.lod.primitive in TRIANGULAR:
            _draw_over(mesh, framebuffer, item, matrices.front_face, WIRE, wireframe=True)
            total += DrawStatistics(0, 1)
    for item in (each.item for each in drawn):
        if item.number in tints:
            _draw_over(mesh, framebuffer, item, matrices.front_face, tints[item.number])
            total += DrawStatistics(0, 1)
    return total


def towards_viewer(matrices: Matrices) -> tuple[Array, Array]:
    """Return `view` and `projection` [4, 4], changed so that z in eye space points towards the viewer; their
    product stays the same. This is necessary because the studio light shines along z, and matrix cameras
    often look along +z.
    """
    view, projection = matrices.view, matrices.projection
    along = projection[3, 2] if projection[3, :3].any() else projection[2, 2]
    if along < 0:
        return view, projection
    turn = np.diag((1.0, 1.0, -1.0, 1.0))
    return turn @ view, projection @ turn


def _draw(
    mesh: MeshResources,
    framebuffer: moderngl.Framebuffer,
    shown: VisibleItem,
    time: float,
    options: DisplayOptions,
    front_face: str,
    density: float,
) -> None:
    item, material = shown.item, shown.item.gpu_material.material
    program = mesh.program(item)
    if item.lod.primitive in LINES:
        program.set(half_line=half_line(framebuffer, density))
    with_materials = options.with_materials
    pipeline = Pipeline(
        prepared(mesh, item, program),
        framebuffer,
        {**mesh.bindings(item.lod), **item.gpu_material.bindings(time)},
        blend=shown.blend if with_materials else "replace",
        depth="<=" if material.depth_test or not with_materials else None,
        depth_write=material.depth_write or not with_materials,
        cull="none" if item.lod.primitive in LINES else material.cull,
        front_face=front_face,
        wireframe=material.fill == "wireframe" and item.lod.primitive not in LINES,
    )
    primitive = Primitive.POINTS if material.fill == "point" else item.lod.primitive
    pipeline.draw(primitive, item.count, item.lod.start)


def half_line(framebuffer: moderngl.Framebuffer, density: float) -> tuple[float, float]:
    """Return half the thickness of a line in clip space, horizontally and vertically. A line is `LINE` pixels
    thick at density 1.
    """
    width, height = framebuffer.size
    return LINE * density / width, LINE * density / height


def _has_back(shown: VisibleItem) -> bool:
    """Return whether the material culls one side of the triangles and draws the opposite side opaque."""
    item = shown.item
    culled = item.gpu_material.material.cull != "none" and item.lod.primitive in TRIANGULAR
    return culled and shown.blend in ("replace", "alpha")


def _draw_back(
    mesh: MeshResources, framebuffer: moderngl.Framebuffer, item: DrawItem, time: float, front_face: str
) -> None:
    """Draw the culled side of the triangles in a plain tone."""
    program = mesh.programs.program((*item.defines, "BACK_FACES"), item.gpu_material.features)
    pipeline = Pipeline(
        prepared(mesh, item, program),
        framebuffer,
        {**mesh.bindings(item.lod), **item.gpu_material.bindings(time)},
        cull=OTHER_SIDE[item.gpu_material.material.cull],
        front_face=front_face,
    )
    pipeline.draw(item.lod.primitive, item.count, item.lod.start)


def _draw_over(
    mesh: MeshResources,
    framebuffer: moderngl.Framebuffer,
    item: DrawItem,
    front_face: str,
    color: Tint,
    wireframe: bool = False,
) -> None:
    """Draw the item again in one colour: its edges if `wireframe` is True, else its surface."""
    program = mesh.composer.program(
        "mesh.vert", "wire.frag", mesh.deformation.defines(mesh.buffers, item.lod)
    )
    program.set(wire_color=color)
    pipeline = Pipeline(
        prepared(mesh, item, program),
        framebuffer,
        mesh.bindings(item.lod),
        blend="alpha",
        depth_write=False,
        cull=item.gpu_material.material.cull,
        front_face=front_face,
        wireframe=wireframe,
        offset=WIRE_OFFSET,
    )
    pipeline.draw(item.lod.primitive, item.count, item.lod.start)
