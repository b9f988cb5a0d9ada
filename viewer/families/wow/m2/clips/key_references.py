"""Follow the references of nested tracks to the keys of single sequences, in the model or in `.anim` files.

A nested track refers to a table, and each row of the table refers to keys. `binary.references.check` follows
only the first step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from viewer.arrays import Array
from viewer.binary import Cursor
from viewer.binary.references import ReferenceGroup, reference_group
from viewer.binary.tables import REF, SHARING, RecordTables
from viewer.budget import BUDGET
from viewer.errors import FormatError, Topic, counted
from viewer.families.wow.m2.layout.fields import U32, KeyField

EXTERNAL_SAFE = 0x130
"""Flags of a sequence whose keys are in the model. A sequence that has none of these flags has its keys in a
separate file.
"""
ROWS_AT_ONCE = 1 << 14
"""Approximate number of table rows compared at a time, so that they stay in the processor's cache."""


def inner_references(
    records: RecordTables, groups: list[ReferenceGroup], outside_of: int | None = None
) -> list[ReferenceGroup]:
    """Return the references to keys in this file. Each table of a nested track gives one group.

    With `outside_of`, the number of a sequence, return instead the references to this sequence's keys in its
    separate file. Overlapping tables of a damaged file may have more rows than the file has bytes; then the
    last tables are left out.
    """
    outside = external(records)
    found: list[ReferenceGroup] = []
    left, tables = SHARING * (records.size // REF.itemsize), BUDGET.key_tables
    for group in groups:
        if group.dtype is not REF:
            continue
        assert isinstance(group.part, KeyField), "only a KeyField has tables of references"
        column = group.part.inner(group.column)
        own = global_sequences(records, group)
        for row in np.flatnonzero((group.counts > 0) & (group.ends <= records.size)):
            left, tables = left - int(group.counts[row]), tables - 1
            if left < 0 or tables < 0:
                return found
            table = records.at(int(group.counts[row]), int(group.offsets[row]), REF, "")
            here = np.full(len(table), outside_of is None)
            if own[row] < 0 and outside_of is None:
                here[: len(outside)] = ~outside[: len(table)]
            elif own[row] < 0:
                here = np.arange(len(table)) == outside_of
            numbers = np.flatnonzero(here & (table["count"] > 0))
            sources = int(group.offsets[row]) + numbers * REF.itemsize
            label = group.who(int(row)) + "[{}]"
            stored = table[numbers]
            inner = reference_group(label, group.section, group.part, column, sources, stored, True, numbers)
            found.append(inner)
    return found


def external(records: RecordTables) -> Array:
    """[S] bool: whether the keys of each sequence are in a separate file."""
    sequences = records.tables.get("sequences")
    if sequences is None or not records.generation.nested:
        return np.zeros(0 if sequences is None else len(sequences), bool)
    return np.asarray(sequences["flags"] & EXTERNAL_SAFE == 0)


def global_sequences(records: RecordTables, group: ReferenceGroup) -> Any:
    """Return the global sequence [N] of each track in the group, -1 for none."""
    return records.tables[group.section][group.part.name]["global_sequence"]


def check_keys(records: RecordTables, groups: list[ReferenceGroup]) -> None:
    """Report keys outside the file: one error for each field, at the field's first reference to such keys.

    The tables of all fields are checked together, because most models have few tracks and many fields.
    """
    nested = nested_tracks(groups)
    if nested:
        tables = _tables(records, nested)
        if not all_inside(records, tables):
            _report(records, nested, _key_references(records, tables, False))


def nested_tracks(groups: Sequence[ReferenceGroup]) -> list[ReferenceGroup]:
    """Return the groups that refer to tables of references with a row for each sequence."""
    return [group for group in groups if group.dtype is REF and len(group.counts)]


class KeyReferences(NamedTuple):
    """K references to the keys of a track in a sequence, arrays [K].

    `fields` are the numbers of the track fields in `nested_tracks`, `rows` the numbers of the records in a
    field's table, `numbers` the numbers of the sequences. `sources` are the offsets of the references. Each
    reference has `counts` keys of `sizes` bytes at `offsets`.
    """

    fields: Array
    rows: Array
    numbers: Array
    sources: Array
    counts: Array
    offsets: Array
    sizes: Array


def key_references(
    records: RecordTables, groups: Sequence[ReferenceGroup], elsewhere: bool = False
) -> KeyReferences:
    """Return the references of all tracks to keys in this file. With `elsewhere`, return the references to
    keys in separate files instead.
    """
    return _key_references(records, _tables(records, nested_tracks(groups)), elsewhere)


class KeyTables(NamedTuple):
    """The tables of references of N tracks, arrays [N]. A table has `counts` rows at `offsets`; `sizes` are
    the bytes of one time or value. `fields` are as in `KeyReferences`. `own` is False for a track on a global
    sequence. `outside` [S] is the result of `external`.
    """

    counts: Array
    offsets: Array
    sizes: Array
    fields: Array
    own: Array
    outside: Array


def _tables(records: RecordTables, groups: list[ReferenceGroup]) -> KeyTables:
    """The tables of all tracks in the groups; tables outside the file are empty."""
    if not groups:
        return KeyTables(*[np.empty(0, np.int64)] * 4, *[np.empty(0, bool)] * 2)
    outside, lengths = external(records), [len(group.counts) for group in groups]
    offsets = np.concatenate([group.offsets for group in groups])
    counts = np.concatenate([group.counts for group in groups])
    inside = offsets + counts * REF.itemsize <= records.size
    counts = np.where(inside, np.minimum(counts, max(len(outside), 1)), 0)
    # only a malicious file claims more rows than it has bytes
    counts[np.cumsum(counts) > records.size // REF.itemsize] = 0
    return KeyTables(
        counts,
        offsets,
        np.repeat([_item_size(group) for group in groups], lengths),
        np.repeat(np.arange(len(groups)), lengths),
        np.concatenate([global_sequences(records, group) for group in groups]) < 0,
        outside,
    )


def _item_size(group: ReferenceGroup) -> int:
    """Size in bytes of one time or value of a nested track."""
    assert isinstance(group.part, KeyField), "only a KeyField has tables of references"
    return group.part.inner(group.column).dtype.itemsize


def all_inside(records: RecordTables, tables: KeyTables) -> bool:
    """Return whether all keys lie in the file. Tables of equal length are read and compared together."""
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


def _key_references(records: RecordTables, tables: KeyTables, elsewhere: bool) -> KeyReferences:
    counts, outside = tables.counts, tables.outside
    tracks = np.repeat(np.arange(len(counts)), counts)
    numbers = np.arange(len(tracks)) - np.repeat(np.cumsum(counts) - counts, counts)
    away = np.append(outside, False)[np.minimum(numbers, len(outside))] & tables.own[tracks]
    kept = away if elsewhere else ~away
    tracks, numbers = tracks[kept], numbers[kept]
    sources = tables.offsets[tracks] + numbers * REF.itemsize
    stored = Cursor(records.data).gather(records.base + sources, REF)
    fields = tables.fields[tracks]
    rows = tracks - np.searchsorted(tables.fields, fields)
    places = stored["count"].astype(np.int64), stored["offset"].astype(np.int64)
    return KeyReferences(fields, rows, numbers, sources, *places, tables.sizes[tracks])


def _report(records: RecordTables, groups: list[ReferenceGroup], references: KeyReferences) -> None:
    """Report the references to keys outside the file, with one error for each field."""
    ends = references.offsets + references.counts * references.sizes
    lost = np.flatnonzero((references.counts > 0) & (ends > records.size))
    fields, firsts, times = np.unique(references.fields[lost], return_index=True, return_counts=True)
    for field, first, many in zip(fields.tolist(), lost[firsts].tolist(), times.tolist(), strict=True):
        more = f", and {many - 1} more of this field" if many > 1 else ""
        keys = counted(int(references.counts[first]), "key")
        at = f"at 0x{references.offsets[first]:X} lie outside the file"
        why = f"{keys} of sequence {references.numbers[first]} {at}{more}"
        path = groups[field].who(int(references.rows[first])).replace(".", "/")
        source = records.base + int(references.sources[first])
        records.report.fail(FormatError(why, path, source, topic=Topic.REFERENCE))
