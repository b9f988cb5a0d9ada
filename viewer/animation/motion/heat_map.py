"""The heat map of a clip: how fast each bone turns from key to key."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viewer.animation.motion.rotation_keys import RotationKeys
from viewer.arrays import Array
from viewer.scene.maths import angles

SHORTEST = 1e-4
"""Keys that are nearer to each other than this count as this many seconds apart."""
HOT = 0.98
"""The share of all steps between keys that are slower than the hottest colour."""


def key_speeds(keys: RotationKeys) -> Array:
    """[N] f32: the angular speed in degrees a second from each key to the next key of its track; 0 for the
    last key of a track.
    """
    speeds = np.zeros(len(keys.times), np.float32)
    if len(speeds) < 2:
        return speeds
    seconds = np.maximum(np.diff(keys.times), SHORTEST)
    speeds[:-1] = angles(keys.rotations[1:], keys.rotations[:-1]) / seconds
    speeds[keys.starts[1:-1] - 1] = 0.0
    return speeds


def hottest(speeds: Array) -> float:
    """The speed of the hottest colour, in degrees a second; at least 1."""
    moving = speeds[speeds > 0]
    return max(float(np.quantile(moving, HOT)), 1.0) if len(moving) else 1.0


def heat_map(
    keys: RotationKeys, speeds: Array, tracks: Sequence[int | None], span: tuple[float, float], columns: int
) -> Array:
    """[L, columns] f32: the highest of the `speeds` [N] in each column of equal time between the ends of
    `span` in seconds, for L `tracks` by number. A row without a track, and times outside of its keys, are 0.
    """
    edges = np.linspace(span[0], span[1], columns + 1)
    found = np.zeros((len(tracks), columns), np.float32)
    for row, number in enumerate(tracks):
        part = slice(0, 0) if number is None else keys.track(number)
        times, own = keys.times[part], speeds[part]
        if len(times) < 2:
            continue
        first = np.searchsorted(times, edges[:-1], "right") - 1
        last = np.maximum(np.searchsorted(times, edges[1:], "left"), first + 1)
        inside = (last > 0) & (first < len(times) - 1)
        bounds = np.stack((np.maximum(first, 0), np.minimum(last, len(times) - 1)), axis=1)[inside]
        found[row, inside] = np.maximum.reduceat(own, bounds.ravel())[::2]
    return found
