"""The mesh pass: draws a model's geometries with their materials."""

from __future__ import annotations

from collections.abc import Mapping

import moderngl

from viewer.gpu.pipeline import Pipeline
from viewer.render.frame import Frame
from viewer.render.mesh.draw_order import VisibleItem, ordered
from viewer.render.mesh.geometry_resources import DrawItem, prepared, visible
from viewer.render.mesh.lights import illumination
from viewer.render.mesh.mesh_programs import FrameKind
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.statistics import DrawStatistics
from viewer.scene.model import LINES, TRIANGULAR, Primitive

Tint = tuple[float, float, float, float]
WIRE = (0.03, 0.06, 0.10, 0.6)
WIRE_OFFSET = (-1.0, -1.0)
LINE = 2.0
"""Thickness of lines in pixels at density 1."""
OTHER_SIDE = {"back": "front", "front": "back"}
"""The opposite of each side that a material can cull."""


def draw_mesh(
    mesh: MeshResources, frame: Frame, framebuffer: moderngl.Framebuffer, tints: Mapping[int, Tint]
) -> DrawStatistics:
    """Draw the visible geometries on the framebuffer; `tints` are overlay colours by geometry number."""
    options, front_face, time = frame.options, frame.matrices.front_face, frame.time
    view, projection = frame.matrices.towards_viewer
    clip_time = frame.clip_time
    mesh.write(frame.pose, options, frame.display, view, projection, clip_time)
    with_materials = options.with_materials
    items = [
        VisibleItem(item, item.gpu_material.appearance(clip_time))
        for item in visible(mesh, frame.display, frame.matrices)
    ]
    seen = [each for each in items if each.alpha > 0 or not with_materials]
    drawn = ordered(seen, mesh.model, frame.pose, with_materials, view, mesh.corners)
    kind = illumination(options.lighting, mesh.model.lights, bool(mesh.environment))
    mesh.programs.begin(FrameKind.of(options, kind, bool(mesh.occlusion)))
    total = DrawStatistics()
    for each in drawn:
        item = each.item
        item.gpu_material.write(time, each.appearance)
        _draw(mesh, framebuffer, each, frame)
        total += DrawStatistics(item.triangles, 1)
        if options.back_faces and _has_back(each):
            _draw_back(mesh, framebuffer, item, time, front_face)
            total += DrawStatistics(item.triangles, 1)
        if options.wireframe and item.lod.primitive in TRIANGULAR:
            _draw_over(mesh, framebuffer, item, front_face, WIRE, wireframe=True)
            total += DrawStatistics(0, 1)
    for item in (each.item for each in drawn):
        if item.number in tints:
            _draw_over(mesh, framebuffer, item, front_face, tints[item.number])
            total += DrawStatistics(0, 1)
    return total


def _draw(mesh: MeshResources, framebuffer: moderngl.Framebuffer, shown: VisibleItem, frame: Frame) -> None:
    item, material = shown.item, shown.item.gpu_material.material
    program = mesh.program(item)
    if item.lod.primitive in LINES:
        program.set(half_line=half_line(framebuffer, frame.density))
    with_materials = frame.options.with_materials
    pipeline = Pipeline(
        prepared(mesh, item, program),
        framebuffer,
        {**mesh.bindings(item.lod), **item.gpu_material.bindings(frame.time)},
        blend=shown.blend if with_materials else "replace",
        depth="<=" if material.depth_test or not with_materials else None,
        depth_write=material.depth_write or not with_materials,
        cull="none" if item.lod.primitive in LINES else material.cull,
        front_face=frame.matrices.front_face,
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
