"""Numbers of emitters that the uniform block and the shaders share."""

from __future__ import annotations

KINDS = {"plane": 1, "sphere": 2, "spline": 3}
"""The number of each emitter type; other types count as planes."""
BITS = {
    "line": 2,
    "burst": 4,
    "dies in the middle": 8,
    "up only": 16,
    "tumbles": 32,
    "tail grows": 64,
    "on the ground": 256,
    "follows": 512,
    "one cell of the particle": 1024,
    "uneven size": 4096,
}
"""The bit of each flag of `scene.emitter.Emitter` that the shaders read."""
SPINS_BY_LIFE, BIRTHS_LOOP, FRAMES_LOOP = 2048, 8192, 16384
"""Bits that come from other fields."""
HALF_WORD = 1 << 16
"""A 32-bit word is stored as two numbers below this one, because f32 holds 24 bits."""
