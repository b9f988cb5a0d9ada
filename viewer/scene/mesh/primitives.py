"""Converts strips and fans to lists, and removes primitives that use missing vertices."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.errors import Report
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, Primitive

CORNERS = {Primitive.TRIANGLES: 3, Primitive.LINES: 2, Primitive.POINTS: 1}


def as_list(indices: Array, primitive: Primitive) -> tuple[Array, Primitive]:
    """Convert strips and fans to lists of the same winding. Return the indices [N, corners] of N primitives,
    and the type of these primitives. An incomplete primitive at the end is dropped.
    """
    if primitive is Primitive.TRIANGLE_STRIP:
        count = max(len(indices) - 2, 0)
        corners = np.arange(count)[:, None] + np.arange(3)
        corners[1::2, :2] = corners[1::2, 1::-1]
        return indices[corners], Primitive.TRIANGLES
    if primitive is Primitive.TRIANGLE_FAN:
        count = max(len(indices) - 2, 0)
        corners = np.arange(count)[:, None] + np.arange(3)
        corners[:, 0] = 0
        return indices[corners], Primitive.TRIANGLES
    if primitive is Primitive.LINE_STRIP:
        count = max(len(indices) - 1, 0)
        return indices[np.arange(count)[:, None] + np.arange(2)], Primitive.LINES
    corners_each = CORNERS[primitive]
    whole = len(indices) // corners_each * corners_each
    return indices[:whole].reshape(-1, corners_each), primitive


def with_clouds(model: Model, report: Report) -> Model:
    """Return the model of a file, with point clouds of its vertex buffers if the file ends before its
    geometries.
    """
    buffers = enumerate(() if model.geometries or report.complete else model.vertex_buffers)
    counts = {n: each.count for n, each in buffers if each.count and each.element("position") is not None}
    if not counts:
        return model
    report.warn("the geometries could not be read, so the vertices are shown as points")
    lods = ((n, Lod(0.0, (n,), None, 0, count, Primitive.POINTS)) for n, count in counts.items())
    clouds = tuple(Geometry(f"vertices of buffer {n}", (lod,), stored=False) for n, lod in lods)
    return replace(model, geometries=clouds)


def drop_stray_indices(lod: Lod, buffers: list[IndexBuffer], vertices: int) -> tuple[Lod, int]:
    """Remove the primitives that use a vertex past `vertices`; return the level and the number of removed
    primitives.

    If primitives are removed, the remaining indices become a new index buffer at the end of `buffers`.
    """
    assert lod.indices is not None, "only a level with indices can refer to vertices that do not exist"
    indices = buffers[lod.indices].data[lod.start : lod.start + lod.count]
    if int(indices.max()) < vertices:
        return lod, 0
    listed, primitive = as_list(indices, lod.primitive)
    inside = (listed < vertices).all(axis=1)
    kept = listed[inside].ravel()
    buffers.append(IndexBuffer(kept))
    changed = replace(lod, indices=len(buffers) - 1, start=0, count=len(kept), primitive=primitive)
    return changed, int((~inside).sum())
