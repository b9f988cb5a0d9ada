"""Hand-made bones and clips of one key, for tests of poses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.scene.animation import Animation, Track
from viewer.scene.skeleton import Skeleton


def turn(degrees: float) -> Array:
    """A rotation around z."""
    return np.array([0, 0, np.sin(np.radians(degrees) / 2), np.cos(np.radians(degrees) / 2)])


def skeleton_of(parents: Sequence[int], **changes: Any) -> Skeleton:
    """Bones a, b, c …, each 1 along x from its parent and turned by 10 degrees."""
    count = len(parents)
    made = Skeleton(
        names=tuple("abcdefghijklmnopqrstuvwxyz"[:count]),
        parents=np.array(parents, np.int32),
        positions=np.tile(np.array([1, 0, 0], np.float32), (count, 1)),
        rotations=np.tile(turn(10).astype(np.float32), (count, 1)),
        scales=np.ones((count, 3), np.float32),
    )
    return replace(made, **changes)


def still(**values: Sequence[float] | Array) -> Animation:
    """A clip of one key: `a_position`, `b_rotation` and so on."""
    tracks = []
    for name, value in values.items():
        target, path = name.split("_")
        tracks.append(Track(target, path, np.zeros(1, np.float32), np.array([value], np.float32)))
    return Animation("still", 1.0, tuple(tracks), tuple(dict.fromkeys(track.target for track in tracks)))


CHAIN = skeleton_of([-1, 0, 1])


def same(first: Pose, second: Pose) -> bool:
    """Whether two poses are equal to the last bit."""
    return all(
        bool((getattr(first, name) == getattr(second, name)).all())
        for name in ("positions", "rotations", "scales", "world", "skin")
    )
