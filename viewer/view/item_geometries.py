"""The geometries that belong to an item."""

from __future__ import annotations

from viewer.scene.items import GeometryItem, GeosetItem, Item, LodItem, MaterialItem, VertexItem
from viewer.scene.mesh.vertices import drawn_by
from viewer.scene.model import Model, members


def geometries_of(model: Model | None, item: Item | None) -> list[int]:
    """Return the numbers of the geometries that belong to an item, in their order.

    A geometry item is its own geometry. For a vertex, it is the geometry that draws the vertex. A geoset and
    a material may have several geometries.
    """
    if item is None or model is None:
        return []
    match item:
        case GeometryItem(number) | LodItem(number) if 0 <= number < len(model.geometries):
            return [number]
        case VertexItem(buffer, vertex):
            owner = drawn_by(model, buffer, vertex)
            return [owner[0]] if owner else []
        case MaterialItem(material):
            return [number for number, each in enumerate(model.geometries) if each.material == material]
        case GeosetItem(geoset):
            return members(model, geoset)
    return []
