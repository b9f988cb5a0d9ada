"""The comparison of two open documents: the other one follows the camera, the clock and the selection of the
document in view.

The other document is in view of a State of its own, so all that draws or asks a State works with it too.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array, Size
from viewer.scene.camera import MatrixCamera, Orbit, seen_by
from viewer.scene.comparison import panes
from viewer.scene.counterparts import counterpart
from viewer.scene.items import BoneItem, Item
from viewer.scene.placement import Placement, laid_onto, placement_text
from viewer.scene.upright import upright
from viewer.session.state import State
from viewer.view.playlist import Playlist, PlaylistEntry
from viewer.view.view_info import PickResult

SHARED = ("options", "comparison", "messages", "interface", "pending_files")
"""The fields that are those of the State that is followed."""


class PartnerState(State, eq=False):
    """The State of the other document. Documents, views, display options, messages and the window are those
    of the State that it follows."""

    _seen: Orbit | MatrixCamera | None = None
    _made_of: tuple[object, ...] = ()
    _placed: tuple[Placement, ...] = ()
    _followed: tuple[object, ...] = ()

    def play_along(self, leader: State) -> None:
        """Play the animations of the same names. If there are none, what plays goes on, unless the document
        in view is at rest."""
        own = self.view
        if not own.presented:
            self.stand()
            self.choose(self.idle())
            own.home, own.borrowed, own.presented = leader.view.home, True, True
        key = leader.playlist, self.document, len(self.animations)
        if key == self._followed:
            return
        self._followed, found = key, self._same_animations(leader)
        if found or (not leader.playlist and leader.animations):
            self.mix(found)

    def follow(self, leader: State) -> None:
        """Take over the camera, the time and the selection."""
        self._follow_camera(leader)
        own, view = self.view, leader.view
        whole = (0.0, self.duration) if self.playlist else None
        own.clock = replace(leader.clock, range=leader.clock.range if leader.trimmed else whole)
        bone = None if view.bone is None else self._same(leader, BoneItem(view.bone))
        own.bone = None if bone is None else bone.number
        own.selection.turn()
        own.selection.hover = self._same(leader, leader.selection.hover) or own.selection.hover
        self._follow_selection(leader)

    def _follow_selection(self, leader: State) -> None:
        """Select the item of the same name, or the items that were selected together."""
        own, chosen = self.selection, leader.selection.counterparts
        if chosen is None:
            own.picked, own.group = self._same(leader, leader.marked), ()
        elif chosen != own.group:
            own.pick_together(chosen, leader.selection.group)

    def _follow_camera(self, leader: State) -> None:
        """Take over the camera, in the axes of this document if it is given as matrices."""
        camera, own, view = leader.camera, self.view, leader.view
        own.file_camera_number, own.fitted = view.file_camera_number, view.fitted
        if isinstance(view.camera, Orbit):
            own.camera = view.camera
        if isinstance(camera, Orbit):
            return
        made_of, placed = (camera, self.document), (view.placement, own.placement)
        known = placed == self._placed and all(map(operator.is_, made_of, self._made_of))
        if self._seen is None or not known:
            self._made_of, self._placed = made_of, placed
            self._seen = seen_by(camera, _to_world(leader), _to_world(self))
        if view.file_camera_number is None:
            own.camera = self._seen
        elif isinstance(self._seen, MatrixCamera):
            own.matrix_camera = self._seen

    def _same_animations(self, leader: State) -> Playlist:
        known = {each.name: each for each in reversed(self.animations)}
        found: list[PlaylistEntry] = []
        for each in leader.playlist:
            if each.animation.name in known:
                start = None if each.start_bone is None else self._same(leader, BoneItem(each.start_bone))
                bone = None if start is None else start.number
                found.append(replace(each, animation=known[each.animation.name], start_bone=bone))
        return tuple(found)

    def _same(self, leader: State, item: Item | None) -> Item | None:
        """The item of this document with the name of an item of the document that it follows."""
        if leader.document is None or self.document is None:
            return None
        return counterpart(item, leader.document, self.document)


def find_partner(state: State) -> None:
    """At the beginning of a frame: keep `state.partner` true, and let it play what the document in view
    plays."""
    other = state.compared
    if state.model is not None:
        state.view.stand_alone(state.model)
    if other is None:
        state.partner = None
        return
    if not isinstance(state.partner, PartnerState) or state.partner.documents is not state.documents:
        state.partner = PartnerState(state.documents, _views=state._views)
    partner = state.partner
    for name in SHARED:
        setattr(partner, name, getattr(state, name))
    partner.current = state.documents.index(other)
    partner.view.onto = _onto(state, partner)
    partner.play_along(state)


def _onto(state: State, partner: State) -> tuple[float, ...]:
    """The numbers that lay the partner's model onto the same model of another engine, which is in view."""
    found = state.comparison_result.distances if state.comparison_result else None
    if found is None or found.alignment is None or not state.comparison.aligned or partner.model is None:
        return ()
    alignment = found.alignment if in_order(state)[0] is state else np.linalg.inv(found.alignment)
    return laid_onto(_to_world(state), alignment, upright(partner.model.to_world, partner.view.up))


def follow(state: State) -> None:
    """Before a frame is drawn: let the partner follow the document in view."""
    if isinstance(state.partner, PartnerState):
        state.partner.follow(state)


def placed_name(name: str, state: State) -> str:
    """The name of a compared model with how it is laid onto the other one: `Ninja.mdl (100x, turned)`."""
    text = placement_text(state.view.placement, state.model.to_world) if state.model else ""
    return f"{name} ({text})" if text else name


def in_order(state: State) -> tuple[State, ...]:
    """The States of the compared documents in the order of their tabs, which is from left to right; the State
    alone without a comparison."""
    partner = state.partner
    if partner is None:
        return (state,)
    return (state, partner) if state.current < partner.current else (partner, state)


def pane_size(state: State, size: Size) -> Size:
    """The size of the pane of each compared document in a picture of `size`; `size` without a comparison."""
    return panes(state.comparison, len(in_order(state)), size[0])[0].width, size[1]


def in_axes(state: State, cameras: Iterable[Orbit | MatrixCamera]) -> list[Orbit | MatrixCamera]:
    """Cameras of the document in view as cameras of the first compared document."""
    first = in_order(state)[0]
    if first is state:
        return [*cameras]
    return [seen_by(each, _to_world(state), _to_world(first)) for each in cameras]


def in_view(state: State, found: PickResult) -> PickResult:
    """What was picked in the partner's picture, as items of the document in view.

    An item that only the partner has is highlighted there.
    """
    partner = state.partner
    if partner is None or partner.document is None or state.document is None:
        return found
    items = [counterpart(each, partner.document, state.document) for each in found.items]
    if found.items and items[0] is None:
        partner.selection.point(found.items[0])
    return replace(found, items=tuple(each for each in items if each is not None))


def _to_world(state: State) -> Array:
    return state.view.to_world(state.model) if state.model else np.eye(4)
