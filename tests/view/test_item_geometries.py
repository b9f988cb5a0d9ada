"""The geometries that belong to an item."""

from __future__ import annotations

import pytest

from tests.quads import quad
from viewer.scene.items import BoneItem, GeometryItem, GeosetItem, Item, LodItem, MaterialItem, VertexItem
from viewer.scene.material import Material
from viewer.view.item_geometries import geometries_of


@pytest.mark.parametrize(
    ("item", "geometries"),
    [
        (GeometryItem(0), [0]),
        (LodItem(0, 1), [0]),
        (VertexItem(0, 3), [0]),
        (MaterialItem(0), [0]),
        (VertexItem(0, 9999), []),
        (BoneItem(0), []),
        (GeometryItem(7), []),
        (GeosetItem(7), []),
        (None, []),
    ],
)
def test_the_geometries_of_an_item(item: Item | None, geometries: list[int]) -> None:
    assert geometries_of(quad(Material("m")), item) == geometries
    assert geometries_of(None, item) == []
