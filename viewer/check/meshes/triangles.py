"""Rules for triangles: what is drawn twice or not at all, and in which order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.meshes.vertices import first_corners, triangle_items
from viewer.check.rule import MOST_ITEMS, Found, Rule, listed, number
from viewer.errors import counted
from viewer.scene.finding import Severity
from viewer.scene.items import GeometryItem, Item, LodItem
from viewer.scene.mesh.flat_geometry import has_no_area
from viewer.scene.model import Primitive, triangle_count

ENTRIES = 32
"""The vertices that the cache holds; the oldest goes first."""
ROUNDS = 8
"""The most times that the misses are corrected: within three hundredths of the exact number for most
meshes; in regular grids up to a third of the misses is not found.
"""
CHANGED = 0.001
"""The share of the references to vertices that may still change when the misses are counted."""
STRETCH = 1024
"""The triangles of a stretch."""


def stretches(corners: Array, step: int) -> Array:
    """[S, 3] every `step`-th stretch of triangles of `corners` [T, 3]. A vertex counts anew in each stretch,
    whose vertices have numbers of their own.
    """
    if step == 1:
        return corners
    first = np.arange(0, len(corners), step * STRETCH)
    rows = first[:, None] + np.arange(STRETCH)
    kept = corners[np.minimum(rows, len(corners) - 1)].astype(np.int64)
    kept += (np.arange(len(first)) * (int(corners.max()) + 1))[:, None, None]
    return kept[rows < len(corners)]


def cache_misses(corners: Array) -> tuple[int, int, int]:
    """The vertices that are computed for the triangles `corners` [T, 3], the number of different vertices,
    and T.

    All references to a vertex are looked at together: it is in the cache if fewer than `ENTRIES` vertices
    were computed since it was. What was computed is first guessed, and corrected from front to back.
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
"""The primitive types that lists of triangles or lines replace."""
SAMPLED = 1 << 16
"""The triangles of a model whose order is looked at, in stretches that are spread over it."""
FEW = 1024
"""A surface of fewer triangles is drawn fast in any order."""
WASTED = 2.0
"""How often more than needed vertices are computed, from which on it is told."""
BEST = 0.6
"""The vertices for each triangle that a good order reaches on a closed regular mesh."""


def degenerate_triangles(context: CheckContext) -> Iterator[Found]:
    """Triangles of lists that use one position twice: they have no area."""
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
            yield Found(f"{surface.name}: {listed(texts)} with one position twice", tuple(items))


def duplicate_triangles(context: CheckContext) -> Iterator[Found]:
    """Triangles of the finest level that have the same corners as another one, seen from the same side."""
    for surface in context.finest:
        if surface.lod.primitive is not Primitive.TRIANGLES:
            continue
        count, first = surface.faces.repeated(MOST_ITEMS)
        if count:
            total = counted(len(surface.faces.corners), "triangle")
            text = f"{count} of {total} of {surface.name} lie on another one (first #{first[0]})"
            yield Found(text, triangle_items(surface, first))


def primitive_types(context: CheckContext) -> Iterator[Found]:
    """Geometries of strips, fans or points."""
    for index, geometry in enumerate(context.shapes.geometries):
        levels = [level for level, lod in enumerate(geometry.lods) if lod.count and lod.primitive in SLOW]
        if levels:
            kinds = dict.fromkeys(geometry.lods[level].primitive.value for level in levels)
            name = geometry.name or f"geometry {index}"
            items = tuple(LodItem(index, level) for level in levels[:MOST_ITEMS])
            yield Found(f"{name} is drawn as {' and '.join(kinds)}", items)


def vertex_order(context: CheckContext) -> Iterator[Found]:
    """Surfaces whose triangles use vertices in an order that computes them again and again."""
    total = sum(triangle_count(each.lod.primitive, each.lod.count) for each in context.finest)
    step = -(-total // SAMPLED)
    for surface in context.finest:
        if surface.lod.primitive is not Primitive.TRIANGLES or len(surface.faces.corners) < FEW:
            continue
        misses, distinct, seen = cache_misses(stretches(surface.faces.corners, step))
        if misses > WASTED * max(distinct, BEST * seen):
            yield Found(
                f"{surface.name}: {number(misses / seen)} vertices are computed for each triangle, "
                f"{number(max(distinct / seen, BEST))} would do in a better order",
                (GeometryItem(surface.number),),
            )


RULES = (
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
        "mesh/duplicate-triangle",
        Severity.NOTE,
        "A triangle lies on another one",
        duplicate_triangles,
        {"": "Both are drawn: it costs time, flickers where they differ, and counts twice where it blends."},
        "Merge double vertices and delete double faces, unless the layers are intended.",
        "12 of 1200 triangles of Body lie on another one (first #600)",
    ),
    Rule(
        "mesh/primitive-type",
        Severity.NOTE,
        "A geometry is not drawn as a list of triangles or lines",
        primitive_types,
        {
            "Urho3D": "Direct3D 11 draws no fans; rays take each geometry for a list of triangles.",
            "OGRE": "Direct3D 11 draws no fans; strips need a draw call each, and points are a pixel large "
            "unless the material gives them a size.",
            "": "Fans and strips are missing in newer graphics interfaces, or slower than lists.",
        },
        "Export lists of triangles.",
        "Body is drawn as triangle strip",
    ),
    Rule(
        "mesh/vertex-order",
        Severity.NOTE,
        "The order of the triangles computes vertices again and again",
        vertex_order,
        {"": "The graphics card keeps about 32 vertices; the vertex shader runs anew for all others."},
        "Let the exporter or a tool such as meshoptimizer order the triangles for the vertex cache.",
        "Body: 2.4 vertices are computed for each triangle, 0.6 would do in a better order",
    ),
)
