"""Samples two tracks at the times of all their keys, and measures how far they deviate."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.animation.sampling import key_pairs
from viewer.arrays import Array
from viewer.compare.axes_change import AxesChange
from viewer.compare.diff.deviation import Tolerance
from viewer.scene.animation import Composition, Track
from viewer.scene.maths import angles, distinct, lengths, nlerp, normalise, quaternion_product, slerp
from viewer.scene.skeleton import Skeleton

ROTATION, POSITION, SCALE = "rotation", "position", "scale"
NEUTRAL = {ROTATION: (0.0, 0.0, 0.0, 1.0), POSITION: (0.0, 0.0, 0.0), SCALE: (1.0, 1.0, 1.0)}


class TrackSide(Struct, frozen=True, eq=False):
    """A channel of a clip. `track` is None if the channel has no keys; `composition` combines the keys with
    the rest pose; `skeleton` is None if it is unknown; `bone` is the index of the bone in the skeleton.
    """

    track: Track | None
    composition: Composition
    skeleton: Skeleton | None = None
    bone: int | None = None


class Deviation(Struct, frozen=True, eq=False):
    """The deviation of two tracks at `times` [T] in seconds, the times of all keys of both tracks. `amounts`
    [T] are degrees for rotations, units for positions, or differences of scales. `limit` is the largest
    ignored amount.
    """

    path: str
    times: Array
    amounts: Array
    limit: float

    @property
    def most(self) -> float:
        """The largest amount."""
        return float(self.amounts.max(initial=0))

    @property
    def at(self) -> float:
        """The time of the largest amount."""
        return float(self.times[int(self.amounts.argmax())]) if len(self.times) else 0.0

    @property
    def counts(self) -> bool:
        """Whether the deviation is above the limit, so that the tracks count as different."""
        return self.most > self.limit


def same_keys(one: Track | None, other: Track | None) -> bool:
    """Whether two tracks have exactly the same keys."""
    if one is None or other is None:
        return one is other
    same = one.stepped == other.stepped and one.period == other.period
    return same and np.array_equal(one.times, other.times) and np.array_equal(one.values, other.values)


def deviation(
    path: str, one: TrackSide, other: TrackSide, axes: AxesChange, tolerance: Tolerance
) -> Deviation | None:
    """Measure the deviation of two channels; None if one of the channels has neither keys nor a known rest
    pose.
    """
    times = distinct(np.concatenate([_times(each.track) for each in (one, other)]))
    absolute = one.composition is not other.composition
    first, second = (_values(path, each, times, absolute) for each in (one, other))
    if first is None or second is None:
        return None
    if path == ROTATION:
        return Deviation(path, times, angles(first, axes.rotations(second)), tolerance.angle)
    if path == POSITION:
        moved = (
            axes.points(second)
            if absolute or one.composition is Composition.ABSOLUTE
            else (axes.directions(second) * axes.factor)
        )
        return Deviation(path, times, _lengths(first, moved), tolerance.distance)
    limit = max(tolerance.share * 10, 0.0)
    return Deviation(path, times, _lengths(first, axes.scales(second)), limit)


def _lengths(first: Array, second: Array) -> Array:
    return np.asarray(np.where((first == second).all(axis=1), 0.0, lengths(first - second)))


def _times(track: Track | None) -> Array:
    if track is None:
        return np.empty(0)
    return track.times[np.isfinite(track.times)].astype(np.float64)


def _values(path: str, side: TrackSide, times: Array, absolute: bool) -> Array | None:
    """[T, C] f64: the values of a channel at `times` [T]; with `absolute`, combined with the rest pose."""
    rest = _rest(path, side)
    track = side.track
    if track is None or not len(track.times):
        if side.composition is not Composition.ABSOLUTE and not absolute:
            rest = np.array(NEUTRAL[path])
        return None if rest is None else np.tile(rest.astype(np.float64), (len(times), 1))
    found = _sampled(track, times, side.composition)
    if not absolute or side.composition is Composition.ABSOLUTE:
        return found
    if rest is None:
        return None
    if path == ROTATION:
        return quaternion_product(np.broadcast_to(rest, found.shape), found)
    return np.asarray(rest + found if path == POSITION else rest * found)


def _rest(path: str, side: TrackSide) -> Array | None:
    """[C]: the rest pose of the bone; None if the skeleton is not known."""
    if side.skeleton is None or side.bone is None:
        return None
    tables = {ROTATION: "rotations", POSITION: "positions", SCALE: "scales"}
    return np.asarray(getattr(side.skeleton, tables[path])[side.bone])


def _sampled(track: Track, times: Array, composition: Composition) -> Array:
    """[T, C] f64: the values of a track at `times` [T]. Before the first key and after the last key the
    values stay constant.
    """
    keys = track.times.astype(np.float64)
    values = track.values.astype(np.float64)
    if not (keys[1:] >= keys[:-1]).all():
        order = np.argsort(keys, kind="stable")
        keys, values = keys[order], values[order]
    first, second, factor = key_pairs(keys, times, track.stepped)
    low, high, share = values[first], values[second], factor[:, None]
    if track.path != ROTATION:
        return np.asarray(low + (high - low) * share)
    blend = slerp if composition is Composition.ABSOLUTE else nlerp
    return blend(normalise(low), normalise(high), share)
