"""Markers: points of a model that follow its bones, for attachments, events, lights and emitters."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from viewer.arrays import Array
from viewer.scene.display import DisplayOptions
from viewer.scene.emitter import Point
from viewer.scene.items import AttachmentItem, EmitterItem, EventItem, Item, LightItem, MarkerItem, RibbonItem
from viewer.scene.model import Model


class Marker(NamedTuple):
    """A point: its item, name and rest position in model space; it follows `bone` (-1: it does not move)."""

    item: MarkerItem
    name: str
    bone: int
    position: Point


def markers_of(model: Model) -> list[Marker]:
    """All markers of a model."""
    named: dict[type[MarkerItem], list[tuple[str, Any]]] = {
        AttachmentItem: [(f"{each.name} {each.id}", each) for each in model.attachments],
        EventItem: [(each.name, each) for each in model.events],
        LightItem: [(f"{each.type} light {number}", each) for number, each in enumerate(model.lights)],
        EmitterItem: [(f"{each.type} emitter {number}", each) for number, each in enumerate(model.emitters)],
        RibbonItem: [(f"ribbon {number}", each) for number, each in enumerate(model.ribbons)],
    }
    return [
        Marker(kind(number), name, each.bone, each.position)
        for kind, known in named.items()
        for number, (name, each) in enumerate(known)
    ]


def shown_markers(model: Model, options: DisplayOptions, marked: Collection[Item | None]) -> list[Marker]:
    """The markers whose overlay is on, and the `marked` items."""
    kinds = {AttachmentItem: options.attachments, EventItem: options.events, LightItem: options.light_markers}
    wanted = tuple(kind for kind, on in kinds.items() if on)
    if not wanted and not any(isinstance(item, MarkerItem) for item in marked):
        return []
    return [each for each in markers_of(model) if isinstance(each.item, wanted) or each.item in marked]


def positions(some: Collection[Marker], skin: Array | None) -> Array:
    """[N, 3] in model space: the positions of markers while `skin` [B, 3, 4] moves the bones (None: at
    rest).
    """
    points = np.array([each.position for each in some], np.float64).reshape(-1, 3)
    bones = np.array([each.bone for each in some], np.int64)
    if skin is None or not len(skin):
        return points
    moved = (bones >= 0) & (bones < len(skin))
    points[moved] = np.einsum("nij,nj->ni", skin[bones[moved], :, :3], points[moved])
    points[moved] += skin[bones[moved], :, 3]
    return points
