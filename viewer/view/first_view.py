"""Chooses the first view of a document: clip, moment, direction, up axis, and camera of the file.

The window, the verb `render` and thumbnails share these pure functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import PurePath

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.animation.pose import Pose, moves
from viewer.arrays import Array
from viewer.scene.animation import Animation, listing_order
from viewer.scene.camera import Camera, Orbit
from viewer.scene.choices import UpAxis
from viewer.scene.mesh.primitives import as_list
from viewer.scene.mesh.vertices import drawn_vertices, posed, sampled
from viewer.scene.model import TRIANGULAR, Geometry, Model
from viewer.view.facing_guess import turned_to_front
from viewer.view.playlist import PlaylistEntry
from viewer.view.up_axis_guess import first_up
from viewer.view.view_snapshot import ViewSnapshot
from viewer.view.visibility import Visibility

IDLE = ("stand", "idle")
STAND = 0
"""The id of the animation Stand in WoW models. Source: wowdev.wiki AnimationData."""
LOOKED_AT, EFFECT_MOMENTS = 32, 80
"""The number of candidate moments of a clip for the first picture, and the number for a model of effects
alone.
"""
NEARLY_FULL = 0.9
"""A picture of effects is kept if it is at least this full, compared with the fullest picture."""
APART = 1000.0
"""A pose this many times as large as the rest pose has its parts so far apart that none of them is seen."""
MOST_MOMENTS = 4000
"""The largest number of moments, of all clips together, in which something visible is searched."""
SAMPLED, TRIANGLES = 200, 1000
"""The largest number of examined vertices, and of triangles, per geometry."""
FAINTEST = 1 / 255
"""A material with a smaller alpha than this counts as invisible."""
FACING, TURNED = 0.05, 5.0
"""The model counts as facing away from the camera if less than the share `FACING` of its surface faces the
camera, and more than `TURNED` times as much faces another direction.
"""
SIDES, POLES = (180.0, 90.0, -90.0), (80.0, -80.0)
"""The directions that are tried, in degrees: yaw relative to the usual direction, and pitch."""
NEAR, SEEN = 0.25, 0.6
"""A camera of the file is used if it lies at most `NEAR` model sizes outside the model, and if it sees at
least the share `SEEN` of the model.
"""
PORTRAITS = ("portrait", "character")


class FirstView(Struct, frozen=True):
    """The first moment in seconds, the camera's direction, the file's up axis, and the number of the file's
    camera in use (None: the user's camera). `moved` is True if the moment is not the usual one, and `turned`
    if the usual direction shows next to nothing.
    """

    time: float
    orbit: Orbit
    up: UpAxis = UpAxis.FILE
    file_camera: int | None = None
    moved: bool = False
    turned: bool = False


def first_clip(offered: Sequence[Animation]) -> Animation | None:
    """The clip that plays first: a clip for standing or idling, found by id, name or file stem, else the
    first clip.
    """
    ordered = [offered[number] for number in listing_order(offered)]
    calm = (each for each in ordered if each.facts.get("id") == STAND or _named_idle(each.name))
    by_file = (each for each in ordered if _named_idle(PurePath(each.source).stem))
    return next(calm, next(by_file, offered[0] if offered else None))


def _named_idle(name: str) -> bool:
    return any(word in name.casefold() for word in IDLE)


def first_view(view: ViewSnapshot, orbit: Orbit, time: float | None = None) -> FirstView:
    """Choose the first view of the document while its clip plays. `orbit` is the usual direction. `time` is
    the moment that the user chose; with None, the moment is chosen too.
    """
    up = first_up(view)
    if view.model is None:
        return FirstView(view.playback.clock.time if time is None else time, orbit, up)
    display = view.display.copied()
    display.up = up
    shown = replace(view, display=display)
    first = first_time(shown, orbit) if time is None else time
    number = scene_camera(view.model, view.pose(first))
    front = turned_to_front(shown, orbit)
    side = seen_side(shown, first, front)
    moved = time is None and first != view.playback.clock.time
    return FirstView(first, side, up, number, moved, side != front)


def first_time(view: ViewSnapshot, orbit: Orbit) -> float:
    """Return the current time if something is visible then, else the time of the clip at which most of the
    model is visible. For a model of effects alone, return the time with the fullest picture from the
    direction of `orbit`, unless the current picture is nearly as full.
    """
    now, duration = view.playback.clock.time, view.playback.duration
    if view.model is None or not view.playback.playlist or not duration or _extent(view, now) > 0:
        return now
    times = np.linspace(0.0, duration, LOOKED_AT, endpoint=False)
    extents = [_extent(view, float(time)) for time in times]
    most = max(extents)
    if most > 0:
        return float(times[int(np.argmax(extents))])
    if not view.model.effects or not view.display.effects.shown or not view.options.with_materials:
        return now
    from viewer.view.effect_points import effect_fullness  # imported late, because few models have effects

    times = np.unique((now, *np.linspace(0.0, duration, EFFECT_MOMENTS, endpoint=False)))
    fullness = effect_fullness(view, times, orbit.axes[:2] @ view.display.to_world(view.model)[:3, :3])
    kept = fullness[np.flatnonzero(times == now)[0]] >= NEARLY_FULL
    return now if kept or not fullness.any() else float(times[int(np.argmax(fullness))])


def visible_clip(view: ViewSnapshot, offered: Sequence[Animation]) -> Animation | None:
    """Return the playing clip if it shows something at any time. Else return the first of the `offered` clips
    that shows something; None for the rest pose.

    A pose whose parts are more than `APART` sizes of the rest pose apart shows nothing. If nothing shows
    something, the playing clip is returned.
    """
    playing = view.playback.playlist[0].animation
    still = replace(view, playback=replace(view.playback, playlist=()))
    size = _size(still, 0.0)
    limit = APART * size if size > 0 else np.inf
    left = MOST_MOMENTS
    for clip in (playing, *(each for each in offered if each is not playing)):
        tried = playing_alone(view, clip) if clip is not playing else view
        visibility = Visibility(tried)
        for time in islice(visibility.moments(), left):
            left -= 1
            if visibility.shows(time) and _size(tried, time) <= limit:
                return clip
    return None if Visibility(still).shows(0.0) else playing


def only_multiplies(view: ViewSnapshot) -> bool:
    """Whether everything that is drawn only darkens what is behind it."""
    model = view.model
    drawn = [each.material for _, each in _shown_geometries(view)]
    if model is None or not drawn or model.effects or not view.options.with_materials:
        return False
    return all(each is not None and model.materials[each].blend == "multiply" for each in drawn)


def playing_alone(view: ViewSnapshot, clip: Animation) -> ViewSnapshot:
    """Return the view while only this clip plays, from its start."""
    clock = replace(view.playback.clock, time=0.0, range=(0.0, clip.duration))
    return replace(view, playback=replace(view.playback, playlist=(PlaylistEntry(clip),), clock=clock))


def _size(view: ViewSnapshot, time: float) -> float:
    """The length of the box around the sampled vertices of all geometries that are not hidden."""
    model, pose = view.model, view.pose(time)
    assert model is not None, "a model is drawn"
    found = [np.empty((0, 3))]
    for _, geometry in _shown_geometries(view):
        lod = geometry.lods[0]
        found.append(posed(model, geometry, lod, sampled(model, lod, SAMPLED), moves(pose, {})))
    points = np.concatenate(found).astype(np.float64)
    points = points[np.isfinite(points).all(axis=1)]
    return float(np.ptp(points, axis=0).max()) if len(points) else 0.0


def _extent(view: ViewSnapshot, time: float) -> float:
    """The sum of all geometries' extents at `time`, times their opacity."""
    model, pose, total = view.model, view.pose(time), 0.0
    assert model is not None, "a model is drawn"
    for number, geometry in _shown_geometries(view):
        alpha = _opacity(view, model, number, time)
        if alpha <= FAINTEST:
            continue
        rows = sampled(model, geometry.lods[0], SAMPLED)
        points = posed(model, geometry, geometry.lods[0], rows, moves(pose, {}))
        if len(points):
            size = float(np.nan_to_num(np.linalg.norm(np.ptp(points, axis=0))))
            total += size * min(alpha, 1.0)
    return total


def _opacity(view: ViewSnapshot, model: Model, number: int, time: float) -> float:
    """The highest opacity of a geometry's materials."""
    geometry = model.geometries[number]
    known = [each for each in (geometry.material, *geometry.layers) if each is not None]
    clip_time = view.playback.clip_time(time)
    return max((model.materials[each].opacity(clip_time) for each in known), default=1.0)


def _shown_geometries(view: ViewSnapshot) -> Iterator[tuple[int, Geometry]]:
    """Yield the geometries that are not hidden, with their numbers."""
    for number, geometry in enumerate(view.model.geometries if view.model else ()):
        if geometry.lods and number not in view.display.hidden:
            yield number, geometry


def seen_side(view: ViewSnapshot, time: float, orbit: Orbit) -> Orbit:
    """Return `orbit`. If the model faces away from the camera, `orbit` is turned to the side from which most
    of the model is visible.
    """
    if _has_no_sides(view):
        return orbit
    normals = _areas(view, view.pose(time))
    total = float(np.linalg.norm(normals, axis=1).sum())
    faces = _facing(normals, orbit)
    if total <= 0 or faces > FACING * total:
        return orbit
    turned = [replace(orbit, yaw=(orbit.yaw + yaw) % 360.0) for yaw in SIDES]
    turned += [replace(orbit, pitch=-orbit.pitch), *(replace(orbit, pitch=pitch) for pitch in POLES)]
    best = max(turned, key=lambda each: _facing(normals, each))
    return best if _facing(normals, best) > TURNED * faces else orbit


def _facing(normals: Array, orbit: Orbit) -> float:
    return float(np.maximum(normals @ orbit.axes[2], 0).sum())


def _drawn_sides(model: Model, geometry: Geometry) -> tuple[float, ...]:
    """The signs of the normals of the sides that are meant to be seen: without a material, the front."""
    cull = "back" if geometry.material is None else model.materials[geometry.material].cull
    return {"back": (1.0,), "front": (-1.0,)}.get(cull, (1.0, -1.0))


def _has_no_sides(view: ViewSnapshot) -> bool:
    """Whether something is visible from all sides: lines, points or effects."""
    model = view.model
    assert model is not None, "a model is drawn"
    shown = (geometry for _, geometry in _shown_geometries(view))
    return bool(model.effects) or any(each.lods[0].primitive not in TRIANGULAR for each in shown)


def _areas(view: ViewSnapshot, pose: Pose | None) -> Array:
    """[N, 3]: the normals of the drawn sides of triangles in viewer space, scaled by their areas."""
    model = view.model
    assert model is not None, "a model is drawn"
    turn, found = view.display.to_world(model)[:3, :3], [np.empty((0, 3))]
    for _, geometry in _shown_geometries(view):
        lod = geometry.lods[0]
        data = None if lod.indices is None else model.index_buffers[lod.indices].data
        drawn = slice(lod.start, lod.start + lod.count)
        indices = np.arange(drawn.start, drawn.stop) if data is None else data[drawn]
        listed_corners, _ = as_list(indices, lod.primitive)
        corners = listed_corners[:: max(1, -(-len(listed_corners) // TRIANGLES))]
        points = posed(model, geometry, lod, corners.ravel(), moves(pose, view.display.morphs))
        if len(points) == corners.size:
            a, b, c = (points.reshape(-1, 3, 3) @ turn.T).swapaxes(0, 1)
            normals = np.nan_to_num(np.cross(b - a, c - a))
            found += [normals * sign for sign in _drawn_sides(model, geometry)]
    sign = -1.0 if np.linalg.det(turn) < 0 else 1.0
    return np.concatenate(found) * sign


def scene_camera(model: Model, pose: Pose | None) -> int | None:
    """Return the number of the first camera that lies inside or close to the model and sees most of the
    model; None without such a camera.

    Cameras for portraits and character sheets do not count.
    """
    if not model.cameras:
        return None
    shown = [each for each in model.geometries if each.lods and each.shown]
    points = [
        posed(model, each, each.lods[0], drawn_vertices(model, each.lods[0]), moves(pose, {}))
        for each in shown
    ]
    everything = np.concatenate([np.empty((0, 3)), *points])
    if not len(everything):
        return None
    fits = (n for n, each in enumerate(model.cameras) if _is_of_scene(each, everything))
    return next(fits, None)


def _is_of_scene(camera: Camera, points: Array) -> bool:
    low, high = points.min(axis=0), points.max(axis=0)
    room = NEAR * float((high - low).max())
    eye, target = np.array(camera.position), np.array(camera.target)
    way = target - eye
    length = float(np.linalg.norm(way))
    named = any(word in camera.name.casefold() for word in PORTRAITS)
    if named or not length or not ((eye >= low - room) & (eye <= high + room)).all():
        return False
    ahead = (points - eye) @ (way / length)
    aside = np.linalg.norm(points - eye - ahead[:, None] * (way / length), axis=1)
    slope = np.tan(np.radians(camera.angle(1.0) / 2)) * np.sqrt(2)
    return bool(((ahead > 0) & (aside < ahead * slope)).mean() >= SEEN)
