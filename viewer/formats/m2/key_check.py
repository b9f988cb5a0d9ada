"""Checks the keys of sequences that lie in a model: tables of references lead to them, which `check` in
`references` does not follow.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from viewer.arrays import Array
from viewer.binary import Cursor
from viewer.errors import FormatError, Topic, counted
from viewer.formats.m2.record import REF, U32
from viewer.formats.m2.records import M2Records
from viewer.formats.m2.references import ReferenceGroup, external, global_sequences, target_of

ROWS_AT_ONCE = 1 << 14
"""About as many rows are compared at once: they stay in the processor's cache."""


def check_keys(records: M2Records, groups: list[ReferenceGroup]) -> None:
    """Report keys outside the file: an error for each field, at its first reference to such keys.

    The tables of all fields are looked at together, because most models have few tracks and many fields.
    """
    nested = [group for group in groups if group.dtype is REF and len(group.counts)]
    if nested:
        tables = _tables(records, nested)
        if not all_inside(records, tables):
            _report(records, nested, tables)


class KeyTables(NamedTuple):
    """The tables of references of N tracks, [N] each: `counts` rows at `offsets`, bytes of the keys' items,
    the number of the field. `own`: the track follows the sequence. `outside` [S]: see `external`.
    """

    counts: Array
    offsets: Array
    sizes: Array
    fields: Array
    own: Array
    outside: Array


def _tables(records: M2Records, groups: list[ReferenceGroup]) -> KeyTables:
    """The tables of all tracks of the groups; tables outside the file are empty."""
    outside, lengths = external(records), [len(group.counts) for group in groups]
    offsets = np.concatenate([group.offsets for group in groups])
    counts = np.concatenate([group.counts for group in groups])
    inside = offsets + counts * REF.itemsize <= records.size
    counts = np.where(inside, np.minimum(counts, max(len(outside), 1)), 0)
    counts[np.cumsum(counts) > records.size // REF.itemsize] = 0  # only hostile files
    return KeyTables(
        counts,
        offsets,
        np.repeat([target_of(group)[0].itemsize for group in groups], lengths),
        np.repeat(np.arange(len(groups)), lengths),
        np.concatenate([global_sequences(records, group) for group in groups]) < 0,
        outside,
    )


def all_inside(records: M2Records, tables: KeyTables) -> bool:
    """Whether all keys certainly lie in the file: tables of one length are read and compared at once."""
    cursor = Cursor(records.data)
    for count in np.unique(tables.counts[tables.counts > 0]).tolist():
        every, step = np.flatnonzero(tables.counts == count), max(ROWS_AT_ONCE // count, 1)
        dtype, elsewhere = np.dtype((U32, (count, 2))), tables.outside[:count]
        for first in range(0, len(every), step):
            chosen = every[first : first + step]
            rows = cursor.gather(records.base + tables.offsets[chosen], dtype)
            ends = rows[..., 0] * tables.sizes[chosen, None]
            ends += rows[..., 1]
            if elsewhere.any():
                ends[tables.own[chosen, None] & elsewhere] = 0
            if ends.max() > records.size:
                return False
    return True


def _report(records: M2Records, groups: list[ReferenceGroup], tables: KeyTables) -> None:
    """Report the keys outside the file."""
    tracks, numbers, sources = _listed(tables)
    stored = Cursor(records.data).gather(records.base + sources, REF)
    counts, offsets = stored["count"].astype(np.int64), stored["offset"].astype(np.int64)
    lost = np.flatnonzero((counts > 0) & (offsets + counts * tables.sizes[tracks] > records.size))
    fields, firsts, times = np.unique(tables.fields[tracks[lost]], return_index=True, return_counts=True)
    begins = np.searchsorted(tables.fields, np.arange(len(groups)))
    for field, first, many in zip(fields.tolist(), lost[firsts].tolist(), times.tolist(), strict=True):
        more = f", and {many - 1} more of this field" if many > 1 else ""
        keys = counted(int(counts[first]), "key")
        why = f"{keys} of sequence {numbers[first]} at 0x{offsets[first]:X} lie outside the file{more}"
        path = groups[field].who(int(tracks[first] - begins[field])).replace(".", "/")
        source = records.base + int(sources[first])
        records.report.fail(FormatError(why, path, source, topic=Topic.REFERENCE))


def _listed(tables: KeyTables) -> tuple[Array, Array, Array]:
    """The references of all tracks to keys in this file, [K] each: the number of the track, the number of the
    sequence, the offset of the reference.
    """
    counts, outside = tables.counts, tables.outside
    tracks = np.repeat(np.arange(len(counts)), counts)
    numbers = np.arange(len(tracks)) - np.repeat(np.cumsum(counts) - counts, counts)
    elsewhere = np.append(outside, False)[np.minimum(numbers, len(outside))] & tables.own[tracks]
    tracks, numbers = tracks[~elsewhere], numbers[~elsewhere]
    return tracks, numbers, tables.offsets[tracks] + numbers * REF.itemsize
