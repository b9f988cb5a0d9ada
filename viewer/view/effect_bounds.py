"""Estimates the bounds of the particles of a model without an animation."""

from __future__ import annotations

import numpy as np

from viewer.animation.effects.bone_path import turned_offset
from viewer.animation.effects.carried import CARRIED_EMITTERS
from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.scene.emitter import Emitter
from viewer.scene.maths import IDENTITY, transform
from viewer.scene.model import Model

COUNTED_LIFE = 5.0
"""For the bounds, particles live at most this many seconds."""
AGES = 9
"""The number of sampled ages of a particle."""
FARTHEST = 1e4
SIDES = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def emitter_points(model: Model, pose: Pose | None) -> Array:
    """[N, 3] in the file's axes: corners of boxes around the particles of each emitter."""
    boxes = [np.empty((0, 3))]
    for each in model.emitters:
        known = pose is not None and 0 <= each.bone < len(pose.skin)
        skin = pose.skin[each.bone] if known and pose is not None else IDENTITY
        boxes.append(transform(skin[None], emitter_box(each)))
    return np.concatenate(boxes)


def emitter_box(emitter: Emitter) -> Array:
    """[8 × `AGES`, 3] in the file's axes, at the rest position of the bone: the corners of boxes around all
    particles at some ages.
    """
    room = particle_reach(emitter) + carried_reach(emitter)
    area = max(_largest(emitter, "length"), _largest(emitter, "width")) / 2
    if emitter.type == "spline" and len(emitter.spline):
        area = float(np.abs(emitter.spline).max())
    way, fall = _flown(emitter)
    flat, ends = _spread(emitter, way)
    low, high = ends.min(axis=0) - fall - room, ends.max(axis=0) - fall + room
    sides = flat + room + abs(area)
    corner = np.stack((sides, sides, (high - low) / 2), axis=-1)
    middle = np.stack((0 * way, 0 * way, (high + low) / 2), axis=-1)
    points = (middle[:, None] + SIDES * corner[:, None]).reshape(-1, 3)
    return transform(turned_offset(emitter)[None], np.clip(np.nan_to_num(points), -FARTHEST, FARTHEST))


def _flown(emitter: Emitter) -> tuple[Array, Array]:
    """Return two distances for each of `AGES` ages: how far particles have flown at their speed, and how far
    they have fallen by gravity.
    """
    ages = np.linspace(0.0, min(max(_largest(emitter, "lifespan"), 0.0), COUNTED_LIFE), AGES)
    drag = max(float(np.nan_to_num(emitter.drag)), 1e-6)
    first = -np.expm1(-drag * ages) / drag
    second = np.where(drag * ages < 1e-3, ages * ages / 2, (ages - first) / drag)
    return _largest(emitter, "speed") * first, _largest(emitter, "gravity") * second


def _spread(emitter: Emitter, way: Array) -> tuple[Array, Array]:
    """The sideways spread [N], and the lowest and highest heights [2, N], of particles that have travelled
    the distances `way` [N].
    """
    angle = min(abs(_largest(emitter, "vertical_range")), np.pi)
    if emitter.type == "sphere" and "up only" not in emitter.flags:
        up = np.abs(way) * np.sin(min(angle, np.pi / 2))
        return np.abs(way), np.stack((-up, up))
    return np.abs(way) * np.sin(min(angle, np.pi / 2)), np.stack((way * np.cos(angle), way))


def particle_reach(emitter: Emitter) -> float:
    """The largest extent of a particle around its centre."""
    return float(np.abs(emitter.scales.values).max(initial=0.0)) * shape_size(emitter)


def shape_size(emitter: Emitter) -> float:
    """The extent of a particle around its centre, in half sizes of its quad: 1, or the extent of its
    model.
    """
    model: Model | None = emitter.shape.model if emitter.shape is not None else None
    return 1.0 if model is None or model.bounds is None else float(np.abs(model.bounds).max())


def carried_reach(emitter: Emitter) -> float:
    """The largest distance of carried particles from their carrier."""
    model: Model | None = emitter.carries.model if emitter.carries is not None else None
    ways = [
        abs(_largest(each, "speed")) * min(_largest(each, "lifespan"), COUNTED_LIFE) + particle_reach(each)
        for each in (model.emitters if model is not None else ())[:CARRIED_EMITTERS]
    ]
    return max(ways, default=0.0)


def _largest(emitter: Emitter, name: str) -> float:
    """The first or last key of a parameter, whichever is farther from 0."""
    values = np.nan_to_num(np.array(emitter.parameters.get(name, (0.0,)), float))
    return float(np.clip(values[np.abs(values).argmax()], -FARTHEST, FARTHEST))
