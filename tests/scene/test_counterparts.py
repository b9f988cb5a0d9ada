"""What has the same name in two models."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.synthetic import write_pair
from viewer.scene.document import Document
from viewer.scene.items import BoneItem, GeometryItem, GeosetItem, Item, MorphItem, VertexItem
from viewer.scene.model import Model
from viewer.scene.names import paired
from viewer.scene.parts import counterpart
from viewer.storage.documents import open_document


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Document, Document]:
    """The post, and one with its bones the other way round, an unknown morph and a geoset."""
    one, other = (open_document(str(write_pair(tmp_path))) for _ in range(2))
    model = other.content
    assert isinstance(model, Model) and model.skeleton is not None
    other.content = replace(
        model,
        skeleton=replace(model.skeleton, names=model.skeleton.names[::-1]),
        morphs=(replace(model.morphs[0], name="wider"),),
        geometries=(replace(model.geometries[0], geoset=7),),
    )
    return one, other


@pytest.mark.parametrize(
    ("item", "found"),
    [
        (BoneItem(0), BoneItem(1)),
        (BoneItem(1), BoneItem(0)),
        (GeometryItem(0), GeometryItem(0)),
        (GeosetItem(7), GeosetItem(7)),
        (GeosetItem(8), None),
        (MorphItem(0), None),
        (VertexItem(0, 0), None),
        (BoneItem(9), None),
        (None, None),
    ],
)
def test_an_item_is_found_by_its_name(
    item: Item | None, found: Item | None, pair: tuple[Document, Document]
) -> None:
    assert counterpart(item, *pair) == found


def test_of_equal_names_the_second_belongs_to_the_second() -> None:
    assert paired(["a", "b", "a", "a"], ["a", "a", "c"]) == {0: 0, 2: 1}
