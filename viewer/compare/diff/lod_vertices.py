"""Matches the vertices in one level of detail of two geometries."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from viewer.arrays import Array
from viewer.compare.diff.pair import DocumentPair, position_buffer
from viewer.compare.vertex_match import VertexMatch, first_of_equal, match_geometry
from viewer.scene.model import Geometry, Lod, Model, VertexBuffer, VertexElement

ElementColumn = tuple[Array, VertexElement]
SeenVertices = dict[tuple[int, int], Array]
"""The compared vertices. A key is a pair: the index of a vertex buffer in the first model, and the index of
one in the second model. The value is an array [V]: for each vertex of the first buffer, its match in the
second buffer (-1: none).
"""


class LodVertices:
    """The level `number` of two matching geometries: `geometry` of the first model, and `other` of the
    second.
    """

    def __init__(self, pair: DocumentPair, geometry: int, other: int, number: int) -> None:
        self.pair, self.geometry, self.other, self.number = pair, geometry, other, number
        self.lod = pair.first.geometries[geometry].lods[number]
        self.other_lod = pair.second.geometries[other].lods[number]

    @cached_property
    def same_buffers(self) -> bool:
        """Whether both levels use vertex buffers with the same bytes and attributes."""
        ours, theirs = self._buffers()
        if len(ours) != len(theirs) or self.pair.axes.text:
            return False
        return all(_are_same(one, other) for one, other in zip(ours, theirs, strict=True))

    @cached_property
    def same_indices(self) -> bool:
        """Whether both levels draw the same vertices of the same buffers in the same order."""
        one = _range(self.pair.first, self.lod)
        return self.same_buffers and np.array_equal(one, _range(self.pair.second, self.other_lod))

    @cached_property
    def match(self) -> VertexMatch | None:
        """The matching vertices of both levels; None without positions."""
        pair = self.pair
        return match_geometry(pair.first, self.geometry, pair.second, self.other, pair.axes, self.number)

    @cached_property
    def same_bone_maps(self) -> bool:
        """Whether equal joints mean the same bone index."""
        geometries: tuple[Geometry, Geometry] = (
            self.pair.first.geometries[self.geometry],
            self.pair.second.geometries[self.other],
        )
        one, other = (each.bone_map for each in geometries)
        return one is other or (one is not None and other is not None and np.array_equal(one, other))

    @property
    def position_buffers(self) -> tuple[int, int]:
        """The indices of the vertex buffers with the positions, one in each model; the levels must have
        positions.
        """
        one = position_buffer(self.pair.first, self.lod)
        return one, position_buffer(self.pair.second, self.other_lod)

    def has_new_vertices(self, pairs: SeenVertices) -> bool:
        """Whether the vertices of the level must be compared. A level can be skipped only if its vertices
        match by index and finer levels have the same pairs of vertices. The pairs of this level are added to
        `pairs`.
        """
        if self.same_buffers or self.match is None or self.match.by_position:
            return True
        rows, other_rows = self.match.rows, self.match.other_rows
        partners = pairs.get(self.position_buffers, np.empty(0, np.int64))
        known = len(partners) > int(rows[-1]) and np.array_equal(partners[rows], other_rows)
        grown = np.full(max(int(rows[-1]) + 1, len(partners)), -1)
        grown[: len(partners)] = partners
        grown[rows] = other_rows
        pairs[self.position_buffers] = grown
        return not known

    @cached_property
    def candidates(self) -> Array:
        """[K]: the indices of matched vertices whose attributes may differ. In buffers of the same layout
        whole records are compared, because this is faster than comparing attributes.
        """
        match = self.match
        assert match is not None, "the vertices have positions"
        buffers = self._buffers()
        if self.pair.axes.text or len(buffers[0]) != len(buffers[1]):
            return np.arange(len(match.rows))
        found = np.zeros(len(match.rows), bool)
        for one, other in zip(*buffers, strict=True):
            if (one.stride, one.elements) != (other.stride, other.elements) or not one.stride:
                return np.arange(len(match.rows))
            found[_rows_that_differ(_records(one), _records(other), match.rows, match.other_rows)] = True
        return np.flatnonzero(found)

    def unequal(self, one: ElementColumn, other: ElementColumn) -> Array:
        """[K]: the indices of matched vertices whose stored values of an attribute differ."""
        match, chosen = self.match, self.candidates
        assert match is not None, "the vertices have positions"
        if one[0].shape[1] != other[0].shape[1] or one[1].normalized != other[1].normalized:
            return np.arange(len(match.rows))
        rows = match.rows[chosen], match.other_rows[chosen]
        return np.asarray(chosen[_rows_that_differ(one[0], other[0], *rows)])

    def _buffers(self) -> tuple[list[VertexBuffer], list[VertexBuffer]]:
        first = _buffers(self.pair.first, self.lod.streams)
        return first, _buffers(self.pair.second, self.other_lod.streams)

    def common(self, first: Array, second: Array) -> tuple[Array, Array]:
        """Convert `first`, vertex indices of the first model, to the matching vertex indices of the second
        model.

        Return the converted indices, and `second`, which are vertex indices of the second model already. If
        vertices match by position, all vertices at one position get the same index in both arrays.
        """
        match = self.match
        assert match is not None, "the vertices have positions"
        table = np.zeros(int(max(match.rows[-1], first.max(initial=0))) + 1, np.int64)
        table[match.rows] = match.other_rows
        if not match.by_position:
            return table[first], second
        same = first_of_equal(self.pair.second, self.other_lod)
        return same[table[first]], same[second]


def levels_of(pair: DocumentPair, geometry: int, other: int) -> Iterator[LodVertices]:
    """Yield the levels that both geometries have."""
    lods = pair.first.geometries[geometry].lods, pair.second.geometries[other].lods
    return (LodVertices(pair, geometry, other, number) for number in range(min(map(len, lods))))


def _buffers(model: Model, streams: tuple[int, ...]) -> list[VertexBuffer]:
    return [model.vertex_buffers[stream] for stream in streams]


def _records(buffer: VertexBuffer) -> Array:
    """[V, N]: the bytes of each vertex, as numbers of 4 bytes if the stride is a multiple of 4."""
    kind = np.uint32 if buffer.stride % 4 == 0 else np.uint8
    whole = buffer.data[: buffer.count * buffer.stride]
    return np.ascontiguousarray(whole).view(kind).reshape(buffer.count, -1)


def _are_same(one: VertexBuffer, other: VertexBuffer) -> bool:
    layout = (one.count, one.stride, one.elements) == (other.count, other.stride, other.elements)
    return layout and np.array_equal(one.data, other.data)


def _range(model: Model, lod: Lod) -> Array:
    if lod.indices is None:
        return np.array((lod.start, lod.count))
    return model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count]


def _rows_that_differ(first: Array, second: Array, rows: Array, other_rows: Array) -> Array:
    """[K]: the indices of the pairs whose values differ. Pair i consists of the row `rows[i]` of the table
    `first` and the row `other_rows[i]` of the table `second`.
    """
    if not _is_whole(rows, first):
        first = first[rows]
    if not _is_whole(other_rows, second):
        second = second[other_rows]
    different = first[:, 0] != second[:, 0]
    for component in range(1, first.shape[1]):
        different |= first[:, component] != second[:, component]
    return np.flatnonzero(different)


def _is_whole(rows: Array, column: Array) -> bool:
    """Whether `rows`, which are ascending, are all rows of a column."""
    if len(rows) != len(column) or not len(rows) or int(rows[0]):
        return False
    return bool((np.diff(rows) == 1).all())
