"""Build morphs from poses, shapes from morph keys, and animations from vertex tracks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from viewer.arrays import Array
from viewer.binary import StreamTree, Struct
from viewer.errors import Report
from viewer.formats.ogre.extras_layout import (
    ANIMATIONS,
    BASE,
    INFLUENCE,
    INFLUENCES,
    MORPH,
    MORPH_KEY,
    OFFSETS,
    POSE,
    POSE_KEY,
    POSE_SHAPE,
    POSES,
    VERTEX_ANIMATION,
    VERTEX_TRACK,
)
from viewer.formats.ogre.geometry import Vertices
from viewer.scene.animation import Animation, Composition, KeyBase, MorphTrack, ShapeTrack, sensible_length
from viewer.scene.model import Morph, MorphTarget, Shape

SHORTEST_SQUARED = 1e-6
"""Squared length in model units below which OGRE ignores an offset of a pose."""

Targets = Mapping[int, Vertices]
"""Geometries by target number: 0 is the shared geometry, k the geometry of submesh k - 1."""


class VertexAnimations(msgspec.Struct, frozen=True, eq=False):
    """The morphs, shapes and animations that move vertices without bones. `normals` is `whole` if morphs
    replace normals, else `delta`.
    """

    morphs: tuple[Morph, ...]
    normals: str
    shapes: tuple[Shape, ...]
    animations: tuple[Animation, ...]


def build_vertex_clips(chunks: StreamTree, targets: Targets, source: str, report: Report) -> VertexAnimations:
    """Build the morphs, shapes and vertex animations of a mesh from its chunks."""
    poses = _inside(chunks, POSES, POSE_SHAPE)
    whole = bool(poses) and all(_has_normals(pose, targets) for pose in poses)
    morphs = tuple(_morph(pose, targets, whole, report) for pose in poses)
    shapes: list[Shape] = []
    clips = [clip for clip in _inside(chunks, ANIMATIONS, VERTEX_ANIMATION) if clip.get("length") is not None]
    animations = []
    for clip in clips:
        shape_tracks = _shape_tracks(clip, targets, shapes, report)
        animations.append(_animation(clip, clips, len(morphs), shape_tracks, source, report))
    return VertexAnimations(morphs, "whole" if whole else "delta", tuple(shapes), tuple(animations))


def _inside(chunks: StreamTree, around: Any, kind: Any) -> list[Struct]:
    """List the chunks of type `kind` that are inside chunks of type `around`."""
    held = [outer.chunks for outer in chunks.all(around) if outer.get("chunks")]
    return [value for inner in held for value in inner.all(kind)]


def _has_normals(pose: Struct, targets: Targets) -> bool:
    """Whether OGRE uses a pose's normals. The target's positions and normals must share a buffer for this.

    Source: OGRE `Mesh::_determineAnimationTypes`, `Mesh::softwareVertexPoseBlend`.
    """
    target = targets.get(pose.get("target", -1))
    return bool(pose.get("normals")) and target is not None and target.joined


def _morph(pose: Struct, targets: Targets, normals: bool, report: Report) -> Morph:
    name = str(pose.get("name", ""))
    rows = pose.chunks.rows(OFFSETS) if pose.get("chunks") else None
    target = targets.get(pose.get("target", -1))
    if rows is None or target is None or target.positions is None:
        return Morph(name, ())
    rows = rows[~_is_ignored(rows)]
    rows = rows[np.sort(len(rows) - 1 - np.unique(rows["vertex"][::-1], return_index=True)[1])]
    inside = rows["vertex"] < target.count
    if not inside.all():
        report.warn(
            f"pose {name!r}: {int((~inside).sum())} offsets move missing vertices: only {target.count} exist"
        )
        rows = rows[inside]
    moved = MorphTarget(target.positions, rows["vertex"], rows["offset"], rows["normal"] if normals else None)
    return Morph(name, (moved,))


def _is_ignored(rows: Array) -> Array:
    """[N] bool: whether OGRE ignores each row of a pose, because its offset and its normal are both too
    short. Source: OGRE `Pose::addVertex`.
    """
    ignored = np.ones(len(rows), bool)
    for part in {"offset", "normal"} & set(rows.dtype.names or ()):
        vectors = rows[part].astype(np.float64)
        ignored &= np.einsum("nk,nk->n", vectors, vectors) < SHORTEST_SQUARED
    return ignored


def _animation(
    clip: Struct,
    clips: list[Struct],
    morphs: int,
    shape_tracks: tuple[ShapeTrack, ...],
    source: str,
    report: Report,
) -> Animation:
    name = str(clip.name)
    length = sensible_length(float(clip.length), f"animation {name!r}", report)
    tracks = _tracks(clip, POSE)
    base = _base(clip)
    lowered = _base_influences(base, clips)
    morph_tracks = tuple(_morph_track(track, lowered.get(track.target), morphs, report) for track in tracks)
    kept = tuple(track for track in morph_tracks if len(track.times))
    keys = sum(len(track.times) for track in kept) + sum(len(track.times) for track in shape_tracks)
    return Animation(
        name=name,
        duration=length,
        tracks=(),
        keyframes=keys,
        composition=Composition.RELATIVE,
        source=source,
        morph_tracks=kept,
        shape_tracks=shape_tracks,
        base=base,
    )


def _tracks(clip: Struct, kind: int) -> list[Struct]:
    tracks = clip.chunks.all(VERTEX_TRACK) if clip.get("chunks") else []
    return [track for track in tracks if track.get("kind") == kind and track.get("chunks")]


def _base(clip: Struct) -> KeyBase | None:
    base = clip.chunks.first(BASE) if clip.get("chunks") else None
    if base is None or base.get("time") is None:
        return None
    return KeyBase(str(base.animation) or str(clip.name), float(base.time))


def _base_influences(base: KeyBase | None, clips: list[Struct]) -> dict[int, dict[int, float]]:
    """Return the influences of the base animation at the base time, by target and pose. They are subtracted
    from the influences of all keys.
    """
    if base is None:
        return {}
    found = next((each for each in clips if str(each.name) == base.animation), None)
    tracks = _tracks(found, POSE) if found else ()
    return {track.target: _influences_at(track, base.time) for track in tracks}


def _pose_keys(track: Struct) -> list[tuple[float, Array]]:
    """Time and influences of each key, in order of time."""
    keys = [key for key in track.chunks.all(POSE_KEY) if key.get("chunks") is not None]
    empty = np.empty(0, INFLUENCE)
    rows = [(float(key.time), key.chunks.rows(INFLUENCES)) for key in keys]
    return sorted(((time, empty if row is None else row) for time, row in rows), key=lambda key: key[0])


def _matrix(keys: list[tuple[float, Array]]) -> tuple[Array, Array, Array]:
    """Return the times [K] of the keys, the pose numbers [M], and the influences [K, M]. An influence is 0 if
    the key lacks the pose.
    """
    counts = [len(rows) for _, rows in keys]
    rows = np.concatenate([np.empty(0, INFLUENCE), *(rows for _, rows in keys)])
    poses, columns = np.unique(rows["pose"], return_inverse=True)
    weights = np.zeros((len(keys), len(poses)), np.float32)
    weights[np.repeat(np.arange(len(keys)), counts), columns] = rows["influence"]
    return np.array([time for time, _ in keys], np.float32), poses.astype(np.int64), weights


def _influences_at(track: Struct, time: float) -> dict[int, float]:
    times, poses, weights = _matrix(_pose_keys(track))
    if not len(times):
        return {}
    return {int(pose): float(np.interp(time, times, weights[:, n])) for n, pose in enumerate(poses)}


def _morph_track(track: Struct, base: dict[int, float] | None, morphs: int, report: Report) -> MorphTrack:
    keys = _pose_keys(track)
    if base:
        keys = [(time, _lowered(rows, base)) for time, rows in keys]
    times, poses, weights = _matrix(keys)
    if len(poses) and poses[-1] >= morphs:
        report.warn(f"a track has influences of pose {poses[-1]}; there are {morphs} poses")
    inside = poses < morphs
    return MorphTrack(poses[inside], times, weights[:, inside])


def _lowered(rows: Array, base: dict[int, float]) -> Array:
    """Subtract the base influences from the influences `rows` of a key. Poses that the key does not list are
    not added.
    """
    lowered = rows.copy()
    lowered["influence"] -= np.array([base.get(int(pose), 0.0) for pose in rows["pose"]], np.float32)
    return lowered


def _shape_tracks(
    clip: Struct, targets: Targets, shapes: list[Shape], report: Report
) -> tuple[ShapeTrack, ...]:
    """The shape tracks of an animation; append the shapes of their keys to `shapes`."""
    made = []
    for track in _tracks(clip, MORPH):
        target = targets.get(track.target)
        keys = [key for key in track.chunks.all(MORPH_KEY) if key.get("vertices") is not None]
        if target is None or target.positions is None or not keys:
            report.warn(
                f"animation {str(clip.name)!r}: the morph track for target {track.target} is not used"
            )
            continue
        keys.sort(key=lambda key: float(key.time))
        first, normals = len(shapes), all(key.get("normals") for key in keys)
        for key in keys:
            rows = key.vertices
            shapes.append(Shape(target.positions, rows["position"], rows["normal"] if normals else None))
        times = np.array([key.time for key in keys], np.float32)
        made.append(ShapeTrack(target.positions, times, np.arange(first, len(shapes))))
    return tuple(made)
