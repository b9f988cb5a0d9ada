"""Rules for the values of vertices, and for the counts of vertices and triangles."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.meshes.vertices import vertex_items
from viewer.check.rule import MOST_ITEMS, Found, Rule, reported, rounded
from viewer.errors import Topic, counted
from viewer.scene.finding import Severity
from viewer.scene.items import GeometryItem, VertexBufferItem, VertexItem
from viewer.scene.model import triangle_count

SEMANTICS = ("position", "normal", "tangent", "uv0", "uv1", "weights")
"""The attributes whose values have to be finite."""
DENORMAL = np.uint32(0x00FF_FFFF)
"""The limit in the test for denormal f32. The test takes the bits of the number as u32, shifts them left by
one to drop the sign, and subtracts 1. For a denormal number the result is below this limit.
"""


def not_finite(context: CheckContext) -> Iterator[Found]:
    """Report vertices with NaN or infinite values."""
    for surface in context.surfaces:
        for semantic in SEMANTICS:
            column = surface.attribute(semantic)
            if column is None or np.isfinite(column.sum(dtype=np.float64)):
                continue
            off = np.flatnonzero(~np.isfinite(column).all(axis=1))
            if len(off):
                vertices = counted(len(off), "vertex", "vertices")
                text = f"{vertices} of {surface.name} with a {semantic} that is not finite"
                text = f"{text} (first #{surface.rows[off[0]]}: {_numbers(column[off[0]])})"
                yield Found(text, vertex_items(surface, off))


def denormal(context: CheckContext) -> Iterator[Found]:
    """Report vertices with denormal values, which are too small for full precision."""
    for surface in context.surfaces:
        for semantic in SEMANTICS:
            column = surface.attribute(semantic)
            if column is None:
                continue
            small = (column.view(np.uint32) << 1) - np.uint32(1) < DENORMAL
            if small.any():
                off = np.flatnonzero(small.any(axis=1))
                vertices = counted(len(off), "vertex", "vertices")
                text = f"{vertices} of {surface.name} with a {semantic} that has a denormal number"
                text = f"{text} (first #{surface.rows[off[0]]}: {_numbers(column[off[0]])})"
                yield Found(text, vertex_items(surface, off))


def too_many_triangles(context: CheckContext) -> Iterator[Found]:
    """Report models with more triangles at their finest levels than the limit."""
    limit, geometries = context.limits.triangles, context.shapes.geometries
    finest = [
        triangle_count(each.lods[0].primitive, each.lods[0].count) if each.lods else 0 for each in geometries
    ]
    if limit is not None and sum(finest) > limit:
        largest = int(np.argmax(finest))
        text = f"the model has {counted(sum(finest), 'triangle')}; the limit is {limit}"
        if len(finest) > 1:
            text += f"; {geometries[largest].name or f'geometry {largest}'} has the most, {finest[largest]}"
        yield Found(text, (GeometryItem(largest),))


def unused_vertices(context: CheckContext) -> Iterator[Found]:
    """Report vertices that no level of detail draws."""
    buffers = context.shapes.vertex_buffers
    drawn = [np.zeros(buffer.count, bool) for buffer in buffers]
    for surface in context.surfaces:
        first, *others = surface.lod.streams
        drawn[first][surface.rows] = True
        for stream in others:  # streams with the same vertices give one finding together
            drawn[stream][:] = True
    for buffer, each in enumerate(drawn):
        unused = len(each) - int(np.count_nonzero(each))
        if unused:
            first = np.flatnonzero(~each)[:MOST_ITEMS].tolist()
            text = f"{unused} of {counted(len(each), 'vertex', 'vertices')} of buffer {buffer} are not drawn"
            items = (*(VertexItem(buffer, vertex) for vertex in first), VertexBufferItem(buffer))
            yield Found(f"{text} (first #{first[0]})", items)


def _numbers(row: Array) -> str:
    return ", ".join(map(rounded, row.tolist()))


RULES = (
    Rule(
        "mesh/not-finite",
        Severity.ERROR,
        "A vertex has a number that is not finite",
        not_finite,
        {"": "The triangles of the vertex vanish or flicker, the bounds become infinite, and culling fails."},
        "Find the vertex in the modelling program: a modifier or a division by zero has produced the number.",
        "1 vertex of Body with a position that is not finite (first #17: nan, 0, 1)",
    ),
    Rule(
        "mesh/stray-index",
        Severity.ERROR,
        "A triangle uses a vertex that does not exist",
        reported(Topic.INDEX),
        {
            "": (
                "The graphics card reads unrelated data or zeros: triangles stretch across the view, or "
                "the program crashes."
            )
        },
        "Export the mesh again: its indices do not fit its vertices.",
        "model/geometries[0]/lods[1]: 4 primitives use missing vertices: only 800 exist",
    ),
    Rule(
        "mesh/number",
        Severity.ERROR,
        "A number refers to a part that does not exist",
        reported(Topic.NUMBER),
        {
            "Urho3D": "The engine writes outside the vertices of the morph, and may crash.",
            "OGRE": (
                "The engine does not test the number: it stops with an exception or crashes. A name of a "
                "missing submesh fails when the program asks for the submesh by this name."
            ),
            "": "The engine reads unrelated memory, or stops.",
        },
        "Export the mesh again: its numbers do not fit its parts.",
        "extremes of submesh 77 of 2 submeshes",
    ),
    Rule(
        "mesh/denormal",
        Severity.NOTE,
        "A vertex has a denormal number",
        denormal,
        {
            "": (
                "The graphics card treats the number as 0; a processor takes many times as long to "
                "calculate with it."
            )
        },
        "Write 0 instead. Denormal numbers often come from memory that an exporter did not initialise.",
        "1 vertex of Body with a uv0 that has a denormal number (first #17: 1e-41, 0.5)",
    ),
    Rule(
        "mesh/too-many-triangles",
        Severity.WARNING,
        "A model has more triangles than the limit of the project",
        too_many_triangles,
        {
            "": (
                "The model is drawn, but costs more time than the project allows. Engines themselves have "
                "no limit."
            )
        },
        "Reduce the mesh, or set a larger limit for this file in the settings.",
        "the model has 12400 triangles; the limit is 10000; Body has the most, 9000",
    ),
    Rule(
        "mesh/unused-vertex",
        Severity.NOTE,
        "Vertices are not drawn",
        unused_vertices,
        {"": "The vertices take memory, and software skinning and bounds include them."},
        "Delete loose vertices before exporting.",
        "8 of 900 vertices of buffer 0 are not drawn (first #892)",
    ),
)
