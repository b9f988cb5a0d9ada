"""Measured distances between two points of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from viewer.animation.pose import Pose, moves
from viewer.arrays import Array
from viewer.scene.mesh.surface_points import SurfacePoint, surface_positions
from viewer.scene.model import Model
from viewer.view.lengths import METRES, is_converted, length_text, metres_per_unit


class Measure(Struct, frozen=True):
    """A distance between two points that move with the mesh; `end` is None until the user chooses it."""

    start: SurfacePoint
    end: SurfacePoint | None = None


Measures = tuple[Measure, ...]


class MeasuredLine(Struct, frozen=True, eq=False):
    """A measured distance in the current pose: its `ends` [2, 3] in the file's axes, and its `text`."""

    ends: Array
    text: str


def pending(measures: Measures) -> Measure | None:
    """Return the last distance if its end is not chosen yet."""
    return measures[-1] if measures and measures[-1].end is None else None


def finished(measures: Measures) -> Measures:
    """Return the distances. The last distance is left out if its end is not chosen yet."""
    return measures[:-1] if pending(measures) is not None else measures


def with_point(measures: Measures, point: SurfacePoint) -> Measures:
    """Add a point: the end of the pending distance, or else the start of a new distance.

    If the start of the pending distance is chosen again, nothing changes.
    """
    last = pending(measures)
    if last is None:
        return (*measures, Measure(point))
    return measures if last.start == point else (*measures[:-1], Measure(last.start, point))


def measured_lines(
    model: Model, pose: Pose | None, morphs: Mapping[int, float], pairs: Sequence[Measure]
) -> list[MeasuredLine]:
    """Measure the distances whose two points both exist in the model."""
    whole = [(each.start, each.end) for each in pairs if each.end is not None]
    points = surface_positions(model, [point for pair in whole for point in pair], moves(pose, morphs))
    lines = [
        MeasuredLine(ends, distance_text(model, float(np.linalg.norm(ends[1] - ends[0]))))
        for ends in points.reshape(-1, 2, 3)
        if np.isfinite(ends).all()
    ]
    return lines


def distance_text(model: Model, distance: float) -> str:
    """Format a distance in the file's unit, and also in metres if the file uses another unit of known length:
    `2 yards = 1.829 m`, `1.829 m` or `75.1 units`.
    """
    metres = f"{length_text(distance * metres_per_unit(model))} m"
    if model.unit == METRES:
        return metres
    shown = f"{length_text(distance)} {model.unit}"
    return f"{shown} = {metres}" if is_converted(model.unit) else shown
