"""The tree of a model's bytes: the referenced data in file order, with the references to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from viewer.arrays import Array
from viewer.binary import Rows, Span
from viewer.binary.array_spans import item_span, rows_span, type_name
from viewer.binary.dtypes import field_notes
from viewer.binary.span import UNKNOWN
from viewer.dataclass import dataclass
from viewer.formats.m2.record import CHAR, REF, Dtype, RecordField, RecordLayout, VersionTraits
from viewer.formats.m2.records import M2Records
from viewer.formats.m2.references import ReferenceGroup, inner_references

ALIGNMENT = 16
SHARED_LISTED = 4


@dataclass(frozen=True, slots=True, eq=False)
class ReferencedBlock:
    """The data of one reference; `others` point at the same bytes, `sources` are the offsets of all these
    references. Offsets count from the start of the file.
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


def block_spans(records: M2Records, groups: Sequence[ReferenceGroup], head: Span | None) -> list[Span]:
    """The children of the block that `records` describe, without gaps; `head` is the header, if there is
    one.
    """
    every = [*groups, *inner_references(records, list(groups))]
    blocks = _blocks(records, every)
    spans: list[Span] = [] if head is None else [head]
    for start, stop in _runs(blocks):
        run = blocks[start:stop]
        spans.append(_span(records, run[0]) if len(run) == 1 else _bundle(records, run))
    return fill(records.data, spans, records.base, records.size)


def header_span(records: M2Records) -> Span:
    """The header with its fields."""
    return record_span(
        "header", records.layout, records.generation, records.header, records.base, records.base
    )


def fill(data: bytes, spans: Sequence[Span], offset: int, size: int) -> list[Span]:
    """The spans, which are in file order, with a named gap for every range without a span."""
    tiles: list[Span] = []
    at = offset
    for span in spans:
        if span.offset > at:
            tiles.append(gap(data, at, span.offset - at))
        tiles.append(span)
        at = span.end
    if at < offset + size:
        tiles.append(gap(data, at, offset + size - at))
    return tiles


def gap(data: bytes, offset: int, size: int) -> Span:
    """Bytes that no record points at: a few zeros are padding, other bytes are unexplained."""
    if size < ALIGNMENT and not any(data[offset : offset + size]):
        return Span("padding", offset, size, "padding", None, "zeros up to the next block")
    return Span("unreferenced", offset, size, UNKNOWN, None, "no record points at these bytes")


def record_span(
    name: str,
    layout: RecordLayout,
    generation: VersionTraits,
    value: Any,
    offset: int,
    base: int,
    note: str = "",
) -> Span:
    """One record with a child for each of its fields, each with its note."""
    dtype = layout.dtype(generation)

    def children() -> list[Span]:
        assert dtype.fields is not None
        return [
            _part_span(part, value[part.name], offset + dtype.fields[part.name][1], generation, base)
            for part in layout.present(generation)
        ]

    return Span(name, offset, dtype.itemsize, layout.name, None, note or layout.note, children)


def _part_span(part: RecordField, value: Any, offset: int, generation: VersionTraits, base: int) -> Span:
    if part.kind == "plain":
        return item_span(part.name, part.dtype, value, offset, part.note)
    target = part.into.name if part.into is not None else type_name(part.dtype)
    if part.kind == "ref":
        return _reference_span(part.name, value, offset, base, target, part.note)
    stored = part.stored(generation)

    def children() -> list[Span]:
        assert stored.fields is not None and stored.names is not None
        parts, notes = [], field_notes(stored)
        for field in stored.names:
            inner, begin = stored.fields[field][:2]
            if inner is REF or inner == REF:
                parts.append(_reference_span(field, value[field], offset + begin, base, "", notes[field]))
            else:
                parts.append(item_span(field, inner, value[field], offset + begin, notes[field]))
        return parts

    count = int(value["times"]["count"])
    shown = f"{count} {'sequences' if generation.nested and part.kind != 'ramp' else 'keys'}"
    return Span(part.name, offset, stored.itemsize, f"{part.kind} of {target}", shown, part.note, children)


def _reference_span(name: str, value: Any, offset: int, base: int, target: str, note: str) -> Span:
    count, relative = int(value["count"]), int(value["offset"])
    shown = f"{count} at 0x{base + relative:X}" if count else "none"
    kind = f"reference to {target}" if target else "reference"
    return Span(name, offset, REF.itemsize, kind, shown, note, target=base + relative if count else None)


def _blocks(records: M2Records, groups: Sequence[ReferenceGroup]) -> list[ReferencedBlock]:
    """The data that references point at inside the file, in file order, each range of bytes once."""
    group, index = (
        np.concatenate([np.empty(0, np.int64), *parts])
        for parts in (
            [np.full(len(each.offsets), number) for number, each in enumerate(groups)],
            [np.arange(len(each.offsets)) for each in groups],
        )
    )
    offsets = np.concatenate([np.empty(0, np.int64), *(each.offsets for each in groups)])
    ends = np.concatenate([np.empty(0, np.int64), *(each.ends for each in groups)])
    kept = np.flatnonzero((ends > offsets) & (ends <= records.size))
    order = kept[np.lexsort((group[kept], -ends[kept], offsets[kept]))]
    found: list[ReferencedBlock] = []
    at = records.layout.dtype(records.generation).itemsize
    for begin, end, owner, row in zip(
        *(column[order].tolist() for column in (offsets, ends, group, index)), strict=True
    ):
        source = tuple(int(each) + records.base for each in groups[owner].sources[row : row + 1])
        if end <= at:
            _share(found, groups[owner].who(row), source)
        else:
            start = max(begin, at)
            found.append(ReferencedBlock(records.base + start, end - start, groups[owner], row, (), source))
            at = end
    return found


def _share(found: list[ReferencedBlock], who: str, source: tuple[int, ...]) -> None:
    if found and len(found[-1].others) <= SHARED_LISTED:
        last = found[-1]
        found[-1] = replace(last, others=(*last.others, who), sources=(*last.sources, *source))


def _runs(blocks: Sequence[ReferencedBlock]) -> list[tuple[int, int]]:
    """Ranges of neighbouring keys of one table, which are shown as one node; all other data have their own
    nodes.
    """
    runs: list[tuple[int, int]] = []
    for number, block in enumerate(blocks):
        before = blocks[number - 1].group if runs else None
        together = before is not None and before.keys and block.group.keys
        if together and before is not None and before.section == block.group.section:
            runs[-1] = runs[-1][0], number + 1
        else:
            runs.append((number, number + 1))
    return runs


def _bundle(records: M2Records, blocks: Sequence[ReferencedBlock]) -> Span:
    begin, end = blocks[0].offset, blocks[-1].end

    def children() -> list[Span]:
        return fill(records.data, [_span(records, block) for block in blocks], begin, end - begin)

    section = blocks[0].group.section
    return Span(f"data of {section}", begin, end - begin, f"block[{len(blocks)}]", None, "", children)


def _span(records: M2Records, block: ReferencedBlock) -> Span:
    """The span of referenced data, with the references to it."""
    span = _contents(records, block)
    span.sources, span.layout = block.sources, block.group.part
    return span


def _contents(records: M2Records, block: ReferencedBlock) -> Span:
    """The rows of referenced data; data that overlap another block have no rows."""
    group, dtype = block.group, block.group.dtype
    who = group.who(block.index)
    note = _note(group, who, block.others)
    whole = block.size == int(group.counts[block.index]) * dtype.itemsize
    if not whole:
        return Span(who, block.offset, block.size, "bytes", None, f"{note}; overlaps the data before it")
    if dtype == CHAR:
        text = records.data[block.offset : block.end].strip(b"\0").decode("latin-1")
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
    name: str, layout: RecordLayout, records: M2Records, items: Array, offset: int, note: str
) -> Span:
    def row(index: int, at: int) -> Span:
        span = record_span(f"[{index}]", layout, records.generation, items[index], at, records.base)
        span.index = index
        return span

    return _rows(name, items, offset, f"{layout.name}[{len(items)}]", note, row)


def _list_span(name: str, records: M2Records, items: Array, offset: int, note: str) -> Span:
    def row(index: int, at: int) -> Span:
        span = _reference_span(f"[{index}]", items[index], at, records.base, "", "")
        span.index = index
        return span

    return _rows(name, items, offset, f"reference[{len(items)}]", note, row)


def _rows(
    name: str, items: Array, offset: int, kind: str, note: str, row: Callable[[int, int], Span]
) -> Span:
    dtype: Dtype = items.dtype
    rows = Rows(offset, dtype.itemsize, len(items), row, items)
    return Span(name, offset, dtype.itemsize * len(items), kind, None, note, rows)
