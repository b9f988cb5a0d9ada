"""A difference in both documents."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.ui.differences.conftest import ADDED, BYTES, CLIP, MATERIAL, MOVED, VERSION, VERTICES
from viewer.scene.difference import Difference
from viewer.scene.items import BoneItem, ByteItem, VertexItem
from viewer.session.comparison import find_partner, follow
from viewer.session.requests import FitView, Request
from viewer.session.state import State
from viewer.ui.differences.show_difference import PADDING, present_difference, select_difference, show_bytes


def frames(state: State) -> None:
    """What two frames do with the selections."""
    for _ in range(2):
        state.purge()
        find_partner(state)
        follow(state)


def both(state: State) -> list[Any]:
    """What is selected and marked in each document."""
    partner = state.partner
    assert partner is not None
    return [(each.view.selection.picked, each.view.selection.group) for each in (state, partner)]


def test_each_document_has_its_own_items_selected(pair: Any) -> None:
    select_difference(pair.state, MOVED)
    frames(pair.state)
    assert both(pair.state) == [
        (BoneItem(1), (BoneItem(1),)),
        (BoneItem(0), (BoneItem(0), BoneItem(1))),
    ]


def test_they_stay_selected_in_the_other_tab(pair: Any) -> None:
    select_difference(pair.state, VERTICES)
    pair.state.show(1)
    frames(pair.state)
    assert [picked for picked, _ in both(pair.state)] == [VertexItem(0, 17), VertexItem(0, 16)]


def test_what_only_the_other_document_has_brings_it_into_view(pair: Any) -> None:
    select_difference(pair.state, ADDED)
    frames(pair.state)
    assert pair.state.documents.current == 1
    assert both(pair.state) == [(BoneItem(1), (BoneItem(1),)), (None, ())]


def test_another_selection_ends_it(pair: Any) -> None:
    select_difference(pair.state, MOVED)
    pair.state.view.selection.pick(BoneItem(0))
    frames(pair.state)
    assert both(pair.state)[1] == (BoneItem(0), ()), "the bone of the same name"


def test_what_has_no_item_changes_no_selection(pair: Any) -> None:
    select_difference(pair.state, MOVED)
    select_difference(pair.state, VERSION)
    assert pair.state.view.selection.picked == BoneItem(1)


def test_without_a_comparison_nothing_happens(pair: Any) -> None:
    pair.state.compare(None)
    find_partner(pair.state)
    select_difference(pair.state, MOVED)
    assert pair.state.view.selection.picked is None


@pytest.mark.parametrize(("difference", "posted"), [(MOVED, 1), (VERTICES, 1), (CLIP, 0), (VERSION, 0)])
def test_what_has_a_place_is_framed(pair: Any, difference: Difference, posted: int) -> None:
    asked: list[Request] = []
    present_difference(pair.state, asked.append, difference)
    assert asked == [FitView(selected=True, padding=PADDING)] * posted


def test_what_has_no_place_brings_its_panel(pair: Any) -> None:
    present_difference(pair.state, [].append, MATERIAL)
    assert pair.state.interface.front == "properties"


def test_bytes_are_selected_in_both_and_shown_if_they_are_wanted(pair: Any) -> None:
    present_difference(pair.state, [].append, BYTES)
    assert [picked for picked, _ in both(pair.state)] == [ByteItem(40), ByteItem(44)]
    assert pair.state.interface.front == "", "the list stays in front"
    show_bytes(pair.state, BYTES)
    assert pair.state.interface.front == "chunks"


def test_a_clip_is_shown_at_the_first_key_that_differs(pair: Any) -> None:
    present_difference(pair.state, [].append, CLIP)
    frames(pair.state)
    state, partner = pair.state, pair.state.partner
    assert state.view.clock.time == 0.25 and not state.view.clock.playing
    assert [each.view.playlist[0].animation.name for each in (state, partner)] == ["Bend", "Bend"]
    present_difference(pair.state, [].append, replace(CLIP, times=()))
    assert state.view.clock.playing
