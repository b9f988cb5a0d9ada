"""Clips sampled at a time: all tracks at once, without a loop over tracks, bones or keys.

The values that depend on the time alone (the two keys and the factor between them) are computed once for each
distinct row of key times: the channels of a bone share their row, and often all bones do.
Source: Urho3D `AnimationTrack::GetKeyFrameIndex` and `AnimationState::ApplyTrack`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from msgspec import Struct

from viewer.animation.clock import clamped, wrapped
from viewer.arrays import Array
from viewer.scene.animation import Animation, Track
from viewer.scene.maths import nlerp, slerp


class Timelines(Struct, frozen=True, eq=False):
    """L rows of key times, concatenated: `times` [K] seconds, row r is [firsts[r], lasts[r]].

    `strides` are the steps of the bisection: descending powers of two. `periods` [L] are the seconds of loops
    that ignore the clip's time (negative: the row follows the clip); `stepped` [L]: values hold until the
    next key.
    """

    times: Array
    firsts: Array
    lasts: Array
    strides: tuple[int, ...]
    periods: Array | None = None
    stepped: Array | None = None

    def between(self, time: float | Array, duration: float, looped: bool) -> tuple[Array, Array]:
        """The two keys around `time`, [2, L] indices into `times`, and the interpolation factor between them,
        [L].

        The first is the last key at or before `time`, compared exactly, or key 0; before key 0 the factor is
        negative. After the last key comes key 0 when `looped`, else the last key itself. Each row may have
        its own time [L], and a single row may be asked for N times [N] at once.
        """
        key = self.firsts
        for stride in self.strides:
            probe = np.minimum(key + stride, self.lasts)
            key = np.where(self.times.take(probe) <= time, probe, key)
        ends = np.empty((2, len(key)), np.intp)
        ends[0], ends[1] = key, np.where(key < self.lasts, key + 1, self.firsts if looped else key)
        begin, end = self.times.take(ends)
        gap = end - begin
        gap += (gap < 0) * duration
        since = time - begin
        factor = np.ones(len(since))
        np.divide(since, gap, out=factor, where=gap > 0)
        return ends, factor

    def held(self, time: float | Array) -> tuple[Array, Array]:
        """The same as `between` by the rule of OGRE: the second key is the first key at or after `time`.

        Before all keys the first key holds, after them the last. Source: OGRE
        `AnimationTrack::getKeyFramesAtTime`.
        """
        key = self.firsts
        for stride in self.strides:
            probe = np.minimum(key + stride, self.lasts)
            key = np.where(self.times.take(probe) < time, probe, key)
        ends = np.stack((key, np.minimum(key + 1, self.lasts)))
        begin, end = self.times.take(ends)
        factor = np.zeros(len(key))
        np.divide(time - begin, end - begin, out=factor, where=end > begin)
        return ends, np.clip(factor, 0, 1)

    def steady(self, time: float | Array, clip: float | Array, duration: float) -> tuple[Array, Array]:
        """The same as `between` by the rule of M2: the first and the last key hold outside their times.

        Rows with a period follow the unwrapped `time`, others the time in the `clip`.
        """
        assert self.periods is not None and self.stepped is not None
        loops = np.where(self.periods > 0, self.periods, 1)
        own = np.where(self.periods > 0, time % loops, 0.0)
        ends, factor = self.between(np.where(self.periods < 0, clip, own), duration, False)
        factor[self.stepped & (ends[0] != ends[1])] = 0
        return ends, np.clip(factor, 0, 1)


class Channel(Struct, frozen=True, eq=False):
    """T tracks of one kind: track t sets slot `slots[t]` from its row of times, `lines[t]`.

    `values` [V, C] float32 are the keys of all tracks; `shifts[t]` added to a key's index in the times gives
    its index in `values`.
    """

    slots: Array
    lines: Array
    shifts: Array
    values: Array

    def pairs(self, ends: Array) -> Array:
        """[2, T, C] float64: the values of each track at the two keys of its row."""
        indices = ends.take(self.lines, axis=1)
        indices += self.shifts
        return self.values.take(indices, axis=0).astype(np.float64)


class Sample(Struct, frozen=True, eq=False):
    """A clip at one time, for the slots that it sets: `vectors` [T, 3] at `vector_slots` [T] (positions of
    bone b at slot b, scales at slot B + b), `rotations` [R, 4] xyzw at `bones` [R].
    """

    vector_slots: Array
    vectors: Array
    bones: Array
    rotations: Array


class Clip(Struct, frozen=True, eq=False):
    """An animation prepared for one skeleton. It holds copies of the keys and no reference to either.

    The clip of C copies of a skeleton (see `pose_batch`) is sampled at C times [C], one for each copy.
    """

    duration: float
    timelines: Timelines
    linear: Channel
    spherical: Channel

    @property
    def nbytes(self) -> int:
        """The bytes of its keys, and of the tables of its tracks."""
        channels = self.linear, self.spherical
        tables = sum(each.slots.nbytes + each.lines.nbytes + each.shifts.nbytes for each in channels)
        return self.timelines.times.nbytes + tables + sum(each.values.nbytes for each in channels)

    def sample(self, time: float | Array, looped: bool) -> Sample:
        """The values at `time` seconds: wrapped into [0, duration) when `looped`, else clamped."""
        time = self._of_rows(_folded_all(time, self.duration, looped))
        return self._mixed(*self.timelines.between(time, self.duration, looped), slerp)

    def held(self, time: float | Array, looped: bool) -> Sample:
        """The same as `sample` by the rules of OGRE: ends are held, rotations are interpolated linearly."""
        time = self._of_rows(_folded_all(time, self.duration, looped))
        return self._mixed(*self.timelines.held(time), nlerp)

    def steady(self, time: float | Array, looped: bool) -> Sample:
        """The same as `sample` by the rules of M2: ends are held, some rows step, some follow loops of their
        own.
        """
        clip = self._of_rows(_folded_all(time, self.duration, looped))
        return self._mixed(*self.timelines.steady(self._of_rows(time), clip, self.duration), slerp)

    def _of_rows(self, time: float | Array) -> float | Array:
        """The time of each row of key times, from the time of each copy."""
        if isinstance(time, float | int):
            return time
        return np.repeat(time, len(self.timelines.firsts) // len(time))

    def row(self, slot: int, turns: bool) -> tuple[Array, Array, bool, float | None] | None:
        """The track that sets a slot (`turns`: a bone's rotation): its key times [K], values [K, C], whether
        it steps, and its period; None if no track sets the slot.
        """
        channel, lines = (self.spherical if turns else self.linear), self.timelines
        found = np.flatnonzero(channel.slots == slot)
        if not len(found) or lines.periods is None or lines.stepped is None:
            return None
        line, shift = int(channel.lines[found[-1]]), int(channel.shifts[found[-1]])
        first, behind = int(lines.firsts[line]), int(lines.lasts[line]) + 1
        period = float(lines.periods[line])
        values = channel.values[first + shift : behind + shift].astype(np.float64)
        return lines.times[first:behind], values, bool(lines.stepped[line]), None if period < 0 else period

    def _mixed(self, ends: Array, factor: Array, blend: Callable[[Array, Array, Array], Array]) -> Sample:
        first, second = self.linear.pairs(ends)
        vectors = first + (second - first) * factor.take(self.linear.lines)[:, None]
        first, second = self.spherical.pairs(ends)
        rotations = blend(first, second, factor.take(self.spherical.lines)[:, None])
        return Sample(self.linear.slots, vectors, self.spherical.slots, rotations)


def folded(time: float, duration: float, looped: bool) -> float:
    """`time` within a clip: wrapped into [0, duration) when `looped`, else clamped."""
    return wrapped(time, duration) if looped else clamped(time, duration)


def _folded_all(time: float | Array, duration: float, looped: bool) -> float | Array:
    """The same as `folded` for one time or for many."""
    if isinstance(time, float | int):
        return folded(time, duration, looped)
    return np.array([folded(float(each), duration, looped) for each in time])


def prepare(animation: Animation, bones: Mapping[str, int], count: int) -> Clip:
    """A clip of the tracks whose target is in `bones`, for a skeleton of `count` bones.

    Of two tracks for the same path of the same bone the later one counts.
    """
    linear: dict[int, Track] = {}
    spherical: dict[int, Track] = {}
    for track in animation.tracks:
        bone = bones.get(track.target)
        if bone is None or not len(track.times):
            continue
        if track.path == "rotation":
            spherical[bone] = track
        else:
            linear[bone + count * (track.path == "scale")] = track
    rows = _Rows()
    channels = (_channel(linear, 3, rows), _channel(spherical, 4, rows))
    return Clip(animation.duration, rows.timelines(), *channels)


class _Rows:
    """Collects rows of key times, each distinct row once."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[bytes, bool, float | None], int] = {}
        self.firsts: list[int] = []
        self.rows: list[Array] = []
        self.count = 0

    def add(self, track: Track) -> int:
        """The number of the row with the times of this track."""
        row = np.ascontiguousarray(track.times, np.float64)
        key = row.tobytes(), track.stepped, track.period
        number = self.numbers.setdefault(key, len(self.rows))
        if number == len(self.rows):
            self.rows.append(row)
            self.firsts.append(self.count)
            self.count += len(row)
        return number

    def timelines(self) -> Timelines:
        """All rows as one array."""
        sizes = np.array([len(row) for row in self.rows], np.intp)
        firsts = np.array(self.firsts, np.intp)
        most = int(sizes.max(initial=0))
        times = np.concatenate([*self.rows, np.empty(0)])
        periods = np.array([-1.0 if period is None else period for _, _, period in self.numbers])
        stepped = np.array([stepped for _, stepped, _ in self.numbers], bool)
        return Timelines(times, firsts, firsts + sizes - 1, _strides(most), periods, stepped)


def single(times: Array) -> Timelines:
    """The timelines of a single row of key times [K], K > 0."""
    return Timelines(times, np.zeros(1, np.intp), np.array([len(times) - 1]), _strides(len(times)))


def _strides(most: int) -> tuple[int, ...]:
    """The steps of the bisection for up to `most` keys."""
    return tuple(1 << power for power in reversed(range((most - 1).bit_length() if most else 0)))


def _channel(tracks: Mapping[int, Track], components: int, rows: _Rows) -> Channel:
    lines = [rows.add(track) for track in tracks.values()]
    sizes = [len(track.times) for track in tracks.values()]
    begins = np.concatenate((np.zeros(1, np.intp), np.cumsum(sizes, dtype=np.intp)))[:-1]
    values = [np.asarray(track.values, np.float32) for track in tracks.values()]
    return Channel(
        slots=np.array([*tracks], np.intp),
        lines=np.array(lines, np.intp),
        shifts=begins - np.array([rows.firsts[line] for line in lines], np.intp),
        values=np.concatenate([*values, np.empty((0, components), np.float32)]),
    )
