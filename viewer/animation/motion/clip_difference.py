"""The difference of two motions: the angle and the distance of each bone over time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.animation.clock import SAME_TIME, SLIVER, Span, TimeMap
from viewer.animation.key_times import keys
from viewer.animation.pose import Layer, Pose, poses
from viewer.arrays import Array
from viewer.scene.animation import Animation, match_names
from viewer.scene.maths import angles, distinct, lengths
from viewer.scene.skeleton import Skeleton
from viewer.scene.vertex_distances import ColorLegend

RATE = 30.0
"""The number of samples per second between the keys."""
MOST_TIMES = 2000
"""The largest number of sampled times. If the clips have more keys, the samples are spread evenly over
them.
"""
POSED_ROWS = 50_000
"""The largest number of bones times times that are posed together."""


class Axes(Protocol):
    """Converts the second motion to the axes and unit of the first."""

    def points(self, points: Array) -> Array:
        """[..., 3]: positions in model space."""

    def rotations(self, rotations: Array) -> Array:
        """[..., 4]: quaternions, xyzw."""


class Motion(Struct, frozen=True, eq=False):
    """Layers that move a skeleton, compared over `span`, the first and the last second. The layers' own times
    do not count.
    """

    skeleton: Skeleton
    layers: Sequence[Layer]
    span: Span


class BoneDifference(NamedTuple):
    """The largest difference of a bone: the `angle` in degrees and the `distance` in units of the first
    model. `bone` and `other` are its numbers in both skeletons.

    `time` and `other_time` are the moment of the largest angle in seconds of each side. If the angle is 0,
    they are the moment of the largest distance. `distance_time` is that of the largest distance.
    """

    name: str
    bone: int
    other: int
    angle: float
    distance: float
    time: float
    other_time: float
    distance_time: float


class BonePairs(Struct, frozen=True, eq=False):
    """The bones of the same name in two skeletons: `first` [N] and `second` [N] are their numbers, ascending
    in the first skeleton. `axes` converts the second skeleton (None: the axes are the same).
    """

    first: Array
    second: Array
    axes: Axes | None = None

    def differences(self, one: tuple[Array, Array], other: tuple[Array, Array]) -> tuple[Array, Array]:
        """Measure poses, given as local rotations [..., B, 4] and matrices [..., B, 3, 4] of bones in model
        space.

        The results are [..., N]: the angles in degrees between the rotations relative to the parents, and the
        distances in model space. A number that is not finite is as far as can be: 180 degrees, or infinite.
        """
        turned, placed = other[0][..., self.second, :], other[1][..., 3][..., self.second, :]
        if self.axes is not None:
            turned, placed = self.axes.rotations(turned), self.axes.points(placed)
        start = one[1][..., 3][..., self.first, :]
        away = np.where(start == placed, 0.0, start - placed)
        return angles(one[0][..., self.first, :], turned), lengths(away)


class ClipDifference(Struct, frozen=True, eq=False, dict=True):
    """The differences of N bones at T times: `angles` [T, N] f32 in degrees, and `distances` [T, N] f32 in
    units of the first model.

    `times` [T] are seconds of the first motion, ascending, `other_times` [T] the seconds of the second motion
    with which they are compared. `names` are the bones' names in the first skeleton.
    """

    times: Array
    other_times: Array
    names: tuple[str, ...]
    pairs: BonePairs
    angles: Array
    distances: Array

    def largest(self, by_distance: bool) -> float:
        """The largest finite angle or distance of all bones and times; 0 if there is none."""
        return self._largest[int(by_distance)]

    @cached_property
    def _largest(self) -> tuple[float, float]:
        most = [float(each.max(initial=0, where=np.isfinite(each))) for each in (self.angles, self.distances)]
        return most[0], most[1]

    def legend(self, by_distance: bool) -> ColorLegend:
        """The legend of the colours of bones."""
        largest = self.largest(by_distance)
        return ColorLegend(f"{largest:.4g}{' units' if by_distance else '°'}" if largest else "")

    def at(self, one: Pose, other: Pose) -> tuple[Array, Array]:
        """Measure two poses: the angles [N] and the distances [N]."""
        return self.pairs.differences((one.rotations, one.world), (other.rotations, other.world))

    def shares(self, one: Pose, other: Pose, by_distance: bool) -> tuple[Array, Array]:
        """The difference of two poses for each bone of both skeletons, [B] each, as shares of the largest
        difference of the clips; NaN for bones without a partner.
        """
        amounts = self.at(one, other)[int(by_distance)] / (self.largest(by_distance) or 1.0)
        found = np.full(len(one.world), np.nan), np.full(len(other.world), np.nan)
        found[0][self.pairs.first], found[1][self.pairs.second] = amounts, amounts
        return found

    @cached_property
    def peaks(self) -> list[BoneDifference]:
        """The largest difference of each bone, the largest angle first, then the largest distance."""
        if not len(self.times):
            return []
        columns = np.arange(len(self.names))
        turned, moved = self.angles.argmax(axis=0), self.distances.argmax(axis=0)
        most, far = self.angles[turned, columns], self.distances[moved, columns]
        at = np.where(most > 0, turned, moved)
        rows = zip(
            self.names,
            self.pairs.first.tolist(),
            self.pairs.second.tolist(),
            most.tolist(),
            far.tolist(),
            self.times[at].tolist(),
            self.other_times[at].tolist(),
            self.times[moved].tolist(),
            strict=True,
        )
        return sorted((BoneDifference(*row) for row in rows), key=lambda row: (-row.angle, -row.distance))


def bone_pairs(one: Skeleton, other: Skeleton, axes: Axes | None = None) -> BonePairs:
    """Match the bones of two skeletons by name, see `match_names`. Bones without a partner are left out."""
    if one is other:
        every = np.arange(len(one))
        return BonePairs(every, every, axes)
    found = match_names(one.names, other.names).bones
    numbers = {name: bone for bone, name in reversed([*enumerate(one.names)])}
    pairs = sorted((numbers[name], partner) for name, partner in found.items())
    table = np.array(pairs, np.intp).reshape(len(pairs), 2)
    return BonePairs(table[:, 0], table[:, 1], axes)


def clip_difference(
    one: Motion, other: Motion, tie: TimeMap = SAME_TIME, axes: Axes | None = None
) -> ClipDifference:
    """Measure how two motions differ over the span of the first, at the keys of both and between them. `tie`
    converts times of the first motion to times of the second, see `clock.tied`.

    Tracks that loop on their own (global sequences) are left out: they move a bone alike in every clip.
    ViewerError as in `poses`.
    """
    times = _times(one, other, tie)
    other_times = np.asarray(tie.of(times))
    pairs = bone_pairs(one.skeleton, other.skeleton, axes)
    sides = [(each.skeleton, [*map(_following_clip, each.layers)]) for each in (one, other)]
    found = np.zeros((2, len(times), len(pairs.first)), np.float32)
    step = max(POSED_ROWS // max(len(one.skeleton), len(other.skeleton), 1), 1)
    for start in range(0, len(times) if len(pairs.first) else 0, step):
        part = slice(start, start + step)
        first = poses(*sides[0], times[part])
        second = poses(*sides[1], other_times[part])
        found[:, part] = pairs.differences((first.rotations, first.world), (second.rotations, second.world))
    names = tuple(one.skeleton.names[bone] for bone in pairs.first.tolist())
    return ClipDifference(times, other_times, names, pairs, found[0], found[1])


def _times(one: Motion, other: Motion, tie: TimeMap) -> Array:
    """[T]: the sampled times of the first motion, ascending."""
    start, end = one.span
    if not 0 < end - start < np.inf:
        return np.array([start if np.isfinite(start) else 0.0])
    count = int(min((end - start) * RATE, MOST_TIMES)) + 2
    own = [np.linspace(start, end, count), *map(_keys, one.layers)]
    if tie.factor > 0:
        own += [_met(_keys(each), one.span, other.span, tie) for each in other.layers]
    times = np.concatenate(own)
    last = end - SLIVER * (end - start)
    times = distinct(np.minimum(times[(times >= start) & (times <= end)], last))
    if len(times) <= MOST_TIMES:
        return times
    return times[np.linspace(0, len(times) - 1, MOST_TIMES).astype(np.intp)]


def _met(times: Array, span: Span, other: Span, tie: TimeMap) -> Array:
    """[K]: the times of the first motion at which the second motion passes its keys at `times` [K], in each
    loop of the second motion.
    """
    first, loop = (times - tie.offset) / tie.factor, (other[1] - other[0]) / tie.factor
    loops = min(int((span[1] - span[0]) / loop), MOST_TIMES // max(len(times), 1)) if loop > 0 else 0
    return np.asarray(first + loop * np.arange(loops + 1)[:, None]).ravel()


def _keys(layer: Layer) -> Array:
    """[K]: the key times of a layer in seconds, ascending."""
    return keys(layer.adapted or layer.animation).all


def _following_clip(layer: Layer) -> Layer:
    """The layer without the tracks that loop on their own."""
    clip = layer.adapted or layer.animation
    if all(track.period is None for track in clip.tracks):
        return layer
    values = {name: getattr(clip, name) for name in Animation.__struct_fields__}
    values["tracks"] = tuple(track for track in clip.tracks if track.period is None)
    return replace(layer, animation=Animation(**values), adapted=None)
