"""Read the header and the tables of a model; a table outside the file is reported and left empty."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.binary import Cursor
from viewer.binary.tables import RecordTables
from viewer.budget import BUDGET
from viewer.errors import FormatError, Report, Topic, counted
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.families.wow.m2.layout.header import HEADER, HEADER_WITH_COMBINERS
from viewer.families.wow.m2.layout.particles import PARTICLE
from viewer.families.wow.m2.layout.records import BONE, FIRST_PACKED

CHUNK_HEAD = 8
COMBINERS = 0x8
FIRST_SPLIT = 262
BLEND_HIGH_BYTE = 0x29
FARTHEST = 1e6


def read_records(data: bytes, base: int, size: int, report: Report) -> RecordTables:
    """Read the header of the block at `base` and all its tables. FormatError if the header is incomplete."""
    if size < CHUNK_HEAD:
        raise FormatError(f"the header needs more than {size} bytes", "header", base, topic=Topic.CUT)
    version = int(Cursor(data, base + 4).scalar(np.dtype("<u4")))
    generation = VersionTraits(version)
    records = RecordTables(data, base, size, report, generation, HEADER, None)
    records.header = records.at(1, 0, HEADER.dtype(generation), "header")[0]
    if generation.nested and int(records.header["flags"]) & COMBINERS:
        try:
            whole = records.at(1, 0, HEADER_WITH_COMBINERS.dtype(generation), "header/combiners")[0]
            records.header, records.layout = whole, HEADER_WITH_COMBINERS
        except FormatError as error:
            report.fail(error)
    records.generation = VersionTraits(version, _bones_have_names(records), _blend_is_split(records))
    records.read()
    return records


def _bones_have_names(records: RecordTables) -> bool:
    """Return whether bones have a name hash. Since version 264 they have one. Before, the bones are read with
    and without a hash, and the more plausible result decides; if both are equally plausible, the version
    decides.
    """
    version = records.generation.version
    if records.generation.nested:
        return True
    scores = {named: _sense(records, named) for named in (False, True)}
    usual = version >= FIRST_PACKED
    return not usual if scores[not usual] > scores[usual] else usual


def _sense(records: RecordTables, with_names: bool) -> int:
    """Count the bones that have plausible values if they are read with a name hash (`with_names`) or without
    one.
    """
    reference = records.header["bones"]
    dtype = BONE.dtype(VersionTraits(records.generation.version, with_names))
    try:
        bones = records.at(int(reference["count"]), int(reference["offset"]), dtype, "bones")
    except FormatError:
        return 0
    parents, keys = bones["parent"], bones["key_bone"]
    fitting = (parents >= -1) & (parents < len(bones)) & (keys >= -1) & (keys < BUDGET.key_bones)
    return int((fitting & (np.abs(bones["pivot"]) < FARTHEST).all(axis=1)).sum())


def _blend_is_split(records: RecordTables) -> bool:
    """Return whether an emitter's blend and type are bytes, not u16. The two fields are bytes since version
    262, and in some files that were converted to version 256.
    """
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
    """A chunk of a chunked file. Its content, without tag and size, is `size` bytes at `offset`."""

    tag: str
    offset: int
    size: int


def chunks_of(data: bytes, report: Report) -> tuple[M2Chunk, ...]:
    """Return the chunks of a file that begins with a chunk. A truncated last chunk is reported; its size is
    reduced to the bytes that exist.
    """
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
