"""The tree of a model's bytes: the referenced data in file order, with the references to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from viewer.arrays import Array
from viewer.binary import Rows, Span
from viewer.binary.dtypes import field_notes, item_span, rows_span, type_name
from viewer.binary.span import UNKNOWN
from viewer.formats.m2.blocks import SHARED_LISTED, ReferencedBlock, ReferencedBlocks
from viewer.formats.m2.record import CHAR, REF, Dtype, RecordField, RecordLayout, VersionTraits
from viewer.formats.m2.records import M2Records
from viewer.formats.m2.references import ReferenceGroup, inner_references

ALIGNMENT = 16


def block_spans(records: M2Records, groups: Sequence[ReferenceGroup], head: Span | None) -> list[Span]:
    """The children of the block that `records` describe, without gaps; `head` is the header, if there is
    one.
    """
    blocks = ReferencedBlocks(records, [*groups, *inner_references(records, list(groups))])
    spans: list[Span] = [] if head is None else [head]
    for start, stop in blocks.runs():
        alone = stop == start + 1
        spans.append(_span(records, blocks[start]) if alone else _bundle(records, blocks, start, stop))
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


def _bundle(records: M2Records, blocks: ReferencedBlocks, start: int, stop: int) -> Span:
    """The span of neighbouring blocks of one table."""
    begin, end = blocks.range(start, stop)

    def children() -> list[Span]:
        inside = [_span(records, block) for block in blocks[start:stop]]
        return fill(records.data, inside, begin, end - begin)

    section = blocks[start].group.section
    return Span(f"data of {section}", begin, end - begin, f"block[{stop - start}]", None, "", children)


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
