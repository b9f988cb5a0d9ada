"""The references of nested tracks: the keys of single sequences, in the model or in separate files."""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.arrays import Array
from viewer.binary.references import ReferenceGroup, reference_group
from viewer.binary.tables import REF, RecordTables
from viewer.budget import BUDGET
from viewer.formats.m2.record import KeyField

EXTERNAL_SAFE = 0x130
"""The flags of a sequence whose keys are in the model; without any of them its keys are in a separate
file.
"""


SHARING = 2
"""Tables of a model may share bytes: together they have at most so many times the rows that fit the file."""


def inner_references(
    records: RecordTables, groups: list[ReferenceGroup], outside_of: int | None = None
) -> list[ReferenceGroup]:
    """The targets of the tables of references in nested tracks: keys of single sequences in this file.

    With `outside_of`, the keys of that sequence, whose offsets count in its own file. Tables that overlap in
    a damaged file may have far more rows than the file has bytes: then the last tables are left out.
    """
    outside = external(records)
    found: list[ReferenceGroup] = []
    left, tables = SHARING * (records.size // REF.itemsize), BUDGET.key_tables
    for group in groups:
        if group.dtype is not REF:
            continue
        assert isinstance(group.part, KeyField), "tables of references belong to keys"
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
    """[S] bool: the sequences whose keys lie in a separate file."""
    sequences = records.tables.get("sequences")
    if sequences is None or not records.generation.nested:
        return np.zeros(0 if sequences is None else len(sequences), bool)
    return np.asarray(sequences["flags"] & EXTERNAL_SAFE == 0)


def global_sequences(records: RecordTables, group: ReferenceGroup) -> Any:
    """[N]: the global sequence of each track of the group, -1 none."""
    return records.tables[group.section][group.part.name]["global_sequence"]
