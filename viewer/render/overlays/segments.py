"""Lines and dots in the file's axes, as `segment.vert` draws them, and their colours."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from viewer.arrays import Array, Color
from viewer.view.framing import box_corners

SEGMENT = np.dtype([("start", "f4", 3), ("end", "f4", 3), ("radius", "f4"), ("color", "f4", 4)])
"""A line in the file's axes, `radius` in points; a dot if both ends are equal."""

ACCENT: Color = (0.36, 0.66, 0.98, 1.0)
GROUP: Color = (1.0, 0.40, 0.22, 1.0)
"""The colour of items that are marked together, beside `ACCENT` of the selected one."""
INK: Color = (0.05, 0.06, 0.07, 0.9)
THIN, THICK = 0.7, 1.1
TURNS = 32
"""The number of lines in a circle."""


def segments(ends: Array, color: Color, radius: float) -> Array:
    """[N] of `SEGMENT` from [N, 2, 3]."""
    out = np.empty(len(ends), SEGMENT)
    out["start"], out["end"] = ends[:, 0], ends[:, 1]
    out["radius"], out["color"] = radius, color
    return out


def box_edges(box: Array) -> Array:
    """[12, 2, 3]: the edges of a box [2, 3]."""
    corners = box_corners(box)
    pairs = [(corner, corner | bit) for bit in (1, 2, 4) for corner in range(8) if not corner & bit]
    return corners[np.array(pairs)]


def circles(center: Array, radius: float) -> Array:
    """[3 × TURNS, 2, 3]: three circles around `center` [3], one across each axis."""
    angles = np.linspace(0.0, 2 * np.pi, TURNS + 1)
    ring = np.stack((np.cos(angles), np.sin(angles), np.zeros(TURNS + 1)), axis=1) * radius
    around = np.concatenate([np.roll(ring, turn, axis=1)[:, None] for turn in range(3)], axis=1)
    return np.concatenate([np.stack((a, b), axis=1) for a, b in pairwise(around)]) + center
