"""Vertices that move without bones: weights of morphs and blends of whole shapes, as functions of time.

Source: OGRE `VertexAnimationTrack::applyToVertexData`, `AnimationTrack::getKeyFramesAtTime`.
"""

from __future__ import annotations

import numpy as np

from viewer.animation.sampling import folded
from viewer.arrays import Array
from viewer.scene.animation import Animation
from viewer.scene.vertices import ShapeBlend


def morph_weights(animation: Animation, time: float, looped: bool) -> dict[int, float]:
    """Weights by morph number at `time` seconds, wrapped when `looped`, else clamped."""
    at = folded(time, animation.duration, looped)
    total: dict[int, float] = {}
    for track in animation.morph_tracks:
        if not len(track.times):
            continue
        before, after, factor = _between(track.times, at)
        weights = track.weights[before] + (track.weights[after] - track.weights[before]) * factor
        for morph, weight in zip(track.morphs.tolist(), weights.tolist(), strict=True):
            total[morph] = total.get(morph, 0.0) + weight
    return total


def shape_blends(animation: Animation, time: float, looped: bool) -> dict[int, ShapeBlend]:
    """By vertex buffer, the two shapes around `time` seconds, wrapped when `looped`, else clamped."""
    at = folded(time, animation.duration, looped)
    blends = {}
    for track in animation.shape_tracks:
        if len(track.times):
            before, after, factor = _between(track.times, at)
            blends[track.buffer] = ShapeBlend(int(track.shapes[before]), int(track.shapes[after]), factor)
    return blends


def _between(times: Array, time: float) -> tuple[int, int, float]:
    """The keys around `time` and the interpolation factor between them; the ends are held."""
    after = min(int(np.searchsorted(times, time)), len(times) - 1)
    before = max(after - 1, 0)
    gap = float(times[after]) - float(times[before])
    if time >= times[after] or gap <= 0:
        return after, after, 0.0
    return before, after, max((time - float(times[before])) / gap, 0.0)
