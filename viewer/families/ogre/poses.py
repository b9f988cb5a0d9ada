"""Build morphs from poses, shapes from morph keys, and animations from vertex tracks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate, chain, groupby, pairwise
from typing import Any, NamedTuple

import msgspec
import numpy as np

from viewer.arrays import Array
from viewer.binary import ChunkTable, StreamTree, Struct
from viewer.errors import Report, Topic
from viewer.families.ogre.extras_layout import (
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
from viewer.families.ogre.geometry import Vertices
from viewer.families.ogre.part_numbers import inside, report_stray
from viewer.scene.animation import Animation, Composition, KeyBase, MorphTrack, ShapeTrack, sensible_length
from viewer.scene.model import Morph, MorphTarget, Shape

SHORTEST_SQUARED = 1e-6
"""Squared length in model units below which OGRE ignores an offset of a pose."""
TOGETHER = 1 << 14
"""About how many offsets of successive poses are compared together; four times as many took longer."""
VERTEX_BITS, POSE_BITS = 32, 16
"""The sizes of vertex numbers and of pose numbers in bits."""
EMPTY = np.empty(0, INFLUENCE)

TargetGeometries = Mapping[int, Vertices]
"""Geometries by target number: 0 is the shared geometry, k the geometry of submesh k - 1."""


class VertexAnimations(msgspec.Struct, frozen=True, eq=False):
    """The morphs, shapes and animations that move vertices without bones. `normals` is `whole` if morphs
    replace normals, else `delta`.
    """

    morphs: tuple[Morph, ...]
    normals: str
    shapes: tuple[Shape, ...]
    animations: tuple[Animation, ...]


def build_vertex_clips(
    chunks: StreamTree, targets: TargetGeometries, source: str, report: Report
) -> VertexAnimations:
    """Build the morphs, shapes and vertex animations of a mesh from its chunks."""
    poses = inside(chunks, POSES, POSE_SHAPE)
    whole = bool(poses) and all(_has_normals(pose, targets) for pose in poses)
    morphs = _morphs(poses, targets, whole, report)
    shapes: list[Shape] = []
    clips = [clip for clip in inside(chunks, ANIMATIONS, VERTEX_ANIMATION) if clip.get("length") is not None]
    _report_targets("a track", [track for clip in clips for track in _tracks(clip, POSE)], targets, report)
    shape_tracks = [_shape_tracks(clip, targets, shapes, report) for clip in clips]
    animations = _animations(clips, len(morphs), shape_tracks, source, report)
    return VertexAnimations(morphs, "whole" if whole else "delta", tuple(shapes), animations)


def _report_targets(what: str, rows: list[Struct], targets: TargetGeometries, report: Report) -> None:
    """Report poses or tracks whose target has no geometry."""
    stray = [row for row in rows if row.get("target") is not None and row.target not in targets]
    if stray:
        report_stray(f"{what} moves target {stray[0].target}, which has no geometry", stray, report)


def _has_normals(pose: Struct, targets: TargetGeometries) -> bool:
    """Whether OGRE uses a pose's normals. The target's positions and normals must share a buffer for this.

    Source: OGRE `Mesh::_determineAnimationTypes`, `Mesh::softwareVertexPoseBlend`.
    """
    target = targets.get(pose.get("target", -1))
    return bool(pose.get("normals")) and target is not None and target.joined


def _morphs(
    poses: list[Struct], targets: TargetGeometries, normals: bool, report: Report
) -> tuple[Morph, ...]:
    """Return a morph for each pose. A pose whose target has no positions becomes a morph without offsets."""
    owners = [targets.get(pose.get("target", -1)) for pose in poses]
    _report_targets("a pose", poses, targets, report)
    stored = [pose.chunks.rows(OFFSETS) if pose.get("chunks") else None for pose in poses]
    used = [
        number
        for number, (rows, target) in enumerate(zip(stored, owners, strict=True))
        if rows is not None and target is not None and target.positions is not None
    ]
    kept = dict(zip(used, _effective([stored[number] for number in used]), strict=True))
    return tuple(
        _morph(str(pose.get("name", "")), kept.get(number), owners[number], normals, report)
        for number, pose in enumerate(poses)
    )


def _morph(name: str, rows: Array | None, target: Vertices | None, normals: bool, report: Report) -> Morph:
    """The morph of the offsets `rows` of a pose; without offsets if there are no rows."""
    if rows is None or target is None or target.positions is None:
        return Morph(name, ())
    if len(rows) and int(rows["vertex"].max()) >= target.count:
        inside = rows["vertex"] < target.count
        report.warn(
            f"pose {name!r}: {int((~inside).sum())} offsets move missing vertices: only {target.count} exist",
            topic=Topic.NUMBER,
        )
        rows = rows[inside]
    moved = MorphTarget(target.positions, rows["vertex"], rows["offset"], rows["normal"] if normals else None)
    return Morph(name, (moved,))


def _effective(poses: list[Any]) -> Iterator[Array]:
    """Yield, for each pose, the rows that OGRE uses. OGRE uses rows that move something; if several such rows
    are about one vertex, it uses only the last of them. Many small poses are compared together.
    """
    totals = accumulate(map(len, poses))
    groups = groupby(zip(poses, totals, strict=True), lambda pose: (pose[0].dtype, pose[1] // TOGETHER))
    for (dtype, _), group in groups:
        rows = [pose for pose, _ in group]
        whole = np.frombuffer(b"".join(each.tobytes() for each in rows), dtype) if len(rows) > 1 else rows[0]
        keys = np.repeat(np.arange(len(rows)) << VERTEX_BITS, [*map(len, rows)]) | whole["vertex"]
        used = np.flatnonzero(~_is_ignored(whole))
        whole, keys = whole.take(used), keys.take(used)  # `take` copies records five times as fast as `[]`
        if (keys[1:] <= keys[:-1]).any():
            last = np.sort(len(keys) - 1 - np.unique(keys[::-1], return_index=True)[1])
            whole, keys = whole.take(last), keys.take(last)
        edges = np.searchsorted(keys, np.arange(len(rows) + 1) << VERTEX_BITS).tolist()
        yield from (whole[start:end] for start, end in pairwise(edges))


def _is_ignored(rows: Array) -> Array:
    """[N] bool: whether OGRE ignores each row of a pose, because its offset and its normal are both too
    short. Source: OGRE `Pose::addVertex`.
    """
    ignored = np.ones(len(rows), bool)
    for part in {"offset", "normal"} & set(rows.dtype.names or ()):
        x, y, z = rows[part].T.astype(np.float64)
        ignored &= x * x + y * y + z * z < SHORTEST_SQUARED
    return ignored


def _animations(
    clips: list[Struct], morphs: int, shape_tracks: list[tuple[ShapeTrack, ...]], source: str, report: Report
) -> tuple[Animation, ...]:
    """Return the animations of a mesh. `shape_tracks` are the tracks of each clip that replace positions."""
    bases = [_base(clip) for clip in clips]
    tracks = [
        (number, track, lowered.get(track.target))
        for number, clip in enumerate(clips)
        for lowered in (_base_influences(bases[number], clips),)
        for track in _tracks(clip, POSE)
    ]
    matrices = _matrices([_pose_keys(track, base) for _, track, base in tracks])
    moved: list[list[MorphTrack]] = [[] for _ in clips]
    for (number, _, _), matrix in zip(tracks, matrices, strict=True):
        made = _morph_track(*matrix, morphs, report)
        if len(made.times):
            moved[number].append(made)
    return tuple(
        _animation(clip, tuple(kept), made, source, base, report)
        for clip, kept, made, base in zip(clips, moved, shape_tracks, bases, strict=True)
    )


def _animation(
    clip: Struct,
    morph_tracks: tuple[MorphTrack, ...],
    shape_tracks: tuple[ShapeTrack, ...],
    source: str,
    base: KeyBase | None,
    report: Report,
) -> Animation:
    name = str(clip.name)
    length = sensible_length(float(clip.length), f"animation {name!r}", report)
    keys = sum(len(track.times) for track in morph_tracks) + sum(len(track.times) for track in shape_tracks)
    return Animation(
        name=name,
        duration=length,
        tracks=(),
        keyframes=keys,
        composition=Composition.RELATIVE,
        source=source,
        morph_tracks=morph_tracks,
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
    """Return the influences of the base animation at the base time, by target and pose. These influences are
    subtracted from the influences of all keys.
    """
    if base is None:
        return {}
    found = next((each for each in clips if str(each.name) == base.animation), None)
    tracks = _tracks(found, POSE) if found else ()
    return {track.target: _influences_at(track, base.time) for track in tracks}


class PoseKeys(NamedTuple):
    """The keys of a track in file order: `times` [K] in seconds, the number of influences of each key, and
    the influences of all keys as arrays of `INFLUENCE`.
    """

    times: list[float]
    counts: list[int]
    influences: list[Array]


def _pose_keys(track: Struct, base: dict[int, float] | None = None) -> PoseKeys:
    """The keys of a track. The influences of the base key, `base`, are subtracted from the influences that
    the keys list. A key does not get further poses from `base`.
    """
    keys = PoseKeys([], [], [])
    for part in track.chunks.parts(POSE_KEY):
        if isinstance(part, ChunkTable):
            keys.times.extend(part.column("time"))
            keys.counts.extend(part.counts)
            keys.influences.append(part.rows)
            continue
        for key in (piece.value for piece in part.pieces if piece.value.get("chunks") is not None):
            rows = key.chunks.rows(INFLUENCES)
            keys.times.append(key.time)
            keys.counts.append(0 if rows is None else len(rows))
            keys.influences.extend([] if rows is None else [rows])
    return keys._replace(influences=[_lowered(rows, base) for rows in keys.influences]) if base else keys


def _lowered(rows: Array, base: dict[int, float]) -> Array:
    lowered = rows.copy()
    lowered["influence"] -= np.array([base.get(pose, 0.0) for pose in rows["pose"].tolist()], np.float32)
    return lowered


def _matrices(tracks: list[PoseKeys]) -> list[tuple[Array, Array, Array]]:
    """For each track, return the times [K] of its keys, its pose numbers [M], and the influences [K, M].
    Times and pose numbers ascend. An influence is 0 if the key lacks the pose. All tracks are computed
    together.
    """
    if not tracks:
        return []
    heights = np.array([len(track.times) for track in tracks], np.int64)
    owners = np.repeat(np.arange(len(tracks)), heights)
    times = np.array([*chain.from_iterable(track.times for track in tracks)], np.float64)
    order = np.lexsort((times, owners))
    keys = np.argsort(order).repeat([*chain.from_iterable(track.counts for track in tracks)])
    rows = [EMPTY, *chain.from_iterable(track.influences for track in tracks)]
    owned = owners[keys]
    joined = owned << POSE_BITS | np.concatenate([each["pose"] for each in rows])
    known, columns = np.unique(joined, return_inverse=True)
    widths = np.bincount(known >> POSE_BITS, minlength=len(tracks))
    edges = [np.append(0, np.cumsum(each)) for each in (heights, widths, heights * widths)]
    weights = np.zeros(edges[2][-1], np.float32)
    row, column = keys - edges[0][owned], columns - edges[1][owned]
    weights[edges[2][owned] + row * widths[owned] + column] = np.concatenate(
        [each["influence"] for each in rows]
    )
    values = (times[order].astype(np.float32), known & ((1 << POSE_BITS) - 1), weights)
    parts = [
        [every[start:end] for start, end in pairwise(each.tolist())]
        for every, each in zip(values, edges, strict=True)
    ]
    return [
        (when, poses, part.reshape(len(when), len(poses))) for when, poses, part in zip(*parts, strict=True)
    ]


def _influences_at(track: Struct, time: float) -> dict[int, float]:
    ((times, poses, weights),) = _matrices([_pose_keys(track)])
    if not len(times):
        return {}
    return {int(pose): float(np.interp(time, times, weights[:, n])) for n, pose in enumerate(poses)}


def _morph_track(times: Array, poses: Array, weights: Array, morphs: int, report: Report) -> MorphTrack:
    if len(poses) and poses[-1] >= morphs:
        text = f"a track has influences of pose {poses[-1]}; there are {morphs} poses"
        report.warn(text, topic=Topic.NUMBER)
        inside = poses < morphs
        poses, weights = poses[inside], weights[:, inside]
    return MorphTrack(poses, times, weights)


def _shape_tracks(
    clip: Struct, targets: TargetGeometries, shapes: list[Shape], report: Report
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
