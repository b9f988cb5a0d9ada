"""Numbers along a parameter: steps, splines, loops. All functions take arrays of any shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.arrays import Array


def smoothstep(low: float, high: float, x: Array) -> Array:
    """0 below `low`, 1 above `high`, smooth between."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


def lerp(first: Any, second: Any, factor: Any) -> Array:
    """Between `first` (factor 0) and `second` (factor 1)."""
    return np.asarray(first + (np.asarray(second) - first) * factor)


def bump(x: Array, width: float) -> Array:
    """A bell of height 1 around 0, about 0.6 at `width`."""
    return np.asarray(np.exp(-0.5 * (x / width) ** 2))


def unit(vectors: Array) -> Array:
    """[..., N] vectors at length 1."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12))


def bspline(points: Any, t: Array) -> Array:
    """A smooth curve near [N, D] `points`, through the first (t = 0) and the last (t = 1): [..., D]."""
    points = np.asarray(points, float)
    padded = np.concatenate((2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]))
    place = np.clip(t, 0, 1) * (len(points) - 1)
    first = np.minimum(place.astype(int), len(points) - 2)
    f = (place - first)[..., None]
    basis = ((1 - f) ** 3, 3 * f**3 - 6 * f**2 + 4, -3 * f**3 + 3 * f**2 + 3 * f + 1, f**3)
    return np.asarray(sum(basis[k] * padded[first + k] for k in range(4)) / 6)


def hermite(start: Array, leave: Array, end: Array, arrive: Array, t: Array) -> Array:
    """From `start` to `end` [..., D] with the given velocities, t [..., 1] from 0 to 1."""
    t2, t3 = t * t, t * t * t
    ends = (2 * t3 - 3 * t2 + 1) * start + (3 * t2 - 2 * t3) * end
    return np.asarray(ends + (t3 - 2 * t2 + t) * leave + (t3 - t2) * arrive)


def spline_weights(place: Array, count: int) -> Array:
    """Weights [..., count] of items at 0, 1, 2, … at each `place`: smooth, at most three items at once.

    A quadratic B-spline: surfaces between bones bend along a curve. Beyond the ends the last item has the
    whole weight.
    """
    place = np.clip(place, 0, count - 1)
    distance = np.abs(place[..., None] - np.arange(count))
    near = 0.75 - distance**2
    far = 0.5 * np.maximum(1.5 - distance, 0) ** 2
    shares = np.where(distance < 0.5, near, far)
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def linear_weights(place: Array, count: int) -> Array:
    """As `spline_weights`, with at most two items, and a single item if `place` is a whole number."""
    distance = np.abs(np.clip(place, 0, count - 1)[..., None] - np.arange(count))
    return smoothstep(0, 1, 1 - distance)


def loop(keys: Any, time: Array, period: float) -> Array:
    """A smooth periodic curve through `keys` [(time, value)], at `time` seconds of any size."""
    times, values = np.asarray(keys, float).T
    times = np.concatenate((times[-2:] - period, times, times[:2] + period))
    values = np.concatenate((values[-2:], values, values[:2]))
    slope = np.zeros_like(values)
    slope[1:-1] = (values[2:] - values[:-2]) / (times[2:] - times[:-2])
    at = np.mod(time - times[2], period) + times[2]
    k = np.clip(np.searchsorted(times, at, side="right") - 1, 1, len(times) - 3)
    span = times[k + 1] - times[k]
    f = (at - times[k]) / span
    return hermite(values[k], slope[k] * span, values[k + 1], slope[k + 1] * span, f)
