"""Makes the items and the texts of vertices and triangles for findings."""

from __future__ import annotations

from viewer.arrays import Array
from viewer.check.check_context import Surface
from viewer.check.rule import MOST_ITEMS
from viewer.errors import counted
from viewer.scene.items import GeometryItem, IndexItem, Item, VertexItem
from viewer.scene.model import Lod, Primitive


def vertex_items(surface: Surface, places: Array) -> tuple[Item, ...]:
    """The items of the first vertices in `places` [N] (indices into `surface.rows`), followed by the item of
    the geometry.
    """
    buffer = surface.lod.streams[0]
    vertices = surface.rows[places[:MOST_ITEMS]].tolist()
    return (*(VertexItem(buffer, vertex) for vertex in vertices), GeometryItem(surface.number))


def share_text(surface: Surface, off: Array) -> str:
    """Format a number of vertices: `3 of 900 vertices of Body (first #12)`. `off` [N] are indices into
    `surface.rows`.
    """
    total = counted(len(surface.rows), "vertex", "vertices")
    first = f"first #{surface.rows[off[0]]}"
    return f"{len(off)} of {total} of {surface.name} ({first})"


def triangle_items(surface: Surface, triangles: Array) -> tuple[Item, ...]:
    """Return the items of the first indices of `triangles` in the finest level, then the item of the
    geometry.
    """
    return (*first_corners(surface.lod, triangles), GeometryItem(surface.number))


def first_corners(lod: Lod, triangles: Array) -> list[IndexItem]:
    """Return the item of the first index of each triangle, for the first `triangles` of a level. Empty if the
    level is no list of triangles.
    """
    if lod.indices is None or lod.primitive is not Primitive.TRIANGLES:
        return []
    return [IndexItem(lod.indices, lod.start + 3 * each) for each in triangles[:MOST_ITEMS].tolist()]
