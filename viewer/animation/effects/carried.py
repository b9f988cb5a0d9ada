"""Carried particles: each particle of an emitter is itself an emitter while it lives.

The time of a carried emitter starts at the birth of its carrier. Carried particles can outlive the carrier.
The births of carried particles are a function of time, too. Only the shader computes the positions of
carriers.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from viewer.animation.effects.bone_path import BonePath
from viewer.animation.effects.emission import Emission
from viewer.animation.effects.random_hash import RandomDraw, scrambled, uniform
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.scene.emitter import Emitter

CARRIED_EMITTERS = 4
"""A particle carries at most this number of a model's emitters, the first in the file. Source: wowdev.wiki
M2, recursion_model_filename.
"""


class Carriers(Struct, frozen=True, eq=False):
    """P particles that are alive or died recently: `numbers` [P] i64 are their birth numbers, `ages` [P] the
    seconds since birth, `lives` [P] their lifespans. An age may exceed the lifespan.
    """

    numbers: Array
    ages: Array
    lives: Array


class Carried(Struct, frozen=True, eq=False):
    """N births of a carried emitter. `carriers` are indices in `Carriers`; `numbers` count the births of each
    carrier; `ages` are in seconds; `values` [N, 9] are as in `emission.VALUES`.
    """

    carriers: Array
    numbers: Array
    ages: Array
    values: Array


def carriers(
    emitter: Emitter, schedule: Emission, seed: int, time: float, cold: bool, longer: float
) -> Carriers:
    """Find the particles of an emitter that are alive at `time` or died at most `longer` seconds earlier,
    newest first.

    `seed` is the emitter's seed.
    """
    newest = math.floor(schedule.total(time))
    oldest = math.ceil(schedule.total(time - schedule.longest - longer))
    oldest = max(oldest, 0) if cold else oldest
    numbers = np.arange(newest, max(oldest, newest - BUDGET.carriers + 1) - 1, -1, dtype=np.int64)
    times, values = schedule.birth(numbers)
    spread = float(np.clip(np.nan_to_num(emitter.lifespan_variation), -BUDGET.lifespan, BUDGET.lifespan))
    lives = values[:, 0] + spread * (uniform(seed, schedule.alike(numbers), RandomDraw.LIFE) * 2 - 1)
    ages = time - times
    kept = np.isfinite(ages) & (ages >= 0) & (lives > 0)
    return Carriers(numbers[kept], ages[kept], lives[kept])


def carried_births(particles: Carriers, schedule: Emission) -> Carried:
    """Find the births of a carried emitter whose particles may be alive. `schedule` are the births of a
    single carrier.
    """
    ends = np.minimum(particles.ages, particles.lives)
    first = np.maximum(np.ceil(schedule.totals(np.maximum(particles.ages - schedule.longest, 0.0))), 0)
    counts = np.maximum(np.floor(schedule.totals(ends)) - first + 1, 0) * (schedule.longest > 0)
    if counts.sum() > BUDGET.carried_particles:
        each = BUDGET.carried_particles // max(int(np.count_nonzero(counts)), 1)
        first, counts = first + np.maximum(counts - each, 0), np.minimum(counts, each)
    counts = counts.astype(np.int64)
    owners = np.repeat(np.arange(len(counts)), counts)
    numbers = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts) + first[owners]
    at, values = schedule.birth(numbers)
    ages = particles.ages[owners] - at
    kept = np.isfinite(ages) & (ages >= 0) & (ages <= schedule.longest) & (at <= ends[owners])
    return Carried(owners[kept], numbers[kept].astype(np.int64), ages[kept], values[kept])


def starts(seed: int, carrier: Array, numbers: Array) -> Array:
    """[N] u32: the random seeds of carried births. `carrier` [N] are the birth numbers of their carriers,
    `numbers` [N] their own birth numbers.
    """
    word = np.uint32(0xFFFFFFFF)
    owner = scrambled((carrier & word).astype(np.uint32) ^ np.uint32(seed))
    return scrambled((numbers & word).astype(np.uint32) ^ owner)


class CarrierState(Struct, frozen=True, eq=False):
    """The state of emitter `number` at `time` seconds.

    `newest` is the number of its newest birth; `frame` [3, 4] goes from the emitter's axes to the file's
    axes. `size` scales the particles; with `cold` the emitter starts at time 0.
    """

    emitter: Emitter
    number: int
    seed: int
    emission: Emission
    path: BonePath
    newest: int
    frame: Array
    time: float
    cold: bool
    size: float


def particle_size(emitter: Emitter, size: float, frame: Array) -> float:
    """The factor of particle sizes: `size`, times the scale of `frame` [3, 4] if the emitter inherits the
    scale.
    """
    return size * float(np.sqrt((frame[:, 0] ** 2).sum())) if "inherits scale" in emitter.flags else size
