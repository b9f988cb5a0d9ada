"""Makes lines and dots in the file's axes for `segment.vert`, and defines their colours."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from viewer.arrays import Array, Color
from viewer.view.framing import box_corners

SEGMENT = np.dtype([("start", "f4", 3), ("end", "f4", 3), ("radius", "f4"), ("color", "f4", 4)])
"""A line in the file's axes with its `radius` in points. A line whose ends are equal is a dot."""

ACCENT: Color = (0.36, 0.66, 0.98, 1.0)
GROUP_COLOR: Color = (1.0, 0.40, 0.22, 1.0)
"""Colour of a marked group of items; `ACCENT` is the colour of the selected item."""
INK: Color = (0.05, 0.06, 0.07, 0.9)
THIN, THICK = 0.7, 1.1
TURNS = 32
"""Number of lines in a circle."""


def segments(ends: Array, color: Color, radius: float) -> Array:
    """Make segments [N] of `SEGMENT` from their ends [N, 2, 3]."""
    out = np.empty(len(ends), SEGMENT)
    out["start"], out["end"] = ends[:, 0], ends[:, 1]
    out["radius"], out["color"] = radius, color
    return out


def dots(points: Array, color: Color, radius: float, rim: float, ring: Color = INK) -> Array:
    """Make a dot and its ring at each of the positions `points` [N, 3]; return [2N] of `SEGMENT`. `radius` of
    the dot and width `rim` of the ring are in screen points.
    """
    ends = np.repeat(points[:, None], 2, axis=1)
    return np.concatenate((segments(ends, ring, radius + rim), segments(ends, color, radius)))


def box_edges(box: Array) -> Array:
    """The edges [12, 2, 3] of a box, from its lowest and highest corner [2, 3]."""
    corners = box_corners(box)
    pairs = [(corner, corner | bit) for bit in (1, 2, 4) for corner in range(8) if not corner & bit]
    return corners[np.array(pairs)]


def circles(center: Array, radius: float) -> Array:
    """Return three circles around `center` [3], each perpendicular to an axis, as lines [3 × TURNS, 2, 3]."""
    angles = np.linspace(0.0, 2 * np.pi, TURNS + 1)
    ring = np.stack((np.cos(angles), np.sin(angles), np.zeros(TURNS + 1)), axis=1) * radius
    around = np.concatenate([np.roll(ring, turn, axis=1)[:, None] for turn in range(3)], axis=1)
    return np.concatenate([np.stack((a, b), axis=1) for a, b in pairwise(around)]) + center
