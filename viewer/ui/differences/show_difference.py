"""Brings a difference into view in both compared documents."""

from __future__ import annotations

from viewer.scene.difference import Difference
from viewer.scene.items import AnimationItem, Item, MaterialItem, MorphItem, TextureItem
from viewer.session.comparison import find_partner, in_order
from viewer.session.requests import FitView, Post
from viewer.session.state import State

PAGES: dict[type[Item], str] = {
    MaterialItem: "properties",
    TextureItem: "properties",
    MorphItem: "morphs",
}
"""The panels that show items without a position, by item type."""
PADDING = 5.0
"""The `padding` of a `FitView` request that leaves some space visible around the items."""


def select_difference(state: State, difference: Difference) -> None:
    """Select the first item of a difference in each document, and mark all its items.

    If the items exist only in the other compared document, show that document.
    """
    states = in_order(state)
    if len(states) != 2:
        return
    items = dict(zip((each.documents.current for each in states), _items(difference), strict=True))
    if not items[state.documents.current] and any(items.values()):
        state.show(next(number for number, found in items.items() if found))
        find_partner(state)
    partner = state.partner
    if partner is None or not any(items.values()):
        return
    mine, theirs = items[state.documents.current], items[partner.documents.current]
    state.view.selection.pick_together(mine, theirs)
    partner.view.selection.pick_together(theirs, mine)


def present_difference(state: State, post: Post, difference: Difference) -> None:
    """Select a difference and present it: frame its items, show its animation, or bring its panel to the
    front.
    """
    select_difference(state, difference)
    picked = state.view.selection.picked
    if isinstance(picked, AnimationItem):
        _play(state, difference)
    elif picked is not None and picked.placed:
        post(FitView(selected=True, padding=PADDING))
    elif picked is not None and type(picked) in PAGES and _is_of(difference, picked):
        state.interface.bring(PAGES[type(picked)])


def show_bytes(state: State, difference: Difference) -> None:
    """Select a difference and bring its bytes to the front."""
    select_difference(state, difference)
    state.interface.bring("chunks")


def _items(difference: Difference) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    return difference.items, difference.other_items


def _is_of(difference: Difference, item: Item) -> bool:
    return any(item in items for items in _items(difference))


def _play(state: State, difference: Difference) -> None:
    """Play the selected animations of both documents.

    If their keyframes differ, pause at the first differing keyframe.
    """
    for each in (state, state.partner):
        item = each.view.selection.picked if each is not None else None
        if (
            each is not None
            and isinstance(item, AnimationItem)
            and item.number < len(each.playback.animations)
        ):
            each.playback.choose(each.playback.animations[item.number])
    if difference.times:
        state.view.clock.seek(difference.times[0])
        state.view.clock.pause()
    else:
        state.view.clock.play()
