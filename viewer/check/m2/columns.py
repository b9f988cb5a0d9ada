"""The times and the values of the tracks of a WoW model, field by field."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from viewer.arrays import Array
from viewer.formats.m2.key_check import KeyReferences, key_references, nested_tracks
from viewer.formats.m2.records import M2Records
from viewer.formats.m2.references import ReferenceGroup

TIMES, VALUES = "times", "values"


class TrackColumn(NamedTuple):
    """The references of N tracks of one field to their times, or to their values, [N] each: `counts` keys,
    and the offset `sources` of the reference. It is that of row `rows` of the table that `label` names, and
    of the sequence `numbers`, or -1.
    """

    label: str
    counts: Array
    sources: Array
    rows: Array
    numbers: Array

    def track(self, index: int) -> str:
        """The name of a track: `bones[3].rotation`, or `bones[3].rotation[0]` for its keys of a sequence."""
        name = self.label.format(int(self.rows[index])).rpartition(".")[0]
        return name if self.numbers[index] < 0 else f"{name}[{int(self.numbers[index])}]"


Pair = tuple[TrackColumn, TrackColumn]


def track_columns(records: M2Records, groups: Sequence[ReferenceGroup]) -> Iterator[Pair]:
    """The times and the values of every field with tracks; then those of single sequences, where tracks are
    nested.
    """
    known = {group.label: group for group in groups if group.column in (TIMES, VALUES)}
    for times, values in _pairs(known):
        yield _column(known[times]), _column(known[values])
    if not records.generation.nested:
        return
    fields = {group.label: number for number, group in enumerate(nested_tracks(groups))}
    for elsewhere in (False, True):
        found = key_references(records, groups, elsewhere)
        for times, values in _pairs(fields):
            pair = _inner(found, times, fields[times]), _inner(found, values, fields[values])
            if len(pair[0].rows) == len(pair[1].rows):  # else the numbers of sequences differ, which is told
                yield pair


def _pairs(labels: Collection[str]) -> Iterator[tuple[str, str]]:
    """The labels of the times and of the values of the same field."""
    for label in labels:
        values = label.removesuffix(TIMES) + VALUES
        if label.endswith(TIMES) and values in labels:
            yield label, values


def _column(group: ReferenceGroup) -> TrackColumn:
    rows = np.arange(len(group.counts))
    return TrackColumn(group.label, group.counts, group.sources, rows, np.full(len(rows), -1))


def _inner(found: KeyReferences, label: str, field: int) -> TrackColumn:
    """The column of one of the `nested_tracks`, which `found` has in their order."""
    begin, end = np.searchsorted(found.fields, (field, field + 1)).tolist()
    part = slice(begin, end)
    return TrackColumn(label, found.counts[part], found.sources[part], found.rows[part], found.numbers[part])
