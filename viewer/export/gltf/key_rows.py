"""Keyframes of many tracks in one array, corrected for glTF together."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from viewer.animation.sampling import Timelines, TrackTable
from viewer.arrays import Array
from viewer.export.gltf.numbers import finite
from viewer.scene.maths import normalise

CLOSE = 2e-5
"""Largest error of glTF's rotation between keys, in radians."""
CLOSE_STEP = 0.085
"""Largest angle in radians between quaternions at which slerp and lerp differ by less than `CLOSE`."""
HALF = np.linspace(0.0, 0.5, 6)


class ChannelKeys(NamedTuple):
    """N keys of T tracks, sorted by track and time.

    `owners` [N] are the track numbers; `times` [N] are in seconds; `values` are [N, C].
    """

    owners: Array
    times: Array
    values: Array

    @property
    def followed(self) -> Array:
        """[N] bool: whether the next key belongs to the same track, for each key."""
        return (
            np.append(self.owners[1:] == self.owners[:-1], False) if len(self.owners) else np.zeros(0, bool)
        )

    def kept(self, rows: Array) -> ChannelKeys:
        """Return some of the keys; `rows` are their numbers, or a mask [N]."""
        return ChannelKeys(self.owners[rows], self.times[rows], self.values[rows])

    def split(self, tracks: int) -> list[tuple[Array, Array]]:
        """Return the times and values of each track."""
        bounds = np.searchsorted(self.owners, np.arange(tracks + 1)).tolist()
        return [(self.times[begin:end], self.values[begin:end]) for begin, end in pairwise(bounds)]


def stored_keys(timelines: Timelines, channel: TrackTable) -> ChannelKeys:
    """Return the keys of all tracks of a channel, with values in f64."""
    firsts = timelines.firsts[channel.lines]
    counts = timelines.lasts[channel.lines] - firsts + 1
    owners = np.repeat(np.arange(len(counts)), counts)
    at = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(firsts, counts)
    values = channel.values[at + np.repeat(channel.shifts, counts)].astype(np.float64)
    return ChannelKeys(owners, timelines.times[at], values)


def with_ends(rows: ChannelKeys, duration: float, first: Array, last: Array) -> ChannelKeys:
    """Drop the keys outside the clip. A track without a key at 0 or at `duration` gets a key at this time.
    `first` and `last` [T, C] are the values of all tracks at these two times.
    """
    tracks = np.arange(len(first))
    inside = (rows.times >= 0) & (rows.times <= duration)
    begin = np.setdiff1d(tracks, rows.owners[rows.times == 0])
    end = np.setdiff1d(tracks, rows.owners[rows.times == duration])
    owners = np.concatenate((begin, rows.owners[inside], end))
    times = np.concatenate((np.zeros(len(begin)), rows.times[inside], np.full(len(end), duration)))
    values = np.concatenate((first[begin], rows.values[inside], last[end]))
    order = np.lexsort((times, owners))
    return ChannelKeys(owners, times, values).kept(order)


def one_side(rows: ChannelKeys) -> ChannelKeys:
    """Flip the signs of quaternions so that neighbouring quaternions are interpolated along the
    shorter arc.
    """
    turned = (np.sum(rows.values[1:] * rows.values[:-1], axis=1) < 0) & rows.followed[:-1]
    parity = np.append(0, np.cumsum(turned))
    begins = np.searchsorted(rows.owners, rows.owners)
    signs = np.where((parity - parity[begins]) % 2, -1.0, 1.0)
    return rows._replace(values=rows.values * signs[:, None])


def ascending(rows: ChannelKeys) -> ChannelKeys:
    """Convert keys to f32 with strictly ascending times in each track.

    If several keys have the same time, only the first and the last key are kept, and the first key is moved
    to the time just before.
    """
    rows = ChannelKeys(rows.owners, finite(rows.times), finite(rows.values))
    followed = rows.followed
    same = followed[:-1] & (rows.times[1:] <= rows.times[:-1])
    if not same.any():
        return rows
    first, last = np.append(True, ~same), np.append(~same, True)
    kept = first | last
    ends_before = (first & ~last)[kept]
    rows = rows.kept(kept)
    rows.times[ends_before] = np.nextafter(rows.times[ends_before], np.float32(-1))
    follows = np.append(False, rows.followed[:-1])
    later = np.append(True, rows.times[1:] > rows.times[:-1])
    return rows.kept((later | ~follows) & (rows.times >= 0))


def subdivided(rows: ChannelKeys, smooth: Array, linear: bool) -> ChannelKeys:
    """Add keys between rotations that are too far apart for glTF. The added keys follow the engine's
    interpolation: linear if `linear` is True, else along the arc. Only tracks with `smooth` [T] True are
    changed. The signs of quaternions must come from `one_side`.
    """
    number = np.arange(len(rows.owners))
    second = number + rows.followed
    cosine = np.clip(np.sum(rows.values * rows.values[second], axis=1, dtype=np.float64), -1, 1)
    angles = np.arccos(cosine)
    wide = (angles > CLOSE_STEP) & smooth[rows.owners]
    if not wide.any():
        return rows
    parts = np.ones(len(number), np.intp)
    parts[wide] = np.ceil(angles[wide] / CLOSE_STEP)
    if linear:
        parts[wide] = np.maximum(parts[wide], _linear_parts(angles[wide]))
    begin = np.repeat(number, parts)
    step = np.arange(len(begin)) - np.repeat(np.cumsum(parts) - parts, parts)
    factor = step / parts[begin]
    exact = rows.values.astype(np.float64)
    ahead = exact[second]
    if linear:
        values = normalise(exact[begin] + factor[:, None] * (ahead - exact)[begin])
    else:
        across = (ahead - exact * cosine[:, None]) / np.where(wide, np.sin(angles), 1)[:, None]
        turned = np.where(wide, angles, 0)[begin] * factor
        values = exact[begin] * np.cos(turned)[:, None] + across[begin] * np.sin(turned)[:, None]
    gaps = rows.times[second].astype(np.float64) - rows.times
    return ascending(ChannelKeys(rows.owners[begin], rows.times[begin] + gaps[begin] * factor, values))


def _linear_parts(angles: Array) -> Array:
    """Return the number [N] of equal time steps into which the interval between two keys must be divided.
    Then linear interpolation, whose angular speed varies, is exact enough.

    `angles` [N] are the angles a between the quaternions. At time t the interpolated angle is atan2(t sin a,
    1 - t + t cos a). Between keys the error of the angle is its second derivative times the square of the
    step, divided by 8. The error of the rotation is twice as large.
    """
    sine, cosine = np.sin(angles)[:, None], np.cos(angles)[:, None]
    squared = (1 - HALF) ** 2 + HALF**2 + 2 * HALF * (1 - HALF) * cosine
    change = np.abs(sine * (2 - 4 * HALF) * (1 - cosine) / np.maximum(squared, 1e-3) ** 2)
    return np.asarray(np.ceil(np.sqrt(change.max(axis=1) / 4 / CLOSE)), np.intp)
