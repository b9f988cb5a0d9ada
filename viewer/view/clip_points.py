"""Finds the points that a model reaches while its clips play; the camera fits them into the picture.

Only the outermost vertices of each bone along some directions are used. These vertices are posed exactly, at
some dozens of moments.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from viewer.animation.pose import Pose, moves
from viewer.arrays import Array
from viewer.lru import kept_with
from viewer.scene.camera import Orbit
from viewer.scene.maths import IDENTITY, distinct
from viewer.scene.mesh.vertices import INFLUENCES, drawn_vertices, influences, posed, values
from viewer.scene.model import Geometry, Lod, Model
from viewer.view.framing import every, in_viewer_space, posed_points, sample
from viewer.view.stray_parts import Strays, posed_strays, stray_vertices
from viewer.view.view_snapshot import ViewSnapshot

DIRECTIONS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)], np.float32)
DIRECTIONS = DIRECTIONS[DIRECTIONS.any(axis=1)]
"""[26, 3]: the directions to the sides, edges and corners of a cube."""
POSED_BONES = 2500
"""The largest product of the posed bones and the moments of a clip. Therefore a skeleton with fewer bones
gets more moments.
"""
FEWEST, MOST = 16, 24
"""The smallest and the largest number of moments per clip."""
NOTHING = np.empty((0, 3))
STILL, DEFORMED = 24_000, 400
"""The largest number of sampled vertices per geometry: first for a single moment, then for each of several
moments if vertices also move without bones.
"""


class ExtremeVertices(Struct, frozen=True, eq=False):
    """The outermost vertices of one geometry: `rows` [N], their bind `positions` [N, 4] (w is 1), and the
    `bones` and `weights` [N, 4] that move them. `bones` and `weights` are None if the model has no bones.
    """

    rows: Array
    positions: Array
    bones: Array | None
    weights: Array | None


@kept_with
def _extremes_of(model: Model) -> dict[Geometry, ExtremeVertices]:
    """The outermost vertices of a model, by geometry."""
    return {}


def clip_points(view: ViewSnapshot, times: Array | None = None) -> Array:
    """[N, 3] in viewer space: points around everything that is drawn in the whole playback range, or only at
    `times` [T] (seconds of the clock). Without a playlist only the current pose is used. For a model that
    draws nothing these are the points of `posed_points`.
    """
    model = view.model or Model("", skeleton=view.skeleton)
    wanted = moments(view) if times is None else times
    poses = view.poses(wanted)
    strays = posed_strays(model, poses[0], view.display.morphs)
    found = _drawn(view, model, poses, strays)
    effects = _effects(view, model, wanted, poses, found)
    drawn = bool(found) or len(effects) > 0
    found = found if drawn else _undrawn(view, model, poses)
    if times is None and len(found) == len(wanted) > 1:
        between = view.poses(_between(view, wanted, found))
        found += _drawn(view, model, between, strays) if drawn else _undrawn(view, model, between)
    return np.concatenate([effects, *found, _figure(view, model)])


def _figure(view: ViewSnapshot, model: Model) -> Array:
    """[N, 3] in viewer space: points around the figure beside the model, if it is drawn."""
    if not view.options.figure:
        return NOTHING
    # imported late, because few pictures have a figure
    from viewer.view.figure import figure_beside, figure_points

    return figure_points(figure_beside(model, view.display.placement))


def measure(model: Model, bare: Model | None = None) -> None:
    """Find the outermost vertices of a model while it is loaded, so that `clip_points` finds them in the
    cache. `bare` is the model before it was dressed. If dressing only shows or hides a geometry, the geometry
    keeps the outermost vertices that were found for the bare model.
    """
    kept = _extremes_of(model)
    own = len(bare.geometries) if bare is not None else 0
    for number, geometry in enumerate(model.geometries):
        if not geometry.lods:
            continue
        before = bare.geometries[number] if bare is not None and number < own else None
        if bare is None or before is None or before.lods != geometry.lods:
            extreme_vertices(model, geometry)
        else:
            kept[geometry] = extreme_vertices(bare, before)


def moments(view: ViewSnapshot) -> Array:
    """[N]: the times of the clock, in seconds, that sample the playing clips; the current time if nothing
    plays.
    """
    playback = view.playback
    start, end = playback.clock.range or (0.0, playback.duration)
    if not playback.playlist or end <= start:
        return np.array([playback.clock.time])
    bones = len(view.skeleton) if view.skeleton is not None else 0
    count = int(np.clip(POSED_BONES // max(bones, 1), FEWEST, MOST))
    return np.linspace(start, np.nextafter(end, start), count)


def _drawn(view: ViewSnapshot, model: Model, poses: list[Pose | None], strays: Strays) -> list[Array]:
    """The points [N, 3] in viewer space of the drawn vertices, for each pose that has vertices. The stray
    vertices are left out.
    """
    shown = [each for number, each in enumerate(model.geometries) if number not in view.display.hidden]
    parts = [_geometry_points(model, each, view, poses, strays) for each in shown if each.lods]
    found = [np.concatenate([NOTHING, *(part[number] for part in parts)]) for number in range(len(poses))]
    found = [in_viewer_space(model, points, view.display.placement) for points in found]
    return [points for points in found if len(points)]


def _undrawn(view: ViewSnapshot, model: Model, poses: list[Pose | None]) -> list[Array]:
    """The points [N, 3] in viewer space of a model that draws nothing, for each pose."""
    return [
        posed_points(model, pose, view.display.morphs, placement=view.display.placement) for pose in poses
    ]


def _effects(
    view: ViewSnapshot, model: Model, times: Array, poses: list[Pose | None], drawn: list[Array]
) -> Array:
    """[N, 3] in viewer space: points around particles and ribbons. `drawn` are the points of the vertices in
    viewer space.
    """
    if not model.effects or not view.display.effects.shown:
        return NOTHING
    from viewer.view.effect_points import effect_points  # imported late, because few models have effects

    placement = view.display.placement
    to_file = np.linalg.pinv(placement.of(model.to_world))
    mesh = np.concatenate([NOTHING, *drawn]) @ to_file[:3, :3].T + to_file[:3, 3]
    return in_viewer_space(model, effect_points(view, times, poses, mesh), placement)


def _between(view: ViewSnapshot, times: Array, groups: list[Array]) -> Array:
    """[N]: additional times in seconds. For each side of the picture, the pose with the farthest point
    towards this side is chosen; the times are half a step before and half a step after each of these poses.
    """
    axes = view.camera.axes if isinstance(view.camera, Orbit) else np.eye(3)
    sides = [points @ axes[:2].T for points in groups]
    low = np.stack([each.min(axis=0) for each in sides])
    high = np.stack([each.max(axis=0) for each in sides])
    farthest = distinct(np.concatenate((low.argmin(axis=0), high.argmax(axis=0))))
    half = (times[1] - times[0]) / 2
    near = np.concatenate((times[farthest] - half, times[farthest] + half))
    return distinct(near[(near > times[0]) & (near < times[-1])])


def rough_points(model: Model, geometry: Geometry, pose: Pose | None, morphs: Mapping[int, float]) -> Array:
    """[N, 3] in the file's axes: the outermost vertices of a geometry in one pose. The function is fast
    enough for every frame.
    """
    kept = extreme_vertices(model, geometry)
    if model.morphs or (pose is not None and pose.shapes):
        lod = geometry.lods[0]
        rows = distinct(np.concatenate((kept.rows, every(sample(model, lod), DEFORMED))))
        return posed(model, geometry, lod, rows, moves(pose, morphs))
    if kept.bones is None or pose is None:
        return kept.positions[:, :3]
    return _skinned(kept, pose.skin[:, None])[:, 0]


def _geometry_points(
    model: Model, geometry: Geometry, view: ViewSnapshot, poses: list[Pose | None], strays: Strays
) -> list[Array]:
    """The points [N, 3] of a geometry in the file's axes, for each pose."""
    lod, morphs = geometry.lods[0], view.display.morphs
    deformed = bool(model.morphs) or any(pose is not None and pose.shapes for pose in poses)
    if not deformed and len(poses) >= FEWEST // 2:
        kept = _extremes(model, geometry, lod, strays) if strays else extreme_vertices(model, geometry)
        if kept.bones is None or poses[0] is None:
            rows = every(_without(strays, lod, sample(model, lod)), STILL)
            still = posed(model, geometry, lod, rows, moves(poses[0], morphs))
            return [still, *[NOTHING] * (len(poses) - 1)]
        skin = np.stack([pose.skin for pose in poses if pose is not None], axis=1)
        return list(_skinned(kept, skin).swapaxes(0, 1))
    drawn = _without(strays, lod, sample(model, lod))
    rows = every(drawn, STILL if len(poses) == 1 else DEFORMED)
    if len(rows) < len(drawn):
        extreme = _without(strays, lod, extreme_vertices(model, geometry).rows)
        rows = distinct(np.concatenate((extreme, rows)))
    return [posed(model, geometry, lod, rows, moves(pose, morphs)) for pose in poses]


def _without(strays: Strays, lod: Lod, rows: Array) -> Array:
    """[M]: the vertices `rows` [N] without the stray ones."""
    stray = strays.get(lod)
    return rows if stray is None else rows[~np.isin(rows, stray)]


def _skinned(vertices: ExtremeVertices, skin: Array) -> Array:
    """[N, T, 3]: the vertices, moved by the skin matrices [B, T, 3, 4] of T moments."""
    assert vertices.bones is not None and vertices.weights is not None, (
        "skinned vertices have bones and weights"
    )
    bones, count = skin.shape[:2]
    still = np.broadcast_to(IDENTITY, (1, count, 3, 4))
    rows = np.concatenate((skin, still)).astype(np.float32).reshape(bones + 1, -1)
    moved = np.zeros((len(vertices.rows), count * 3), np.float32)
    flat = rows.reshape(bones + 1, count * 3, 4)
    for influence in range(INFLUENCES):
        weights = vertices.weights[:, influence]
        hit = np.flatnonzero(weights)
        scaled = vertices.positions[hit] * weights[hit, None]
        moved[hit] += np.einsum("nkj,nj->nk", flat[vertices.bones[hit, influence]], scaled)
    return moved.reshape(len(vertices.rows), count, 3)


def extreme_vertices(model: Model, geometry: Geometry) -> ExtremeVertices:
    """The outermost vertices of a geometry's first level of detail, cached with the model."""
    kept = _extremes_of(model)
    if geometry not in kept:
        kept[geometry] = _extremes(model, geometry, geometry.lods[0], stray_vertices(model))
    return kept[geometry]


def _extremes(model: Model, geometry: Geometry, lod: Lod, strays: Strays) -> ExtremeVertices:
    rows = _without(strays, lod, drawn_vertices(model, lod))
    found = values(model, lod, "position", rows)
    if found is None or not len(rows):
        empty = np.empty(0, np.intp)
        return ExtremeVertices(empty, np.empty((0, 4), np.float32), None, None)
    positions = np.nan_to_num(found[:, :3], posinf=0.0, neginf=0.0)
    bones = len(model.skeleton) if model.skeleton is not None else 0
    bound = influences(model, geometry, lod, rows, bones)
    owners = np.zeros(len(rows), np.intp)
    if bound is not None:
        numbers, weights = bound
        owners = numbers[np.arange(len(rows)), weights.argmax(axis=1)]
    picked = _outermost(positions, owners)
    whole = np.hstack((positions[picked], np.ones((len(picked), 1), np.float32)))
    if bound is None:
        return ExtremeVertices(rows[picked], whole, None, None)
    return ExtremeVertices(rows[picked], whole, bound[0][picked], bound[1][picked])


def _outermost(positions: Array, owners: Array) -> Array:
    """The indices of the points in `positions` [N, 3] that lie farthest along one of the directions. A point
    is compared only with the points of its owner.
    """
    order = np.argsort(owners, kind="stable")
    starts = np.flatnonzero(np.diff(owners[order], prepend=-1))
    lengths = np.diff(np.append(starts, len(order)))
    picked = []
    for direction in DIRECTIONS:
        reach = np.nan_to_num(positions[order] @ direction)
        farthest = np.repeat(np.maximum.reduceat(reach, starts), lengths)
        hits = np.flatnonzero(reach >= farthest)
        first = np.unique(np.searchsorted(starts, hits, "right"), return_index=True)[1]
        picked.append(order[hits[first]])
    return distinct(np.concatenate(picked))
