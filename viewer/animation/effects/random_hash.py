"""Computes random numbers of particles as a hash of seed, birth number and draw, as in `random_hash.glsl`."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np

from viewer.arrays import Array

GOLDEN = 0x9E3779B9
FIRST_FACTOR, SECOND_FACTOR = 0x7FEB352D, 0x846CA68B
WORD = 0xFFFFFFFF
PART_BITS = 24
"""The number of bits of a random number in [0, 1), which f32 stores exactly."""


class RandomDraw(IntEnum):
    """The random draws of a birth. The shaders name each draw `NAME_DRAW`."""

    SPEED = 0
    X = 1
    Y = 2
    VERTICAL = 3
    HORIZONTAL = 4
    LIFE = 5
    WIDTH = 6
    HEIGHT = 7
    ANGLE = 8
    SPIN = 9
    SIGN = 10
    TUMBLE = 11
    """The first of three successive draws: the turning speeds around the three axes."""
    TUMBLE_SIGN = 14
    """The first of three successive draws: the turning directions around the three axes."""
    TWINKLE = 17
    CELL = 18
    RATE = 63
    """The draw that varies an emitter's rate. The shaders do not use it."""


def scrambled(words: Array) -> Array:
    """Mix the bits of u32 words […]. Source: Chris Wellons, lowbias32."""
    with np.errstate(over="ignore"):
        words = np.asarray(words, np.uint32)
        words = words ^ (words >> np.uint32(16))
        words = words * np.uint32(FIRST_FACTOR)
        words = words ^ (words >> np.uint32(15))
        words = words * np.uint32(SECOND_FACTOR)
        return np.asarray(words ^ (words >> np.uint32(16)))


def seed_of(seed: int, emitter: int) -> int:
    """The seed of an emitter, from the model's `seed` and the emitter's number."""
    return int(scrambled(np.array((seed + (emitter + 1) * GOLDEN) & WORD, np.uint32)))


def uniform(seed: int, numbers: Array, what: int) -> Array:
    """[N] f64 in [0, 1): the random draw `what` of the births `numbers` [N], which may be negative."""
    return np.asarray(uniforms(seed, numbers, (what,))[0])


def uniforms(seed: int, numbers: Array, draws: Sequence[int]) -> Array:
    """[D, N] f64 in [0, 1): several random draws of the births `numbers` [N], which may be negative."""
    words = np.asarray(numbers, np.int64) & WORD
    start = scrambled(words.astype(np.uint32) ^ np.uint32(seed & WORD))
    offsets = np.array([(what * GOLDEN) & WORD for what in draws], np.uint32)
    with np.errstate(over="ignore"):
        drawn = scrambled(start + offsets.reshape(-1, *[1] * start.ndim))
    return np.asarray((drawn >> np.uint32(32 - PART_BITS)) / float(1 << PART_BITS))
