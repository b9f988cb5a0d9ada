"""Read the events of sequences. Up to version 263 they are on a single timeline, since version 264 in nested
arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.binary import Cursor
from viewer.binary.tables import REF, RecordTables
from viewer.budget import BUDGET
from viewer.errors import FormatError, counted
from viewer.families.wow.m2.clips.tracks import MILLISECONDS, SequenceSpan, inner_ranges, pair
from viewer.families.wow.m2.layout.fields import U32
from viewer.scene.animation import Event

ROWS_AT_ONCE = 1 << 16
NONE = np.empty(0, np.int64)


class EventTimes(Struct, eq=False):
    """The event times of a model. A sequence gets at most `most` events.

    Up to version 263: `times` [K] ms on the single timeline, ascending, and `owners` [K], the event number at
    each time. Since version 264 both arrays are empty.
    """

    records: RecordTables
    owners: Array
    times: Array
    most: int = BUDGET.events

    def of(self, sequence: SequenceSpan, seconds: float) -> tuple[Event, ...]:
        """Return the events of a sequence, ascending by time. Events on global sequences are left out."""
        ends = sequence.start, sequence.start + round(seconds * MILLISECONDS)
        owners, times = self._nested(sequence) if self.records.generation.nested else self._between(*ends)
        rows, seen = self.records.tables["events"], owners[: self.most].tolist()
        names = {number: event_name(rows[number]) for number in set(seen)}
        at = (times[: self.most] - sequence.start) / MILLISECONDS
        return tuple(Event(time, names[number]) for time, number in zip(at.tolist(), seen, strict=True))

    def _between(self, start: int, end: int) -> tuple[Array, Array]:
        """Owners and times, ms, of the events from `start` to `end` on the single timeline."""
        part = slice(*np.searchsorted(self.times, (start, end + 1)).tolist())
        return self.owners[part], self.times[part]

    def _nested(self, sequence: SequenceSpan) -> tuple[Array, Array]:
        """Owners and times, ms, of the events in the sequence's row of the nested arrays."""
        tracks = self.records.tables["events"]["fired"]
        own = tracks["global_sequence"] < 0
        counts, offsets = inner_ranges(self.records, tracks["times"], own, sequence.number)
        counts[(tracks["times"]["count"] <= sequence.number) | ~own] = 0
        return _ordered(self.records, counts, offsets, sequence.outside, self.most)


def event_times(records: RecordTables, starts: Array, lengths: Array, rows: Array) -> EventTimes:
    """Return the event times of S sequences. Events beyond `BUDGET.events` are left out and reported.

    Up to version 263 sequence i starts at `starts[i]` and lasts `lengths[i]` ms. Since version 264 the times
    of sequence i are in row `rows[i]` of each event's nested arrays.
    """
    tracks = records.tables["events"]["fired"]
    if records.generation.nested:
        found = EventTimes(records, NONE, NONE)
        claimed = _claimed(records, tracks, rows)
    else:
        counts, offsets = pair(tracks["times"])
        found = EventTimes(records, *_ordered(records, counts, offsets, None, BUDGET.events))
        firsts, behinds = (np.searchsorted(found.times, at) for at in (starts, starts + lengths + 1))
        claimed = max(int((behinds - firsts).sum()), int(counts.sum()))
    if claimed > BUDGET.events:
        found.most = BUDGET.events // max(len(starts), 1)
        why = f"{counted(claimed, 'event')} declared in all sequences, at most {BUDGET.events} are read"
        records.report.fail(FormatError(why, "events", records.offset("events")))
    return found


def _claimed(records: RecordTables, tracks: Array, rows: Array) -> int:
    """Count the events of S sequences. The times of sequence i are in row `rows[i]` of the nested arrays;
    sequences may share a row. Rows past the end of the file do not count.
    """
    sequences_of_row = np.bincount(rows)
    counts, offsets = pair(tracks["times"])
    inside = np.maximum((records.size - offsets) // REF.itemsize, 0)
    counts = np.minimum(np.minimum(counts, len(sequences_of_row)), inside)
    claimed, step = 0, max(ROWS_AT_ONCE // max(len(sequences_of_row), 1), 1)
    for first in range(0, len(tracks), step):
        starts = offsets[first : first + step]
        owners, at = _each(counts[first : first + step], starts, REF.itemsize)
        found = Cursor(records.data).gather(records.base + at, REF)["count"]
        times = sequences_of_row[(at - starts[owners]) // REF.itemsize]
        claimed += int((np.minimum(found, records.size) * times).sum(dtype=np.int64))
    return claimed


def _ordered(
    records: RecordTables, counts: Array, offsets: Array, outside: bytes | None, most: int
) -> tuple[Array, Array]:
    """Return owners and times of all events, ascending by time. Event n has `counts[n]` times at the offset
    `offsets[n]`. If all events together have more than `most` times, the last events are left out.
    """
    data, base = (records.data, records.base) if outside is None else (outside, 0)
    size = records.size if outside is None else len(outside)
    counts = np.where(offsets + counts * U32.itemsize <= size, counts, 0)
    counts[np.cumsum(counts) > most] = 0  # only a malicious file claims this number of times
    owners, at = _each(counts, offsets, U32.itemsize)
    times = Cursor(data).gather(at + base, U32).astype(np.int64)
    order = np.argsort(times, kind="stable")
    return owners[order], times[order]


def _each(counts: Array, offsets: Array, stride: int) -> tuple[Array, Array]:
    """Return the owner and the offset of each item. Owner n has `counts[n]` items of `stride` bytes from the
    offset `offsets[n]` on.
    """
    owners = np.repeat(np.arange(len(counts)), counts)
    steps = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
    return owners, offsets[owners] + steps * stride


def event_name(event: Any) -> str:
    """Return the name of an event: the four letters of its record, then its argument unless it is 0
    (`$CSD 1234`).
    """
    data = int(event["data"])
    name: str = event["id"].decode("latin-1")
    return f"{name} {data}" if data else name
