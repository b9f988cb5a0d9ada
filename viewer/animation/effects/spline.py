"""The curve on which a spline emitter's particles start: cubic Bézier segments, by arc length."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.budget import BUDGET

SAMPLES = 257
FINE = 4096
"""The approximate number of steps in which the whole curve is measured."""
FARTHEST = 1e6


def even_points(points: Array) -> tuple[Array, Array]:
    """[257, 3] points at even distances along the curve through the control points [P, 3], and the directions
    [257, 3] there. Segments share their ends: 4 points make one segment, 7 make two; fewer than 4 points make
    straight lines, and no points make an empty result.
    """
    points = np.clip(np.nan_to_num(points), -FARTHEST, FARTHEST)
    if not len(points):
        return np.empty((0, 3)), np.empty((0, 3))
    fine = _fine(points)
    steps = np.linalg.norm(np.diff(fine, axis=0), axis=1)
    reached = np.concatenate(((0.0,), np.cumsum(steps)))
    wanted = np.linspace(0, reached[-1], SAMPLES)
    even = np.stack([np.interp(wanted, reached, axis) for axis in fine.T], axis=-1)
    ways = np.gradient(even, axis=0)
    length = np.linalg.norm(ways, axis=1, keepdims=True)
    return even, np.where(length > 0, ways / np.where(length > 0, length, 1), (1.0, 0.0, 0.0))


def _fine(points: Array) -> Array:
    """[N, 3] closely spaced points of the curve."""
    pieces = min((len(points) - 1) // 3, BUDGET.spline_pieces)
    if not pieces:
        return np.repeat(points, 2, axis=0) if len(points) == 1 else points
    a, b, c, d = (points[start : 3 * pieces + start : 3][:, None] for start in range(4))
    steps = FINE // pieces
    t = np.arange(steps)[None, :, None] / steps
    s = 1 - t
    inner = s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d
    return np.concatenate((inner.reshape(-1, 3), points[3 * pieces][None]))
