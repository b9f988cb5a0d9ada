"""Vertex motion without bones: morph weights and shape blends as functions of time.

Source: OGRE `VertexAnimationTrack::applyToVertexData`, `AnimationTrack::getKeyFramesAtTime`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from msgspec import Struct

from viewer.animation.sampling import folded, single
from viewer.arrays import Array
from viewer.scene.animation import Animation
from viewer.scene.mesh.vertices import ShapeBlend


class VertexTimes(Struct, frozen=True):
    """The motion of vertices at T times. `morphs` are weights [T] by morph number. `shapes` are, by vertex
    buffer, the numbers of two shapes [2, T] and the factor [T] between them.
    """

    morphs: Mapping[int, Array] = {}
    shapes: Mapping[int, tuple[Array, Array]] = {}

    def at(self, index: int) -> tuple[dict[int, float], dict[int, ShapeBlend]]:
        """The morph weights and the shape blends at time number `index` of the T times."""
        weights = {morph: float(values[index]) for morph, values in self.morphs.items()}
        blends = {
            buffer: ShapeBlend(int(numbers[0, index]), int(numbers[1, index]), float(factor[index]))
            for buffer, (numbers, factor) in self.shapes.items()
        }
        return weights, blends


def vertex_times(layers: Iterable[tuple[Animation, bool]], times: Array, weights: Array) -> VertexTimes:
    """Sum the morph weights of N layers, and collect their shapes. A layer is a pair (animation, looped) with
    a row of `times` [N, T] and of `weights` [N, T or 1]. For each buffer the shapes of the last layer count,
    because shapes have no weight.
    """
    morphs: dict[int, Array] = {}
    shapes: dict[int, tuple[Array, Array]] = {}
    for (animation, looped), own, weight in zip(layers, times, weights, strict=True):
        for morph, values in morph_weights(animation, own, looped).items():
            morphs[morph] = morphs.get(morph, 0.0) + values * weight
        shapes |= shape_blends(animation, own, looped)
    return VertexTimes(morphs, shapes)


def morph_weights(animation: Animation, times: Array, looped: bool) -> dict[int, Array]:
    """The weights [T] by morph number at `times` [T] seconds, which are wrapped when `looped`, else
    clamped.
    """
    total: dict[int, Array] = {}
    for track in animation.morph_tracks:
        if not len(track.times):
            continue
        (first, second), factor = _keys(track.times, folded(times, animation.duration, looped))
        low, high = track.weights[first], track.weights[second]
        mixed = low + (high - low) * factor.astype(low.dtype)[:, None]
        for morph, weights in zip(track.morphs.tolist(), mixed.T.astype(np.float64), strict=True):
            total[morph] = total.get(morph, 0.0) + weights
    return total


def shape_blends(animation: Animation, times: Array, looped: bool) -> dict[int, tuple[Array, Array]]:
    """The shapes at `times` [T], by vertex buffer: the numbers of two shapes [2, T], and the factor [T]
    between them. Times are in seconds; they are wrapped when `looped`, else clamped.
    """
    blends = {}
    for track in animation.shape_tracks:
        if len(track.times):
            ends, factor = _keys(track.times, folded(times, animation.duration, looped))
            blends[track.buffer] = track.shapes[ends], factor
    return blends


def _keys(times: Array, at: Array) -> tuple[Array, Array]:
    """The keys [2, T] around times, and the factor [T] between them. At the time of a key the first and the
    second key are the same.
    """
    ends, factor = (each[..., 0, :] for each in single(np.asarray(times, np.float64)).held(at))
    alone = (factor == 0) | (factor == 1)
    ends = np.where(alone, np.where(factor == 1, ends[1], ends[0]), ends)
    return ends, np.where(alone, 0.0, factor)
