"""The ground under a model: its height, and the area of the shadow on it."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary, ref

import numpy as np
from msgspec import Struct

from viewer.animation.pose import Layer, Pose, pose
from viewer.arrays import Array
from viewer.scene.animation import Animation
from viewer.scene.display import ModelDisplay
from viewer.scene.model import Geometry, Model
from viewer.view.camera import bounding_sphere
from viewer.view.clip_points import rough_points
from viewer.view.framing import bounds_of, geometry_points, in_viewer_space

STEP = 2**0.25
"""The size of the area changes only in steps of this factor. Therefore it rarely changes while a clip plays.
"""
DEEPEST = 0.12
"""The largest depth of the ground under the model at rest, in radii of the model."""


class GroundPlane(Struct, frozen=True):
    """The ground in viewer space: its `height`, and the `radius` of the model at rest."""

    height: float
    radius: float


_PLANES: WeakKeyDictionary[Model, tuple[object, GroundPlane | None]] = WeakKeyDictionary()
"""The last result of `ground_plane` for each model. The results are cached, because each takes all vertices
of a model.
"""


def ground_plane(model: Model, display: ModelDisplay, clip: Animation | None = None) -> GroundPlane | None:
    """Find the ground below the shown geometries of a model that plays `clip`; None if no vertex is shown.

    The ground is at the lowest vertex of the rest pose. If a vertex is lower at the start of the clip, the
    ground is at this vertex, because a model may not stand in its rest pose; but the ground is lowered by at
    most `DEEPEST`.
    """
    key = frozenset(display.hidden), display.placement, None if clip is None else ref(clip)
    if model not in _PLANES or _PLANES[model][0] != key:
        _PLANES[model] = key, _plane(model, display, clip)
    return _PLANES[model][1]


def _plane(model: Model, display: ModelDisplay, clip: Animation | None) -> GroundPlane | None:
    parts = [geometry_points(model, each, None, {}) for each in _shown_geometries(model, display)]
    box = _box(model, display, parts)
    if box is None:
        return None
    height, radius = float(box[0, 1]), bounding_sphere(box)[1]
    if clip is None or model.skeleton is None:
        return GroundPlane(height, radius)
    start = pose(model.skeleton, (Layer(clip, 0.0),))
    parts = [rough_points(model, each, start, {}) for each in _shown_geometries(model, display)]
    moved = _box(model, display, parts)
    lower = height if moved is None else float(moved[0, 1])
    return GroundPlane(min(height, max(lower, height - DEEPEST * radius)), radius)


class ShadowArea(Struct, frozen=True):
    """The square of the ground that a shadow may cover: `x` and `z` of its middle, and half its `side`."""

    x: float
    z: float
    side: float


def shadow_area(
    model: Model, display: ModelDisplay, posed: Pose | None, margin: float, steps: int
) -> ShadowArea | None:
    """Return the area below the shown geometries in a pose, with a `margin` in viewer units around it.

    The area moves in steps, so that the shadow does not shimmer while the model moves; a step is the side of
    the area divided by `steps`. None if no vertex is shown.
    """
    parts = [rough_points(model, each, posed, display.morphs) for each in _shown_geometries(model, display)]
    box = _box(model, display, parts)
    if box is None:
        return None
    low, high = box[:, [0, 2]]
    side = float((high - low).max()) / 2 + margin
    side = float(STEP ** np.ceil(np.log(side) / np.log(STEP)))
    step = 2 * side / steps
    x, z = (float(each) for each in np.round((low + high) / 2 / step) * step)
    return ShadowArea(x, z, side)


def _box(model: Model, display: ModelDisplay, parts: Sequence[Array]) -> Array | None:
    """[2, 3] in viewer space: the box around points in the file's axes; None without points."""
    points = in_viewer_space(model, np.concatenate([np.empty((0, 3)), *parts]), display.placement)
    return bounds_of(points) if len(points) else None


def _shown_geometries(model: Model, display: ModelDisplay) -> Sequence[Geometry]:
    """The shown geometries that have vertices."""
    numbered = enumerate(model.geometries)
    return [each for number, each in numbered if number not in display.hidden and each.lods]
