"""Ghosts and trails of a view: the posed model at other times, and the paths of bones and attachments."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.animation.key_times import SAME_TIME, keys
from viewer.animation.pose import Layer, Pose, poses
from viewer.animation.rig import rig
from viewer.arrays import Array
from viewer.lru import kept_with
from viewer.scene.animation import match
from viewer.scene.choices import Ghosts
from viewer.scene.items import AttachmentItem, BoneItem, Item
from viewer.scene.model import Model
from viewer.scene.skeleton import Skeleton
from viewer.view.playlist import Playback
from viewer.view.view_snapshot import PoseCache, ViewSnapshot, billboard_axes, can_move, pose_key

MOST_POINTS = 2000
"""The largest number of points of a trail, and of its keys. A longer trail has points further apart."""
MOST_GHOSTS = 24
"""The largest number of ghosts at keys; the nearest ones are drawn."""


class Ghost(Struct, frozen=True, eq=False):
    """A pose of the model `offset` seconds after the time of the picture; before it if `offset` is
    negative.
    """

    offset: float
    pose: Pose


class TrailPoint(Struct, frozen=True, eq=False):
    """The point that makes a trail: a `bone`, and a position in model space that the bone's skin matrix
    moves. Without a position, it is the origin of the bone.
    """

    bone: int
    position: Array | None = None

    def placed(self, pose: Pose) -> Array:
        """[3]: the position in a pose, in the file's axes."""
        return self.path((pose.world if self.position is None else pose.skin)[self.bone][None])[0]

    def path(self, matrices: Array) -> Array:
        """[T, 3]: the positions at T times, from the world or skin matrices [T, 3, 4] of the bone."""
        if self.position is None:
            return matrices[:, :, 3]
        return np.asarray(matrices[:, :, :3] @ self.position + matrices[:, :, 3])


class Trail(Struct, frozen=True, eq=False):
    """The path of a bone or an attachment in the file's axes and units: a point for each frame `frames`
    [F, 3], and a point for each key of the bone `keys` [K, 3].
    """

    point: TrailPoint
    frames: Array
    keys: Array


class MotionMarks(Struct, eq=False):
    """Makes the ghosts and trails of a view, and keeps the last ones until one of their inputs changes."""

    _ghost_key: tuple[object, ...] = ()
    _ghosts: tuple[Ghost, ...] = ()
    _trail_key: tuple[object, ...] = ()
    _trails: tuple[Trail, ...] = ()

    def ghosts(self, view: ViewSnapshot, time: float) -> tuple[Ghost, ...]:
        """Return the ghosts of a view at `time` seconds of its clock; empty if nothing can move."""
        wanted, playing = view.options.ghosts, view.playback.layers(time)
        if not wanted or not can_move(view.skeleton, playing):
            return ()
        points = trail_points(view.model, view.skeleton, view.display.trails)
        chosen = [] if view.display.bone is None else [view.display.bone]
        bones = [each.bone for each in points] or chosen
        axes = billboard_axes(view.skeleton, view.model, view.display, view.camera)
        key = (wanted, *bones, time, view.playback.clock.range, *pose_key(view.skeleton, playing, axes))
        if self._ghost_key != key:
            times = ghost_times(wanted, view.playback, view.skeleton, bones, time)
            made = zip(times, view.poses(times), strict=True)
            self._ghost_key, self._ghosts = key, tuple(Ghost(at - time, each) for at, each in made if each)
        return self._ghosts

    def trails(self, view: ViewSnapshot) -> tuple[Trail, ...]:
        """Return the paths of the bones and attachments `display.trails` over the playback range; empty if no
        clip plays.
        """
        wanted, clock, skeleton = view.display.trails, view.playback.clock, view.skeleton
        layers = view.playback.layers(clock.time) if wanted else ()
        if skeleton is None or not layers:
            return ()
        span = clock.range or (0.0, view.playback.duration)
        still = [replace(each, time=0.0) for each in layers]
        key = (wanted, span, clock.fps, *pose_key(skeleton, still, None))
        if self._trail_key != key:
            points = trail_points(view.model, skeleton, wanted)
            self._trail_key, self._trails = key, trails(skeleton, layers, points, span, clock.fps)
        return self._trails


@kept_with
def motion_marks(cache: PoseCache) -> MotionMarks:
    """What makes the ghosts and trails of the views that share a cache of poses."""
    return MotionMarks()


def ghost_times(
    ghosts: Ghosts, playback: Playback, skeleton: Skeleton | None, bones: Collection[int], time: float
) -> list[float]:
    """The times of the ghosts on the clock, ascending, for a picture at `time` seconds of the clock. `bones`
    are the bones whose keys count for ghosts at keys.

    A clip that does not repeat has no ghosts before its start and after its end.
    """
    start, end = playback.clock.range or (0.0, playback.duration)
    if not playback.playlist or not end > start:
        return []
    clock = replace(playback.clock, time=time)
    shown = clock.shown(playback.duration)
    if ghosts.keys:
        way = -1 if clock.turned(playback.duration) else 1
        layer = playback.layers(time)[0]
        found = np.empty(0) if skeleton is None else key_times(skeleton, layer, bones, (start, end))
        away = found[np.abs(found - shown) > SAME_TIME] - shown
        away = np.sort(way * away[np.argsort(np.abs(away), kind="stable")[:MOST_GHOSTS]])
    else:
        steps = np.arange(1, ghosts.around + 1) * ghosts.spacing
        away = np.concatenate((-steps[::-1], steps))
        if clock.loop == "once":
            away = away[(shown + away >= start - SAME_TIME) & (shown + away <= end + SAME_TIME)]
    return [time + each for each in away.tolist()]


def trail_points(
    model: Model | None, skeleton: Skeleton | None, wanted: Collection[Item]
) -> list[TrailPoint]:
    """The points of the `wanted` bones and attachments: bones first, each in the order of their numbers.
    Items that the model does not have, and attachments that follow no bone, are left out.
    """
    count = 0 if skeleton is None else len(skeleton)
    return [
        each
        for item in sorted(wanted, key=lambda item: (item.kind != BoneItem.kind, item.numbers))
        for each in _points_of(item, model)
        if 0 <= each.bone < count
    ]


def _points_of(item: Item, model: Model | None) -> Iterator[TrailPoint]:
    attachments = model.attachments if model is not None else ()
    if isinstance(item, BoneItem):
        yield TrailPoint(item.number)
    elif isinstance(item, AttachmentItem) and item.number < len(attachments):
        attachment = attachments[item.number]
        yield TrailPoint(attachment.bone, np.array(attachment.position, np.float64))


def trails(
    skeleton: Skeleton,
    layers: Sequence[Layer],
    points: Sequence[TrailPoint],
    span: tuple[float, float],
    fps: float,
) -> tuple[Trail, ...]:
    """Make the trails of `points` while the layers play from the start to the end of `span` in seconds, with
    a point for each frame of 1 / `fps` seconds. Clips that are shorter than the span repeat as in playback.
    """
    start, end = span
    if not points or not np.isfinite(span).all() or end <= start:
        return ()
    bones = tuple(sorted({each.bone for each in points}))
    rows = {int(bone): row for row, bone in enumerate(rig(skeleton, bones).bones)}
    played = [
        replace(each, looped=each.looped and each.animation.duration < end - SAME_TIME) for each in layers
    ]
    step = max(1 / fps, (end - start) / MOST_POINTS)
    frames = np.append(start + np.arange(int(np.ceil((end - start) / step - 1e-6))) * step, end)
    own = [key_times(skeleton, layers[0], (each.bone,), span)[:MOST_POINTS] for each in points]
    made = poses(skeleton, played, np.concatenate((frames, *own)), bones=bones)
    ends = np.cumsum([len(frames), *(len(each) for each in own)])
    found = []
    for point, first, last in zip(points, ends, ends[1:], strict=False):
        path = point.path((made.world if point.position is None else made.skin)[:, rows[point.bone]])
        found.append(Trail(point, path[: len(frames)], path[first:last]))
    return tuple(found)


def key_times(skeleton: Skeleton, layer: Layer, bones: Collection[int], span: tuple[float, float]) -> Array:
    """[K]: the times in seconds, ascending, at which the clip of a layer has a key of one of the bones. Times
    outside of the `span` are left out.
    """
    clip = layer.adapted or layer.animation
    found, numbers = keys(clip), match(clip, skeleton.names).bones
    rows = [
        found.row(found.rows[name]) for name, bone in numbers.items() if bone in bones and name in found.rows
    ]
    times = np.unique(np.concatenate(rows)) if rows else np.empty(0)
    return times[(times >= span[0]) & (times <= span[1])]
