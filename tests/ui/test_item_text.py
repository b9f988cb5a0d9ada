"""Names of items for texts of the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.synthetic import write_pair
from viewer.scene.items import BoneItem, GeometryItem, Item, MaterialItem
from viewer.scene.material import Material
from viewer.scene.names import short_name
from viewer.scene.parts import geometry_name
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.ui.item_text import item_name, item_title


@pytest.fixture
def state(tmp_path: Path) -> State:
    made = State()
    made.put(open_document(write_pair(tmp_path)))
    return made


def test_an_item_is_called_by_its_name(state: State) -> None:
    assert state.skeleton is not None
    assert item_name(state, BoneItem(0)) == state.skeleton.names[0]


@pytest.mark.parametrize("item", [BoneItem(-9), BoneItem(999), GeometryItem(-9), MaterialItem(-1)])
def test_an_item_that_does_not_exist_has_its_number(state: State, item: Item) -> None:
    assert item_name(state, item) == ""
    assert item_title(state, item).endswith(f" {item.number}")


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Materials/Jack.xml", "Jack.xml"),
        ("CREATURE\\BEAR\\BEAR.BLP", "BEAR.BLP"),
        ("Ogre/Skin", "Ogre/Skin"),
        ("monster skin 1", "monster skin 1"),
    ],
)
def test_a_path_is_called_by_its_file(name: str, short: str) -> None:
    assert short_name(name) == short


def test_a_geoset_is_called_by_its_material_everywhere(state: State) -> None:
    model = state.model
    assert model is not None
    geoset = replace(model.geometries[0], name="geoset 0", geoset=0, material=0)
    named = replace(model, geometries=(geoset,), materials=(Material("monster skin 1"),))
    assert geometry_name(named, 0) == "monster skin 1"
    assert state.document is not None
    state.put(replace(state.document, path="/other.mdl", content=named))
    assert item_title(state, GeometryItem(0)) == "geometry monster skin 1"
