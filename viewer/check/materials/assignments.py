"""Reads the stored bone assignments of OGRE meshes. The engine keeps only the largest assignments of each
vertex.
"""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.binary.span import Rows, Span
from viewer.budget import BUDGET
from viewer.check.check_context import CheckContext, Surface
from viewer.formats.ogre.mesh_layout import MESH, OWN_ASSIGNMENTS, SHARED_ASSIGNMENTS
from viewer.scene.items import BoneItem, GeometryItem

MESH_FORMAT = "OGRE mesh"
SAMPLED = 1 << 15
"""How many vertices of a surface are examined."""


def spread(places: Array) -> Array:
    """Return at most `SAMPLED` of the indices `places` [N], spread evenly, as [M]."""
    return places[:: max(-(-len(places) // SAMPLED), 1)]


def assigned(context: CheckContext, surface: Surface, limit: int) -> tuple[Array, Array, Array, Array] | None:
    """Find the drawn vertices with more than `limit` assignments.

    Return their indices [N] into the rows of the surface, and three arrays about a sample of M of these
    vertices: indices [M], bones [M, K] and weights [M, K]. None if the file is no OGRE mesh with assignments.
    """
    rows = _rows(context, surface)
    if rows is None:
        return None
    vertices, weights = rows["vertex"].astype(np.int64), rows["weight"]
    known = (weights > 0) & np.isfinite(weights)
    counts = np.bincount(vertices[known & (vertices <= surface.rows[-1])], minlength=surface.rows[-1] + 1)
    places = np.flatnonzero(counts[surface.rows] > limit)
    sample = spread(places)
    if not len(places):
        return places, sample, np.empty((0, limit), np.int64), np.empty((0, limit), np.float32)
    crowded = surface.rows[sample]
    chosen = np.flatnonzero(known & np.isin(vertices, crowded))
    chosen = chosen[np.argsort(vertices[chosen], kind="stable")]
    owners = np.searchsorted(crowded, vertices[chosen])
    slots = np.arange(len(chosen)) - np.searchsorted(owners, owners)
    inside = slots < BUDGET.vertex_assignments
    owners, slots, chosen = owners[inside], slots[inside], chosen[inside]
    shape = len(sample), int(slots.max()) + 1
    bones, values = np.full(shape, len(context.carried)), np.zeros(shape, np.float32)
    bones[owners, slots] = _numbers(context)[rows["bone"][chosen]]
    values[owners, slots] = weights[chosen]
    return places, sample, bones, values


def _rows(context: CheckContext, surface: Surface) -> Array | None:
    """The assignments of the surface's buffer; None if there are none."""
    if context.document.format != MESH_FORMAT:
        return None
    mesh = context.document.root.part(MESH)
    part = context.document.origin.span(GeometryItem(surface.number))
    if mesh is None or part is None or not len(surface.rows):
        return None
    own = part.part(OWN_ASSIGNMENTS)
    shared = part.child("shared").value
    found = mesh.part(SHARED_ASSIGNMENTS) if shared else own
    rows = found.children if found is not None else ()
    return rows.items if isinstance(rows, Rows) and rows.items is not None else None


def _numbers(context: CheckContext) -> Array:
    """[65536]: the bone number of each bone handle; an unused handle has the number of bones instead."""
    count = len(context.carried)
    if count > BUDGET.assigned_bones:
        return np.minimum(np.arange(1 << 16), count)
    numbers = np.full(1 << 16, count)
    holder = context.document.holder(BoneItem(0))
    for bone in range(count):
        span = holder.origin.span(BoneItem(bone))
        numbers[_handle(span) if span is not None else bone] = bone
    return numbers


def _handle(span: Span) -> int:
    return int(span.child("handle").value)
