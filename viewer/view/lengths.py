"""Lengths in the unit of the file and in metres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.maths import scale_of
from viewer.scene.model import Model
from viewer.view.framing import EXACT, NO_MORPHS, bounds_of, geometry_points

if TYPE_CHECKING:
    from viewer.animation.pose import Pose

CROSS = " × "
METRES = "metres"
"""The name of the unit of a format whose unit is the metre."""
_MEASURED: WeakKeyDictionary[Model, Dimensions | None] = WeakKeyDictionary()
"""The cached dimensions of models."""
UNKNOWN = "units"
"""The name of the unit of a format that leaves the unit to each game."""


class Dimensions(Struct, frozen=True):
    """The lengths of a model along the three axes of its file, in the file's unit `name` and in `metres`.
    `metres` is empty if the length of the unit is unknown.
    """

    name: str
    units: tuple[float, ...]
    metres: tuple[float, ...] = ()

    @property
    def text(self) -> str:
        """The lengths in the file's unit: `2 × 2 × 1 yards`."""
        return f"{joined(self.units)} {self.name}"

    @property
    def metric(self) -> str:
        """The lengths in metres: `1.829 × 1.829 × 0.9144 m`."""
        return f"{joined(self.metres)} m"


def metres_per_unit(model: Model) -> float:
    """Return the length in metres of one unit of the file."""
    return scale_of(model.to_world) * model.metres


def dimensions(model: Model, same: Model | None = None) -> Dimensions | None:
    """Measure the vertices that the model draws in its rest pose; None if there are none. The result is
    cached. A large model takes long, so the loader of the window calls this function in its thread. If `same`
    is given, it is a model with the same vertices: its dimensions are returned.
    """
    if model not in _MEASURED:
        _MEASURED[model] = _measured(model) if same is None else dimensions(same)
    return _MEASURED[model]


def _measured(model: Model) -> Dimensions | None:
    box = true_bounds(model, None, NO_MORPHS)
    if not np.isfinite(box).all():
        return None
    units = (box[1] - box[0]).astype(np.float64)
    metres = () if model.unit == UNKNOWN else (units * metres_per_unit(model)).tolist()
    return Dimensions(model.unit, tuple(units.tolist()), tuple(metres))


def is_converted(unit: str) -> bool:
    """Whether lengths in this unit of a file are also shown in metres: the unit is not the metre, and its
    length is known.
    """
    return unit not in (METRES, UNKNOWN)


def true_bounds(model: Model, pose: Pose | None, morphs: Mapping[int, float]) -> Array:
    """Compute the box [2, 3] around the posed vertices of all first levels, in the file's axes.

    Vertices without an index are ignored. The box is NaN if there are no vertices.
    """
    parts = [geometry_points(model, geometry, pose, morphs, EXACT) for geometry in model.geometries]
    points = np.concatenate([np.empty((0, 3)), *parts])
    points = points[np.isfinite(points).all(axis=1)]
    return bounds_of(points) if len(points) else np.full((2, 3), np.nan)


def joined(lengths: Sequence[float]) -> str:
    """Join lengths with four significant digits: `2 × 0.5 × 1.829`."""
    return CROSS.join(length_text(each) for each in lengths)


def length_text(length: float) -> str:
    """Format a length with four significant digits: `1.829`."""
    return f"{length:.4g}"
