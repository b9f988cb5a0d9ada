"""The count of computed vertices agrees with a cache that is played through."""

from __future__ import annotations

from collections import deque

import numpy as np

from viewer.arrays import Array
from viewer.check.meshes.triangles import ENTRIES, STRETCH, cache_misses, stretches


def played(indices: Array) -> int:
    """The misses of a cache that holds the last `ENTRIES` computed vertices."""
    held: deque[int] = deque(maxlen=ENTRIES)
    misses = 0
    for vertex in indices.reshape(-1).tolist():
        if vertex not in held:
            held.append(vertex)
            misses += 1
    return misses


def test_the_misses_are_those_of_a_cache() -> None:
    random = np.random.default_rng(3)
    for spread in (20, 60, 300):  # triangles of vertices near each other, as in real meshes
        corners = random.integers(0, spread, (2000, 3)) + np.arange(2000)[:, None] // 2
        misses, distinct, count = cache_misses(corners)
        assert abs(misses - played(corners)) < 0.03 * misses
        assert distinct == len(np.unique(corners)) and count == 2000


def test_few_vertices_stay_in_the_cache() -> None:
    assert cache_misses(np.random.default_rng(4).integers(0, ENTRIES, (500, 3)))[:2] == (ENTRIES, ENTRIES)


def test_of_a_large_mesh_stretches_are_looked_at() -> None:
    corners = np.arange(9 * STRETCH, dtype=np.uint32).reshape(-1, 3)
    assert stretches(corners, 1) is corners
    half = stretches(corners, 2)
    assert len(half) == 2 * STRETCH and (half[:STRETCH] == corners[:STRETCH]).all()
    assert len(np.unique(stretches(corners * 0, 2))) == 2
