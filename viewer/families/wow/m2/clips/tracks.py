"""Read the keys of tracks in one sequence. Up to version 263 the keys are on a single timeline; since version
264 they are in nested arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.binary import Cursor
from viewer.binary.cursor import Dtype
from viewer.binary.tables import REF, RecordTables
from viewer.families.wow.m2.layout.fields import HALF, RANGE, U32
from viewer.families.wow.m2.layout.records import PACKED_QUATERNION

MILLISECONDS = 1000.0
STEP = 0

KEYS_AT_ONCE = 1 << 16
"""Approximate number of keys that are read at a time. The number is limited, because reading keys takes
several times their memory.
"""
SHARED_BYTES, SMALLEST_VALUE = 1 << 18, 8
"""The memory limit for the values of a field in a sequence: a share of the file's size plus `SHARED_BYTES`,
because tracks may share keys. A value counts as at least `SMALLEST_VALUE` bytes.
"""
SHARE = 8
"""The memory limit for the values of a field has a share of the file's size. For fields of bones this share
is the whole size, for other fields the size divided by SHARE.
"""


class SequenceSpan(Struct, frozen=True):
    """The data of a sequence that tracks need. `start`: ms on the single timeline. `outside`: the bytes with
    the keys of the sequence if it has a separate file.
    """

    number: int
    start: int = 0
    outside: bytes | None = None


class TrackKeys(NamedTuple):
    """The keys of a track: `times` [K] f64 seconds from the sequence's start, `values` [K, …] as stored.

    `stepped`: a value holds until the next key. `period`: length in seconds of the global sequence that the
    track follows (None: it follows the clip).
    """

    times: Array
    values: Array
    stepped: bool
    period: float | None


class TrackColumns(Struct, eq=False):
    """Reads the keys of track fields for all rows of a table; caches them for the last sequence."""

    records: RecordTables
    _known: dict[tuple[str, str], tuple[SequenceSpan, list[TrackKeys | None]]] = field(default_factory=dict)

    def keys(self, table: str, name: str, row: int, sequence: SequenceSpan) -> TrackKeys | None:
        """Return the keys that field `name` has in a row of `table` during a sequence."""
        known = self._known.get((table, name))
        if known is None or known[0].number != sequence.number:
            tracks = self.records.tables[table][name]
            known = sequence, read_keys(self.records, tracks, self.dtype(table, name), sequence)
            self._known[table, name] = known
        return known[1][row]

    def dtype(self, table: str, name: str) -> Dtype:
        """Return the dtype of the values of a track field."""
        layout = self.records.reference(table).into
        assert layout is not None
        present = layout.present(self.records.generation)
        return next(part.dtype for part in present if part.name == name)


class KeyRanges(NamedTuple):
    """The keys of N tracks in a sequence, arrays [N]: offsets of the first time and value, number of keys,
    and whether the offsets refer to the sequence's separate file.
    """

    times: Array
    values: Array
    counts: Array
    outside: Array


def read_keys(
    records: RecordTables, tracks: Array, dtype: Dtype, sequence: SequenceSpan
) -> list[TrackKeys | None]:
    """Return the keys of each of the `tracks` [N] in a sequence, None for a track without keys. Values are of
    `dtype`, except that packed rotations become f32 xyzw.
    """
    if not tracks["times"]["count"].any():
        return [None] * len(tracks)
    return keys_of(records, tracks, dtype, sequence, key_ranges(records, tracks, dtype, sequence))


def keys_of(
    records: RecordTables, tracks: Array, dtype: Dtype, sequence: SequenceSpan, ranges: KeyRanges
) -> list[TrackKeys | None]:
    """Return what `read_keys` returns, from known key ranges."""
    if not len(tracks):
        return []
    ends = np.cumsum(ranges.counts)
    begins = ends - ranges.counts
    periods = _periods(records, tracks)
    starts = np.where(np.isnan(periods), sequence.start, 0)
    packed = dtype == PACKED_QUATERNION
    times = np.empty(int(ranges.counts.sum()))
    values = np.empty((len(times), *dtype.shape), np.float32 if packed else dtype.base)
    blocks = np.flatnonzero(np.diff(begins // KEYS_AT_ONCE, prepend=-1)).tolist()
    for first, behind in zip(blocks, [*blocks[1:], len(tracks)], strict=True):
        chosen = KeyRanges(*(part[first:behind] for part in ranges))
        part = slice(int(begins[first]), int(ends[behind - 1]))
        stored, found = _gathered(records, chosen, dtype, sequence.outside)
        times[part] = (stored - np.repeat(starts[first:behind], chosen.counts)) / MILLISECONDS
        values[part] = found / HALF - 1.0 if packed else found
    stepped = (tracks["interpolation"] == STEP).tolist()
    rows = zip(begins.tolist(), ends.tolist(), stepped, periods.tolist(), strict=True)
    return [
        TrackKeys(times[begin:end], values[begin:end], step, None if period != period else period)
        if end > begin
        else None
        for begin, end, step, period in rows
    ]


def _gathered(
    records: RecordTables, ranges: KeyRanges, dtype: Dtype, outside: bytes | None
) -> tuple[Array, Array]:
    """Times [K] f64 in ms and values [K, …] of all tracks, one after another."""
    counts = ranges.counts
    steps = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    times_at = np.repeat(ranges.times, counts) + steps * U32.itemsize
    values_at = np.repeat(ranges.values, counts) + steps * dtype.itemsize
    inside = Cursor(records.data)
    if outside is None:
        times = inside.gather(times_at + records.base, U32).astype(np.float64)
        return times, inside.gather(values_at + records.base, dtype)
    own = np.repeat(~ranges.outside, counts)
    times, values = np.zeros(len(steps)), np.zeros((len(steps), *dtype.shape), dtype.base)
    for chosen, cursor, base in ((own, inside, records.base), (~own, Cursor(outside), 0)):
        times[chosen] = cursor.gather(times_at[chosen] + base, U32)
        values[chosen] = cursor.gather(values_at[chosen] + base, dtype)
    return times, values


def _periods(records: RecordTables, tracks: Array) -> Array:
    """Length in seconds of each track's global sequence, [N]; NaN for a track that follows none, 0 if the
    global sequence does not exist.
    """
    numbers = tracks["global_sequence"].astype(np.int64)
    lengths = np.append(records.tables["global_sequences"], 0) / MILLISECONDS
    return np.where(numbers < 0, np.nan, lengths[np.clip(numbers, 0, len(lengths) - 1)])


def key_ranges(
    records: RecordTables, tracks: Array, dtype: Dtype, sequence: SequenceSpan, share: int = SHARE
) -> KeyRanges:
    """Return the key ranges of `tracks` [N] in a sequence. A track whose keys lie outside the file or exceed
    the memory limit has no keys.
    """
    ranges = _nested if records.generation.nested else _flat
    found = ranges(records, tracks, dtype, sequence)
    limits = np.where(found.outside, len(sequence.outside or b""), records.size)
    fits = (found.times + found.counts * U32.itemsize <= limits) & (found.times >= 0)
    fits &= (found.values + found.counts * dtype.itemsize <= limits) & (found.values >= 0)
    counts = np.where(fits, found.counts, 0)
    size = len(records.data) + len(sequence.outside or b"")
    sizes = np.cumsum(counts * max(dtype.itemsize, SMALLEST_VALUE))
    counts[sizes > size // share + SHARED_BYTES] = 0  # only a malicious file claims this number of keys
    return found._replace(counts=counts)


def _flat(records: RecordTables, tracks: Array, dtype: Dtype, sequence: SequenceSpan) -> KeyRanges:
    """Key ranges on the single timeline, where a track has a range of key numbers for each sequence. A track
    with only one key, or a track on a global sequence, has no ranges: all its keys count.
    """
    times, values = pair(tracks["times"]), pair(tracks["values"])
    count = np.minimum(times[0], values[0])
    ranges, where = pair(tracks["ranges"])
    ranged = (ranges > sequence.number) & (count > 1) & (tracks["global_sequence"] < 0)
    at = where + sequence.number * RANGE.itemsize
    ranged &= at + RANGE.itemsize <= records.size
    bounds = Cursor(records.data).gather(records.base + at[ranged], np.dtype((U32, (2,)))).astype(np.int64)
    first, last = np.zeros_like(count), count - 1
    highest = count[ranged] - 1
    first[ranged] = np.minimum(bounds[:, 0], highest)
    last[ranged] = np.clip(bounds[:, 1], first[ranged], highest)
    return KeyRanges(
        times[1] + first * U32.itemsize,
        values[1] + first * dtype.itemsize,
        np.where(count > 0, last - first + 1, 0),
        np.zeros(len(tracks), bool),
    )


def _nested(records: RecordTables, tracks: Array, dtype: Dtype, sequence: SequenceSpan) -> KeyRanges:
    """Key ranges in nested arrays, where a track has a row of keys for each sequence. The first row is used
    for a sequence without a row, and for a track on a global sequence.
    """
    own = tracks["global_sequence"] < 0
    times, values = (
        inner_ranges(records, tracks[name], own, sequence.number) for name in ("times", "values")
    )
    counts = np.minimum(times[0], values[0])
    listed = tracks["times"]["count"] > sequence.number
    outside = own & listed & (sequence.outside is not None)
    return KeyRanges(times[1], values[1], counts, outside)


def inner_ranges(records: RecordTables, references: Any, own: Array, number: int) -> tuple[Array, Array]:
    """Return count and offset [N] of the keys of sequence `number`. A track on a global sequence (`own` is
    False) has the keys of row 0.
    """
    count, offset = pair(references)
    safe = np.where(own & (number < count), number, 0)
    at = offset + safe * REF.itemsize
    there = (count > 0) & (at + REF.itemsize <= records.size)
    found = np.zeros((len(count), 2), np.int64)
    found[there] = Cursor(records.data).gather(records.base + at[there], np.dtype((U32, (2,))))
    return found[:, 0], found[:, 1]


def pair(references: Any) -> tuple[Array, Array]:
    """Return counts and offsets [N] of references as i64."""
    return references["count"].astype(np.int64), references["offset"].astype(np.int64)
