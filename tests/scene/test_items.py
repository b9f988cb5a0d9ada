"""Items are values: equal by kind and numbers, and of the same kind where only the number changes."""

from __future__ import annotations

import pytest

from viewer.scene.items import BoneItem, Item, KeyItem, LightItem, TrackItem, VertexItem


def test_kind_and_numbers_make_items_equal() -> None:
    assert BoneItem(3) == BoneItem(3) and hash(BoneItem(3)) == hash(BoneItem(3))
    assert len({BoneItem(3), LightItem(3), BoneItem(4), BoneItem(3)}) == 3
    assert TrackItem(None, 3) != TrackItem(0, 3)


@pytest.mark.parametrize(
    ("item", "kind", "numbers"),
    [
        (BoneItem(3), "bone", (3,)),
        (VertexItem(0, 17), "vertex", (0, 17)),
        (TrackItem(None, 5), "track", (5,)),
        (KeyItem(TrackItem(1, 5), 2), "key", (1, 5, 2)),
    ],
    ids=str,
)
def test_numbers_have_the_owner_s_first(item: Item, kind: str, numbers: tuple[int, ...]) -> None:
    assert (item.kind, item.numbers) == (kind, numbers)
    assert str(item) == " ".join([kind, *map(str, numbers)])


@pytest.mark.parametrize("item", [BoneItem(3), VertexItem(0, 3), KeyItem(TrackItem(1, 5), 3)], ids=str)
def test_a_sibling_has_another_number_only(item: Item) -> None:
    other = item.sibling(7)
    assert type(other) is type(item) and other.numbers == (*item.numbers[:-1], 7)
