"""A sample of an emitter's particles over some time: where they are, and how large. It is for bounds."""

from __future__ import annotations

import math

import numpy as np

from viewer.animation.effects.bone_path import BonePath
from viewer.animation.effects.emission import Emission
from viewer.animation.effects.emitter_curves import ramp_at
from viewer.animation.effects.particle_motion import DRAWS, Births, lives, travelled
from viewer.animation.effects.random_hash import Draw, uniforms
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.scene.emitter import Emitter, Ramp

BIRTHS, AGES = 192, 8
"""The most births that are looked at, spread evenly, and the ages of each."""
FAINTEST = 8 / 255
"""The opacity below which a particle is not seen."""


def particle_sample(
    emitter: Emitter, schedule: Emission, seed: int, way: BonePath, span: tuple[float, float], cold: bool
) -> tuple[Array, Array]:
    """Positions [N, 3] in the file's axes and radii [N] of particles that are seen between two times in
    seconds.

    `schedule` has the births, `way` the frames of the emitter, `seed` its random numbers. Tails end in
    positions of their own.
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


def _tails(
    emitter: Emitter, position: Array, velocity: Array, ages: Array, radii: Array
) -> tuple[Array, Array]:
    """[N, 3] each: the centres of the first and the last circle that fit into each tail."""
    length = np.minimum(ages, emitter.tail_length) if "tail grows" in emitter.flags else emitter.tail_length
    back = -velocity * np.broadcast_to(length, ages.shape)[:, None]
    share = np.nan_to_num(np.minimum(radii / np.linalg.norm(back, axis=1), 0.5), nan=0.5)[:, None]
    return position + back * share, position + back * (1 - share)


def _births(schedule: Emission, seed: int, span: tuple[float, float], cold: bool) -> Births:
    """The births whose particles may live in `span`, or a part of them."""
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
    """[N, K]: half the larger side of each quad at parts [N, K] of its life."""
    across, along = np.nan_to_num(emitter.scale_variation)
    width = 1 + across * births.swing(Draw.WIDTH)
    height = 1 + along * births.swing(Draw.HEIGHT) if "uneven size" in emitter.flags else width
    sizes = _ramp(emitter.scales, part)
    twinkle = float(np.nan_to_num(np.abs(emitter.twinkle[2:]).max()))
    sides = np.abs(sizes[0] * width[:, None]), np.abs(sizes[-1] * height[:, None])
    return np.asarray(np.maximum(*sides) * twinkle)


def _opacity(emitter: Emitter, part: Array) -> Array:
    """[N, K]: how much is seen at parts [N, K] of a life: alpha, and brightness where black is not seen."""
    alpha, bright = _ramp(emitter.alphas, part)[0], _ramp(emitter.colors, part).max(axis=0)
    if emitter.blending == "replace":
        return np.ones(part.shape)
    found = {"add": bright, "addalpha": alpha * bright}.get(emitter.blending, alpha)
    return np.asarray(found)


def _ramp(ramp: Ramp, part: Array) -> Array:
    """[C, N, K]: a ramp at parts [N, K] of a life; 1 for an empty ramp."""
    if not len(ramp):
        return np.ones((1, *part.shape))
    return np.asarray(ramp_at(ramp, part.ravel()).T.reshape(-1, *part.shape))
