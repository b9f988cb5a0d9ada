"""The records of a model: header and tables, each checked against the file; broken tables are empty."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.binary import Cursor
from viewer.errors import FormatError, Report, Topic, counted
from viewer.formats.m2.header_layout import HEADER, HEADER_WITH_COMBINERS
from viewer.formats.m2.layout import BONE, FIRST_PACKED
from viewer.formats.m2.particle_layout import PARTICLE
from viewer.formats.m2.record import Dtype, RecordField, RecordLayout, VersionTraits

CHUNK_HEAD = 8
COMBINERS = 0x8
FIRST_SPLIT = 262
BLEND_HIGH_BYTE = 0x29
MOST_KEY_BONES = 256
MOST_RECORDS = 8192
"""The largest number of records of a table, far more than any real model has."""
SHARING = 2
"""The tables of records together have at most so many times the bytes of the file."""
FARTHEST = 1e6


class M2Records(Struct, eq=False):
    """`data` holds the block of `size` bytes at `base`; all offsets count from `base`.

    `tables` are the arrays that the header points at, by the name of their field; a table outside the file is
    empty (`references.check` reports it).
    """

    data: bytes
    base: int
    size: int
    report: Report
    generation: VersionTraits
    layout: RecordLayout
    header: Any
    tables: dict[str, Array] = field(default_factory=dict)

    def at(self, count: int, offset: int, dtype: Dtype, where: str) -> Array:
        """[count] items at `offset` of the block. FormatError, with the path `where`, if they do not all lie
        inside.
        """
        if not count:
            return np.empty(0, dtype)
        if offset + count * dtype.itemsize > self.size:
            what = f"{counted(count, 'item')} of {counted(dtype.itemsize, 'byte')}"
            why = f"{what} at 0x{offset:X} lie outside the file"
            raise FormatError(why, where, self.base + min(offset, self.size), topic=Topic.CUT)
        return Cursor(self.data, self.base + offset, self.base + self.size).array(dtype, count)

    def items(self, reference: Any, dtype: Dtype) -> Array:
        """The items of a reference; empty if they lie outside the block."""
        try:
            return self.at(int(reference["count"]), int(reference["offset"]), dtype, "")
        except FormatError:
            return np.empty(0, dtype)

    def text(self, reference: Any) -> str:
        """A name, without surrounding zeros."""
        raw = self.items(reference, np.dtype("u1")).tobytes()
        return raw.strip(b"\0").partition(b"\0")[0].decode("latin-1")

    def part(self, name: str) -> RecordField:
        """The header's field of this name."""
        return next(part for part in self.layout.parts if part.name == name)


def read_records(data: bytes, base: int, size: int, report: Report) -> M2Records:
    """The header of the block at `base` and all tables. FormatError if the header is not complete."""
    if size < CHUNK_HEAD:
        raise FormatError(f"the header needs more than {size} bytes", "header", base, topic=Topic.CUT)
    version = int(Cursor(data, base + 4).scalar(np.dtype("<u4")))
    generation = VersionTraits(version, version >= FIRST_PACKED, version >= FIRST_SPLIT)
    records = M2Records(data, base, size, report, generation, HEADER, None)
    records.header = records.at(1, 0, HEADER.dtype(generation), "header")[0]
    if generation.nested and int(records.header["flags"]) & COMBINERS:
        try:
            whole = records.at(1, 0, HEADER_WITH_COMBINERS.dtype(generation), "header/combiners")[0]
            records.header, records.layout = whole, HEADER_WITH_COMBINERS
        except FormatError as error:
            report.fail(error)
    records.generation = VersionTraits(version, _bones_have_names(records), _blend_is_split(records))
    read_tables(records)
    return records


def read_tables(records: M2Records) -> None:
    """Fill `tables` with the arrays that the header points at.

    Tables of records that overlap are read until they have twice the bytes of the file together.
    """
    left = SHARING * records.size
    for part in records.layout.present(records.generation):
        if part.kind != "ref":
            continue
        found = records.items(records.header[part.name], part.target(records.generation))
        if part.into is not None:
            found = _limited(records, part, found)
            left -= found.nbytes
            if left < 0:
                found = found[:0]
                _fail(records, part, "the tables overlap: together they exceed the file")
        records.tables[part.name] = found


def _limited(records: M2Records, part: RecordField, found: Array) -> Array:
    """The records, limited in number: each becomes an object many times its size."""
    if len(found) > MOST_RECORDS:
        why = f"{counted(len(found), 'record')} claimed, at most {MOST_RECORDS} are read"
        _fail(records, part, why)
    return found[:MOST_RECORDS]


def _fail(records: M2Records, part: RecordField, why: str) -> None:
    """Report an error of a table."""
    records.report.fail(FormatError(why, part.name, table_offset(records, part.name)))


def table_offset(records: M2Records, name: str) -> int:
    """The offset of a table in the file; of the block if its header has no such table."""
    named = name in (records.header.dtype.names or ())
    return records.base + (int(records.header[name]["offset"]) if named else 0)


def _bones_have_names(records: M2Records) -> bool:
    """Whether bones have a name hash: the version decides, except between 256 and 260. There the stride that
    gives plausible parents and key bones decides.
    """
    version = records.generation.version
    if records.generation.nested:
        return True
    scores = {named: _sense(records, named) for named in (False, True)}
    usual = version >= FIRST_PACKED
    return not usual if scores[not usual] > scores[usual] else usual


def _sense(records: M2Records, named: bool) -> int:
    """The number of bones with plausible values at this stride."""
    reference = records.header["bones"]
    dtype = BONE.dtype(VersionTraits(records.generation.version, named))
    try:
        bones = records.at(int(reference["count"]), int(reference["offset"]), dtype, "bones")
    except FormatError:
        return 0
    parents, keys = bones["parent"], bones["key_bone"]
    fitting = (parents >= -1) & (parents < len(bones)) & (keys >= -1) & (keys < MOST_KEY_BONES)
    return int((fitting & (np.abs(bones["pivot"]) < FARTHEST).all(axis=1)).sum())


def _blend_is_split(records: M2Records) -> bool:
    """Whether emitters hold blend and type as two bytes: since 262, and in some files converted to 256."""
    version = records.generation.version
    if version >= FIRST_SPLIT:
        return True
    reference, dtype = records.header["particles"], PARTICLE.dtype(VersionTraits(version))
    try:
        emitters = records.at(int(reference["count"]), int(reference["offset"]), dtype, "particles")
    except FormatError:
        return False
    rows = emitters.view(np.uint8).reshape(len(emitters), dtype.itemsize)
    return bool((rows[:, BLEND_HIGH_BYTE] != 0).any())


class M2Chunk(Struct, frozen=True):
    """A chunk of a chunked file: its payload is `size` bytes at `offset`."""

    tag: str
    offset: int
    size: int


def chunks_of(data: bytes, report: Report) -> tuple[M2Chunk, ...]:
    """The chunks of a file that begins with a chunk; the last may be cut."""
    found: list[M2Chunk] = []
    at = 0
    while len(data) - at >= CHUNK_HEAD:
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        left = len(data) - at - CHUNK_HEAD
        tag = data[at : at + 4].decode("latin-1")
        if size > left:
            why = f"{counted(size, 'byte')} needed, {left} left"
            report.fail(FormatError(why, f"chunk {tag}", at, topic=Topic.CUT))
        found.append(M2Chunk(tag, at + CHUNK_HEAD, min(size, left)))
        at += CHUNK_HEAD + size
    return tuple(found)
