"""The motion of the ember that flies around Puff, with sparks, smoke and a ribbon."""

from __future__ import annotations

from typing import Any

import numpy as np

from generate.curves import unit
from generate.puff.acting import STAND, WALK, line, times
from generate.rig import continuous, quaternions
from viewer.arrays import Array
from viewer.families.wow.m2.layout.writer import WrittenTrack

STEP = 50
"""ms between its keys."""
NAP = 1e-3
FRONT = 0.5
"""Radians around the pot from where it faces: where it is looked at from."""


def tracks() -> dict[str, WrittenTrack]:
    """The tracks of its bone. Its y axis, across which a ribbon lies, tips over as it flies."""
    rounds = [times(sequence, STEP) / (sequence[1] - sequence[0]) for sequence in (STAND, WALK)]
    paths = (around, above)
    places = [path(share) for path, share in zip(paths, rounds, strict=True)]
    turns = [continuous(quaternions(heading(path, share))) for path, share in zip(paths, rounds, strict=True)]
    return {"translation": line(*places, STEP), "rotation": line(*turns, STEP)}


def around(share: Array) -> Array:
    """[K, 3]: once around the pot, over spout and handle; `share` [K] of the round."""
    angle = 2 * np.pi * (np.asarray(share) - 0.22)
    up = -0.27 * np.cos(angle - FRONT) + 0.06 * np.sin(2 * angle)
    return np.stack((0.74 * np.cos(angle), 0.74 * np.sin(angle), up), axis=-1)


def above(share: Array) -> Array:
    """[K, 3]: a slanting ring over the lid, while it walks."""
    angle = 2 * np.pi * np.asarray(share)
    return np.stack(
        (0.32 * np.cos(angle), 0.32 * np.sin(angle), 0.35 - 0.11 * np.cos(angle - FRONT)), axis=-1
    )


def heading(path: Any, share: Array) -> Array:
    """[K, 3, 3]: x along the path; y upright in front and behind, level at the sides: it turns over once a
    round, so that a ribbon across it shows its face from the front."""
    ahead = unit(path(share + NAP) - path(share - NAP))
    aside = unit(np.cross((0.0, 0.0, 1.0), ahead))
    upright = np.cross(ahead, aside)
    x, y, _ = np.moveaxis(path(share), -1, 0)
    roll = (np.arctan2(y, x) - FRONT)[..., None]
    across = upright * np.cos(roll) + aside * np.sin(roll)
    return np.stack((ahead, across, np.cross(ahead, across)), axis=-1)
