"""For each point of one set, finds the nearest point of another set. A grid of cells makes the
search fast.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from viewer.arrays import Array

COMPARED_IN_CELLS = 64
"""If a pair of neighbouring cells has at most this number of points, its points are compared one by one."""
PAIRS = 1 << 26
"""The largest number of pairs of points that are compared directly, if the grid does not find the nearest
point.
"""
AT_ONCE = 1 << 21
CELLS = 1 << 20
"""The largest number of cells along an axis."""


def nearest(points: Array, others: Array) -> tuple[Array, Array]:
    """Find the nearest of `others` [M, 3] f32 (M > 0) for each of `points` [N, 3] f32. Returns the index [N]
    of the nearest point, and its distance [N] f32. Distances are exact, unless more than `PAIRS` pairs must
    be compared one by one: then only some of `others`, evenly spread, are compared. The distance of a point
    that is not finite is infinite.
    """
    found = np.zeros(len(points), np.int64)
    squares = np.full(len(points), np.inf, np.float32)
    finite = np.flatnonzero(np.isfinite(points).all(axis=1))
    targets = np.flatnonzero(np.isfinite(others).all(axis=1))
    if len(finite) and len(targets):
        numbers, best = _nearest(points[finite], others[targets])
        found[finite], squares[finite] = targets[numbers], best
    return found, np.sqrt(squares)


def _nearest(points: Array, others: Array) -> tuple[Array, Array]:
    """Do the work of `nearest`: all points are finite, and the returned distances are squared."""
    found, squares, half = _by_grid(points, others)
    open_ones = np.flatnonzero(~(squares <= half * half))
    found[open_ones], squares[open_ones] = _one_by_one(points[open_ones], others)
    return found, squares


def _by_grid(points: Array, others: Array) -> tuple[Array, Array, float]:
    """Find the nearest point in the eight cells around each point. Returns the indices [N], the squared
    distances [N] (infinite if the cells have too many points or no points), and half the side of a cell. If
    the found point is farther away than this half, another point may be nearer.
    """
    low, high = others.min(axis=0).astype(np.float64), others.max(axis=0).astype(np.float64)
    extent = float((high - low).max())
    side = max(2 * extent / max(np.sqrt(len(others)), 1), extent / (CELLS - 4), 1e-30)
    counts = ((high - low) / side).astype(np.int64) + 4
    keys = _keys(np.floor((others - low) / side).astype(np.int64) + 1, counts)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    corner = np.floor(np.clip((points - low) / side - 0.5, -1, counts - 3)).astype(np.int64) + 1
    by_cell = np.argsort(_keys(corner, counts), kind="stable")
    corner, asked = corner[by_cell], points[by_cell]
    best = np.full(len(points), np.inf, np.float32)
    number = np.zeros(len(points), np.int64)
    crowded = np.zeros(len(points), bool)
    for step in product((0, 1), repeat=2):
        first = _keys(corner + np.array((*step, 0)), counts)
        start, end = np.searchsorted(keys, first), np.searchsorted(keys, first + 1, "right")
        crowded |= end - start > COMPARED_IN_CELLS
        _try_rows(asked, others, order, start, end, best, number)
    best[crowded] = np.inf
    found, squares = np.empty_like(number), np.empty_like(best)
    found[by_cell], squares[by_cell] = number, best
    return found, squares, side / 2


def _keys(cells: Array, counts: Array) -> Array:
    """[N]: the numbers of the cells [N, 3]. Neighbours along the last axis have successive numbers."""
    return np.asarray((cells[:, 0] * counts[1] + cells[:, 1]) * counts[2] + cells[:, 2])


def _try_rows(
    points: Array, others: Array, order: Array, start: Array, end: Array, best: Array, number: Array
) -> None:
    """Update `best` [N] and `number` [N] with the points from `start` [N] to `end` [N] of `order`."""
    left = np.flatnonzero((end > start) & (end - start <= COMPARED_IN_CELLS))
    at = start[left]
    while len(left):
        candidate = order[at]
        offset = points[left] - others[candidate]
        square = np.einsum("ij,ij->i", offset, offset)
        better = square < best[left]
        best[left[better]], number[left[better]] = square[better], candidate[better]
        at = at + 1
        more = at < end[left]
        left, at = left[more], at[more]


def _one_by_one(points: Array, others: Array) -> tuple[Array, Array]:
    """Find indices and squared distances by comparing all pairs. If there are too many pairs, only some of
    `others` are compared.
    """
    step = max(-(-len(points) * len(others) // PAIRS), 1)
    targets = np.ascontiguousarray(others[::step].T)
    found, squares = np.zeros(len(points), np.int64), np.zeros(len(points), np.float32)
    rows = max(AT_ONCE // targets.shape[1], 1)
    for first in range(0, len(points), rows):
        asked = points[first : first + rows]
        table = np.zeros((len(asked), targets.shape[1]), np.float32)
        for axis in range(3):
            offset = asked[:, axis, None] - targets[axis]
            table += offset * offset
        chosen = table.argmin(axis=1)
        found[first : first + rows] = chosen * step
        squares[first : first + rows] = table[np.arange(len(asked)), chosen]
    return found, squares
