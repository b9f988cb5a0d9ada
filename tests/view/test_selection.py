"""Several selected items of a kind."""

from __future__ import annotations

from viewer.scene.items import AnimationItem, BoneItem
from viewer.view.selection import Selection

ONE, TWO, THREE = map(AnimationItem, (1, 2, 3))


def test_items_of_another_kind_are_not_selected_together() -> None:
    selection = Selection(picked=BoneItem(0), group=(ONE, TWO))
    assert selection.together(AnimationItem) == () and selection.together(BoneItem) == (BoneItem(0),)
    selection.pick(THREE)
    assert selection.together(AnimationItem) == (THREE,)
    selection.pick(ONE)
    assert selection.together(AnimationItem) == (ONE, TWO)


def test_the_last_item_that_is_removed_leaves_nothing() -> None:
    selection = Selection()
    selection.toggle(ONE)
    selection.toggle(ONE)
    assert (selection.picked, selection.group) == (None, ())


def test_a_range_without_a_picked_item_begins_at_the_clicked_item() -> None:
    selection = Selection(picked=BoneItem(0))
    selection.extend(TWO, (ONE, TWO, THREE))
    assert selection.together(AnimationItem) == (TWO,)
    selection.extend(THREE, (ONE, TWO, THREE))
    assert selection.together(AnimationItem) == (TWO, THREE) and selection.picked == TWO


def test_one_chosen_item_keeps_what_other_kinds_mark() -> None:
    selection = Selection(group=(BoneItem(4), ONE, TWO))
    selection.choose(ONE)
    assert selection.group == (BoneItem(4),) and selection.together(AnimationItem) == (ONE,)
