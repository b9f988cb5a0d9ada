"""The way of particles from their births, for many births at once: the numbers of `particle.glsl`."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.animation.effects.bone_path import BonePath
from viewer.animation.effects.emission import VALUES
from viewer.animation.effects.motion_limits import MOST_EXPONENT, NO_SOURCE
from viewer.animation.effects.random_hash import Draw
from viewer.animation.effects.spline import even_points
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.scene.emitter import Emitter

UP = np.array((0.0, 0.0, 1.0))
SERIES = 1e-3
"""The product of drag and age below which drag is a small correction."""
DRAWS = range(Draw.HEIGHT + 1)
"""The random draws that decide the way, the life and the size of a particle."""


class Births(Struct, frozen=True, eq=False):
    """N births of an emitter: their `times` in seconds, their `values` [N, 9] as in `emission.VALUES`, and
    their random `draws` [8, N] in [0, 1), as in `DRAWS`."""

    times: Array
    values: Array
    draws: Array

    def value(self, name: str) -> Array:
        """[N]: one of the values."""
        return np.asarray(self.values[:, VALUES.index(name)])

    def drawn(self, what: int) -> Array:
        """[N]: a random draw in [0, 1)."""
        return np.asarray(self.draws[what])

    def swing(self, what: int) -> Array:
        """[N]: a random draw in [-1, 1)."""
        return self.drawn(what) * 2 - 1


def lives(emitter: Emitter, births: Births) -> Array:
    """[N]: the lifespans in seconds."""
    return births.value("lifespan") + _finite(emitter.lifespan_variation) * births.swing(Draw.LIFE)


def travelled(emitter: Emitter, births: Births, way: BonePath, ages: Array) -> tuple[Array, Array]:
    """[N, K, 3] each: positions and velocities of N births at K `ages` [N, K] in seconds, in the file's axes.

    `way` has the frames of the emitter. NaN where a particle died in the middle of its sphere.
    """
    position, direction = start(emitter, births)
    speed = births.value("speed") * (1 + births.value("speed_variation") * births.swing(Draw.SPEED))
    velocity, local = direction * speed[:, None], "model space" in emitter.flags
    frames, middle = way.at(births.times), np.zeros((len(ages), 3))
    if not local:
        position, velocity = _placed(frames, position), _turned(frames, velocity)
        middle = frames[:, :, 3]
        if "burst" in emitter.flags:
            velocity = velocity + way.speeds_at(births.times) * _finite(emitter.burst)
        if "on the ground" in emitter.flags:
            position[:, 2] = 0.0
    pull = births.value("gravity")[:, None, None] * -UP
    found, moving = _flown(emitter, position[:, None], velocity[:, None], pull, ages)
    if "dies in the middle" in emitter.flags and emitter.type == "sphere":
        found[((found - middle[:, None]) * moving).sum(axis=2) > 0] = np.nan
    now = births.times[:, None] + ages
    if local:
        frames = way.at(now.ravel()).reshape(*now.shape, 3, 4)
        return _placed(frames, found), _turned(frames, moving)
    if "follows" in emitter.flags:
        carried = way.drifted(now.ravel()).reshape(*now.shape, 3) - way.drifted(births.times)[:, None]
        found = found + carried
    return found, moving


def start(emitter: Emitter, births: Births) -> tuple[Array, Array]:
    """[N, 3] each: positions in the emitter's own space and directions of length 1."""
    polar = births.value("vertical_range") * births.swing(Draw.VERTICAL)
    azimuth = births.value("horizontal_range") * births.swing(Draw.HORIZONTAL)
    length, width = births.value("length"), births.value("width")
    flat = np.stack((np.cos(azimuth), np.sin(azimuth)), axis=-1)
    if emitter.type == "spline":
        position, direction = _on_spline(emitter, births, polar)
    elif emitter.type == "sphere":
        out = np.column_stack((flat * np.cos(polar)[:, None], np.sin(polar)))
        position = (length + (width - length) * births.drawn(Draw.X))[:, None] * out
        direction = np.broadcast_to(UP, out.shape) if "up only" in emitter.flags else out
    else:
        sides = np.stack((length * births.swing(Draw.X), width * births.swing(Draw.Y)), axis=-1)
        position = np.column_stack((sides / 2, np.zeros(len(sides))))
        direction = np.column_stack((flat * np.sin(polar)[:, None], np.cos(polar)))
    source = births.value("z_source")[:, None]
    away = position - source * UP
    return position, np.where(np.abs(source) > NO_SOURCE, _unit(away), direction)


def _on_spline(emitter: Emitter, births: Births, polar: Array) -> tuple[Array, Array]:
    points, tangents = even_points(emitter.spline)
    direction = np.tile(UP, (len(polar), 1))
    if not len(points):
        return np.zeros_like(direction), direction
    low, high = (np.clip(births.value(name), 0.0, 1.0) for name in ("length", "width"))
    rows = (low + (high - low) * births.drawn(Draw.X)) * (len(points) - 1)
    first = rows.astype(np.intp)
    second, part = np.minimum(first + 1, len(points) - 1), (rows - first)[:, None]
    position, tangent = (table[first] + (table[second] - table[first]) * part for table in (points, tangents))
    tangent = _unit(tangent)
    cosine, sine = np.cos(polar)[:, None], np.sin(polar)[:, None]
    around = UP * cosine + np.cross(tangent, UP) * sine + tangent * tangent[:, 2:] * (1 - cosine)
    spreads = births.value("vertical_range")[:, None] != 0
    far = births.value("horizontal_range") * births.drawn(Draw.HORIZONTAL)
    position = position + np.where(spreads, around * far[:, None], 0.0)
    return position, np.where(spreads, around, direction)


def _flown(
    emitter: Emitter, position: Array, velocity: Array, pull: Array, ages: Array
) -> tuple[Array, Array]:
    """[N, K, 3] each: positions and velocities after `ages` [N, K] of flight."""
    windy = np.minimum(ages, max(_finite(emitter.wind_time), 0.0))
    if windy.any():
        blown = pull + np.nan_to_num(np.array(emitter.wind))
        position, velocity = _moved(emitter, position, velocity, blown, windy)
    return _moved(emitter, position, velocity, pull, ages - windy)


def _moved(
    emitter: Emitter, position: Array, velocity: Array, pull: Array, ages: Array
) -> tuple[Array, Array]:
    """The solution of dv/dt = pull - drag · v."""
    drag = _finite(emitter.drag)
    way = np.clip(drag * ages, -MOST_EXPONENT, None)
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        small = np.abs(way) < SERIES
        first = np.where(small, ages * (1 - way / 2), -np.expm1(-way) / drag)
        second = np.where(small, ages * ages * (0.5 - way / 6), (ages - first) / drag)
        kept = np.exp(-way)[..., None]
    first, second = first[..., None], second[..., None]
    return position + velocity * first + pull * second, velocity * kept + pull * first


def _placed(frames: Array, points: Array) -> Array:
    return _turned(frames, points) + frames[..., 3]


def _turned(frames: Array, ways: Array) -> Array:
    return np.asarray((frames[..., :3] @ ways[..., None])[..., 0])


def _unit(ways: Array) -> Array:
    size = np.linalg.norm(ways, axis=1, keepdims=True)
    return np.where(size > 0, np.divide(ways, size, out=np.zeros_like(ways), where=size > 0), UP)


def _finite(value: float) -> float:
    return float(np.clip(np.nan_to_num(value), -BUDGET.effect_number, BUDGET.effect_number))
