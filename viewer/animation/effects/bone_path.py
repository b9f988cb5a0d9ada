"""Where something that hangs on a bone is over time, baked: the frames at which particles and the edges of
ribbons are born, and how far those that follow are carried along.

Between two nodes frames are mixed linearly; nodes are as near to each other as turning asks for.
"""

from __future__ import annotations

import math

import numpy as np

from viewer.animation.chain import Chain
from viewer.animation.track_sampling import LONGEST, MOST_NODES, BakeInterval, course, nodes
from viewer.arrays import Array
from viewer.dataclass import dataclass
from viewer.scene.emitter import Emitter
from viewer.scene.maths import IDENTITY, compose

WINDOW = 30.0
"""Seconds that are baked at once of what never repeats."""
SAMPLES, FINEST = 128, 1 / 30
"""A stretch is looked at this often, but not at shorter steps (seconds)."""
TURN = 0.05
"""Radians between two nodes: mixing them linearly is wrong by 3 parts in 10,000."""
STEP = 1e-4
"""Seconds over which a speed is measured."""
JUMP = 1e-5
"""Probes that are nearer to each other than this are the two sides of a jump."""
FARTHEST = 1e12
"""Numbers of a damaged file become no larger than this."""


@dataclass(frozen=True, slots=True, eq=False)
class BonePath:
    """`frames` [K, 3, 4] in model space at `times` [K] seconds of the stretch. `drift` [K, 3] is how far
    something that follows is carried from time 0; `speeds` [K, 2, 3] is how fast the origin goes just behind
    a node and just before the next, 0 where nobody asked."""

    stretch: BakeInterval
    times: Array
    frames: Array
    drift: Array
    speeds: Array

    def carried(self, time: float) -> Array:
        """[3] the drift at a time within the stretch."""
        return np.array([np.interp(time, self.times, self.drift[:, axis]) for axis in range(3)])

    def at(self, times: Array) -> Array:
        """[N, 3, 4] the frames at `times` [N] seconds, which are not wrapped."""
        own, flat = self.stretch.folded(times)[0], self.frames.reshape(len(self.times), -1)
        found = [np.interp(own, self.times, column) for column in flat.T]
        return np.stack(found, axis=-1).reshape(-1, 3, 4)

    def drifted(self, times: Array) -> Array:
        """[N, 3] the drift at `times` [N] seconds, which are not wrapped."""
        own, loops = self.stretch.folded(times)
        found = [np.interp(own, self.times, column) for column in self.drift.T]
        return np.asarray(np.stack(found, axis=-1) + loops[:, None] * self.drift[-1])


def turned_offset(emitter: Emitter) -> Array:
    """[3, 4] an emitter's own space below its bone: its x axis lies along the model's y.

    Source: Deamon87 WebWowViewerCpp and rkabachenko OpenWow, which agree.
    """
    offset = np.array(((0.0, -1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)))
    offset[:, 3] = np.nan_to_num(np.clip(emitter.position, -FARTHEST, FARTHEST))
    return offset


def path(
    above: Chain | None,
    offset: Array,
    follow: tuple[tuple[float, float], tuple[float, float]] | None = None,
    view: Array | None = None,
    fast: bool = False,
    around: tuple[float, float] = (0.0, 0.0),
) -> BonePath:
    """The frames bone · `offset` [3, 4] of something on the last bone of a chain (None: on none).

    `follow` are two pairs of speed and share: what follows goes that share of the way, mixed by how fast the
    bone is. `view` is that of billboards; `fast`: speeds are asked for. What does not repeat soon is baked
    `around` a time, with so many seconds before it.
    """
    timings = [] if above is None else list(above.timings())
    stretch = course(timings, 0.0 if above is None else above.duration, above is None or above.looped)
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


def window(time: float, before: float) -> BakeInterval:
    """The stretch that is baked for a time, with so many seconds before it: the same for all times in it."""
    before = min(max(before, 0.0), LONGEST)
    return BakeInterval(WINDOW + before, False, False, math.floor(time / WINDOW) * WINDOW - before)


def _speeds(above: Chain, probes: Array, origins: Array, offset: Array, view: Array | None) -> Array:
    """[K - 1, 2, 3]: how fast the origin goes at both ends of each gap, seen from inside."""
    gap = np.diff(probes)
    step = np.clip(gap / 100, 1e-9, STEP)
    behind = _origins(above.skin(probes[:-1] + step, view), offset) - origins[:-1]
    before = origins[1:] - _origins(above.skin(probes[1:] - step, view), offset)
    speeds = np.stack((behind, before), axis=1) / step[:, None, None]
    return np.where((gap > JUMP)[:, None, None], sound(speeds), 0)


def _origins(skin: Array, offset: Array) -> Array:
    return sound(np.matmul(skin[:, :, :3], offset) + skin[:, :, 3])


def sound(frames: Array) -> Array:
    """Frames without numbers that are none or past all sense."""
    if np.abs(frames).max(initial=0.0) <= FARTHEST:  # false where one is none
        return frames
    return np.asarray(np.clip(np.nan_to_num(frames), -FARTHEST, FARTHEST))


def _refined(times: Array, probes: Array, frames: Array) -> tuple[Array, Array, Array]:
    """More nodes where the axes turn or stretch by much; [K] which of them are new."""
    axes = frames[:, :, :3]
    size = np.sqrt(np.maximum((axes[:-1] ** 2).sum(axis=1).max(axis=-1), 1e-12))
    turn = np.sqrt(((axes[1:] - axes[:-1]) ** 2).sum(axis=1).max(axis=-1)) / size
    parts = np.where(np.diff(times) > 0, np.ceil(np.minimum(turn, 4.0) / TURN), 1).astype(np.intp)
    parts = np.maximum(parts, 1)
    if parts.sum() >= MOST_NODES:
        parts = np.maximum(parts * MOST_NODES // (2 * parts.sum()), 1)
    place = np.repeat(np.arange(len(parts)), parts)
    step = np.arange(len(place)) - np.repeat(np.cumsum(parts) - parts, parts)
    share = step / parts[place]
    found = [
        np.append(row[place] + (row[place + 1] - row[place]) * share, row[-1]) for row in (times, probes)
    ]
    return found[0], found[1], np.append(step > 0, False)


def _drift(
    times: Array, origins: Array, follow: tuple[tuple[float, float], tuple[float, float]] | None
) -> Array:
    """[K, 3]: the sum of the origin's steps, each times its share; jumps carry nothing along."""
    gap, step = np.diff(times), np.diff(origins, axis=0)
    step[gap <= 0] = 0
    speed = np.linalg.norm(step, axis=1) / np.where(gap > 0, gap, 1)
    step *= 0.0 if follow is None else follow_share(follow, speed)[:, None]
    return np.concatenate((np.zeros((1, 3)), np.cumsum(step, axis=0)))


def follow_share(follow: tuple[tuple[float, float], tuple[float, float]], speed: Array) -> Array:
    """[N]: which part of the way is gone along at speeds [N]. Source: Deamon87 WebWowViewerCpp."""
    ((slow, low), (fast, high)) = np.nan_to_num(np.clip(follow, -FARTHEST, FARTHEST)).tolist()
    rise = (high - low) / (fast - slow) if fast != slow else 0.0
    return np.asarray(np.clip(low + (speed - slow) * rise, 0, 1))
