"""The triangles of a level of detail, and searches for triangles with equal corners."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from viewer.arrays import Array
from viewer.scene.mesh.primitives import as_list
from viewer.scene.model import TRIANGULAR, Lod, Model

FACTORS = np.array((0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB), np.uint64)
"""Odd factors that mix the bits of hashes. Source: the generator splitmix64."""
HALF = np.uint64(32)
NONE = np.empty(0, np.intp)
"""An empty array of triangle indices."""


class Faces:
    """The triangles of `lod`. Corners are indices into `rows` [N], which are the vertices. `positions` [N, 3]
    are the positions of these vertices; None if they have no positions.

    Positions are compared by 32-bit hashes, triangles by 64-bit hashes: two different positions count as
    equal with a chance of 1 in 4 · 10^9.
    """

    def __init__(self, model: Model, lod: Lod, rows: Array, positions: Array | None) -> None:
        self._model, self._lod, self._rows, self._positions = model, lod, rows, positions

    @cached_property
    def corners(self) -> Array:
        """[T, 3] the corners of all triangles; [0, 3] for lines and points."""
        lod, rows = self._lod, self._rows
        if lod.primitive not in TRIANGULAR or not len(rows):
            return np.empty((0, 3), np.intp)
        if lod.indices is None:
            return as_list(np.searchsorted(rows, np.arange(lod.start, rows[-1] + 1)), lod.primitive)[0]
        indices = self._model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count]
        listed, _ = as_list(indices, lod.primitive)
        if len(rows) == rows[-1] + 1 or not len(listed):
            return listed
        places = np.zeros(max(int(rows[-1]), int(listed.max())) + 1, np.int32)
        places[rows] = np.arange(len(rows))
        return places[listed]

    @cached_property
    def _hashes(self) -> tuple[Array, ...]:
        """Three arrays [T] u32: hashes of the positions of first, second and third corners."""
        assert self._positions is not None, "there are positions to compare"
        # adding 0 turns negative zeros into zeros
        words = np.ascontiguousarray(self._positions + np.float32(0)).view(np.uint32)
        mixed = np.zeros(len(words), np.uint64)
        for axis, factor in enumerate(FACTORS):
            mixed += words[:, axis]
            mixed *= factor
            mixed ^= mixed >> HALF
        narrow = (mixed >> HALF).astype(np.uint32)
        return tuple(narrow[corner] for corner in self.corners.T)

    @cached_property
    def flat(self) -> Array:
        """[T] bool: the triangles with two corners at the same position. All False if there are no
        positions.
        """
        if self._positions is None:
            return np.zeros(len(self.corners), bool)
        first, second, third = self._hashes
        return np.asarray((first == second) | (second == third) | (third == first))

    def repeated(self, most: int) -> tuple[int, Array]:
        """Count the triangles that repeat the positions and winding of an earlier triangle; flat triangles
        are not counted. Return their number, and the indices [R] of the first `most` of these triangles.
        """
        if self._positions is None:
            return 0, NONE
        keys = _keys(*self._hashes)
        solid = np.flatnonzero(~self.flat)
        keys = keys if len(solid) == len(keys) else keys[solid]
        ordered = np.sort(keys)
        again = ordered[1:][ordered[1:] == ordered[:-1]]
        if not len(again):
            return 0, NONE
        known = np.unique(again[:most])
        alike = np.flatnonzero(known[np.minimum(np.searchsorted(known, keys), len(known) - 1)] == keys)
        _, before = np.unique(keys[alike], return_index=True)
        return len(again), solid[np.delete(alike, before)][:most]

    def has_back(self, triangles: Array) -> Array:
        """[S] bool: for each of `triangles` [S], whether another triangle has the same positions in the
        opposite winding.
        """
        if self._positions is None:
            return np.zeros(len(triangles), bool)
        first, second, third = (hashes[triangles] for hashes in self._hashes)
        return np.isin(_keys(second, first, third), _keys(*self._hashes))

    def spread(self, most: int) -> tuple[Array, Array]:
        """The indices [S] of at most `most` triangles, spread evenly over the level, and the corners [S, 3]
        of these triangles.
        """
        step = max(-(-len(self.corners) // most), 1)
        numbers = np.arange(0, len(self.corners), step)
        return numbers, self.corners[::step].astype(np.intp)


def _keys(first: Array, second: Array, third: Array) -> Array:
    """[T] u64: hashes of triangles. Triangles with the same corners in the same winding have the same
    hash.
    """
    return _pair(first, second) + _pair(second, third) + _pair(third, first)


def _pair(first: Array, second: Array) -> Array:
    """[T] u64: a hash of each pair of hashes from `first` and `second`. The order in a pair matters."""
    mixed = first * FACTORS[0]
    mixed += second
    mixed ^= mixed >> HALF
    mixed *= FACTORS[1]
    return np.asarray(mixed)
