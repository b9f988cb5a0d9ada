"""The built-in environment: a room with softboxes, as in a photo studio.

Axes and directions are those of `viewer.scene.environment`. The key is at the upper left of the front view
and warm, the fill at the right and cool; two strips behind the model brighten its outline, and a panel above
gives metals a long highlight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from viewer.arrays import Array, Rgb
from viewer.scene.environment import directions
from viewer.scene.environment_map import SIDES

ABOVE, LEVEL, BELOW = (0.12, 0.13, 0.15), (0.32, 0.33, 0.34), (0.055, 0.05, 0.047)
"""Linear colours of the gradient: above the model, around it, below it."""
EDGE = 0.06
"""Width of the soft edge of a softbox, in distances from the model."""


class Softbox(NamedTuple):
    """A bright rectangle that faces the model: the direction in which its middle lies (any length), half of
    its width and height in distances from the model, and its linear colour.
    """

    towards: Rgb
    half: tuple[float, float]
    color: Rgb


SOFTBOXES = (
    Softbox((-0.75, 0.65, 0.7), (0.42, 0.42), (6.6, 6.2, 5.6)),
    Softbox((0.95, 0.2, 0.45), (0.22, 0.6), (1.5, 1.75, 2.1)),
    Softbox((-0.8, 0.3, -0.75), (0.12, 0.75), (3.4, 3.6, 3.9)),
    Softbox((0.75, 0.45, -0.8), (0.16, 0.75), (4.6, 4.6, 4.4)),
    Softbox((0.1, 1.0, -0.2), (0.42, 0.16), (3.0, 3.0, 3.0)),
)


def room() -> Array:
    """[512, 512, 3] f32: the octahedral map of the room."""
    ways = directions(SIDES[0])
    height = ways[1]
    lift = np.abs(height)[:, None] ** 0.6
    light = np.where(height[:, None] > 0, ABOVE, BELOW)
    light = light * lift + np.array(LEVEL) * (1 - lift)
    for each in SOFTBOXES:
        middle = np.array(each.towards) / np.linalg.norm(each.towards)
        side = np.cross((0.0, 1.0, 0.0), middle)
        side /= np.linalg.norm(side)
        ahead, across, up = (
            ways.T @ np.stack((middle, side, np.cross(middle, side)), axis=1, dtype=np.float32)
        ).T
        inside = ahead > 0.05
        ahead = np.maximum(ahead, 0.05)
        outside = np.maximum(np.abs(across) / ahead - each.half[0], np.abs(up) / ahead - each.half[1])
        share = np.clip(0.5 - outside / EDGE, 0, 1) * inside
        share = (share * share * (3 - 2 * share))[:, None]
        light += (np.array(each.color) - light) * share
    return np.asarray(light, np.float32).reshape(SIDES[0], SIDES[0], 3)
