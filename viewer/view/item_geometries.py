"""The geometries that belong to an item."""

from __future__ import annotations

from viewer.scene.items import GeometryItem, GeosetItem, Item, LodItem, MaterialItem, VertexItem
from viewer.scene.mesh.vertices import drawn_by
from viewer.scene.model import Model, members


def geometry_of(model: Model | None, item: Item | None) -> int | None:
    """Return the number of the geometry that belongs to an item; None if there is none.

    A geometry item is its own geometry. For a vertex, it is the geometry that draws the vertex; for a
    material, the first geometry with the material.
    """
    if item is None or model is None:
        return None
    match item:
        case GeometryItem(number) | LodItem(number) if 0 <= number < len(model.geometries):
            return number
        case VertexItem(buffer, vertex):
            owner = drawn_by(model, buffer, vertex)
            return owner[0] if owner else None
        case MaterialItem(number):
            users = [n for n, each in enumerate(model.geometries) if each.material == number]
            return users[0] if users else None
    return None


def geometries_of(model: Model | None, item: Item | None) -> list[int]:
    """Return the numbers of the geometries that belong to an item: several for a geoset, at most one for any
    other item.
    """
    if isinstance(item, GeosetItem):
        return members(model, item.number)
    number = geometry_of(model, item)
    return [] if number is None else [number]
