"""Computes the motion of particles since their births, as `particle.glsl` does, and samples particles for
bounds.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from viewer.animation.effects.bone_path import BonePath
from viewer.animation.effects.emission import VALUES, Emission, ramp_at
from viewer.animation.effects.random_hash import RandomDraw, uniforms
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.scene.emitter import Emitter, Ramp

NO_SOURCE = 0.001
"""A `z_source` closer to 0 than this counts as absent."""
MOST_EXPONENT = 60.0
"""The largest exponent in a formula of motion. Particles with a larger exponent are so fast that nobody sees
them.
"""


UP = np.array((0.0, 0.0, 1.0))
SERIES = 1e-3
"""Drag is computed as a small correction if the product of drag and age is smaller than this."""
DRAWS = range(RandomDraw.HEIGHT + 1)
"""The random draws for the motion, life and size of a particle."""


class Births(Struct, frozen=True, eq=False):
    """N births of an emitter: their `times` in seconds, their `values` [N, 9] as in `emission.VALUES`, and
    their random `draws` [8, N] in [0, 1), as in `DRAWS`."""

    times: Array
    values: Array
    draws: Array

    def value(self, name: str) -> Array:
        """[N]: the values with this name, one of `emission.VALUES`."""
        return np.asarray(self.values[:, VALUES.index(name)])

    def drawn(self, what: int) -> Array:
        """[N]: a random draw in [0, 1)."""
        return np.asarray(self.draws[what])

    def swing(self, what: int) -> Array:
        """[N]: a random draw in [-1, 1)."""
        return self.drawn(what) * 2 - 1


def lives(emitter: Emitter, births: Births) -> Array:
    """[N]: the lifespans in seconds."""
    return births.value("lifespan") + _finite(emitter.lifespan_variation) * births.swing(RandomDraw.LIFE)


def travelled(emitter: Emitter, births: Births, way: BonePath, ages: Array) -> tuple[Array, Array]:
    """Return the positions [N, K, 3] and the velocities [N, K, 3] of N births at K `ages` [N, K] in seconds,
    in the file's axes.

    `way` is the emitter's path. A particle that died at the centre of its sphere has NaN.
    """
    position, direction = start(emitter, births)
    speed = births.value("speed") * (1 + births.value("speed_variation") * births.swing(RandomDraw.SPEED))
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
    """Return the start positions [N, 3] in the emitter's own space, and the directions [N, 3] of length 1."""
    polar = births.value("vertical_range") * births.swing(RandomDraw.VERTICAL)
    azimuth = births.value("horizontal_range") * births.swing(RandomDraw.HORIZONTAL)
    length, width = births.value("length"), births.value("width")
    flat = np.stack((np.cos(azimuth), np.sin(azimuth)), axis=-1)
    if emitter.type == "spline":
        position, direction = _on_spline(emitter, births, polar)
    elif emitter.type == "sphere":
        out = np.column_stack((flat * np.cos(polar)[:, None], np.sin(polar)))
        position = (length + (width - length) * births.drawn(RandomDraw.X))[:, None] * out
        direction = np.broadcast_to(UP, out.shape) if "up only" in emitter.flags else out
    else:
        sides = np.stack((length * births.swing(RandomDraw.X), width * births.swing(RandomDraw.Y)), axis=-1)
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
    rows = (low + (high - low) * births.drawn(RandomDraw.X)) * (len(points) - 1)
    first = rows.astype(np.intp)
    second, part = np.minimum(first + 1, len(points) - 1), (rows - first)[:, None]
    position, tangent = (table[first] + (table[second] - table[first]) * part for table in (points, tangents))
    tangent = _unit(tangent)
    cosine, sine = np.cos(polar)[:, None], np.sin(polar)[:, None]
    around = UP * cosine + np.cross(tangent, UP) * sine + tangent * tangent[:, 2:] * (1 - cosine)
    spreads = births.value("vertical_range")[:, None] != 0
    far = births.value("horizontal_range") * births.drawn(RandomDraw.HORIZONTAL)
    position = position + np.where(spreads, around * far[:, None], 0.0)
    return position, np.where(spreads, around, direction)


def _flown(
    emitter: Emitter, position: Array, velocity: Array, pull: Array, ages: Array
) -> tuple[Array, Array]:
    """Return the positions [N, K, 3] and the velocities [N, K, 3] after `ages` [N, K] of flight."""
    windy = np.minimum(ages, max(_finite(emitter.wind_time), 0.0))
    if windy.any():
        blown = pull + np.nan_to_num(np.array(emitter.wind))
        position, velocity = _moved(emitter, position, velocity, blown, windy)
    return _moved(emitter, position, velocity, pull, ages - windy)


def _moved(
    emitter: Emitter, position: Array, velocity: Array, pull: Array, ages: Array
) -> tuple[Array, Array]:
    """Return the positions [N, K, 3] and the velocities [N, K, 3], which solve dv/dt = pull - drag · v."""
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


SAMPLES = 257
FINE = 4096
"""The approximate number of steps for measuring the whole curve."""
FARTHEST = 1e6


def even_points(points: Array) -> tuple[Array, Array]:
    """Find 257 evenly spaced points [257, 3] along a curve, and the curve's directions [257, 3] at these
    points. `points` [P, 3] are the control points of the curve. Segments share their ends: 4 points are one
    segment, 7 are two. Fewer than 4 points make straight lines. Without points the result is empty.
    """
    points = np.clip(np.nan_to_num(points), -FARTHEST, FARTHEST)
    if not len(points):
        return np.empty((0, 3)), np.empty((0, 3))
    fine = _fine(points)
    steps = np.linalg.norm(np.diff(fine, axis=0), axis=1)
    reached = np.concatenate(((0.0,), np.cumsum(steps)))
    wanted = np.linspace(0, reached[-1], SAMPLES)
    even = np.stack([np.interp(wanted, reached, axis) for axis in fine.T], axis=-1)
    ways = np.gradient(even, axis=0)
    length = np.linalg.norm(ways, axis=1, keepdims=True)
    return even, np.where(length > 0, ways / np.where(length > 0, length, 1), (1.0, 0.0, 0.0))


def _fine(points: Array) -> Array:
    """[N, 3] closely spaced points of the curve."""
    pieces = min((len(points) - 1) // 3, BUDGET.spline_pieces)
    if not pieces:
        return np.repeat(points, 2, axis=0) if len(points) == 1 else points
    a, b, c, d = (points[start : 3 * pieces + start : 3][:, None] for start in range(4))
    steps = FINE // pieces
    t = np.arange(steps)[None, :, None] / steps
    s = 1 - t
    inner = s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d
    return np.concatenate((inner.reshape(-1, 3), points[3 * pieces][None]))


BIRTHS, AGES = 192, 8
"""At most this many births are sampled, evenly spread, and each birth at this many ages."""
FAINTEST = 8 / 255
"""The opacity below which a particle counts as invisible."""


def particle_sample(
    emitter: Emitter, schedule: Emission, seed: int, way: BonePath, span: tuple[float, float], cold: bool
) -> tuple[Array, Array]:
    """Positions [N, 3] in the file's axes and radii [N] of visible particles between two times in seconds.

    `schedule` has the births, `way` is the emitter's path, and `seed` selects the random numbers of the
    emitter. For an emitter with tails, the positions also include points of the tails.
    """
    births = _births(schedule, seed, span, cold)
    if not len(births.times):
        return np.empty((0, 3)), np.empty(0)
    life = lives(emitter, births)
    first = np.maximum(span[0] - births.times, 0.0)
    last = np.minimum(life, span[1] - births.times)
    shares = np.linspace(0.0, 1.0, AGES)
    ages = first[:, None] + (last - first)[:, None] * shares
    position, velocity = travelled(emitter, births, way, np.nan_to_num(ages))
    part = np.nan_to_num(np.clip(ages / life[:, None], 0.0, 1.0))
    radii = _radii(emitter, births, part)
    seen = ((last >= first) & (life > 0))[:, None] & (_opacity(emitter, part) > FAINTEST) & (radii > 0)
    points = [position[seen]] if emitter.head or not emitter.tail else []
    if emitter.tail:
        points += _tails(emitter, position[seen], velocity[seen], ages[seen], radii[seen])
    found, radius = np.concatenate(points), np.tile(radii[seen], len(points))
    sound = (np.abs(found) < BUDGET.effect_number).all(axis=1) & (radius < BUDGET.effect_number)
    return found[sound], radius[sound]


def particles_at(
    emitter: Emitter, schedule: Emission, seed: int, way: BonePath, times: Array, cold: bool
) -> tuple[Array, Array, Array]:
    """Positions [N, K, 3] in the file's axes, radii [N, K] and opacities [N, K] of a sample of N particles at
    `times` [K] in seconds, ascending. The opacity is 0 while a particle does not live. See `particle_sample`
    for the arguments.
    """
    births = _births(schedule, seed, (float(times[0]), float(times[-1])), cold)
    life = lives(emitter, births)[:, None]
    ages = times - births.times[:, None]
    alive = (ages >= 0) & (ages <= life) & (life > 0)
    ages = np.where(alive, ages, 0.0)
    part = np.divide(ages, life, out=np.zeros_like(ages), where=alive)
    position, _ = travelled(emitter, births, way, ages)
    radii = _radii(emitter, births, part)
    sound = (np.abs(position) < BUDGET.effect_number).all(axis=2) & (radii < BUDGET.effect_number)
    opacity = np.where(alive & sound, _opacity(emitter, part), 0.0)
    return np.where(sound[..., None], position, 0.0), np.where(sound, radii, 0.0), opacity


def _tails(
    emitter: Emitter, position: Array, velocity: Array, ages: Array, radii: Array
) -> tuple[Array, Array]:
    """Return the centres [N, 3] of the first circle inside each tail, and the centres [N, 3] of the last
    circle.
    """
    length = np.minimum(ages, emitter.tail_length) if "tail grows" in emitter.flags else emitter.tail_length
    back = -velocity * np.broadcast_to(length, ages.shape)[:, None]
    share = np.nan_to_num(np.minimum(radii / np.linalg.norm(back, axis=1), 0.5), nan=0.5)[:, None]
    return position + back * share, position + back * (1 - share)


def _births(schedule: Emission, seed: int, span: tuple[float, float], cold: bool) -> Births:
    """The births of particles that may live in `span`; if there are too many, an evenly spread sample."""
    newest = math.floor(schedule.total(span[1]))
    oldest = math.ceil(schedule.total(span[0] - schedule.longest))
    oldest = max(oldest, 0) if cold else oldest
    count = max(newest - oldest + 1, 0) if schedule.longest > 0 else 0
    numbers = np.unique(np.linspace(oldest, newest, min(count, BIRTHS)).round().astype(np.int64))
    times, values = schedule.birth(numbers)
    known = np.isfinite(times)
    draws = uniforms(seed, schedule.alike(numbers[known]), DRAWS)
    return Births(times[known], values[known], draws)


def _radii(emitter: Emitter, births: Births, part: Array) -> Array:
    """[N, K]: half the larger side of each particle's quad at fractions `part` [N, K] of its life."""
    across, along = np.nan_to_num(emitter.scale_variation)
    width = 1 + across * births.swing(RandomDraw.WIDTH)
    height = 1 + along * births.swing(RandomDraw.HEIGHT) if "uneven size" in emitter.flags else width
    sizes = _ramp(emitter.scales, part)
    twinkle = float(np.nan_to_num(np.abs(emitter.twinkle[2:]).max()))
    sides = np.abs(sizes[0] * width[:, None]), np.abs(sizes[-1] * height[:, None])
    return np.asarray(np.maximum(*sides) * twinkle)


def _opacity(emitter: Emitter, part: Array) -> Array:
    """[N, K]: the visibility at fractions `part` [N, K] of a life. The blend mode decides whether this is the
    alpha, the brightness, their product, or always 1.
    """
    alpha, bright = _ramp(emitter.alphas, part)[0], _ramp(emitter.colors, part).max(axis=0)
    if emitter.blending == "replace":
        return np.ones(part.shape)
    found = {"add": bright, "addalpha": alpha * bright}.get(emitter.blending, alpha)
    return np.asarray(found)


def _ramp(ramp: Ramp, part: Array) -> Array:
    """[C, N, K]: a ramp at fractions `part` [N, K] of a life; 1 for an empty ramp."""
    if not len(ramp):
        return np.ones((1, *part.shape))
    values = ramp_at(ramp, part.ravel()).T
    return values.reshape(len(values), *part.shape)
