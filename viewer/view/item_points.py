"""The points of the posed model that belong to a selected item, and markers: points that follow bones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

import numpy as np
from msgspec import Struct

from viewer.animation.pose import Pose, moves
from viewer.arrays import Array
from viewer.scene.display import AS_STORED, DisplayOptions, Placement
from viewer.scene.emitter import Point
from viewer.scene.items import BoneItem, IndexItem, Item, MarkerItem, VertexItem
from viewer.scene.mesh.vertices import drawn_by, posed
from viewer.scene.model import Model
from viewer.scene.parts import MODEL_PARTS, PartOwner, part_of
from viewer.view.bone_lines import bone_lines
from viewer.view.framing import UNIT, box_corners, geometry_points, in_viewer_space, posed_points
from viewer.view.item_geometries import geometries_of
from viewer.view.marked_parts import marked_parts


class Marker(Struct, frozen=True):
    """A point that follows `bone` (-1: it does not move). `position` is its rest position in model space."""

    item: MarkerItem
    name: str
    bone: int
    position: Point


class OnBone(Protocol):
    """A marker, or the part that it shows: it has a position and follows a bone."""

    @property
    def bone(self) -> int:
        """The number of the bone; -1: it follows none."""

    @property
    def position(self) -> Point:
        """The rest position in model space."""


def markers_of(model: Model) -> list[Marker]:
    """All markers of a model."""
    owner = PartOwner(model)
    return [
        Marker(kind.item(number), kind.label(number, part), part.bone, part.position)
        for kind in MODEL_PARTS
        if issubclass(kind.item, MarkerItem)
        for number, part in enumerate(kind.parts(owner))
    ]


def shown_markers(model: Model, options: DisplayOptions, marked: Collection[Item | None]) -> list[Marker]:
    """The markers whose overlay is shown, and the markers of the items `marked`."""
    wanted = tuple(kind.item for kind in MODEL_PARTS if kind.switch and getattr(options, kind.switch))
    if not wanted and not any(isinstance(item, MarkerItem) for item in marked):
        return []
    return [each for each in markers_of(model) if isinstance(each.item, wanted) or each.item in marked]


def positions(some: Collection[OnBone], skin: Array | None) -> Array:
    """[N, 3] in model space: the positions of markers while `skin` [B, 3, 4] moves the bones (None: the rest
    pose).
    """
    points = np.array([each.position for each in some], np.float64).reshape(-1, 3)
    bones = np.array([each.bone for each in some], np.int64)
    if skin is None or not len(skin):
        return points
    moved = (bones >= 0) & (bones < len(skin))
    points[moved] = np.einsum("nij,nj->ni", skin[bones[moved], :, :3], points[moved])
    points[moved] += skin[bones[moved], :, 3]
    return points


FEW, CLOSE = 2000, 0.02
"""The number of vertices from which the model's size is measured, and the size of the box around a point, as
a share of the model's size.
"""


def item_points(
    model: Model,
    pose: Pose | None,
    morphs: Mapping[int, float],
    item: Item,
    placement: Placement = AS_STORED,
) -> Array | None:
    """[N, 3] in viewer space: the points of the posed model that belong to an item.

    None if the item has no position. The points of a bone are its joint and the joints of its children. An
    index gives the corners of its triangle or line. A box with a hundredth of the model's size stands for
    each single point.
    """
    points: Array | None
    match item:
        case MarkerItem():
            points = _around_marker(model, pose, morphs, item)
        case BoneItem(bone) if pose is not None and model.skeleton is not None:
            owners, heads, tails = bone_lines(model.skeleton, pose.world)
            points = np.concatenate((heads[owners == bone], tails[owners == bone]))
        case VertexItem(buffer, vertex):
            points = _around_vertex(model, pose, morphs, buffer, vertex)
        case IndexItem():
            points = _primitive(model, pose, morphs, item)
        case _:
            geometries = [model.geometries[number] for number in geometries_of(model, item)]
            parts = [geometry_points(model, each, pose, morphs) for each in geometries]
            points = np.concatenate(parts) if parts else None
    return None if points is None else in_viewer_space(model, points, placement)


def _around_vertex(
    model: Model, pose: Pose | None, morphs: Mapping[int, float], buffer: int, vertex: int
) -> Array | None:
    owner = drawn_by(model, buffer, vertex)
    if owner is None:
        return None
    geometry = model.geometries[owner[0]]
    points = posed(model, geometry, geometry.lods[owner[1]], np.array([vertex]), moves(pose, morphs))
    return _around(model, pose, morphs, points)


def _primitive(model: Model, pose: Pose | None, morphs: Mapping[int, float], item: IndexItem) -> Array | None:
    """Return points [N, 3] around the corners of an index's primitive; None if it is not drawn."""
    for (number, level), corners in marked_parts(model, (item,)).primitives.items():
        geometry = model.geometries[number]
        points = posed(model, geometry, geometry.lods[level], corners[0], moves(pose, morphs))
        return np.concatenate([_around(model, pose, morphs, point[None]) for point in points])
    return None


def _around_marker(model: Model, pose: Pose | None, morphs: Mapping[int, float], item: Item) -> Array | None:
    part = part_of(PartOwner(model), item)
    if part is None:
        return None
    return _around(model, pose, morphs, positions((part,), None if pose is None else pose.skin))


def _around(model: Model, pose: Pose | None, morphs: Mapping[int, float], points: Array) -> Array:
    """[8, 3]: a box with a hundredth of the model's size around a point [1, 3]."""
    size = np.ptp(posed_points(model, pose, morphs, FEW), axis=0).max() * CLOSE
    return np.asarray(points + box_corners(UNIT) * 2 * size)
