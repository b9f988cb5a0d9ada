"""All references of a model: groups of arrays, one for each field of each table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.errors import FormatError, Topic, counted
from viewer.formats.m2.record import I16, RANGE, REF, U32, Dtype, RecordField, RecordLayout
from viewer.formats.m2.records import M2Records

EXTERNAL_SAFE = 0x130
"""The flags of a sequence whose keys are in the model; without any of them its keys are in a separate
file.
"""


SHARING = 2
"""Tables of a model may share bytes: together they have at most so many times the rows that fit the file."""
MOST_TABLES = 1 << 15
"""The number of tables of keys that are followed, more than any real model has."""


class ReferenceGroup(Struct, frozen=True, eq=False):
    """N references of one kind: `counts` [N] items of `dtype` at `offsets` [N] of the block.

    Each reference lies at `sources` [N]. `label` with a row number names the source:
    `bones[{}].rotation.times`. `section` is the table that it belongs to, `part` the field that refers to the
    items, `column` the reference within a track's field, such as `times`. `keys`: track data, which is shown
    together.
    """

    label: str
    section: str
    part: RecordField
    column: str
    sources: Array
    offsets: Array
    counts: Array
    dtype: Dtype
    note: str = ""
    layout: RecordLayout | None = None
    keys: bool = False
    rows: Array | None = None

    def who(self, index: int) -> str:
        """The name of the source of a reference."""
        return self.label.format(index if self.rows is None else int(self.rows[index]))

    @property
    def ends(self) -> Array:
        """[N]: the offsets after the referenced items."""
        return np.asarray(self.offsets + self.counts * self.dtype.itemsize)


def references(records: M2Records) -> list[ReferenceGroup]:
    """All references from the header and from every record, without the references of single sequences
    (`inner_references`).
    """
    header = np.array([records.header])
    groups = [*_of_rows(records, records.layout, header, 0, "", "")]
    for part in records.layout.present(records.generation):
        table = records.tables.get(part.name)
        if part.into is not None and table is not None and len(table):
            begin = int(records.header[part.name]["offset"])
            groups += _of_rows(records, part.into, table, begin, f"{part.name}[{{}}].", part.name)
    return groups


def _of_rows(
    records: M2Records, layout: RecordLayout, rows: Array, begin: int, label: str, section: str
) -> Iterator[ReferenceGroup]:
    """The references of all rows of one table that begins at `begin`."""
    dtype = rows.dtype
    at = begin + np.arange(len(rows), dtype=np.int64) * dtype.itemsize
    for part in layout.present(records.generation):
        if part.kind == "plain":
            continue
        assert dtype.fields is not None
        offsets = at + dtype.fields[part.name][1]
        name, owner = f"{label}{part.name}", section or part.name
        if part.kind == "ref":
            target = part.target(records.generation)
            shown = part.note if part.into is None else part.note or part.into.note
            keys = bool(section) and part.into is None and target.itemsize == 1
            yield _group(name, owner, part, "", offsets, rows[part.name], target, shown, part.into, keys)
        else:
            yield from _of_tracks(records, part, name, owner, offsets, rows[part.name])


def _of_tracks(
    records: M2Records, part: RecordField, name: str, section: str, offsets: Array, tracks: Array
) -> Iterator[ReferenceGroup]:
    """Ranges, times and values of the tracks of one field; in nested tracks these are tables of
    references.
    """
    targets = {"ranges": RANGE, "times": I16 if part.kind == "ramp" else U32, "values": part.dtype}
    nested = records.generation.nested and part.kind != "ramp"
    notes = {
        "ranges": "first and last key of each sequence",
        "times": "times" if part.kind == "ramp" else "ms",
        "values": part.note,
    }
    for field in tracks.dtype.names or ():
        if field in targets:
            target = REF if nested else targets[field]
            note = f"{field} of each sequence" if nested else notes[field]
            begin = offsets + tracks.dtype.fields[field][1]
            yield _group(
                f"{name}.{field}", section, part, field, begin, tracks[field], target, note, None, True
            )


def _group(
    label: str,
    section: str,
    part: RecordField,
    column: str,
    sources: Array,
    stored: Array,
    dtype: Dtype,
    note: str,
    layout: RecordLayout | None = None,
    keys: bool = False,
) -> ReferenceGroup:
    offsets, counts = stored["offset"].astype(np.int64), stored["count"].astype(np.int64)
    return ReferenceGroup(label, section, part, column, sources, offsets, counts, dtype, note, layout, keys)


def check(records: M2Records, groups: list[ReferenceGroup]) -> None:
    """Report references outside the file: an error for each field, with the first row that has it."""
    if not groups or all_inside(records, groups):
        return
    for group in groups:
        outside = np.flatnonzero((group.ends > records.size) & (group.counts > 0))
        if len(outside):
            first = int(outside[0])
            more = f", and {len(outside) - 1} more of this field" if len(outside) > 1 else ""
            what, at = counted(int(group.counts[first]), "item"), int(group.offsets[first])
            why = f"{what} at 0x{at:X} lie outside the file"
            path, source = group.who(first).replace(".", "/"), records.base + int(group.sources[first])
            records.report.fail(FormatError(why + more, path, source, topic=Topic.REFERENCE))


def all_inside(records: M2Records, groups: list[ReferenceGroup]) -> bool:
    """Whether all references lead into the file, in one comparison: a model has a hundred groups."""
    sizes = np.repeat([group.dtype.itemsize for group in groups], [len(group.counts) for group in groups])
    counts = np.concatenate([group.counts for group in groups])
    ends = np.concatenate([group.offsets for group in groups]) + counts * sizes
    return not ((ends > records.size) & (counts > 0)).any()


def inner_references(
    records: M2Records, groups: list[ReferenceGroup], outside_of: int | None = None
) -> list[ReferenceGroup]:
    """The targets of the tables of references in nested tracks: keys of single sequences in this file.

    With `outside_of`, the keys of that sequence, whose offsets count in its own file. Tables that overlap in
    a damaged file may have far more rows than the file has bytes: then the last tables are left out.
    """
    outside = external(records)
    found: list[ReferenceGroup] = []
    left, tables = SHARING * (records.size // REF.itemsize), MOST_TABLES
    for group in groups:
        if group.dtype is not REF:
            continue
        target, note = target_of(group)
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
            inner = _group(
                label,
                group.section,
                group.part,
                group.column,
                sources,
                table[numbers],
                target,
                note,
                None,
                True,
            )
            found.append(replace(inner, rows=numbers))
    return found


def external(records: M2Records) -> Array:
    """[S] bool: the sequences whose keys lie in a separate file."""
    sequences = records.tables.get("sequences")
    if sequences is None or not records.generation.nested:
        return np.zeros(0 if sequences is None else len(sequences), bool)
    return np.asarray(sequences["flags"] & EXTERNAL_SAFE == 0)


def target_of(group: ReferenceGroup) -> tuple[Dtype, str]:
    """The type and meaning of a nested track's times or values."""
    return (U32, "ms") if group.column == "times" else (group.part.dtype, group.part.note)


def global_sequences(records: M2Records, group: ReferenceGroup) -> Any:
    """[N]: the global sequence of each track of the group, -1 none."""
    return records.tables[group.section][group.part.name]["global_sequence"]
