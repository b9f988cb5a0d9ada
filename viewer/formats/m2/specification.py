"""The records of WoW models as the rows of their specification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from msgspec.structs import replace

from viewer.binary.specification import SpecificationRow, SpecificationSection, dtype_rows, dtype_text
from viewer.formats.m2.chunk_tree import FILE_IDS
from viewer.formats.m2.record import (
    NESTED_EVENT,
    NESTED_TRACK,
    OLD_EVENT,
    OLD_TRACK,
    RAMP,
    RANGE,
    REF,
    U32,
    Dtype,
    RecordField,
    RecordLayout,
    VersionTraits,
    plain,
)

VERSIONS = (
    VersionTraits(256),
    VersionTraits(257, True),
    VersionTraits(260, True),
    VersionTraits(262, True, True),
    VersionTraits(264, True, True),
    VersionTraits(265, True, True),
)
"""The first of each generation whose records differ from those before."""

CHUNK = RecordLayout(
    "chunk",
    (
        plain("tag", np.dtype("S4"), "four letters that name the kind of content"),
        plain("size", U32, "of the content that follows, bytes"),
    ),
    "A chunked file is one chunk after the other.",
)
FILE_CHUNKS = SpecificationSection(
    "chunks of file numbers",
    "Chunks whose content is nothing but numbers of files.",
    tuple(SpecificationRow(0, "", tag, "u32 up to the end", "", note) for tag, note in FILE_IDS.items()),
)
SHARED: Mapping[str, Dtype] = {
    "reference": REF,
    "track up to 263": OLD_TRACK,
    "track since 264": NESTED_TRACK,
    "range": RANGE,
    "event up to 263": OLD_EVENT,
    "event since 264": NESTED_EVENT,
    "ramp": RAMP,
}
SHARED_NOTES = {
    "reference": "Count and offset of items elsewhere in the file.",
    "track up to 263": "Keys on the one timeline of all sequences.",
    "track since 264": "Times and values are tables of references, one for each sequence.",
    "event up to 263": "A track without values.",
    "event since 264": "A track without values.",
    "ramp": "Keys over the life of a particle.",
}


def sections(
    *roots: RecordLayout, versions: tuple[VersionTraits, ...] = VERSIONS
) -> Iterator[SpecificationSection]:
    """A section for each record that the roots lead to, and sections for references and tracks."""
    waiting, seen = list(roots), set(map(id, roots))
    for layout in waiting:
        rows = tuple(row for part in layout.parts for row in _rows(layout, part, versions))
        yield SpecificationSection(layout.name, layout.note, rows)
        for part in layout.parts:
            if part.into is not None and id(part.into) not in seen:
                seen.add(id(part.into))
                waiting.append(part.into)
    kinds = {part.kind for layout in waiting for part in layout.parts}
    for name, dtype in SHARED.items():
        if _needed(name, kinds):
            yield SpecificationSection(name, SHARED_NOTES.get(name, ""), tuple(_shared(dtype)))


def _shared(dtype: Dtype) -> Iterator[SpecificationRow]:
    """The fields of a track, in which references are not described again."""
    rows = dtype_rows(dtype, 0)
    if dtype == REF:
        return rows
    return (replace(row, type="reference") if row.type == "record" else row for row in rows if not row.level)


def _needed(name: str, kinds: set[str]) -> bool:
    kind = name.split()[0]
    if kind == "reference":
        return kinds != {"plain"}
    return ("track" if kind == "range" else kind) in kinds


def _rows(
    layout: RecordLayout, part: RecordField, versions: tuple[VersionTraits, ...]
) -> Iterator[SpecificationRow]:
    """A field, and the fields of the plain records that it refers to; nothing if no version has the field."""
    if not any(part in layout.present(traits) for traits in versions):
        return
    condition = part.only.text if part.only is not None else ""
    yield SpecificationRow(0, _offsets(layout, part, versions), part.name, _type(part), condition, part.note)
    if part.into is None:
        yield from dtype_rows(part.dtype, 1)


def _type(part: RecordField) -> str:
    target = part.into.name if part.into is not None else dtype_text(part.dtype)
    if part.kind == "plain":
        return target
    return {"ref": f"reference to {target}"}.get(part.kind, f"{part.kind} of {target}")


def _offsets(layout: RecordLayout, part: RecordField, versions: tuple[VersionTraits, ...]) -> str:
    """The offset of the field, or an offset for each range of versions."""
    offsets: list[tuple[int, int]] = []
    for traits in versions:
        if part in layout.present(traits):
            fields = layout.dtype(traits).fields
            assert fields is not None, "a record has fields"
            offsets.append((traits.version, fields[part.name][1]))
    distinct = [
        pair for number, pair in enumerate(offsets) if not number or pair[1] != offsets[number - 1][1]
    ]
    later = "".join(f", 0x{offset:02X} from {version}" for version, offset in distinct[1:])
    return f"0x{distinct[0][1]:02X}{later}"
