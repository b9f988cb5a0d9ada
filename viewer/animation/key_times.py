"""The key times of an animation, for the rows of the timeline and for steps from key to key."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.lru import kept_with
from viewer.scene.animation import Animation, MorphTrack, ShapeTrack, Track
from viewer.scene.maths import distinct

SAME_TIME = 1e-5
"""A time and a key count as equal if they differ by at most this number of seconds."""


class KeyTimes(Struct, frozen=True, eq=False, weakref=True, dict=True):
    """The key times of R targets, one row each. The times of row r are `times[starts[r]:starts[r + 1]]`, in
    f64 seconds, ascending; `numbers` [N] are the numbers of the keys in their tracks. `paths` [R] are the
    channels of each row. For a track that moves vertices, the target is the name that `vertex_tracks` gives
    it.

    Keys at times that are not finite are left out.
    """

    targets: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
    times: Array
    numbers: Array
    starts: Array

    def row(self, number: int) -> Array:
        """[K]: the times of one row in seconds, ascending."""
        return self.times[self.starts[number] : self.starts[number + 1]]

    @cached_property
    def rows(self) -> dict[str, int]:
        """The number of each row, by the name of its target."""
        return {target: row for row, target in enumerate(self.targets)}

    @cached_property
    def all(self) -> Array:
        """[M] the times at which any row has a key, ascending, each once."""
        short = self.times.astype(np.float32)  # most files store float32, which numpy sorts ten times as fast
        ordered = np.sort(short if (short == self.times).all() else self.times).astype(np.float64)
        return ordered[np.append(True, np.diff(ordered) > 0)] if len(ordered) else ordered

    def neighbour(self, time: float, by: int, targets: Iterable[str] = ()) -> float | None:
        """The time of the next key after `time`, or of the previous key if `by` < 0. Only keys of `targets`
        count (empty: all keys). None if there is no such key.
        """
        rows = [self.row(self.rows[target]) for target in targets if target in self.rows]
        times = distinct(np.concatenate(rows)) if rows else self.all
        at = int(np.searchsorted(times, time + SAME_TIME if by > 0 else time - SAME_TIME)) - (by < 0)
        return float(times[at]) if 0 <= at < len(times) else None


@kept_with
def keys(animation: Animation) -> KeyTimes:
    """The key times of an animation, collected at the first call and cached with the animation."""
    channels: dict[str, list[Track]] = defaultdict(list)
    for track in animation.tracks:
        if len(track.times):
            channels[track.target].append(track)
    vertices = vertex_tracks(animation)
    rows = [_row([track.times for track in tracks]) for tracks in channels.values()]
    rows += [_row([times]) for times in vertices.values()]
    nothing = (np.empty(0), np.empty(0, np.intp))
    times, numbers = (np.concatenate(part) for part in zip(nothing, *rows, strict=True))
    return KeyTimes(
        targets=(*channels, *vertices),
        paths=(
            *(tuple(track.path for track in tracks) for tracks in channels.values()),
            *((name,) for name in vertices),
        ),
        times=times,
        numbers=numbers,
        starts=np.concatenate(([0], np.cumsum([len(row) for row, _ in rows], dtype=np.intp))),
    )


def vertex_tracks(animation: Animation) -> dict[str, Array]:
    """The times [K] in seconds of the tracks that move vertices, by name. This function makes the names,
    because these tracks have no names in files.
    """
    groups: dict[str, tuple[MorphTrack | ShapeTrack, ...]] = {
        "morph weights": animation.morph_tracks,
        "vertex shapes": animation.shape_tracks,
    }
    return {
        name if len(tracks) == 1 else f"{name} {number}": track.times
        for name, tracks in groups.items()
        for number, track in enumerate(tracks)
        if len(track.times)
    }


def _row(channels: list[Array]) -> tuple[Array, Array]:
    """The times and key numbers of one target. If its channels have different times, the merged times get new
    numbers.
    """
    shared = all(times is channels[0] for times in channels)
    times = np.asarray(channels[0] if shared else distinct(np.concatenate(channels)), np.float64)
    if np.isfinite(times).all() and (times[1:] >= times[:-1]).all():
        return times, np.arange(len(times))
    numbers = np.flatnonzero(np.isfinite(times))
    numbers = numbers[np.argsort(times[numbers], kind="stable")]
    return times[numbers], numbers
