"""Computes spheres around all particles of an emitter, for culling."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from viewer.animation.effects.bone_path import BonePath
from viewer.animation.effects.emission import VALUES, Emission
from viewer.animation.effects.particle_motion import MOST_EXPONENT, even_points
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.scene.emitter import Emitter

MARGIN = 1.01
"""The factor that enlarges the radius, because the shader computes with less precision."""


class Sphere(Struct, frozen=True, eq=False):
    """A sphere around `centre` [3]. An unknown radius is infinite."""

    centre: Array
    radius: float


class MotionReach(Struct, frozen=True):
    """The largest distance of an emitter's particles from the origin of their frame, tails included.

    `flown` is the distance that particles fly at their own speed, in units of the frame. `pulled` is the
    distance that gravity and wind move them. `thrown` is the time in seconds for which particles also move at
    the emitter's speed. `followed` is the time for which they also move at the followed bone's speed. `size`
    is the distance from a quad's centre to its corner.
    """

    flown: float
    pulled: float
    thrown: float
    followed: float
    size: float

    def around(self, frame: Array) -> Sphere:
        """The sphere, in the file's axes, around the centres of particles that move with `frame` [3, 4]."""
        return Sphere(frame[:, 3], _scale(frame[None]) * (self.flown + self.pulled) * MARGIN)

    def along(self, path: BonePath) -> Sphere:
        """The sphere, in the file's axes, around the centres of particles that are born on a path and do not
        move with it.
        """
        origins = path.frames[:, :, 3]
        low, high = origins.min(axis=0), origins.max(axis=0)
        spread = float(np.linalg.norm(high - low)) / 2
        moved = self.thrown * _longest(path.speeds) + self.followed * _drift_speed(path)
        near = _scale(path.frames) * self.flown + self.pulled
        return Sphere((low + high) / 2, (spread + moved + near) * MARGIN)

    def whole(self, centres: Sphere, size: float) -> Sphere:
        """Enlarge a sphere that contains the centres of quads, until it contains the whole quads. `size`
        multiplies the size of the quads in the file.
        """
        return Sphere(centres.centre, centres.radius + abs(size) * self.size * MARGIN)


def motion_reach(emitter: Emitter, schedule: Emission) -> MotionReach:
    """Compute the reach of the particles of `schedule`; infinite if they stay on the ground."""
    most = dict(zip(VALUES, np.abs(schedule.values).max(axis=0).tolist(), strict=True))
    life, drag = schedule.longest, _finite(emitter.drag)
    growth = math.exp(min(-drag * life, MOST_EXPONENT)) if drag < 0 else 1.0
    tail = abs(_finite(emitter.tail_length)) if emitter.tail else 0.0
    moved = (life + tail) * growth
    wind = math.dist(np.nan_to_num(emitter.wind), (0.0, 0.0, 0.0)) if emitter.wind_time > 0 else 0.0
    grounded = "on the ground" in emitter.flags and "model space" not in emitter.flags
    return MotionReach(
        math.inf
        if grounded
        else _start(emitter, most) + most["speed"] * (1 + most["speed_variation"]) * moved,
        (most["gravity"] + wind) * life * growth * (life / 2 + tail),
        abs(_finite(emitter.burst)) * moved if "burst" in emitter.flags else 0.0,
        life if "follows" in emitter.flags else 0.0,
        _corner(emitter),
    )


def _start(emitter: Emitter, most: dict[str, float]) -> float:
    """The largest distance from the emitter at which particles start."""
    if emitter.type == "spline":
        points = even_points(emitter.spline)[0]
        return float(np.linalg.norm(points, axis=1).max(initial=0.0)) + most["horizontal_range"]
    if emitter.type == "sphere":
        return max(most["length"], most["width"])
    return math.hypot(most["length"], most["width"]) / 2


def _corner(emitter: Emitter) -> float:
    """The distance from the largest quad's centre to its corner."""
    scales = emitter.scales
    size = float(np.abs(np.nan_to_num(scales.values)).max()) if len(scales) else 1.0
    varied = 1 + float(np.abs(np.nan_to_num(emitter.scale_variation)).max())
    twinkle = float(np.abs(np.nan_to_num(emitter.twinkle[2:])).max())
    flat = 2.0 if "flat" in emitter.flags else 1.0  # the factor 2 covers skewed axes of a frame
    return math.sqrt(2) * flat * min(size, BUDGET.effect_number) * varied * twinkle


def _scale(frames: Array) -> float:
    """An upper bound of the stretch of frames [K, 3, 4]."""
    axes = frames[:, :, :3]
    return math.sqrt(float(np.abs(axes.transpose(0, 2, 1) @ axes).sum(axis=-1).max()))


def _longest(ways: Array) -> float:
    return math.sqrt(float((ways**2).sum(axis=-1).max(initial=0.0)))


def _drift_speed(path: BonePath) -> float:
    """The highest speed of following particles."""
    gaps = np.diff(path.times)
    return _longest(np.diff(path.drift, axis=0)[gaps > 0] / gaps[gaps > 0, None])


def _finite(value: float) -> float:
    return float(np.clip(np.nan_to_num(value), -BUDGET.effect_number, BUDGET.effect_number))
