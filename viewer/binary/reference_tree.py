"""Makes the tree of a block of records: the referenced data in file order. Each byte range appears once, with
all references to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
from msgspec import Struct

from viewer.binary.code_pages import decode
from viewer.binary.cursor import Dtype, NdArray
from viewer.binary.dtypes import field_notes, item_span, rows_span, type_name
from viewer.binary.fields import Fixed
from viewer.binary.references import ReferenceGroup
from viewer.binary.span import FREE, UNKNOWN, Rows, Span, gap, only_zeros
from viewer.binary.tables import REF, RecordTables, Reference, RowField, RowRecord

CHAR = np.dtype("S1")
SHARED_LISTED = 4
"""The largest number of further references to the same bytes that a note names."""


class ReferencedBlock(Struct, frozen=True, eq=False):
    """The data of one reference. `others` are the names of further references to the same bytes, `sources`
    the offsets of all these references. Offsets count from the start of the file.
    """

    offset: int
    size: int
    group: ReferenceGroup
    index: int
    others: tuple[str, ...] = ()
    sources: tuple[int, ...] = ()

    @property
    def end(self) -> int:
        """The offset after the data."""
        return self.offset + self.size


class ReferencedBlocks(Sequence[ReferencedBlock]):
    """The blocks of all references in `groups`. A block is created when it is indexed, because a hostile file
    may have a reference for each byte.

    Blocks do not overlap. If a reference begins inside an earlier block, the block of this reference has only
    the bytes after the earlier block. If there are no such bytes, the reference becomes one of the `others`
    of the earlier block.
    """

    def __init__(self, records: RecordTables, groups: Sequence[ReferenceGroup]) -> None:
        self._records, self._groups = records, groups
        owners = [np.full(len(each.offsets), number, np.int32) for number, each in enumerate(groups)]
        rows = [np.arange(len(each.offsets), dtype=np.int32) for each in groups]
        owner = np.concatenate([np.empty(0, np.int32), *owners])
        row = np.concatenate([np.empty(0, np.int32), *rows])
        begins = np.concatenate([np.empty(0, np.int64), *(each.offsets for each in groups)])
        ends = np.concatenate([np.empty(0, np.int64), *(each.ends for each in groups)])
        kept = np.flatnonzero((ends > begins) & (ends <= records.size))
        order = kept[np.lexsort((owner[kept], -ends[kept], begins[kept]))]
        begins, ends, self._owner, self._row = begins[order], ends[order], owner[order], row[order]
        first = np.int64(records.layout.dtype(records.generation).itemsize)
        before = np.maximum.accumulate(np.append(first, ends))[:-1]
        self._places = np.flatnonzero(ends > before)
        self._begins = np.maximum(begins, before)[self._places]
        self._ends = ends[self._places]

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> ReferencedBlock: ...
    @overload
    def __getitem__(self, index: slice) -> list[ReferencedBlock]: ...
    def __getitem__(self, index: int | slice) -> ReferencedBlock | list[ReferencedBlock]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        place, begin, base = int(self._places[index]), int(self._begins[index]), self._records.base
        behind = int(self._places[index + 1]) if index + 1 < len(self) else len(self._owner)
        shared = range(place + 1, min(behind, place + 2 + SHARED_LISTED))
        others = tuple(self._groups[self._owner[each]].who(int(self._row[each])) for each in shared)
        sources = [
            self._groups[self._owner[each]].sources[self._row[each] :][:1] for each in (place, *shared)
        ]
        return ReferencedBlock(
            base + begin,
            int(self._ends[index]) - begin,
            self._groups[self._owner[place]],
            int(self._row[place]),
            others,
            tuple(int(each) + base for found in sources for each in found),
        )

    def runs(self) -> list[tuple[int, int]]:
        """Return the blocks of each node of the tree, as block indices (start, stop). Neighbouring keys of
        one table share a node; every other block has its own node.
        """
        names: dict[str, int] = {}
        sections = np.array([names.setdefault(each.section, len(names)) for each in self._groups], np.int32)
        keys = np.array([each.keys for each in self._groups], bool)
        owners = self._owner[self._places]
        section, key = sections[owners], keys[owners]
        together = key[1:] & key[:-1] & (section[1:] == section[:-1])
        starts = np.flatnonzero(np.append(True, ~together)) if len(owners) else owners
        return list(zip(starts.tolist(), [*starts[1:].tolist(), len(owners)], strict=False))

    def range(self, start: int, stop: int) -> tuple[int, int]:
        """The offset of block `start`, and the offset after block `stop` - 1."""
        base = self._records.base
        return base + int(self._begins[start]), base + int(self._ends[stop - 1])


ALIGNMENT = 16
EVIDENCE = 8
"""An earlier copy of a table has at least this number of bytes that are not zero, references aside."""


def block_spans(records: RecordTables, groups: Sequence[ReferenceGroup], head: Span | None) -> list[Span]:
    """Make the spans that cover the block of `records` without gaps. `head` is the span of the header; None
    if there is no header.
    """
    blocks = ReferencedBlocks(records, groups)
    spans: list[Span] = [] if head is None else [head]
    for start, stop in blocks.runs():
        alone = stop == start + 1
        spans.append(_span(records, blocks[start]) if alone else _bundle(records, blocks, start, stop))
    filled = fill(records.data, spans, records.base, records.size)
    return [_earlier_copy(records, span) or span if span.type == UNKNOWN else span for span in filled]


def _earlier_copy(records: RecordTables, gap: Span) -> Span | None:
    """The gap as an earlier copy of a table of the header; None if it is none. A copy has rows that equal the
    first rows of the table, except for the references in them, and only zeros before and behind.
    """
    begin = gap.offset + -(gap.offset - records.base) % ALIGNMENT
    if not only_zeros(records.data, gap.offset, min(begin, gap.end)):
        begin = gap.offset
    for name, table in records.tables.items():
        rows = min(len(table), (gap.end - begin) // table.dtype.itemsize)
        behind = begin + rows * table.dtype.itemsize
        if rows < 1 or not only_zeros(records.data, behind, gap.end):
            continue
        raw = np.frombuffer(records.data, table.dtype, rows, begin).copy(), table[:rows].copy()
        old, now = (_without_references(each).view(np.uint8) for each in raw)
        if np.count_nonzero(now) >= EVIDENCE and np.array_equal(old, now):
            note = f"an earlier copy of {name}, which no record points at"
            return Span("earlier copy", gap.offset, gap.size, FREE, note=note)
    return None


def _without_references(rows: NdArray) -> NdArray:
    """The rows [N], which are changed: all references in them are zero."""
    for name in rows.dtype.names or ():
        if rows.dtype[name] == REF:
            rows[name] = 0
        elif rows.dtype[name].names:
            _without_references(rows[name])
    return rows


def header_span(records: RecordTables) -> Span:
    """Make the span of the header, with a child for each field."""
    return record_span(
        "header", records.layout, records.generation, records.header, records.base, records.base
    )


def fill(data: bytes, spans: Sequence[Span], offset: int, size: int) -> list[Span]:
    """Return `spans`, which are in file order, with a gap span for every range that no span covers."""
    tiles: list[Span] = []
    at = offset
    for span in spans:
        if span.offset > at:
            tiles.append(_gap(data, at, span.offset - at))
        tiles.append(span)
        at = span.end
    if at < offset + size:
        tiles.append(_gap(data, at, offset + size - at))
    return tiles


def _gap(data: bytes, offset: int, size: int) -> Span:
    """Make the span of bytes that no record points at. A few zeros are padding."""
    span = gap(data, offset, size, "unreferenced", "no record points at these bytes")
    if span.type != UNKNOWN and size < ALIGNMENT:
        span.name, span.note = "padding", "zeros up to the next block"
    return span


def record_span(
    name: str,
    layout: RowRecord,
    generation: Any,
    value: Any,
    offset: int,
    base: int,
    note: str = "",
) -> Span:
    """Make the span of one record, with a child for each field."""
    dtype = layout.dtype(generation)

    def children() -> list[Span]:
        assert dtype.fields is not None
        return [
            _part_span(part, value[part.name], offset + dtype.fields[part.name][1], generation, base)
            for part in layout.present(generation)
        ]

    return Span(name, offset, dtype.itemsize, layout.name, None, note or layout.note, children)


def _part_span(part: Fixed | RowField, value: Any, offset: int, generation: Any, base: int) -> Span:
    if isinstance(part, Fixed):
        return item_span(part.name, part.dtype, value, offset, part.note)
    if isinstance(part, Reference):
        target = part.into.name if part.into is not None else type_name(part.dtype)
        span = _reference_span(part.name, value, offset, base, target, part.note)
        span.layout = part
        return span
    stored = part.stored(generation)

    def children() -> list[Span]:
        assert stored.fields is not None and stored.names is not None
        parts, notes = [], field_notes(stored)
        for field in stored.names:
            inner, begin = stored.fields[field][:2]
            if inner == REF:
                parts.append(_reference_span(field, value[field], offset + begin, base, "", notes[field]))
            else:
                parts.append(item_span(field, inner, value[field], offset + begin, notes[field]))
        return parts

    kind = f"{part.word} of {type_name(part.dtype)}"
    return Span(
        part.name, offset, stored.itemsize, kind, part.summary(value, generation), part.note, children
    )


def _reference_span(name: str, value: Any, offset: int, base: int, target: str, note: str) -> Span:
    count, relative = int(value["count"]), int(value["offset"])
    shown = f"{count} at 0x{base + relative:X}" if count else "none"
    kind = f"reference to {target}" if target else "reference"
    return Span(name, offset, REF.itemsize, kind, shown, note, target=base + relative if count else None)


def _bundle(records: RecordTables, blocks: ReferencedBlocks, start: int, stop: int) -> Span:
    """Make one span for neighbouring blocks of one table."""
    begin, end = blocks.range(start, stop)

    def children() -> list[Span]:
        inside = [_span(records, block) for block in blocks[start:stop]]
        return fill(records.data, inside, begin, end - begin)

    section = blocks[start].group.section
    return Span(f"data of {section}", begin, end - begin, f"block[{stop - start}]", None, "", children)


def _span(records: RecordTables, block: ReferencedBlock) -> Span:
    """Make the span of referenced data, with the references to it."""
    span = _contents(records, block)
    span.sources, span.layout = block.sources, block.group.part
    return span


def _contents(records: RecordTables, block: ReferencedBlock) -> Span:
    """Make the span of referenced data. If the data overlap another block, the span has no rows."""
    group, dtype = block.group, block.group.dtype
    who = group.who(block.index)
    note = _note(group, who, block.others)
    whole = block.size == int(group.counts[block.index]) * dtype.itemsize
    if not whole:
        return Span(who, block.offset, block.size, "bytes", None, f"{note}; overlaps the data before it")
    if dtype == CHAR:
        text = decode(records.data[block.offset : block.end].strip(b"\0"))
        return Span(who, block.offset, block.size, "text", text, note)
    items = records.at(block.size // dtype.itemsize, block.offset - records.base, dtype, who)
    if group.layout is not None:
        return _table_span(who, group.layout, records, items, block.offset, note)
    if dtype is REF:
        return _list_span(who, records, items, block.offset, note)
    return rows_span(who, items, block.offset, note)


def _note(group: ReferenceGroup, who: str, others: Sequence[str]) -> str:
    listed = ", ".join(others[:SHARED_LISTED]) + (" …" if len(others) > SHARED_LISTED else "")
    source = f"from {who}" if "[" in who else "from the header"
    return "; ".join(part for part in (group.note, source, listed and f"also {listed}") if part)


def _table_span(
    name: str, layout: RowRecord, records: RecordTables, items: NdArray, offset: int, note: str
) -> Span:
    def row(index: int, at: int) -> Span:
        span = record_span(f"[{index}]", layout, records.generation, items[index], at, records.base)
        span.index = index
        return span

    return _rows(name, items, offset, f"{layout.name}[{len(items)}]", note, row)


def _list_span(name: str, records: RecordTables, items: NdArray, offset: int, note: str) -> Span:
    def row(index: int, at: int) -> Span:
        span = _reference_span(f"[{index}]", items[index], at, records.base, "", "")
        span.index = index
        return span

    return _rows(name, items, offset, f"reference[{len(items)}]", note, row)


def _rows(
    name: str, items: NdArray, offset: int, kind: str, note: str, row: Callable[[int, int], Span]
) -> Span:
    dtype: Dtype = items.dtype
    rows = Rows(offset, dtype.itemsize, len(items), row, items)
    return Span(name, offset, dtype.itemsize * len(items), kind, None, note, rows)
