"""Random numbers of particles: a hash of seed, birth number and draw, the same here and in `chance.glsl`."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array

GOLDEN = 0x9E3779B9
WORD = 0xFFFFFFFF


def scrambled(words: Array) -> Array:
    """Mix […] u32 words well. Source: Chris Wellons, lowbias32."""
    with np.errstate(over="ignore"):
        words = np.asarray(words, np.uint32)
        words = words ^ (words >> np.uint32(16))
        words = words * np.uint32(0x7FEB352D)
        words = words ^ (words >> np.uint32(15))
        words = words * np.uint32(0x846CA68B)
        return np.asarray(words ^ (words >> np.uint32(16)))


def seed_of(seed: int, emitter: int) -> int:
    """The seed of one of a model's emitters."""
    return int(scrambled(np.array((seed + (emitter + 1) * GOLDEN) & WORD, np.uint32)))


def uniform(seed: int, numbers: Array, what: int) -> Array:
    """[N] f64 in [0, 1): the random draw `what` of the births `numbers` [N], which may be negative."""
    words = np.asarray(numbers, np.int64) & WORD
    start = scrambled(words.astype(np.uint32) ^ np.uint32(seed & WORD))
    with np.errstate(over="ignore"):
        drawn = scrambled(start + np.uint32((what * GOLDEN) & WORD))
    return np.asarray((drawn >> np.uint32(8)) / float(1 << 24))
