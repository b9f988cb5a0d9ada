"""How fast all bones turn over the time of a clip, as the columns of a heat map."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from msgspec import Struct

from viewer.animation.motion.rotation_keys import rotation_keys
from viewer.arrays import Array
from viewer.scene.animation import Animation
from viewer.scene.maths import angles

SHORTEST = 1e-4
"""Keys that are nearer to each other than this count as this many seconds apart."""


class TurnMap(Struct, frozen=True, eq=False):
    """How much R bones turn in C spans of time of equal length. Row r belongs to the bone `bones[r]`, column
    c to the time from `edges[c]` to `edges[c + 1]` in seconds.

    `speeds` [R, C] f32 are the largest angular speeds in degrees per second, `jumps` [R, C] f32 the largest
    angles in degrees from key to key. Where a bone has no key before or after, both are 0.
    """

    bones: tuple[str, ...]
    edges: Array
    speeds: Array
    jumps: Array


def turn_map(animation: Animation, columns: int, left_out: Collection[str] = ()) -> TurnMap:
    """Measure the rotation tracks of a clip in `columns` spans of time, from its start to its end. The bones
    `left_out` and the keys that `rotation_keys` leaves out have no part in it.
    """
    keys = rotation_keys(animation, left_out)
    length = animation.duration if 0 < animation.duration < np.inf else 0.0
    edges = np.linspace(0, length, columns + 1)
    turns = angles(keys.rotations[1:], keys.rotations[:-1]).astype(np.float32)
    speeds = (turns / np.maximum(np.diff(keys.times), SHORTEST)).astype(np.float32)
    maps = np.zeros((2, len(keys.targets), columns), np.float32)
    for row in range(len(keys.targets)):
        part = keys.track(row)
        times, steps = keys.times[part], slice(part.start, part.stop - 1)
        if len(times) < 2 or not length:
            continue
        first = np.searchsorted(edges, times[:-1], "right") - 1
        inside = (times[:-1] < length) & (times[1:] > 0)
        for values, target in zip((speeds[steps], turns[steps]), maps[:, row], strict=True):
            at = np.searchsorted(times, edges[:-1], "right") - 1
            running = (at >= 0) & (at < len(values))
            target[running] = values[at[running]]
            np.maximum.at(target, np.clip(first[inside], 0, columns - 1), values[inside])
    return TurnMap(keys.targets, edges, maps[0], maps[1])
