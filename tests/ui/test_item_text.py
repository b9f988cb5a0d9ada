"""Names of items for texts of the window."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import write_pair
from viewer.formats import open_document
from viewer.scene.items import BoneItem, GeometryItem, Item, MaterialItem
from viewer.session.state import State
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
