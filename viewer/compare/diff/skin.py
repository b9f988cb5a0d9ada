"""Compares the influences of bones on matched vertices."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.compare.diff.lod_vertices import LodVertices
from viewer.compare.vertex_match import VertexMatch
from viewer.scene.mesh.vertices import INFLUENCES, column_of, influences
from viewer.scene.model import Lod, Model

AT_ONCE = 1 << 18
"""The number of vertices that are compared at once."""


def weight_deviations(level: LodVertices, match: VertexMatch) -> tuple[Array, Array]:
    """Find the matched vertices with different stored influences. Return their indices [K], and for each
    vertex the largest difference [K] of a bone's weight.
    """
    pair = level.pair
    bones = [len(model.skeleton) if model.skeleton else 0 for model in (pair.first, pair.second)]
    count = max(*bones, *_joints(level)) + 1
    to_first = _bone_table(pair.bones.pairs, count, bones)
    chosen = _chosen(level, match, to_first)
    found = np.zeros(len(chosen))
    sides = (
        (pair.first, pair.first.geometries[level.geometry], level.lod),
        (pair.second, pair.second.geometries[level.other], level.other_lod),
    )
    for start in range(0, len(chosen), AT_ONCE):
        part = chosen[start : start + AT_ONCE]
        one = influences(*sides[0], match.rows[part], count)
        other = influences(*sides[1], match.other_rows[part], count)
        if one is not None and other is not None:
            found[start : start + AT_ONCE] = _largest(*one, to_first[other[0]], other[1])
    return chosen, found


def _chosen(level: LodVertices, match: VertexMatch, to_first: Array) -> Array:
    """[K]: the matched vertices whose stored joints or weights differ. If equal joints mean different bones
    in the two models, the result has all matched vertices.
    """
    everything = np.arange(len(match.rows))
    if not level.same_bone_maps or not np.array_equal(to_first, np.arange(len(to_first))):
        return everything
    different = np.zeros(len(match.rows), bool)
    for semantic in ("joints", "weights"):
        one = column_of(level.pair.first, level.lod, semantic)
        other = column_of(level.pair.second, level.other_lod, semantic)
        if one is not None and other is not None:
            different[level.unequal(one, other)] = True
        elif one is not other:
            return everything
    return np.flatnonzero(different)


def _joints(level: LodVertices) -> tuple[int, int]:
    """The largest bone index of any joint, for each of the two levels."""
    sides = (level.pair.first, level.geometry, level.lod), (level.pair.second, level.other, level.other_lod)
    return _most(*sides[0]), _most(*sides[1])


def _most(model: Model, geometry: int, lod: Lod) -> int:
    bone_map = model.geometries[geometry].bone_map
    if bone_map is not None and len(bone_map):
        return min(int(np.max(bone_map)), 1 << 16)
    return 256


def _bone_table(pairs: dict[int, int], count: int, bones: list[int]) -> Array:
    """[count + 1]: the bone of the first skeleton for each bone of the second skeleton.

    A bone without a counterpart gets an index past all bones, which equals no bone of the first skeleton.
    `bones` has the number of bones in each skeleton. If one number is 0, equal indices mean the same bone.
    """
    same = all(bone == other for bone, other in pairs.items()) and len(pairs) == bones[0] == bones[1]
    if same or not all(bones):
        return np.arange(count + 1)
    table = np.arange(count + 1) + count + 1
    table[list(pairs.values())] = list(pairs)
    table[count] = count
    return table


def _largest(bones: Array, weights: Array, other_bones: Array, other_weights: Array) -> Array:
    """[N]: the largest difference of a bone's summed weights, for influences [N, 4]."""
    found = np.zeros(len(bones), np.float32)
    other_order = np.zeros(len(bones), bool)
    for influence in range(INFLUENCES):
        offsets = weights[:, influence] - other_weights[:, influence]
        np.maximum(found, np.abs(offsets, out=offsets), out=found)
        other_order |= bones[:, influence] != other_bones[:, influence]
    rows = np.flatnonzero(other_order)
    if len(rows):
        found[rows] = _by_bone(bones[rows], weights[rows], other_bones[rows], other_weights[rows])
    return np.asarray(np.where(np.isnan(found), np.inf, found))


def _by_bone(bones: Array, weights: Array, other_bones: Array, other_weights: Array) -> Array:
    """[N]: the same as `_largest`, for vertices whose influences have different bones or another order."""
    found = np.zeros(len(bones), np.float32)
    for asked in (bones, other_bones):
        for influence in range(INFLUENCES):
            total = np.zeros(len(bones), np.float32)
            for each in range(INFLUENCES):
                total += weights[:, each] * (bones[:, each] == asked[:, influence])
                total -= other_weights[:, each] * (other_bones[:, each] == asked[:, influence])
            np.maximum(found, np.abs(total), out=found)
    return found
