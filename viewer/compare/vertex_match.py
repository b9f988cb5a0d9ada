"""Matches the vertices of two models and measures their distances."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.compare.axes_change import AxesChange
from viewer.compare.nearest_points import nearest
from viewer.scene.maths import distinct
from viewer.scene.mesh.vertices import drawn_vertices, values
from viewer.scene.model import Lod, Model

MOSTLY = 0.5
"""The order of vertices counts as unchanged if vertices of the same index have the same position in both
meshes, for more than this share of the vertices.
"""
SAMPLE = 2048
FARTHER = 4
"""The order of vertices counts as unchanged if vertices of the same index are hardly farther apart than
nearest vertices: their mean distance is at most this multiple of the mean distance of nearest vertices.
"""
ODD = np.uint64(0x9E3779B97F4A7C15)


class VertexMatch(Struct, frozen=True, eq=False):
    """The matching vertices of two geometries in one level of detail: `geometry` in the first model, and
    `other` in the other model. In this level, `other` draws `other_count` vertices.

    Vertex `rows[k]` matches vertex `other_rows[k]` of the other model; both are indices [N] into the vertex
    buffers. `distances` [N] f32 are in units of the first model. The distance of a position that is not
    finite is infinite, unless both positions are the same. `by_position` is True if the order of the vertices
    changed: each vertex then matches the nearest vertex, and several vertices may match the same vertex.
    """

    geometry: int
    other: int
    rows: Array
    other_rows: Array
    distances: Array
    by_position: bool
    other_count: int


def match_geometry(
    one: Model, geometry: int, other: Model, partner: int, axes: AxesChange, level: int = 0
) -> VertexMatch | None:
    """Match the vertices of two geometries in the level of detail `level`; None if one of the geometries has
    no vertices with positions.
    """
    lods = one.geometries[geometry].lods, other.geometries[partner].lods
    if level >= min(map(len, lods)):
        return None
    lod, other_lod = lods[0][level], lods[1][level]
    rows, first = _positions(one, lod)
    other_rows, second = _positions(other, other_lod)
    if not len(rows) or not len(other_rows):
        return None
    second = axes.points(second)
    if len(rows) == len(other_rows):
        distances = _distances(first, second)
        if (
            _mostly_equal(distances)
            or _same_extras(_extra(one, lod, rows), _extra(other, other_lod, other_rows))
            or _same_corners(_corners(one, lod, rows), _corners(other, other_lod, other_rows), len(rows))
            or _hardly_farther(first, second, distances)
        ):
            return VertexMatch(geometry, partner, rows, other_rows, distances, False, len(other_rows))
    extras = _extra(one, lod, rows), _extra(other, other_lod, other_rows)
    numbers, distances = by_position(first, second, extras)
    return VertexMatch(geometry, partner, rows, other_rows[numbers], distances, True, len(other_rows))


def by_position(
    first: Array, second: Array, extras: tuple[Array, Array] | None = None
) -> tuple[Array, Array]:
    """Find the nearest of the positions `second` [M, 3] f32 for each position of `first` [N, 3] f32. Returns
    the index [N] of the nearest position, and its distance [N] f32. Among several equal positions the
    position with equal `extras` ([N, K] and [M, K] f32) matches. Positions with equal extras match in their
    order.
    """
    numbers = np.full(len(first), -1, np.int64)
    if extras is not None and extras[0].shape[1] == extras[1].shape[1]:
        _pair_equal(np.hstack((first, extras[0])), np.hstack((second, extras[1])), numbers)
    _pair_equal(first, second, numbers)
    distances = np.zeros(len(first), np.float32)
    left = np.flatnonzero(numbers < 0)
    if len(left):
        numbers[left], distances[left] = nearest(first[left], second)
    return numbers, distances


def first_of_equal(model: Model, lod: Lod) -> Array:
    """[V]: for each vertex of a level's buffers, the first drawn vertex with the same position. A vertex that
    is not drawn maps to itself.
    """
    rows, positions = _positions(model, lod)
    count = min((model.vertex_buffers[stream].count for stream in lod.streams), default=0)
    found = np.arange(count)
    keys, order = _in_order(_hashes(_bits(positions)), len(rows))
    opens = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=opens[1:])
    found[rows[order]] = rows[order[np.maximum.accumulate(np.where(opens, np.arange(len(keys)), 0))]]
    return found


def _positions(model: Model, lod: Lod) -> tuple[Array, Array]:
    """Return the vertices that a level of detail draws: their indices [N] and their positions [N, 3]."""
    rows = drawn_vertices(model, lod)
    found = values(model, lod, "position", rows)
    return (rows[:0], np.empty((0, 3), np.float32)) if found is None else (rows, found[:, :3])


def _extra(model: Model, lod: Lod, rows: Array) -> Array:
    """[N, 2] f32: the first texture coordinates of vertices. They distinguish vertices at the same
    position.
    """
    found = values(model, lod, "uv0", rows)
    return np.zeros((len(rows), 2), np.float32) if found is None else found[:, :2]


def _mostly_equal(distances: Array) -> bool:
    """Whether most vertices of the same index have the same position."""
    return bool(np.count_nonzero(distances) <= (1 - MOSTLY) * len(distances))


def _same_extras(extras: Array, others: Array) -> bool:
    """Whether most vertices of the same index have equal extras [N, 2], and these extras differ between
    vertices.
    """
    bits = _bits(extras)
    equal = (bits == _bits(others)).all(axis=1)
    several = len(distinct(_hashes(bits))) > MOSTLY * len(extras)
    return bool(several and np.count_nonzero(equal) > MOSTLY * len(extras))


def _corners(model: Model, lod: Lod, rows: Array) -> Array:
    """[I]: the corners of a level's triangles, as indices into `rows`. Triangles that share vertices reveal
    the order of the vertices.
    """
    if lod.indices is None:
        return np.arange(len(rows))
    indices = model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count]
    if len(rows) == int(rows[-1]) + 1:
        return indices
    places = np.zeros(int(rows[-1]) + 1, np.int64)
    places[rows] = np.arange(len(rows))
    return places[indices]


def _same_corners(corners: Array, others: Array, vertices: int) -> bool:
    """Whether two geometries of `vertices` vertices have equal triangles, and some triangles share
    vertices.
    """
    return len(corners) > vertices and np.array_equal(corners, others)


def _distances(first: Array, second: Array) -> Array:
    """[N] f32: the distances of positions [N, 3]; 0 for equal numbers, finite or not."""
    offset = first - second
    found = np.sqrt(np.einsum("ij,ij->i", offset, offset))
    strange = np.flatnonzero(~np.isfinite(found))
    same = (_bits(first[strange]) == _bits(second[strange])).all(axis=1)
    found[strange] = np.where(same, 0, np.inf)
    return np.asarray(found)


def _hardly_farther(first: Array, second: Array, distances: Array) -> bool:
    """Whether vertices [N, 3] of the same index are hardly farther apart than each vertex is from its nearest
    vertex.
    """
    step = max(len(first) // SAMPLE, 1)
    asked = np.sort(_hashes(_bits(first[::step])))
    places = np.searchsorted(asked, hashes := _hashes(_bits(second)))
    if np.count_nonzero(asked[np.minimum(places, len(asked) - 1)] == hashes) > MOSTLY * len(asked):
        return False  # most vertices have a counterpart at their position, so only their order changed
    _, least = nearest(first[::step], second)
    sums = [float(np.minimum(each, 1e30).sum(dtype=np.float64)) for each in (distances[::step], least)]
    return sums[0] <= FARTHER * sums[1]


def _bits(numbers: Array) -> Array:
    """The bits of f32 numbers as u32; negative zero becomes zero."""
    return np.ascontiguousarray(numbers + np.float32(0)).view(np.uint32)


def _pair_equal(first: Array, second: Array, numbers: Array) -> None:
    """Fill in `numbers` [N]: for each row of `first` [N, K] whose number is -1, the index of the equal row of
    `second` [M, K].

    Several equal rows match in their order. If `second` has fewer equal rows, its last equal row matches all
    remaining rows.
    """
    rows = np.flatnonzero(numbers < 0)
    if not len(rows) or not len(second):
        return
    bits, other_bits = _bits(first[rows]), _bits(second)
    most = max(len(bits), len(other_bits))
    keys, order = _in_order(_hashes(bits), most)
    other_keys, other_order = _in_order(_hashes(other_bits), most)
    start, end = np.searchsorted(other_keys, keys), np.searchsorted(other_keys, keys, "right")
    at = np.arange(len(keys))
    opens = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=opens[1:])
    nth = at - np.maximum.accumulate(np.where(opens, at, 0))
    there = end > start
    chosen = other_order[np.minimum(start + nth, np.maximum(end - 1, 0))[there]]
    mine = order[there]
    equal = (bits[mine] == other_bits[chosen]).all(axis=1)
    numbers[rows[mine[equal]]] = chosen[equal]


def _in_order(hashes: Array, most: int) -> tuple[Array, Array]:
    """Return the sorted hashes [N], and the indices [N] of their rows. Equal hashes keep their order. Instead
    of `argsort`, which takes ten times as long, the hashes are sorted with the row's index (of at most `most`
    rows) in their lowest bits.
    """
    width = np.uint64(max(most, 1).bit_length())
    joined = (hashes >> width << width) | np.arange(len(hashes), dtype=np.uint64)
    joined.sort()
    return joined >> width, (joined & ((np.uint64(1) << width) - np.uint64(1))).astype(np.int64)


def _hashes(bits: Array) -> Array:
    """[N] u64: the hashes of the rows [N, K] u32. Different rows seldom have equal hashes."""
    found = np.zeros(len(bits), np.uint64)
    for column in range(bits.shape[1]):
        found = (found ^ bits[:, column]) * ODD
        found ^= found >> np.uint64(29)
    return found
