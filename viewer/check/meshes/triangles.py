"""Rules for triangles: degenerate and duplicate triangles, primitive types, and the order for the vertex
cache.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.meshes.vertices import first_corners, triangle_items
from viewer.check.rule import MOST_ITEMS, Found, Rule, listed, rounded
from viewer.errors import counted
from viewer.scene.finding import Severity
from viewer.scene.items import GeometryItem, Item, LodItem
from viewer.scene.mesh.flat_geometry import has_no_area
from viewer.scene.model import Primitive, triangle_count

ENTRIES = 32
"""How many vertices the vertex cache holds; a new vertex replaces the oldest vertex."""
ROUNDS = 8
"""At most this many times `cache_misses` corrects its first guess. The result is within 3 % of the exact
number for most meshes, and up to a third too low in regular grids.
"""
CHANGED = 0.001
"""The corrections of `cache_misses` end when they change less than this share of the corners."""
STRETCH = 1024
"""The number of triangles in a stretch. The triangles of a stretch are successive in the mesh."""


def stretches(corners: Array, step: int) -> Array:
    """Divide the triangles `corners` [T, 3] into stretches of `STRETCH` triangles, and return every `step`-th
    stretch, together as [S, 3]. Each stretch gets vertex numbers of its own, so that a vertex is counted
    again in each stretch.
    """
    if step == 1:
        return corners
    first = np.arange(0, len(corners), step * STRETCH)
    rows = first[:, None] + np.arange(STRETCH)
    kept = corners[np.minimum(rows, len(corners) - 1)].astype(np.int64)
    kept += (np.arange(len(first)) * (int(corners.max()) + 1))[:, None, None]
    return kept[rows < len(corners)]


def cache_misses(corners: Array) -> tuple[int, int, int]:
    """Count how many times the graphics card computes a vertex for the triangles `corners` [T, 3]. Return
    this number, the number of different vertices, and T.

    A computed vertex stays in the cache until `ENTRIES` further vertices are computed. The function first
    guesses which corners need the computation of a vertex, then corrects the guess from front to back.
    """
    indices = corners.reshape(-1)
    order = np.argsort(indices, kind="stable")
    listed = indices[order]
    first = np.ones(len(listed), bool)
    first[1:] = listed[1:] != listed[:-1]
    offset = np.cumsum(first) * (len(listed) + 1)
    miss = first.copy()
    for _ in range(ROUNDS):
        computed = np.empty(len(order), np.int64)
        missed = np.empty(len(order), bool)
        missed[order] = miss
        np.cumsum(missed, out=computed)
        number = computed[order]
        latest = np.maximum.accumulate(np.where(miss, number, 0) + offset) - offset
        changed = first.copy()
        changed[1:] |= number[1:] - miss[1:] - latest[:-1] >= ENTRIES
        done = np.count_nonzero(changed != miss) <= CHANGED * len(miss)
        miss = changed
        if done:
            break
    return int(np.count_nonzero(miss)), int(np.count_nonzero(first)), len(corners)


SLOW = (Primitive.TRIANGLE_STRIP, Primitive.TRIANGLE_FAN, Primitive.LINE_STRIP, Primitive.POINTS)
"""The primitive types that should be replaced by lists of triangles or lines."""
SAMPLED = 1 << 16
"""At most this number of triangles of a model is examined, in evenly spaced stretches."""
FEW = 1024
"""A surface with fewer triangles is fast in every order."""
WASTED = 2.0
"""Ratio of computed to needed vertices above which the rule reports."""
BEST = 0.6
"""The number of vertices that are computed for each triangle of a closed regular mesh in a good order."""


def degenerate_triangles(context: CheckContext) -> Iterator[Found]:
    """Report triangles of triangle lists with two corners at the same position: their area is 0."""
    for surface in context.surfaces:
        texts: list[str] = []
        items: list[Item] = []
        for level, lod in surface.levels:
            if lod.primitive is not Primitive.TRIANGLES or lod.indices is None:
                continue
            faces = surface.faces_of(lod)
            flat = int(np.count_nonzero(faces.flat))
            if flat and not has_no_area(context.shapes, lod):
                where = f" of level {level}" if len(surface.geometry.lods) > 1 else ""
                texts.append(f"{flat} of {counted(len(faces.flat), 'triangle')}{where}")
                if lod is surface.lod:
                    items += first_corners(lod, np.flatnonzero(faces.flat))
                items.append(LodItem(surface.number, level))
        if texts:
            yield Found(f"{surface.name}: {listed(texts)} have two corners at one position", tuple(items))


def duplicate_triangles(context: CheckContext) -> Iterator[Found]:
    """Report triangles of the finest level that have the same corners and winding as another triangle."""
    for surface in context.finest:
        if surface.lod.primitive is not Primitive.TRIANGLES:
            continue
        count, first = surface.faces.repeated(MOST_ITEMS)
        if count:
            total = counted(len(surface.faces.corners), "triangle")
            text = f"{count} of {total} of {surface.name} lie on another one (first #{first[0]})"
            yield Found(text, triangle_items(surface, first))


def primitive_types(context: CheckContext) -> Iterator[Found]:
    """Report geometries that consist of strips, fans or points."""
    for index, geometry in enumerate(context.shapes.geometries):
        levels = [level for level, lod in enumerate(geometry.lods) if lod.count and lod.primitive in SLOW]
        if levels:
            kinds = dict.fromkeys(geometry.lods[level].primitive.value for level in levels)
            name = geometry.name or f"geometry {index}"
            items = tuple(LodItem(index, level) for level in levels[:MOST_ITEMS])
            yield Found(f"{name} is drawn as {' and '.join(kinds)}", items)


def vertex_order(context: CheckContext) -> Iterator[Found]:
    """Report surfaces whose order of triangles makes the graphics card compute many vertices more
    than once.
    """
    total = sum(triangle_count(each.lod.primitive, each.lod.count) for each in context.finest)
    step = -(-total // SAMPLED)
    for surface in context.finest:
        if surface.lod.primitive is not Primitive.TRIANGLES or len(surface.faces.corners) < FEW:
            continue
        misses, distinct, seen = cache_misses(stretches(surface.faces.corners, step))
        if misses > WASTED * max(distinct, BEST * seen):
            yield Found(
                f"{surface.name}: {rounded(misses / seen)} vertices are computed for each triangle; "
                ""
                f"a better order needs only {rounded(max(distinct / seen, BEST))}",
                (GeometryItem(surface.number),),
            )


RULES = (
    Rule(
        "mesh/degenerate-triangle",
        Severity.NOTE,
        "A triangle has two corners at the same position",
        degenerate_triangles,
        {"": "The triangle is never visible, and costs time; its tangents and collision shapes are wrong."},
        "Merge double vertices, and delete faces without an area.",
        "Body: 3 of 1200 triangles have two corners at one position",
    ),
    Rule(
        "mesh/duplicate-triangle",
        Severity.NOTE,
        "A triangle lies on another triangle",
        duplicate_triangles,
        {
            "": (
                "Both triangles are drawn: this costs time, flickers if they differ, and blends the colour "
                "twice."
            )
        },
        "Merge double vertices and delete double faces, unless the layers are intended.",
        "12 of 1200 triangles of Body lie on another one (first #600)",
    ),
    Rule(
        "mesh/primitive-type",
        Severity.NOTE,
        "A geometry is not drawn as a list of triangles or lines",
        primitive_types,
        {
            "Urho3D": "Direct3D 11 draws no fans; ray queries read every geometry as a list of triangles.",
            "OGRE": (
                "Direct3D 11 draws no fans. Each strip needs its own draw call. Points are one pixel "
                "large, unless the material gives them a size."
            ),
            "": (
                "Newer graphics interfaces do not support fans and strips, or draw them more slowly than "
                "lists."
            ),
        },
        "Export lists of triangles.",
        "Body is drawn as triangle strip",
    ),
    Rule(
        "mesh/vertex-order",
        Severity.NOTE,
        "The order of the triangles makes the graphics card compute vertices more than once",
        vertex_order,
        {
            "": (
                "A graphics card caches about 32 vertices; the vertex shader runs again for a vertex that "
                "is no longer in the cache."
            )
        },
        "Let the exporter or a tool such as meshoptimizer order the triangles for the vertex cache.",
        "Body: 2.4 vertices are computed for each triangle; a better order needs only 0.6",
    ),
)
