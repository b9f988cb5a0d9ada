"""The comparison of two open documents: the document in view and its partner.

The partner has its own State, so all code that draws or queries a State works with the partner too. The
partner takes over the camera, the time and the selection of the document in view.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec.structs import replace

from viewer.animation.clock import TimeMap, tied
from viewer.animation.motion.clip_difference import Motion
from viewer.arrays import Array, Size
from viewer.scene.camera import MatrixCamera, Orbit, seen_by
from viewer.scene.choices import TimeTie
from viewer.scene.comparison import panes
from viewer.scene.display import laid_onto, placement_text, upright
from viewer.scene.document import Document
from viewer.scene.items import BoneItem, Item
from viewer.scene.names import path_key, short_names
from viewer.scene.parts import counterpart
from viewer.scene.skeleton import BONELESS
from viewer.session.documents import OpenDocuments
from viewer.session.state import State
from viewer.session.view import DocumentView
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
    own = other is state.document
    if state.partner is None or not _is_partner(state.partner, state, own):
        state.partner = _partner(state, {other: state.view.second} if own else documents.views)
    partner = state.partner
    partner.documents.comparison = documents.comparison
    partner.documents.current = documents.opened.index(other)
    partner.view.onto = _onto(state, partner)
    if not own:
        _play_along(partner, state)


def _is_partner(partner: State, state: State, own: bool) -> bool:
    """Whether a partner still has the documents of `state`, and the view of the other side."""
    documents = partner.documents
    if documents.opened is not state.documents.opened:
        return False
    if own:
        return documents.views.get(state.document) is state.view.beside
    return documents.views is state.documents.views


def _partner(state: State, views: dict[Document | None, DocumentView]) -> State:
    """Make the State of the partner with these views. It shares the documents, the display options, the
    messages, the choices about reading and the window of `state`.
    """
    partner = State(OpenDocuments(state.documents.opened, views=views), state.options)
    partner.documents.current = state.documents.current
    partner.messages, partner.interface = state.messages, state.interface
    partner.pending_files, partner.reading = state.pending_files, state.reading
    partner.playback.keep_playing()
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
    _follow_time(partner, leader)
    bone = None if view.bone is None else _same(partner, leader, BoneItem(view.bone))
    own.bone = None if bone is None else bone.number
    own.trails = frozenset(
        found for each in view.trails if (found := _same(partner, leader, each)) is not None
    )
    own.selection.turn()
    own.selection.hover = _same(partner, leader, leader.view.selection.hover) or own.selection.hover
    _follow_selection(partner, leader)


def _follow_time(partner: State, leader: State) -> None:
    """Give the partner its own time for that of the leader. Without a tie, the partner keeps its clock.

    The partner plays the range of the leader; on a side of one model, it plays its own range.
    """
    tie, own, clock = leader.documents.comparison.tie, partner.view, leader.view.clock
    if tie is TimeTie.NONE:
        return
    span = own.clock.range
    if partner.document is not leader.document:
        whole = (0.0, partner.playback.duration) if own.playlist else None
        span = clock.range if leader.playback.trimmed else whole
    own.clock.range = span
    own.clock = replace(clock, range=span, time=time_map(leader, partner).of(clock.time))


def time_map(leader: State, other: State) -> TimeMap:
    """Return the map that turns a time of the document in view into a time of a compared document. Without a
    tie, both play on from their present times.
    """
    tie = leader.documents.comparison.tie
    if tie is TimeTie.NONE:
        return TimeMap(1.0, other.view.clock.time - leader.view.clock.time)
    return tied(tie, leader.playback.current.span, other.playback.current.span)


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
    if leader.document is partner.document:
        return item
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


def advance(state: State, dt: float) -> None:
    """Advance the clock of the document in view by `dt` seconds, and that of the partner if their times are
    not tied.
    """
    untied = state.documents.comparison.tie is TimeTie.NONE
    for each in (state, state.partner if untied else None):
        if each is not None:
            each.view.clock.advance(dt)


def follow(state: State) -> None:
    """Copy the view of the document in view to the partner; called before a frame is drawn."""
    if state.partner is not None:
        _follow(state.partner, state)


def pane_names(states: Sequence[State]) -> list[str]:
    """The names of compared models: file names that differ, with the alignment: `Ninja.mdl (100x, turned)`.

    Two sides of one file have the names of their clips: `Jack.mdl (Walk)`.
    """
    paths = [each.document.path if each.document else "" for each in states]
    own = len(states) == 2 and is_one_file(*states)
    names = short_names(paths[:1]) * 2 if own else short_names(paths)
    texts = [_clip_names(each) if own else _placement(each) for each in states]
    return [f"{name} ({text})" if text else name for name, text in zip(names, texts, strict=True)]


def is_one_file(one: State, other: State) -> bool:
    """Whether the documents in view of two States are the same file."""
    documents = one.document, other.document
    return len({path_key(each.path) if each else "" for each in documents}) == 1


def motion(state: State) -> Motion:
    """The motion of the document in view over its played range. A model without bones has no bone to move."""
    playback = state.playback.current
    return Motion(state.skeleton or BONELESS, playback.layers(0.0), playback.span)


def _clip_names(state: State) -> str:
    return " + ".join(each.animation.name for each in state.view.playlist) or "rest pose"


def _placement(state: State) -> str:
    return placement_text(state.view.placement, state.model.to_world) if state.model else ""


def in_order(state: State) -> tuple[State, ...]:
    """Return the States of the compared documents in the order of their tabs, from left to right.

    Without a comparison, return only `state`.
    """
    partner = state.partner
    if partner is None:
        return (state,)
    if partner.document is state.document:
        return (partner, state) if state.view.is_right else (state, partner)
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
    mine, theirs = state.document, partner.document if partner else None
    if partner is None or mine is None or theirs is None or mine is theirs:
        return found
    items = [counterpart(each, theirs, mine) for each in found.items]
    if found.items and items[0] is None:
        partner.view.selection.point(found.items[0])
    known = tuple(each for each in items if each is not None)
    return replace(found, items=known, surface=None, corner=None)


def _to_world(state: State) -> Array:
    return state.view.to_world(state.model) if state.model else np.eye(4)
