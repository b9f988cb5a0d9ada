"""Collects all references of the records in a block, in groups of arrays: one group for each field of each
table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from viewer.binary.cursor import Dtype, NdArray
from viewer.binary.fields import Fixed
from viewer.binary.tables import RecordTables, Reference, ReferenceColumn, RowField, RowRecord
from viewer.errors import FormatError, Topic, counted

FEW = 3
"""At most this number of fields that begin after the end of a block have an error each."""


class ReferenceGroup(Struct, frozen=True, eq=False):
    """N references of one kind: `counts` [N] items of `dtype` at `offsets` [N] of the block.

    `sources` [N] are the offsets of the references themselves. `label` is the name of a reference, with `{}`
    in place of the row number: `bones[{}].rotation.times`. `section` is the name of the table. `part` is the
    field that refers to the items. `column` is the reference within the field, such as `times`. With `keys`
    the items are small and share a node of the tree. `rows` [N] are the row numbers. `rows` is None if they
    are 0 to N - 1.
    """

    label: str
    section: str
    part: RowField
    column: str
    sources: NdArray
    offsets: NdArray
    counts: NdArray
    dtype: Dtype
    note: str = ""
    layout: RowRecord | None = None
    keys: bool = False
    rows: NdArray | None = None

    def who(self, index: int) -> str:
        """The name of the reference `index`: `bones[3].rotation.times`."""
        return self.label.format(index if self.rows is None else int(self.rows[index]))

    @property
    def ends(self) -> NdArray:
        """[N]: the offsets after the referenced items."""
        return np.asarray(self.offsets + self.counts * self.dtype.itemsize)


def references(records: RecordTables) -> list[ReferenceGroup]:
    """Collect the references in the header, and in every record of the header's tables."""
    header = np.array([records.header])
    groups = [*_of_rows(records, records.layout, header, 0, "", "")]
    for part in records.layout.present(records.generation):
        table = records.tables.get(part.name)
        if isinstance(part, Reference) and part.into is not None and table is not None and len(table):
            begin = int(records.header[part.name]["offset"])
            groups += _of_rows(records, part.into, table, begin, f"{part.name}[{{}}].", part.name)
    return groups


def _of_rows(
    records: RecordTables, layout: RowRecord, rows: NdArray, begin: int, label: str, section: str
) -> Iterator[ReferenceGroup]:
    """Yield the references of all rows of one table, which begins at offset `begin`."""
    dtype = rows.dtype
    at = begin + np.arange(len(rows), dtype=np.int64) * dtype.itemsize
    for part in layout.present(records.generation):
        if isinstance(part, Fixed):
            continue
        assert dtype.fields is not None
        inner, offset = dtype.fields[part.name][:2]
        for column in part.columns(records.generation):
            name = f"{label}{part.name}.{column.name}" if column.name else f"{label}{part.name}"
            sources, stored = at + offset, rows[part.name]
            if column.name:
                sources = sources + inner.fields[column.name][1]
                stored = stored[column.name]
            keys = bool(column.name) or (
                bool(section) and column.record is None and column.dtype.itemsize == 1
            )
            yield reference_group(name, section or part.name, part, column, sources, stored, keys)


def reference_group(
    label: str,
    section: str,
    part: RowField,
    column: ReferenceColumn,
    sources: NdArray,
    pairs: NdArray,
    keys: bool,
    rows: NdArray | None = None,
) -> ReferenceGroup:
    """Make a group of the references `pairs` [N], which are counts and offsets; for the other arguments see
    `ReferenceGroup`.
    """
    offsets, counts = pairs["offset"].astype(np.int64), pairs["count"].astype(np.int64)
    return ReferenceGroup(
        label,
        section,
        part,
        column.name,
        sources,
        offsets,
        counts,
        column.dtype,
        column.note,
        column.record,
        keys,
        rows,
    )


def check(records: RecordTables, groups: Sequence[ReferenceGroup]) -> None:
    """Report references that end outside the block: one error for each field, which names the first bad row.
    If the block is cut, so that many fields of its header begin after its end, they have one error together.
    """
    if not groups or all_inside(records, groups):
        return
    beyond: list[FormatError] = []
    others: list[FormatError] = []
    for group in groups:
        outside = np.flatnonzero((group.ends > records.size) & (group.counts > 0))
        if len(outside):
            first = int(outside[0])
            more = f", and {len(outside) - 1} more of this field" if len(outside) > 1 else ""
            count, at = int(group.counts[first]), int(group.offsets[first])
            lie = "lies" if count == 1 else "lie"
            why = f"{counted(count, 'item')} at 0x{at:X} {lie} outside the file"
            path, source = group.who(first).replace(".", "/"), records.base + int(group.sources[first])
            error = FormatError(why + more, path, source, topic=Topic.REFERENCE)
            begins_beyond = len(group.counts) == 1 and at >= records.size
            (beyond if begins_beyond else others).append(error)
    if len(beyond) > FEW:
        names = ", ".join(error.path for error in beyond)
        why = f"{len(beyond)} tables begin after the end of the file: {names}"
        beyond = [FormatError(why, beyond[0].path, beyond[0].offset, topic=Topic.REFERENCE)]
    for error in (*beyond, *others):
        records.report.fail(error)


def all_inside(records: RecordTables, groups: Sequence[ReferenceGroup]) -> bool:
    """Whether all references stay inside the block. All groups are checked by one comparison, because a model
    has about a hundred groups.
    """
    sizes = np.repeat([group.dtype.itemsize for group in groups], [len(group.counts) for group in groups])
    counts = np.concatenate([group.counts for group in groups])
    ends = np.concatenate([group.offsets for group in groups]) + counts * sizes
    return not ((ends > records.size) & (counts > 0)).any()
