"""Bakes the path of a bone over time: the frames in which particles and ribbon edges are born, and the drift
of particles that follow their emitter.

Frames are interpolated linearly between nodes. The faster the bone turns, the closer its nodes are in time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from viewer.animation.pose import Layer, poses
from viewer.animation.rig import Rig, rig
from viewer.animation.sampling import KeyTiming
from viewer.animation.track_sampling import BakeInterval, bake_interval, nodes
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.scene.emitter import Emitter
from viewer.scene.maths import IDENTITY, compose
from viewer.scene.skeleton import Skeleton

WINDOW = 30.0
"""The length in seconds of the baked interval of motion that never repeats."""
SAMPLES, FINEST = 128, 1 / 30
"""The number of probes of an interval, and the shortest step between them in seconds."""
TURN = 0.05
"""The largest turn in radians between two nodes. Linear interpolation then has an error of 3 parts in
10,000.
"""
STEP = 1e-4
"""The seconds over which a speed is measured."""
JUMP = 1e-5
"""Two probes closer together than this, in seconds, are the two sides of a jump."""
FARTHEST = 1e12
"""The largest absolute value of numbers that are used from a damaged file."""


class BonePath(Struct, frozen=True, eq=False):
    """The path of a bone with K nodes: `frames` [K, 3, 4] in model space at `times` [K], in seconds from the
    start of the baked interval.

    `drift` [K, 3] is the movement of a following particle since time 0. `speeds` [K, 2, 3] has two velocities
    of the origin for each node: just after the node, and just before the next node. The velocities are 0 if
    `path` was called without `fast`.
    """

    stretch: BakeInterval
    times: Array
    frames: Array
    drift: Array
    speeds: Array

    def carried(self, time: float) -> Array:
        """[3]: the drift at a time within the interval."""
        return np.array([np.interp(time, self.times, self.drift[:, axis]) for axis in range(3)])

    def at(self, times: Array) -> Array:
        """[N, 3, 4]: the frames at `times` [N] seconds, which are not wrapped."""
        own, flat = self.stretch.folded(times)[0], self.frames.reshape(len(self.times), -1)
        found = [np.interp(own, self.times, column) for column in flat.T]
        return np.stack(found, axis=-1).reshape(-1, 3, 4)

    def drifted(self, times: Array) -> Array:
        """[N, 3]: the drift at `times` [N] seconds, which are not wrapped."""
        own, loops = self.stretch.folded(times)
        found = [np.interp(own, self.times, column) for column in self.drift.T]
        return np.asarray(np.stack(found, axis=-1) + loops[:, None] * self.drift[-1])

    def speeds_at(self, times: Array) -> Array:
        """[N, 3]: the velocity of the origin at `times` [N] seconds, which are not wrapped."""
        own = self.stretch.folded(times)[0]
        node = np.clip(np.searchsorted(self.times, own, "right") - 1, 0, max(len(self.times) - 2, 0))
        gap = self.times[np.minimum(node + 1, len(self.times) - 1)] - self.times[node]
        part = np.divide(own - self.times[node], gap, out=np.zeros_like(own), where=gap > 0)
        low, high = self.speeds[node].swapaxes(0, 1)
        return np.asarray(low + (high - low) * np.clip(part, 0, 1)[:, None])


class BoneMotion(Struct, frozen=True, eq=False):
    """The motion that `layers` give to a bone and the bones above it. The layers' own times are ignored."""

    skeleton: Skeleton
    bone: int
    layers: tuple[Layer, ...]

    @property
    def faces(self) -> bool:
        """Whether the bone or a bone above it faces the camera."""
        billboards, bones = self.skeleton.billboards, self._rig.bones
        return billboards is not None and bool(billboards[bones].any())

    @property
    def duration(self) -> float:
        """The duration of the longest clip in seconds."""
        return max((layer.animation.duration for layer in self.layers), default=0.0)

    @property
    def looped(self) -> bool:
        """Whether the clips loop."""
        return all(layer.looped for layer in self.layers)

    @property
    def _rig(self) -> Rig:
        return rig(self.skeleton, (self.bone,))

    def timings(self) -> Iterator[KeyTiming]:
        """Yield the key times of these bones' tracks. A clip shorter than the longest clip repeats after its
        own duration.
        """
        for layer in self.layers:
            turn = layer.animation.duration
            own = turn if layer.looped and turn != self.duration else None
            yield from self._rig.clip(layer.animation).timelines.timings(own)

    def skin(self, times: Array, view: Array | None = None) -> Array:
        """[T, 3, 4]: the bone's skin matrices at `times` [T] seconds, which are not wrapped.

        `view` turns the file's axes into eye space, as in `poses`.
        """
        row = int(np.searchsorted(self._rig.bones, self.bone))
        return poses(self.skeleton, self.layers, times, view, bones=(self.bone,)).skin[:, row]


def bone_motion(skeleton: Skeleton | None, bone: int, layers: Sequence[Layer]) -> BoneMotion | None:
    """The motion of `bone` and the bones above it while `layers` play."""
    if skeleton is None or not 0 <= bone < len(skeleton):
        return None
    return BoneMotion(skeleton, bone, tuple(layers))


def turned_offset(emitter: Emitter) -> Array:
    """[3, 4]: the matrix from an emitter's own space to its bone's space. In it, the emitter's x axis points
    along the model's y axis.

    Source: Deamon87 WebWowViewerCpp and rkabachenko OpenWow, which agree.
    """
    offset = np.array(((0.0, -1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)))
    offset[:, 3] = np.nan_to_num(np.clip(emitter.position, -FARTHEST, FARTHEST))
    return offset


def path(
    above: BoneMotion | None,
    offset: Array,
    follow: tuple[tuple[float, float], tuple[float, float]] | None = None,
    view: Array | None = None,
    fast: bool = False,
    around: tuple[float, float] = (0.0, 0.0),
) -> BonePath:
    """Bake the path of a bone. `above` is the motion of the bone; None if there is no bone. The frames of the
    path are the bone's skin matrices times `offset` [3, 4].

    A following particle moves by a fraction of the bone's movement. `follow` has two pairs (speed of the
    bone, fraction); the fraction is interpolated between the pairs by the bone's speed. `view` turns
    billboards, as in `poses`. With `fast`, the speeds are computed too. Motion without a short period is
    baked only around one time: `around` is a pair of this time and the number of seconds to include before
    it.
    """
    timings = [] if above is None else list(above.timings())
    stretch = bake_interval(timings, 0.0 if above is None else above.duration, above is None or above.looped)
    if above is None or not any(len(each.times) > 1 for each in timings):
        skin = IDENTITY[None] if above is None else above.skin(np.zeros(1), view)
        return BonePath(
            stretch, np.zeros(1), sound(compose(skin, offset)), np.zeros((1, 3)), np.zeros((1, 2, 3))
        )
    if not stretch.exact:
        stretch = window(*around)
    grid = max(stretch.seconds / SAMPLES, FINEST)
    times, probes = nodes(timings, stretch, above.duration, grid)
    frames = sound(compose(above.skin(stretch.start + probes, view), offset))
    times, probes, fresh = _refined(times, probes, frames)
    if fresh.any():
        whole = np.empty((len(times), 3, 4))
        whole[~fresh] = frames
        whole[fresh] = sound(compose(above.skin(stretch.start + probes[fresh], view), offset))
        frames = whole
    speeds = np.zeros((len(times), 2, 3))
    if fast:
        speeds[:-1] = _speeds(above, stretch.start + probes, frames[:, :, 3], offset[:, 3], view)
    return BonePath(stretch, times, frames, _drift(times, frames[:, :, 3], follow), speeds)


def posed_path(
    times: Array,
    frames: Array,
    stretch: BakeInterval,
    follow: tuple[tuple[float, float], tuple[float, float]] | None = None,
) -> BonePath:
    """Make a rough path through the known frames [K, 3, 4] at `times` [K] seconds of an interval, without
    computing a pose.
    """
    origins = frames[:, :, 3]
    gap = np.maximum(np.diff(times), JUMP)[:, None]
    speeds = np.zeros((len(times), 2, 3))
    speeds[:-1] = (np.diff(origins, axis=0) / gap)[:, None]
    return BonePath(stretch, times, frames, _drift(times, origins, follow), speeds)


def window(time: float, before: float) -> BakeInterval:
    """Return the interval to bake for `time`. It begins `before` seconds earlier than the window of this
    time.

    Time is divided into windows of `WINDOW` seconds. All times in a window get the same interval.
    """
    before = min(max(before, 0.0), BUDGET.curve_seconds)
    return BakeInterval(WINDOW + before, False, False, math.floor(time / WINDOW) * WINDOW - before)


def _speeds(above: BoneMotion, probes: Array, origins: Array, offset: Array, view: Array | None) -> Array:
    """[K - 1, 2, 3]: the velocity of the origin at both ends of each gap between nodes, measured inside the
    gap.
    """
    gap = np.diff(probes)
    step = np.clip(gap / 100, 1e-9, STEP)
    behind = _origins(above.skin(probes[:-1] + step, view), offset) - origins[:-1]
    before = origins[1:] - _origins(above.skin(probes[1:] - step, view), offset)
    speeds = np.stack((behind, before), axis=1) / step[:, None, None]
    return np.where((gap > JUMP)[:, None, None], sound(speeds), 0)


def _origins(skin: Array, offset: Array) -> Array:
    return sound(np.matmul(skin[:, :, :3], offset) + skin[:, :, 3])


def sound(frames: Array) -> Array:
    """Replace numbers of frames that are not finite, and limit all numbers to `FARTHEST`."""
    if np.abs(frames).max(initial=0.0) <= FARTHEST:  # the comparison is also False if a number is NaN
        return frames
    return np.asarray(np.clip(np.nan_to_num(frames), -FARTHEST, FARTHEST))


def _refined(times: Array, probes: Array, frames: Array) -> tuple[Array, Array, Array]:
    """Insert nodes where the axes turn or stretch strongly. Return the times [K] of all nodes, the times [K]
    at which they are sampled, and a mask [K] that is True for inserted nodes.
    """
    axes = frames[:, :, :3]
    size = np.sqrt(np.maximum((axes[:-1] ** 2).sum(axis=1).max(axis=-1), 1e-12))
    turn = np.sqrt(((axes[1:] - axes[:-1]) ** 2).sum(axis=1).max(axis=-1)) / size
    parts = np.where(np.diff(times) > 0, np.ceil(np.minimum(turn, 4.0) / TURN), 1).astype(np.intp)
    parts = np.maximum(parts, 1)
    if parts.sum() >= BUDGET.curve_nodes:
        parts = np.maximum(parts * BUDGET.curve_nodes // (2 * parts.sum()), 1)
    segment = np.repeat(np.arange(len(parts)), parts)
    step = np.arange(len(segment)) - np.repeat(np.cumsum(parts) - parts, parts)
    share = step / parts[segment]
    found = [
        np.append(row[segment] + (row[segment + 1] - row[segment]) * share, row[-1])
        for row in (times, probes)
    ]
    return found[0], found[1], np.append(step > 0, False)


def _drift(
    times: Array, origins: Array, follow: tuple[tuple[float, float], tuple[float, float]] | None
) -> Array:
    """[K, 3]: the running sum of the origin's steps. Each step is multiplied by the fraction of the step that
    followers make; jumps are left out.
    """
    gap, step = np.diff(times), np.diff(origins, axis=0)
    step[gap <= 0] = 0
    speed = np.linalg.norm(step, axis=1) / np.where(gap > 0, gap, 1)
    step *= 0.0 if follow is None else follow_share(follow, speed)[:, None]
    return np.concatenate((np.zeros((1, 3)), np.cumsum(step, axis=0)))


def follow_share(follow: tuple[tuple[float, float], tuple[float, float]], speed: Array) -> Array:
    """[N]: the fraction of the bone's movement that followers make, at speeds [N] of the bone. Source:
    Deamon87 WebWowViewerCpp.
    """
    ((slow, low), (fast, high)) = np.nan_to_num(np.clip(follow, -FARTHEST, FARTHEST)).tolist()
    rise = (high - low) / (fast - slow) if fast != slow else 0.0
    return np.asarray(np.clip(low + (speed - slow) * rise, 0, 1))
