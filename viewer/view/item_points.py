"""The points of the posed model that belong to a selected item."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from viewer.animation.pose import Pose, moves
from viewer.arrays import Array
from viewer.scene.items import (
    BoneItem,
    GeometryItem,
    GeosetItem,
    IndexItem,
    Item,
    LodItem,
    MarkerItem,
    VertexItem,
)
from viewer.scene.markers import markers_of, positions
from viewer.scene.mesh.vertices import drawn_by, posed
from viewer.scene.model import Model, members
from viewer.scene.placement import AS_STORED, Placement
from viewer.view.bone_lines import bone_lines
from viewer.view.framing import UNIT, box_corners, geometry_points, in_viewer_space, posed_points
from viewer.view.marked_parts import marked_parts

FEW, CLOSE = 2000, 0.02
"""The number of vertices for measuring the model, and the size of the box around a point as a share of the
model."""


def item_points(
    model: Model,
    pose: Pose | None,
    morphs: Mapping[int, float],
    item: Item,
    placement: Placement = AS_STORED,
) -> Array | None:
    """[N, 3] in viewer space: the points of the posed model that belong to an item.

    None if it has no position. A bone reaches from its joint to the joints of its children, an index is a
    corner of its triangle or line; a vertex or another single point is padded with a hundredth of the model.
    """
    points: Array | None
    match item:
        case GeometryItem(number) | LodItem(number) if 0 <= number < len(model.geometries):
            points = geometry_points(model, model.geometries[number], pose, morphs)
        case GeosetItem(geoset):
            geometries = [model.geometries[number] for number in members(model, geoset)]
            parts = [geometry_points(model, each, pose, morphs) for each in geometries]
            points = np.concatenate([np.empty((0, 3)), *parts])
        case MarkerItem():
            points = _around_marker(model, pose, morphs, item)
        case BoneItem(bone) if pose is not None and model.skeleton is not None:
            owners, heads, tails = bone_lines(model.skeleton.parents, pose.world)
            points = np.concatenate((heads[owners == bone], tails[owners == bone]))
        case VertexItem(buffer, vertex):
            points = _around_vertex(model, pose, morphs, buffer, vertex)
        case IndexItem():
            points = _primitive(model, pose, morphs, item)
        case _:
            return None
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
    """[N, 3]: the corners of an index's primitive, and a box around each; None if it is not drawn."""
    for (number, level), corners in marked_parts(model, (item,)).primitives.items():
        geometry = model.geometries[number]
        points = posed(model, geometry, geometry.lods[level], corners[0], moves(pose, morphs))
        return np.concatenate([_around(model, pose, morphs, point[None]) for point in points])
    return None


def _around_marker(model: Model, pose: Pose | None, morphs: Mapping[int, float], item: Item) -> Array | None:
    found = [each for each in markers_of(model) if each.item == item]
    at = positions(found, None if pose is None else pose.skin)
    return _around(model, pose, morphs, at) if found else None


def _around(model: Model, pose: Pose | None, morphs: Mapping[int, float], points: Array) -> Array:
    """[8, 3]: a box with a hundredth of the model's size around a point [1, 3]."""
    size = np.ptp(posed_points(model, pose, morphs, FEW), axis=0).max() * CLOSE
    return np.asarray(points + box_corners(UNIT) * 2 * size)
