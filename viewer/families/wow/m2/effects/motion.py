"""Evaluate the colour, transparency and texture transforms of a batch over time.

Source: wowdev.wiki M2, colors, texture weights and texture transforms; wowserhq for the values that the
tracks multiply.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array, Color
from viewer.families.wow.m2.clips.tracks import SequenceSpan, TrackColumns, TrackKeys
from viewer.families.wow.m2.effects.curves import Stretches
from viewer.families.wow.m2.layout.fields import HALF
from viewer.scene.material import STILL_U, STILL_V, Appearance, ClipTime
from viewer.scene.maths import nlerp, rotation_matrix

MIDDLE = np.array((0.5, 0.5))
WHITE, OPAQUE = np.ones(3), np.ones(1)
NO_MOVE, NO_TURN, NO_SCALE = np.zeros(3), np.array((0.0, 0.0, 0.0, 1.0)), np.ones(3)


class TrackSource(NamedTuple):
    """A track: the field `name` in a row of a table. `default` is its value if it has no keys."""

    table: str
    row: int
    name: str
    default: Array


class TrackValue(Struct, eq=False):
    """A track as a function of time. The keys of a sequence are read when it plays."""

    columns: TrackColumns
    source: TrackSource
    stretches: Stretches
    _number: int = -1
    _keys: TrackKeys | None = field(default=None)

    def __call__(self, clip_time: ClipTime) -> Array:
        """Return the value [C] f64 at a time."""
        stretch = self.stretches(clip_time)
        if stretch.number != self._number:
            self._number, self._keys = stretch.number, self._read(stretch)
        keys = self._keys
        return self.source.default if keys is None else self.sampled(keys, clip_time)

    def sampled(self, keys: TrackKeys, clip_time: ClipTime) -> Array:
        """Return the value [C] at a time, interpolated between the keys of a sequence."""
        return sampled(keys, clip_time, self.source.name == "rotation")

    @property
    def track(self) -> Any:
        """The track's record in the file."""
        return self.columns.records.tables[self.source.table][self.source.row][self.source.name]

    @property
    def still(self) -> bool:
        """Whether the track never changes, because it has at most one key."""
        if int(self.track["times"]["count"]) > 1:
            return False
        keys = self._keys if self._number == 0 else self._read(SequenceSpan(0))
        return keys is None or len(keys.times) < 2

    def _read(self, stretch: SequenceSpan) -> TrackKeys | None:
        table, row, name, _ = self.source
        keys = self.columns.keys(table, name, row, stretch)
        return None if keys is None else keys._replace(values=keys.values.reshape(len(keys.values), -1))


def sampled(keys: TrackKeys, clip_time: ClipTime, turns: bool) -> Array:
    """Return the value [C] of a track at a time. Before the first key, the value of the first key applies;
    after the last key, the value of the last key. If `turns` is True, the values are quaternions.
    """
    first, second, factor = between(keys, clip_time)
    ends = as_numbers(keys.values[[first, second]])
    if turns:
        return np.asarray(nlerp(ends[0][None], ends[1][None], np.array([[factor]]))[0])
    return np.asarray(ends[0] + (ends[1] - ends[0]) * factor)


def as_numbers(values: Array) -> Array:
    """Return stored values as f64; integers are divided by 32767."""
    return values / HALF if values.dtype.kind == "i" else values.astype(np.float64)


def between(keys: TrackKeys, clip_time: ClipTime) -> tuple[int, int, float]:
    """Return the numbers of the keys before and after a time, and the factor between them, 0 to 1."""
    time = clip_time.at
    if keys.period is not None:
        time = clip_time.time % keys.period if keys.period > 0 else 0.0
    last = len(keys.times) - 1
    first = max(int(np.searchsorted(keys.times, time, "right")) - 1, 0)
    second = min(first + 1, last)
    gap = keys.times[second] - keys.times[first]
    if keys.stepped or not gap > 0:
        return first, first, 0.0
    return first, second, min(max(float((time - keys.times[first]) / gap), 0.0), 1.0)


class TransformTracks(Struct, frozen=True, eq=False):
    """The tracks of a texture transform, as a function of time."""

    translation: TrackValue
    rotation: TrackValue
    scale: TrackValue

    def __call__(self, clip_time: ClipTime) -> tuple[Color, Color]:
        """Return the rows `u_offset` and `v_offset` of the matrix T(½) · T · R · S · T(-½) at a time."""
        turn = rotation_matrix(self.rotation(clip_time))[:2, :2]
        matrix = turn * self.scale(clip_time)[:2]
        moved = MIDDLE + self.translation(clip_time)[:2] - matrix @ MIDDLE
        (a, b), (c, d) = matrix.tolist()
        return (a, b, 0.0, float(moved[0])), (c, d, 0.0, float(moved[1]))

    @property
    def still(self) -> bool:
        """Whether the transform never changes."""
        return self.translation.still and self.rotation.still and self.scale.still


class BatchTracks(Struct, frozen=True, eq=False):
    """All tracks of a batch; None for a track that does not exist."""

    color: TrackValue | None
    alpha: TrackValue | None
    weight: TrackValue | None
    first: TransformTracks | None
    second: TransformTracks | None

    def __call__(self, clip_time: ClipTime) -> Appearance:
        """Return the appearance at a time. NaN and infinite numbers of a damaged file are replaced."""
        red, green, blue = np.nan_to_num(WHITE if self.color is None else self.color(clip_time)).tolist()
        alpha = 1.0
        for part in (self.alpha, self.weight):
            alpha *= 1.0 if part is None else float(np.nan_to_num(part(clip_time)[0]))
        transforms = [
            (STILL_U, STILL_V) if each is None else each(clip_time) for each in (self.first, self.second)
        ]
        return Appearance((red, green, blue, min(max(alpha, 0.0), 1.0)), *transforms[0], *transforms[1])

    @property
    def still(self) -> bool:
        """Whether the batch never changes."""
        parts = (self.color, self.alpha, self.weight, self.first, self.second)
        return all(part is None or part.still for part in parts)


def motion_of(
    columns: TrackColumns, color: int, weight: int, transforms: tuple[int, int], stretches: Stretches
) -> BatchTracks:
    """Return the tracks of a batch, from row numbers of the tables; a missing row gives None."""

    def value(table: str, number: int, name: str, default: Array) -> TrackValue | None:
        if not 0 <= number < len(columns.records.tables[table]):
            return None
        return TrackValue(columns, TrackSource(table, number, name, default), stretches)

    return BatchTracks(
        value("colors", color, "rgb", WHITE),
        value("colors", color, "alpha", OPAQUE),
        value("transparency", weight, "weight", OPAQUE),
        transform_of(columns, transforms[0], stretches),
        transform_of(columns, transforms[1], stretches),
    )


def transform_of(columns: TrackColumns, number: int, stretches: Stretches) -> TransformTracks | None:
    """Return the texture transform with this number."""
    if not 0 <= number < len(columns.records.tables["transforms"]):
        return None
    names = (("translation", NO_MOVE), ("rotation", NO_TURN), ("scale", NO_SCALE))
    return TransformTracks(
        *(
            TrackValue(columns, TrackSource("transforms", number, name, default), stretches)
            for name, default in names
        )
    )
