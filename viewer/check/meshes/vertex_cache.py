"""How often vertices are computed: the cache of a graphics card for the results of vertex shaders."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array

ENTRIES = 32
"""The vertices that the cache holds; the oldest goes first."""
ROUNDS = 8
"""The most times that the misses are corrected: within three hundredths of the exact number for most
meshes; in regular grids up to a third of the misses is not found.
"""
CHANGED = 0.001
"""The share of the references to vertices that may still change when the misses are counted."""
STRETCH = 1024
"""The triangles of a stretch."""


def stretches(corners: Array, step: int) -> Array:
    """[S, 3] every `step`-th stretch of triangles of `corners` [T, 3]. A vertex counts anew in each stretch,
    whose vertices have numbers of their own.
    """
    if step == 1:
        return corners
    first = np.arange(0, len(corners), step * STRETCH)
    rows = first[:, None] + np.arange(STRETCH)
    kept = corners[np.minimum(rows, len(corners) - 1)].astype(np.int64)
    kept += (np.arange(len(first)) * (int(corners.max()) + 1))[:, None, None]
    return kept[rows < len(corners)]


def cache_misses(corners: Array) -> tuple[int, int, int]:
    """The vertices that are computed for the triangles `corners` [T, 3], the number of different vertices,
    and T.

    All references to a vertex are looked at together: it is in the cache if fewer than `ENTRIES` vertices
    were computed since it was. What was computed is first guessed, and corrected from front to back.
    """
    indices = corners.reshape(-1)
    order = np.argsort(indices, kind="stable")
    listed = indices[order]
    first = np.ones(len(listed), bool)
    first[1:] = listed[1:] != listed[:-1]
    offset = np.cumsum(first) * (len(listed) + 1)
    miss = first.copy()
    for _ in range(ROUNDS):
        computed = np.empty(len(order), np.int64)
        missed = np.empty(len(order), bool)
        missed[order] = miss
        np.cumsum(missed, out=computed)
        number = computed[order]
        latest = np.maximum.accumulate(np.where(miss, number, 0) + offset) - offset
        changed = first.copy()
        changed[1:] |= number[1:] - miss[1:] - latest[:-1] >= ENTRIES
        done = np.count_nonzero(changed != miss) <= CHANGED * len(miss)
        miss = changed
        if done:
            break
    return int(np.count_nonzero(miss)), int(np.count_nonzero(first)), len(corners)
