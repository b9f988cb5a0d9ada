"""Chooses the level of detail of each geometry."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.maths import scale_of
from viewer.scene.model import Model
from viewer.view.camera import Matrices
from viewer.view.framing import box_corners

SMALLEST = 1e-6


class WorldBox(Struct, frozen=True, eq=False):
    """The model's box for Urho3D's distance rule. `center` [3] is in the file's axes; `scale` is the mean
    length of its sides in viewer space.
    """

    center: Array
    scale: float


def world_box(model: Model) -> WorldBox | None:
    """The box stored in the file; None if the file has no box, or if the model's rule for levels of detail
    does not use it.
    """
    if model.bounds is None or model.lod_rule != "urho3d":
        return None
    bounds = model.bounds.astype(np.float64)  # in f64 the sums of a damaged file stay finite
    sides = np.ptp(box_corners(bounds) @ model.to_world[:3, :3].T, axis=0)
    return WorldBox(bounds.mean(axis=0), float(sides.mean()))


def lod_distance(box: WorldBox, matrices: Matrices, bias: float = 1.0, zoom: float = 1.0) -> float:
    """Urho3D's distance for levels of detail: the distance of the camera from the centre of the box, divided
    by the box's mean size.

    In a parallel projection the height of the picture replaces the distance. Source: Urho3D
    `Camera::GetLodDistance`, `StaticModel::UpdateBatches`.
    """
    divisor = max(bias * box.scale * zoom, SMALLEST)
    if not matrices.projection[3, :3].any():
        return float(2 / abs(matrices.projection[1, 1])) / divisor
    return float(np.linalg.norm(matrices.eye - _placed(matrices, box.center))) / divisor


def origin_distance(model: Model, matrices: Matrices) -> float:
    """OGRE's distance for levels of detail: the distance of the camera from the model's origin, minus the
    radius of the model's box.

    Source: OGRE `DistanceLodSphereStrategy::getSquaredDepth`.
    """
    origin = matrices.to_world[:3, 3]
    reach = 0.0
    if model.bounds is not None:
        # In f64 the squares of a damaged file's f32 numbers stay finite.
        reach = float(np.linalg.norm(box_corners(model.bounds).astype(np.float64), axis=1).max())
    away = float(np.linalg.norm(matrices.eye - origin)) / _scale(model, matrices)
    squared = away * away - reach * reach
    return float(np.sqrt(max(squared, 0.0)))


def _placed(matrices: Matrices, point: Array) -> Array:
    """[3]: convert a point from the file's axes to viewer space."""
    return np.asarray(matrices.to_world[:3, :3] @ point + matrices.to_world[:3, 3])


def view_distance(model: Model, box: WorldBox | None, matrices: Matrices) -> float | None:
    """The distance for levels of detail by the model's own rule; None if it has no rule. `box` is its
    `world_box`.
    """
    if model.lod_rule == "ogre":
        return origin_distance(model, matrices)
    return None if box is None else lod_distance(box, matrices, 1.0, _scale(model, matrices))


def _scale(model: Model, matrices: Matrices) -> float:
    """The scale of the drawn model relative to the model in the file."""
    if matrices.to_world is model.to_world:
        return 1.0
    drawn, stored = scale_of(matrices.to_world), scale_of(model.to_world)
    return drawn / stored if drawn > 0 and stored > 0 else 1.0


def level_at(distances: Sequence[float], distance: float, reached: bool = False) -> int:
    """The number of the level at `distance`. `distances` are the distances of the levels; negative distances
    count as 0.

    A level begins beyond its distance; with `reached` it begins exactly at its distance. Source: Urho3D
    `StaticModel::CalculateLodLevels`; OGRE `LodStrategy::getIndexAscending`.
    """
    for number, begins in enumerate(distances[1:]):
        start = max(begins, 0.0)
        if distance < start or (distance == start and not reached):
            return number
    return len(distances) - 1


def levels(model: Model, distance: float | None, forced: int | None) -> list[int]:
    """The level of each geometry; -1 for a geometry without levels.

    With `forced` it is the level with this number, or the nearest existing level. Otherwise it is the level
    at `distance`, or the first level if `distance` is None.
    """
    if forced is not None:
        return [min(max(forced, 0), len(geometry.lods) - 1) for geometry in model.geometries]
    if distance is None:
        return [0 if geometry.lods else -1 for geometry in model.geometries]
    reached = model.lod_rule == "ogre"
    return [
        level_at([lod.distance for lod in geometry.lods], distance, reached) for geometry in model.geometries
    ]
