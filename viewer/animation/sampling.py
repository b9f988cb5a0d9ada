"""Samples all tracks of a clip at many times at once, without a loop over tracks, bones, keys or times.

The channels of a bone share one row of key times, and often all bones do. So the two keys around a time, and
the factor between them, are computed once per row. Source: Urho3D `AnimationTrack::GetKeyFrameIndex` and
`AnimationState::ApplyTrack`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.scene.animation import Animation, Track
from viewer.scene.maths import distinct, nlerp, slerp


class KeyTiming(Struct, frozen=True):
    """The key times of a track: `times` [K] seconds. `stepped` and `period` are as in
    `scene.emitter.Curve`.
    """

    times: Array
    stepped: bool
    period: float | None


class Timelines(Struct, frozen=True, eq=False):
    """L rows of key times in one array `times` [K], in seconds. Row r goes from index `firsts[r]` to
    `lasts[r]`, both included.

    `strides` are the steps of the bisection: descending powers of two. `periods` [L] are the periods in
    seconds of rows that repeat independently of the clip; a negative period means that the row follows the
    clip. `stepped` [L] marks rows whose values stay constant until the next key.

    The methods `between`, `held` and `steady` return the two keys around each of T times as indices [2, L, T]
    into `times`, and the factor [L, T] between them.
    """

    times: Array
    firsts: Array
    lasts: Array
    strides: tuple[int, ...]
    periods: Array
    stepped: Array

    def timings(self, turn: float | None) -> Iterator[KeyTiming]:
        """Yield the timing of each row. For a row that follows the clip, the period is `turn` seconds (None:
        it has no period of its own).
        """
        ends = zip(self.firsts.tolist(), self.lasts.tolist(), strict=True)
        for (first, last), stepped, period in zip(
            ends, self.stepped.tolist(), self.periods.tolist(), strict=True
        ):
            yield KeyTiming(self.times[first : last + 1], stepped, turn if period < 0 else period)

    def _last_key(self, times: Array, before: np.ufunc) -> Array:
        """[L, T]: the last key of each row for which `before(key, time)` is true; without such a key, the
        first key; `times` are [T] or [L, T].
        """
        key, lasts = self.firsts[:, None], self.lasts[:, None]
        for stride in self.strides:
            probe = np.minimum(key + stride, lasts)
            key = np.where(before(self.times.take(probe), times), probe, key)
        return key if self.strides else np.broadcast_to(key, (len(key), times.shape[-1]))

    def between(self, times: Array, duration: float, looped: bool) -> tuple[Array, Array]:
        """Apply Urho3D's rule: the first of the two keys is the last key at or before the time (else key 0),
        by exact comparison.

        Before key 0 the factor is negative. After the last key comes key 0 when `looped`, else the last key
        itself. Each row may have its own times [L, T].
        """
        key, firsts, lasts = self._last_key(times, np.less_equal), self.firsts[:, None], self.lasts[:, None]
        ends = np.empty((2, *key.shape), np.intp)
        ends[0], ends[1] = key, np.where(key < lasts, key + 1, firsts if looped else key)
        begin, end = self.times.take(ends)
        gap = end - begin
        gap += (gap < 0) * duration
        factor = np.ones(key.shape)
        np.divide(times - begin, gap, out=factor, where=gap > 0)
        return ends, factor

    def held(self, times: Array) -> tuple[Array, Array]:
        """Apply OGRE's rule: the second of the two keys is the first key at or after the time.

        Before all keys, the first key applies; after all keys, the last key applies. Source: OGRE
        `AnimationTrack::getKeyFramesAtTime`.
        """
        key = self._last_key(times, np.less)
        ends = np.stack((key, np.minimum(key + 1, self.lasts[:, None])))
        begin, end = self.times.take(ends)
        factor = np.zeros(key.shape)
        np.divide(times - begin, end - begin, out=factor, where=end > begin)
        return ends, np.clip(factor, 0, 1)

    def steady(self, times: Array, clip: Array, duration: float) -> tuple[Array, Array]:
        """Apply M2's rule: before all keys, the first key applies; after all keys, the last key applies.

        Rows with a period follow the unwrapped `times` [T], all other rows the `clip` times [T].
        """
        periods = self.periods[:, None]
        own = np.where(periods > 0, times % np.where(periods > 0, periods, 1), 0.0)
        ends, factor = self.between(np.where(periods < 0, clip, own), duration, False)
        factor[self.stepped[:, None] & (ends[0] != ends[1])] = 0
        return ends, np.clip(factor, 0, 1)


class TrackTable(Struct, frozen=True, eq=False):
    """The tracks of one kind: track k sets slot `slots[k]` at the times of row `lines[k]`.

    `values` [V, C] float32 are the keys of all tracks. A key's index in `values` is its index in the times
    plus `shifts[k]`.
    """

    slots: Array
    lines: Array
    shifts: Array
    values: Array

    def pairs(self, ends: Array) -> Array:
        """[2, tracks · T, C] float64: the values of each track at the two keys of its row."""
        indices = ends.take(self.lines, axis=1)
        indices += self.shifts[:, None]
        return self.values.take(indices.reshape(2, -1), axis=0).astype(np.float64)

    def part(self, rows: Array) -> TrackTable:
        """Return the tracks with new slot numbers: slot s becomes `rows[s]` (-1: its tracks are left out)."""
        slots = rows[self.slots]
        kept = slots >= 0
        return TrackTable(slots[kept], self.lines[kept], self.shifts[kept], self.values)


class Sample(Struct, frozen=True, eq=False):
    """The values of a clip at T times. `vectors` [S, T, 3] belong to the slots `vector_slots` [S]: slot b is
    the position of bone b, and slot B + b is the scale of bone b. `rotations` [R, T, 4] xyzw belong to
    `bones` [R].
    """

    vector_slots: Array
    vectors: Array
    bones: Array
    rotations: Array


class PreparedClip(Struct, frozen=True, eq=False):
    """An animation prepared for one skeleton. It has copies of the keys, and no reference to the animation or
    the skeleton.
    """

    duration: float
    timelines: Timelines
    linear: TrackTable
    spherical: TrackTable

    @property
    def nbytes(self) -> int:
        """The size in bytes of the keys and the track tables."""
        channels = self.linear, self.spherical
        tables = sum(each.slots.nbytes + each.lines.nbytes + each.shifts.nbytes for each in channels)
        return self.timelines.times.nbytes + tables + sum(each.values.nbytes for each in channels)

    def sample(self, times: Array, looped: bool) -> Sample:
        """Sample by the rules of Urho3D at `times` [T] seconds, which are wrapped into [0, duration) when
        `looped`, else clamped.
        """
        own = folded(times, self.duration, looped)
        return self._mixed(*self.timelines.between(own, self.duration, looped), slerp)

    def held(self, times: Array, looped: bool) -> Sample:
        """Sample by the rules of OGRE: values are constant before the first and after the last key, and
        rotations are interpolated linearly.
        """
        return self._mixed(*self.timelines.held(folded(times, self.duration, looped)), nlerp)

    def steady(self, times: Array, looped: bool) -> Sample:
        """Sample by the rules of M2: values are constant before the first and after the last key, some rows
        step, and some rows loop independently of the clip.
        """
        own = folded(times, self.duration, looped)
        return self._mixed(*self.timelines.steady(times, own, self.duration), slerp)

    def part(self, bones: Array, count: int) -> PreparedClip:
        """Select the tracks of `bones` [N], for a skeleton of these bones only. `count` is the number of
        bones of the whole skeleton. Both clips share their keys.
        """
        rows = np.full(2 * count, -1)
        rows[np.concatenate((bones, bones + count))] = np.arange(2 * len(bones))
        linear, spherical = self.linear.part(rows), self.spherical.part(rows[:count])
        lines = distinct(np.concatenate((linear.lines, spherical.lines)))
        linear, spherical = (
            replace(each, lines=np.searchsorted(lines, each.lines)) for each in (linear, spherical)
        )
        whole = self.timelines
        firsts, lasts = whole.firsts[lines], whole.lasts[lines]
        strides = _strides(int((lasts - firsts).max(initial=-1)) + 1)
        periods, stepped = whole.periods[lines], whole.stepped[lines]
        return PreparedClip(
            self.duration, Timelines(whole.times, firsts, lasts, strides, periods, stepped), linear, spherical
        )

    def _mixed(self, ends: Array, factor: Array, blend: Callable[[Array, Array, Array], Array]) -> Sample:
        times = ends.shape[-1]
        first, second = self.linear.pairs(ends)
        vectors = first + (second - first) * factor.take(self.linear.lines, axis=0).reshape(-1, 1)
        first, second = self.spherical.pairs(ends)
        rotations = blend(first, second, factor.take(self.spherical.lines, axis=0).reshape(-1, 1))
        slots, bones = self.linear.slots, self.spherical.slots
        shape = len(slots), times, 3
        return Sample(slots, vectors.reshape(shape), bones, rotations.reshape(len(bones), times, 4))


def folded(times: Array, duration: float, looped: bool) -> Array:
    """[T]: `times` [T] wrapped into [0, duration) when `looped`, else clamped; 0 in a clip without length."""
    if not 0 < duration < math.inf:
        return np.zeros_like(times)
    if not looped:
        return np.minimum(np.maximum(times, 0.0), duration)
    rest = times % duration
    return np.where(rest < duration, rest, 0.0)  # `rest` is `duration` if rounded: -1e-20 % 1.0 is 1.0


def even_times(duration: float, rate: float, most: float) -> Array:
    """[K]: times from 0 to `duration` seconds, both included, at `rate` times a second or a little more.
    There are at most `most` steps; K is 1 for a clip without length.
    """
    if not 0 < duration < math.inf:
        return np.zeros(1)
    return np.linspace(0.0, duration, math.ceil(min(max(duration * rate, 1), most)) + 1)


def prepare(animation: Animation, bones: Mapping[str, int], count: int) -> PreparedClip:
    """Prepare a clip for a skeleton of `count` bones. `bones` maps targets to bone numbers; tracks of other
    targets are left out.

    If two tracks have the same bone and path, the later track counts.
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
    rows = _KeyRows()
    channels = (_channel(linear, 3, rows), _channel(spherical, 4, rows))
    return PreparedClip(animation.duration, rows.timelines(), *channels)


class _KeyRows:
    """Collects the rows of key times. Tracks with equal key times share a row."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[bytes, bool, float | None], int] = {}
        self.firsts: list[int] = []
        self.rows: list[Array] = []
        self.count = 0

    def add(self, track: Track) -> int:
        """Return the number of the row with the times of a track; add the row if it is new."""
        row = np.ascontiguousarray(track.times, np.float64)
        key = row.tobytes(), track.stepped, track.period
        number = self.numbers.setdefault(key, len(self.rows))
        if number == len(self.rows):
            self.rows.append(row)
            self.firsts.append(self.count)
            self.count += len(row)
        return number

    def timelines(self) -> Timelines:
        sizes = np.array([len(row) for row in self.rows], np.intp)
        firsts = np.array(self.firsts, np.intp)
        most = int(sizes.max(initial=0))
        times = np.concatenate([*self.rows, np.empty(0)])
        periods = np.array([-1.0 if period is None else period for _, _, period in self.numbers])
        stepped = np.array([stepped for _, stepped, _ in self.numbers], bool)
        return Timelines(times, firsts, firsts + sizes - 1, _strides(most), periods, stepped)


def single(times: Array, stepped: bool = False) -> Timelines:
    """Make timelines of a single row of key times [K], K > 0, that follows the clip."""
    ends = np.zeros(1, np.intp), np.array([len(times) - 1])
    return Timelines(times, *ends, _strides(len(times)), np.full(1, -1.0), np.array([stepped]))


def key_pairs(keys: Array, times: Array, stepped: bool = False) -> tuple[Array, Array, Array]:
    """Find the two of the `keys` [K] in seconds around each of `times` [T]: two arrays of indices [T], and
    the factor [T] from 0 to 1 between them. Before all keys, the first key applies; after all keys, the last
    key applies.
    """
    ends, factor = single(np.asarray(keys, np.float64), stepped).steady(times, times, 0.0)
    return ends[0, 0], ends[1, 0], factor[0]


def _strides(most: int) -> tuple[int, ...]:
    """The steps of the bisection for up to `most` keys."""
    return tuple(1 << power for power in reversed(range((most - 1).bit_length() if most else 0)))


def _channel(tracks: Mapping[int, Track], components: int, rows: _KeyRows) -> TrackTable:
    lines = [rows.add(track) for track in tracks.values()]
    sizes = [len(track.times) for track in tracks.values()]
    begins = np.concatenate((np.zeros(1, np.intp), np.cumsum(sizes, dtype=np.intp)))[:-1]
    values = [np.asarray(track.values, np.float32) for track in tracks.values()]
    return TrackTable(
        slots=np.array([*tracks], np.intp),
        lines=np.array(lines, np.intp),
        shifts=begins - np.array([rows.firsts[line] for line in lines], np.intp),
        values=np.concatenate([*values, np.empty((0, components), np.float32)]),
    )
