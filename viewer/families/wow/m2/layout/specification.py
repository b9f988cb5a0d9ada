"""Describe the records of WoW models as rows of a specification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from msgspec.structs import replace

from viewer.binary import Fixed, record_dtype
from viewer.binary.cursor import Dtype
from viewer.binary.specification import (
    SpecificationRow,
    SpecificationSection,
    dtype_rows,
    record_specifications,
)
from viewer.binary.tables import REF, RowRecord
from viewer.families.wow.m2.layout.chunks import FILE_IDS
from viewer.families.wow.m2.layout.fields import (
    NESTED_EVENT,
    NESTED_TRACK,
    OLD_EVENT,
    OLD_TRACK,
    RAMP,
    RANGE,
    U32,
    VersionTraits,
)

VERSIONS = (
    VersionTraits(256),
    VersionTraits(257, True),
    VersionTraits(260, True),
    VersionTraits(262, True, True),
    VersionTraits(264, True, True),
    VersionTraits(265, True, True),
)
"""The first version of each layout of records."""

CHUNK = RowRecord(
    "chunk",
    Fixed("tag", np.dtype("S4"), "four letters that name the kind of content"),
    Fixed("size", U32, "size of the content that follows, bytes"),
    note="A chunked file is a series of chunks.",
)
FILE_CHUNKS = SpecificationSection(
    "chunks of file numbers",
    "Chunks that contain only file numbers.",
    tuple(SpecificationRow(0, "", tag, "u32 up to the end", "", note) for tag, note in FILE_IDS.items()),
)
MODEL_REF = record_dtype(
    ("count", U32, "number of items"), ("offset", U32, "offset of the first item from the MD20 magic")
)
WORDS = {"reference", "track", "event", "ramp"}
SHARED: Mapping[str, Dtype] = {
    "reference": MODEL_REF,
    "track up to version 263": OLD_TRACK,
    "track since version 264": NESTED_TRACK,
    "range": RANGE,
    "event up to version 263": OLD_EVENT,
    "event since version 264": NESTED_EVENT,
    "ramp": RAMP,
}
SHARED_NOTES = {
    "reference": "Count and offset of items elsewhere in the file.",
    "track up to version 263": "Keys on the timeline that all sequences share.",
    "track since version 264": "Times and values are tables of references, one for each sequence.",
    "event up to version 263": "A track without values.",
    "event since version 264": "A track without values.",
    "ramp": "Keys over the life of a particle.",
}


def sections(
    *roots: RowRecord, versions: tuple[VersionTraits, ...] = VERSIONS
) -> Iterator[SpecificationSection]:
    """Yield a section for each record that the roots lead to, then for the references and tracks used."""
    yield from (found := list(record_specifications(*roots, generations=versions)))
    words = {row.type.split()[0] for section in found for row in section.rows if not row.level}
    for name, dtype in SHARED.items():
        word = name.split()[0]
        needed = words & WORDS if word == "reference" else ("track" if word == "range" else word) in words
        if needed:
            yield SpecificationSection(name, SHARED_NOTES.get(name, ""), tuple(_shared(dtype)))


def _shared(dtype: Dtype) -> Iterator[SpecificationRow]:
    """The rows of a shared dtype. A reference in the dtype is one row, because references have their own
    section.
    """
    rows = dtype_rows(dtype, 0)
    if dtype == REF:
        return rows
    return (replace(row, type="reference") if row.type == "record" else row for row in rows if not row.level)
