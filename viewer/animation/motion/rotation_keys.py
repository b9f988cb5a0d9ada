"""The rotation keys of a clip in one array, for measurements of all bones at once."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.animation import Animation, Track


class RotationKeys(Struct, frozen=True, eq=False):
    """N keys of R rotation tracks, one track behind the other: the keys of track r are those from `starts[r]`
    to `starts[r + 1]`. `targets` [R] are the names of the bones.

    `times` [N] f64 are seconds, ascending in each track. `rotations` [N, 4] f32 have the length 1, and each
    has the sign that is nearer to the key before it. `numbers` [N] are the numbers of the keys in their
    tracks.
    """

    targets: tuple[str, ...]
    times: Array
    rotations: Array
    numbers: Array
    starts: Array

    @property
    def tracks(self) -> Array:
        """[N]: the number of the track of each key."""
        return np.repeat(np.arange(len(self.targets)), np.diff(self.starts))

    def track(self, number: int) -> slice:
        """The keys of one track."""
        return slice(int(self.starts[number]), int(self.starts[number + 1]))


def rotation_keys(animation: Animation, left_out: Collection[str] = ()) -> RotationKeys:
    """Collect the rotation keys of a clip, without the bones `left_out`. Tracks that loop on their own are
    left out, because they do not belong to the time of the clip, and so are keys whose numbers are not finite
    or whose rotation is 0.
    """
    rows = [
        (track.target, *_usable(track))
        for track in animation.tracks
        if track.path == "rotation" and track.period is None and track.target not in left_out
    ]
    times = np.concatenate([np.empty(0), *(row[1] for row in rows)])
    rotations = np.concatenate([np.empty((0, 4), np.float32), *(row[2] for row in rows)])
    numbers = np.concatenate([np.empty(0, np.intp), *(row[3] for row in rows)])
    turned = np.einsum("ij,ij->i", rotations[1:], rotations[:-1]) < 0
    if turned.any():
        rotations[1:] *= np.where(np.logical_xor.accumulate(turned), np.float32(-1), np.float32(1))[:, None]
    starts = np.cumsum([0, *(len(row[1]) for row in rows)])
    return RotationKeys(tuple(row[0] for row in rows), times, rotations, numbers, starts)


def _usable(track: Track) -> tuple[Array, Array, Array]:
    """The times, the rotations and the numbers of the keys that can be measured, in the order of time."""
    times, rotations = np.asarray(track.times, np.float64), np.asarray(track.values, np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", rotations, rotations))
    numbers = np.flatnonzero(np.isfinite(times) & np.isfinite(lengths) & (lengths > 0))
    numbers = numbers[np.argsort(times[numbers], kind="stable")]
    return times[numbers], rotations[numbers] / lengths[numbers, None], numbers
