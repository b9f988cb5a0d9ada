"""The comparison of two open documents: the document in view and its partner.

The partner has its own State, so all code that draws or queries a State works with the partner too. The
partner takes over the camera, the time and the selection of the document in view.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array, Size
from viewer.scene.camera import MatrixCamera, Orbit, seen_by
from viewer.scene.comparison import panes
from viewer.scene.display import laid_onto, placement_text, upright
from viewer.scene.items import BoneItem, Item
from viewer.scene.parts import counterpart
from viewer.session.documents import OpenDocuments
from viewer.session.state import State
from viewer.view.playlist import Playlist, PlaylistEntry
from viewer.view.view_info import PickResult


def find_partner(state: State) -> None:
    """Update `state.partner` at the beginning of a frame, and let it play the animations of the document in
    view.
    """
    documents, other = state.documents, state.documents.compared
    if state.model is not None:
        state.view.stand_alone(state.model)
    if other is None:
        state.partner = None
        return
    if state.partner is None or state.partner.documents.opened is not documents.opened:
        state.partner = _partner(state)
    partner = state.partner
    partner.documents.comparison = documents.comparison
    partner.documents.current = documents.opened.index(other)
    partner.view.onto = _onto(state, partner)
    _play_along(partner, state)


def _partner(state: State) -> State:
    """Make the State of the partner. It shares the documents, their views, the display options, the messages,
    the choices about reading and the window of `state`.
    """
    documents = state.documents
    partner = State(OpenDocuments(documents.opened, views=documents.views), state.options)
    partner.messages, partner.interface = state.messages, state.interface
    partner.pending_files, partner.reading = state.pending_files, state.reading
    return partner


def _play_along(partner: State, leader: State) -> None:
    """Play the partner's animations that have the same names as the leader's playing animations.

    If no name matches, the partner's current animations continue. In the leader's rest pose, they stop.
    """
    own, playback = partner.view, partner.playback
    if not own.presented:
        partner.stand()
        playback.choose(playback.idle())
        own.home, own.borrowed, own.presented = leader.view.home, True, True
    key = leader.view.playlist, partner.document, len(playback.animations)
    if key == partner.following.played:
        return
    partner.following.played, found = key, _same_animations(partner, leader)
    if found or (not leader.view.playlist and leader.playback.animations):
        playback.mix(found)


def _follow(partner: State, leader: State) -> None:
    """Copy the camera, the time and the selection from the leader to the partner."""
    _follow_camera(partner, leader)
    own, view = partner.view, leader.view
    whole = (0.0, partner.playback.duration) if own.playlist else None
    own.clock = replace(view.clock, range=view.clock.range if leader.playback.trimmed else whole)
    bone = None if view.bone is None else _same(partner, leader, BoneItem(view.bone))
    own.bone = None if bone is None else bone.number
    own.trails = frozenset(
        found for each in view.trails if (found := _same(partner, leader, each)) is not None
    )
    own.selection.turn()
    own.selection.hover = _same(partner, leader, leader.view.selection.hover) or own.selection.hover
    _follow_selection(partner, leader)


def _follow_selection(partner: State, leader: State) -> None:
    """Select the partner's counterparts of the leader's selected items.

    If the selection has no known counterparts, select the partner's item of the same name.
    """
    own, chosen = partner.view.selection, leader.view.selection.counterparts
    if chosen is None:
        own.picked, own.group = _same(partner, leader, leader.marked), ()
    elif chosen != own.group:
        own.pick_together(chosen, leader.view.selection.group)


def _follow_camera(partner: State, leader: State) -> None:
    """Copy the camera from the leader to the partner. A matrix camera is converted to the partner's axes."""
    camera, own, view = leader.view.camera, partner.view, leader.view
    own.file_camera_number, own.fitted = view.file_camera_number, view.fitted
    if isinstance(view.own_camera, Orbit):
        own.own_camera = view.own_camera
    if isinstance(camera, Orbit):
        return
    made_of, placed = (camera, partner.document), (view.placement, own.placement)
    kept = partner.following
    is_known = placed == kept.placed and all(map(operator.is_, made_of, kept.made_of))
    if kept.seen is None or not is_known:
        kept.made_of, kept.placed = made_of, placed
        kept.seen = seen_by(camera, _to_world(leader), _to_world(partner))
    if view.file_camera_number is None:
        own.own_camera = kept.seen
    elif isinstance(kept.seen, MatrixCamera):
        own.matrix_camera = kept.seen


def _same_animations(partner: State, leader: State) -> Playlist:
    known = {each.name: each for each in reversed(partner.playback.animations)}
    found: list[PlaylistEntry] = []
    for each in leader.view.playlist:
        if each.animation.name in known:
            start = None if each.start_bone is None else _same(partner, leader, BoneItem(each.start_bone))
            bone = None if start is None else start.number
            found.append(replace(each, animation=known[each.animation.name], start_bone=bone))
    return tuple(found)


def _same(partner: State, leader: State, item: Item | None) -> Item | None:
    """Find the partner's item with the same name as the leader's `item`; None if there is no such item."""
    if leader.document is None or partner.document is None:
        return None
    return counterpart(item, leader.document, partner.document)


def _onto(state: State, partner: State) -> tuple[float, ...]:
    """Return the numbers for `ModelDisplay.onto`, which align the partner's model with the model in view.

    The result is empty if the models are not aligned.
    """
    found = state.comparison_result.distances if state.comparison_result else None
    if found is None or found.alignment is None or partner.model is None:
        return ()
    if not state.documents.comparison.aligned:
        return ()
    alignment = found.alignment if in_order(state)[0] is state else np.linalg.inv(found.alignment)
    return laid_onto(_to_world(state), alignment, upright(partner.model.to_world, partner.view.up))


def follow(state: State) -> None:
    """Copy the view of the document in view to the partner; called before a frame is drawn."""
    if state.partner is not None:
        _follow(state.partner, state)


def placed_name(name: str, state: State) -> str:
    """Append the alignment to the name of a compared model: `Ninja.mdl (100x, turned)`."""
    text = placement_text(state.view.placement, state.model.to_world) if state.model else ""
    return f"{name} ({text})" if text else name


def in_order(state: State) -> tuple[State, ...]:
    """Return the States of the compared documents in the order of their tabs, from left to right.

    Without a comparison, return only `state`.
    """
    partner = state.partner
    if partner is None:
        return (state,)
    return (state, partner) if state.documents.current < partner.documents.current else (partner, state)


def pane_size(state: State, size: Size) -> Size:
    """Return the size of each compared document's pane in a picture of `size` pixels.

    Without a comparison, return `size`.
    """
    return panes(state.documents.comparison, len(in_order(state)), size[0])[0].width, size[1]


def in_axes(state: State, cameras: Iterable[Orbit | MatrixCamera]) -> list[Orbit | MatrixCamera]:
    """Convert cameras of the document in view to cameras of the left compared document."""
    first = in_order(state)[0]
    if first is state:
        return [*cameras]
    return [seen_by(each, _to_world(state), _to_world(first)) for each in cameras]


def in_view(state: State, found: PickResult) -> PickResult:
    """Convert the items under the pointer from the partner's picture to items of the document in view.

    An item that exists only in the partner is highlighted only in the partner's picture.
    """
    partner = state.partner
    if partner is None or partner.document is None or state.document is None:
        return found
    items = [counterpart(each, partner.document, state.document) for each in found.items]
    if found.items and items[0] is None:
        partner.view.selection.point(found.items[0])
    known = tuple(each for each in items if each is not None)
    return replace(found, items=known, surface=None, corner=None)


def _to_world(state: State) -> Array:
    return state.view.to_world(state.model) if state.model else np.eye(4)
