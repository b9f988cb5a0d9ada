"""Where the particles of a model that has nothing else are, roughly: enough to place a camera."""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.animation.carried import MOST_EMITTERS as MOST_CARRIED
from viewer.animation.path import turned_offset
from viewer.animation.pose import Pose
from viewer.scene.emitter import Emitter
from viewer.scene.maths import IDENTITY, compose, transform
from viewer.scene.model import Model

Array = np.ndarray[Any, Any]

LONGEST = 5.0
"""Seconds of a particle's way that count."""
FARTHEST = 1e4
SIDES = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def emitter_points(model: Model, pose: Pose | None) -> Array:
    """[N, 3] in the file's axes: corners of boxes around where each emitter's particles start and end."""
    boxes = [np.empty((0, 3)), *(_box(each, pose) for each in model.emitters)]
    return np.concatenate(boxes)


def _box(emitter: Emitter, pose: Pose | None) -> Array:
    known = pose is not None and 0 <= emitter.bone < len(pose.skin)
    skin = pose.skin[emitter.bone] if known and pose is not None else IDENTITY
    frame = compose(skin, turned_offset(emitter))
    life = min(_largest(emitter, "lifespan"), LONGEST)
    way = abs(_largest(emitter, "speed")) * life * (1 - np.exp(-min(max(emitter.drag, 0) * life, 60.0)) / 2)
    spread = min(max(_largest(emitter, "vertical_range"), 0.0), np.pi / 2)
    size = _size(emitter) + _carried(emitter)
    area = max(_largest(emitter, "length"), _largest(emitter, "width")) / 2
    if emitter.type == "spline" and len(emitter.spline):
        area = float(np.abs(emitter.spline).max())
    start = SIDES * (area + size) * (1, 1, 0) + (0, 0, size) * SIDES
    up = np.copysign(way, _largest(emitter, "speed"))
    fall = _largest(emitter, "gravity") * life * life / 2
    middle = np.array((0.0, 0.0, np.cos(spread) * up - fall))
    end = middle + SIDES * (np.sin(spread) * way + size + area)
    with np.errstate(all="ignore"):
        points = np.clip(np.nan_to_num(np.concatenate((start, end))), -FARTHEST, FARTHEST)
        return transform(frame[None], points)


def _size(emitter: Emitter) -> float:
    """How far a particle reaches around its middle."""
    size = float(np.abs(emitter.scales.values).max(initial=0.0))
    model = emitter.shape.model if emitter.shape is not None else None
    return size if model is None or model.bounds is None else size * float(np.abs(model.bounds).max())


def _carried(emitter: Emitter) -> float:
    """How far from a particle those go that it carries."""
    model = emitter.carries.model if emitter.carries is not None else None
    ways = [
        abs(_largest(each, "speed")) * min(_largest(each, "lifespan"), LONGEST) + _size(each)
        for each in (model.emitters if model is not None else ())[:MOST_CARRIED]
    ]
    return max(ways, default=0.0)


def _largest(emitter: Emitter, name: str) -> float:
    """Of a parameter the end that is farther from 0."""
    values = np.nan_to_num(np.array(emitter.parameters.get(name, (0.0,)), float))
    return float(np.clip(values[np.abs(values).argmax()], -FARTHEST, FARTHEST))
