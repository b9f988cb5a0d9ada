"""Read the tracks of emitter and ribbon records in an animation as curves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.binary.tables import RecordTables, RowRecord
from viewer.families.wow.m2.clips.tracks import SequenceSpan, TrackKeys, read_keys
from viewer.families.wow.m2.layout.fields import HALF, TrackField
from viewer.scene.animation import Animation
from viewer.scene.emitter import Curve, Curves
from viewer.scene.material import ClipTime

ROWS_AT_ONCE = 256
"""Number of records whose tracks are read at a time. At most this many records are drawn, so one reading
suffices.
"""

Stretches = Callable[[ClipTime], SequenceSpan]
"""A function from a time to the sequence that plays then, or to the first sequence if none plays."""


class TableCurves(Struct, eq=False):
    """All tracks of a table of the header. A request reads the keys of `ROWS_AT_ONCE` records in one
    sequence. The keys of the last request are cached.
    """

    records: RecordTables
    layout: RowRecord
    table: str
    stretches: Stretches
    _key: tuple[int, int] = (-1, -1)
    _found: list[Curves] = field(default_factory=list)

    def row(self, number: int) -> Callable[[Animation | None], Curves]:
        """Return the tracks of a record as a function of the animation."""
        return partial(self._row, number)

    def _row(self, number: int, animation: Animation | None) -> Curves:
        stretch = self.stretches(ClipTime(0.0, animation))
        block, place = divmod(number, ROWS_AT_ONCE)
        if (stretch.number, block) != self._key:
            rows = self.records.tables[self.table][block * ROWS_AT_ONCE :][:ROWS_AT_ONCE]
            self._key, self._found = (stretch.number, block), self._read(stretch, rows)
        return self._found[place]

    def _read(self, stretch: SequenceSpan, rows: Array) -> list[Curves]:
        found: list[dict[str, Curve]] = [{} for _ in rows]
        for part in self.layout.present(self.records.generation):
            if not isinstance(part, TrackField):
                continue
            scale = 1 / HALF if part.dtype.base.kind == "i" else 1.0
            for curves, keys in zip(
                found, read_keys(self.records, rows[part.name], part.dtype, stretch), strict=True
            ):
                if keys is not None:
                    curves[part.name] = _curve(keys, scale)
        return list(found)


def _curve(keys: TrackKeys, scale: float) -> Curve:
    """A curve through the keys. In a damaged file a key may have a lower time than the key before it. Such a
    key gets the time of the key before it.
    """
    times: Array = np.maximum.accumulate(keys.times)
    values = keys.values.astype(np.float64) * scale
    return Curve(times, values, keys.stepped, keys.period)
