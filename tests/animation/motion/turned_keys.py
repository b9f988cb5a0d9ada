"""Made clips of bones that turn around one axis."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.scene.animation import Animation, Track


def spun(degrees: Array) -> Array:
    """[K, 4]: rotations around z."""
    half = np.radians(np.asarray(degrees, np.float64)) / 2
    zero = np.zeros(len(half))
    return np.stack((zero, zero, np.sin(half), np.cos(half)), axis=1).astype(np.float32)


def swing(count: int = 41, phase: float = 0.0, size: float = 30.0) -> Array:
    """[K]: the angles in degrees of a bone that swings twice in the clip."""
    return size * np.sin(np.linspace(0, 4 * np.pi, count) + phase)


def clip_of(times: Array | None = None, period: float | None = None, **bones: Array) -> Animation:
    """A clip of one second. Each bone has keys [K, 4] at equal steps, or at `times` [K]."""
    tracks = []
    for name, rotations in bones.items():
        own = np.linspace(0, 1, len(rotations)) if times is None else times
        tracks.append(Track(name, "rotation", own.astype(np.float32), rotations, period=period))
    return Animation("Walk", 1.0, tuple(tracks), tuple(bones))
