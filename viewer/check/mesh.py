"""Rules for vertices, triangles and bounds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.rule import MOST_ITEMS, Found, Rule, listed, number
from viewer.check.subject import Subject, Surface
from viewer.check.weights import vertex_items
from viewer.errors import counted
from viewer.scene.areas import has_no_area
from viewer.scene.finding import Severity
from viewer.scene.items import GeometryItem, LodItem, VertexBufferItem, VertexItem
from viewer.scene.model import Lod, Model, Primitive, triangle_count
from viewer.scene.primitives import as_list

SEMANTICS = ("position", "normal", "tangent", "uv0", "uv1", "weights")
"""The attributes whose numbers have to be finite."""
SHORTEST = 1e-3
"""The length below which a normal gives no direction."""
BOUNDS_ERROR = 0.01
"""The distance out of the bounds, as a part of their diagonal, from which on it is told."""


def not_finite(subject: Subject) -> Iterator[Found]:
    """Vertices with NaN or infinite numbers."""
    for surface in subject.surfaces:
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


def degenerate_triangles(subject: Subject) -> Iterator[Found]:
    """Triangles of lists that use one position twice: they have no area."""
    for surface in subject.surfaces:
        texts, items = [], []
        for level, lod in surface.levels:
            if lod.primitive is not Primitive.TRIANGLES or lod.indices is None:
                continue
            flat, total = _degenerate(subject.shapes, surface, lod)
            if flat and not has_no_area(subject.shapes, lod):
                where = f" of level {level}" if len(surface.geometry.lods) > 1 else ""
                texts.append(f"{flat} of {counted(total, 'triangle')}{where}")
                items.append(LodItem(surface.number, level))
        if texts:
            yield Found(f"{surface.name}: {listed(texts)} with one position twice", tuple(items))


def coarse_levels(subject: Subject) -> Iterator[Found]:
    """Levels of detail with more triangles than the finer level before them."""
    for index, geometry in enumerate(subject.shapes.geometries):
        counts = [triangle_count(lod.primitive, lod.count) for lod in geometry.lods]
        levels = [level for level in range(1, len(counts)) if counts[level] > counts[level - 1]]
        if levels:
            first = levels[0]
            name = geometry.name or f"geometry {index}"
            text = (
                f"{name}: level {first} has {counts[first]} triangles, level {first - 1} {counts[first - 1]}"
            )
            yield Found(text, tuple(LodItem(index, level) for level in levels[:MOST_ITEMS]))


def too_many_triangles(subject: Subject) -> Iterator[Found]:
    """Models with more triangles at their finest levels than the limit."""
    limit, geometries = subject.limits.triangles, subject.shapes.geometries
    finest = [
        triangle_count(each.lods[0].primitive, each.lods[0].count) if each.lods else 0 for each in geometries
    ]
    if limit is not None and sum(finest) > limit:
        largest = int(np.argmax(finest))
        text = f"the model has {counted(sum(finest), 'triangle')}; the limit is {limit}"
        if len(finest) > 1:
            text += f"; {geometries[largest].name or f'geometry {largest}'} has the most, {finest[largest]}"
        yield Found(text, (GeometryItem(largest),))


def unused_vertices(subject: Subject) -> Iterator[Found]:
    """Vertices that no level of detail draws."""
    buffers = subject.shapes.vertex_buffers
    drawn = [np.zeros(buffer.count, bool) for buffer in buffers]
    for surface in subject.surfaces:
        first, *others = surface.lod.streams
        drawn[first][surface.rows] = True
        for stream in others:  # the same vertices: they are told once
            drawn[stream][:] = True
    for buffer, each in enumerate(drawn):
        unused = len(each) - int(np.count_nonzero(each))
        if unused:
            first = np.flatnonzero(~each)[:MOST_ITEMS].tolist()
            text = f"{unused} of {counted(len(each), 'vertex', 'vertices')} of buffer {buffer} are not drawn"
            items = (*(VertexItem(buffer, vertex) for vertex in first), VertexBufferItem(buffer))
            yield Found(f"{text} (first #{first[0]})", items)


def zero_normals(subject: Subject) -> Iterator[Found]:
    """Normals without a length."""
    for surface in subject.surfaces:
        normals = surface.attribute("normal")
        if normals is None:
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            off = np.flatnonzero(np.einsum("ij,ij->i", normals, normals) < SHORTEST**2)
        if len(off):
            vertices = counted(len(surface.rows), "vertex", "vertices")
            text = f"{len(off)} of {vertices} of {surface.name} have a normal of length 0"
            yield Found(f"{text} (first #{surface.rows[off[0]]})", vertex_items(surface, off))


def stale_bounds(subject: Subject) -> Iterator[Found]:
    """Vertices outside the bounds of the file, as stored and in the rest pose too."""
    model = subject.model
    if model is None or model.bounds is None or not np.isfinite(model.bounds).all():
        return
    bounds = model.bounds.astype(np.float64)
    size = float(np.linalg.norm(bounds[1] - bounds[0]))
    stored, at_rest, worst = 0.0, 0.0, None
    for surface in subject.surfaces:
        if surface.positions is None or not len(surface.rows):
            continue
        stored = max(stored, _beyond(surface.positions, bounds))
        out = _beyond(surface.at_rest, bounds)
        if out > at_rest:
            at_rest, worst = out, surface
    out = min(stored, at_rest)
    if worst is not None and out > BOUNDS_ERROR * size:
        share = f", {number(100 * out / size)} % of their diagonal" if size else ""
        text = f"vertices of {worst.name} are up to {number(out)} outside the bounds{share}"
        yield Found(text, (GeometryItem(worst.number),))


def _beyond(points: Array, bounds: Array) -> float:
    """The largest distance along an axis by which points [N, 3] leave the bounds [2, 3]."""
    if not len(points):
        return 0.0
    out = max(float((bounds[0] - points.min(axis=0)).max()), float((points.max(axis=0) - bounds[1]).max()))
    return max(out, 0.0) if np.isfinite(out) else 0.0


def _degenerate(model: Model, surface: Surface, lod: Lod) -> tuple[int, int]:
    """The triangles that use one position twice, and all triangles of a level."""
    assert lod.indices is not None, "only lists of indices are checked"
    indices = model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count]
    triangles, _ = as_list(indices, lod.primitive)
    positions = surface.positions
    rows = surface.rows
    if positions is None or not len(rows) or not len(triangles):
        return 0, len(triangles)
    place = np.zeros(max(int(rows[-1]), int(triangles.max())) + 1, np.intp)
    place[rows] = np.arange(len(rows))
    first, second, third = (positions[place[corner]] for corner in triangles.T)
    pairs = ((first, second), (second, third), (third, first))
    flat = np.logical_or.reduce([(one == other).all(axis=1) for one, other in pairs])
    return int(np.count_nonzero(flat)), len(triangles)


def _numbers(row: Array) -> str:
    return ", ".join(map(number, row.tolist()))


RULES = (
    Rule(
        "mesh/not-finite",
        Severity.ERROR,
        "A vertex has a number that is not finite",
        not_finite,
        {"": "Triangles at the vertex vanish or flicker, bounds become infinite and culling fails."},
        "Find the vertex in the modelling program; a modifier or a division by zero made it.",
        "1 vertex of Body with a position that is not finite (first #17: nan, 0, 1)",
    ),
    Rule(
        "mesh/degenerate-triangle",
        Severity.NOTE,
        "A triangle uses one position twice",
        degenerate_triangles,
        {"": "It is never seen, and costs time; tangents and collision shapes made of it are wrong."},
        "Merge double vertices, and delete faces without an area.",
        "Body: 3 of 1200 triangles with one position twice",
    ),
    Rule(
        "mesh/level-order",
        Severity.WARNING,
        "A level of detail has more triangles than the finer one",
        coarse_levels,
        {"": "Farther away the model costs more instead of less."},
        "Put the levels in the order of their triangles, or make the level again.",
        "Body: level 2 has 900 triangles, level 1 400",
    ),
    Rule(
        "mesh/too-many-triangles",
        Severity.WARNING,
        "There are more triangles than the limit of the project",
        too_many_triangles,
        {"": "The model is drawn; it costs more time than the project gives it. Engines have no such limit."},
        "Reduce the mesh, or give it levels of detail and a limit of its own in the settings.",
        "the model has 12400 triangles; the limit is 10000; Body has the most, 9000",
    ),
    Rule(
        "mesh/unused-vertex",
        Severity.NOTE,
        "Vertices are not drawn",
        unused_vertices,
        {"": "They take memory, and software skinning and bounds count them."},
        "Delete loose vertices before exporting.",
        "8 of 900 vertices of buffer 0 are not drawn (first #892)",
    ),
    Rule(
        "mesh/zero-normal",
        Severity.WARNING,
        "A normal has no length",
        zero_normals,
        {"": "Normalising it divides by zero: the surface is black or flickers where it is lit."},
        "Recalculate the normals.",
        "4 of 900 vertices of Body have a normal of length 0 (first #12)",
    ),
    Rule(
        "mesh/stale-bounds",
        Severity.WARNING,
        "Vertices lie outside the bounds of the file",
        stale_bounds,
        {
            "Urho3D": "The model vanishes at the edge of the view, and rays miss it.",
            "OGRE": "The mesh vanishes at the edge of the view, and rays miss it.",
            "": "The model may vanish at the edge of the view.",
        },
        "Export again, so that the bounds are made of the vertices.",
        "vertices of Body are up to 0.5 outside the bounds, 25 % of their diagonal",
    ),
)
