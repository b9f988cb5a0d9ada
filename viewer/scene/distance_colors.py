"""The colours of vertices by their distance from their counterparts: sRGB 0..1, and distinct without hues."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array

RAMP = (
    (0.294, 0.011, 0.631),
    (0.492, 0.012, 0.658),
    (0.658, 0.134, 0.588),
    (0.798, 0.280, 0.470),
    (0.899, 0.396, 0.366),
    (0.973, 0.585, 0.254),
    (0.993, 0.771, 0.155),
    (0.940, 0.975, 0.131),
)
"""From the smallest distance to the largest: each colour is lighter than the one before.

Source: matplotlib's colour map "plasma" from 1/8 to 1 in steps of 1/8; a surface in its darkest part could
hardly be seen.
"""
UNMOVED = (0.38, 0.42, 0.48)
"""The colour of vertices that are at the same place."""
UNMATCHED = ((0.20, 0.22, 0.25), (0.72, 0.74, 0.78))
"""The colours of the stripes on what has no counterpart."""
UNMOVED_NAME, UNMATCHED_NAME = "not moved", "no counterpart"
"""The names of these colours in legends."""
STRIPE = 5
"""The width of a stripe in pixels."""


def ramp(count: int) -> Array:
    """[count, 3]: the colours of the ramp from the smallest distance to the largest, evenly spread."""
    at = np.linspace(0, len(RAMP) - 1, count)
    return np.stack([np.interp(at, np.arange(len(RAMP)), channel) for channel in zip(*RAMP, strict=True)], 1)
