"""Records of fixed size whose fields point elsewhere in the file: a table of fields becomes a numpy dtype.

The target of a reference is part of the table, so that all referenced data can be checked, read, written and
explained without code for each record.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from msgspec import Struct, field

from viewer.binary import record_dtype

Dtype = np.dtype[Any]

U8, I8, U16, I16 = np.dtype("u1"), np.dtype("i1"), np.dtype("<u2"), np.dtype("<i2")
U32, I32, F32 = np.dtype("<u4"), np.dtype("<i4"), np.dtype("<f4")
CHAR = np.dtype("S1")
REF = record_dtype(("count", U32, "how many items"), ("offset", U32, "of the first item from the MD20 magic"))

TRACK_HEAD = (
    ("interpolation", U16, "0 step, 1 linear, 2 and 3 splines"),
    ("global_sequence", I16, "the loop that it follows in place of the sequence, -1 none"),
)
RANGES = ("ranges", REF, "first and last key of each sequence")
TIMES, VALUES = ("times", REF, "times of the keys, ms"), ("values", REF, "values of the keys")
OLD_TRACK = record_dtype(*TRACK_HEAD, RANGES, TIMES, VALUES)
NESTED_TRACK = record_dtype(*TRACK_HEAD, TIMES, VALUES)
OLD_EVENT = record_dtype(*TRACK_HEAD, RANGES, TIMES)
NESTED_EVENT = record_dtype(*TRACK_HEAD, TIMES)
RAMP = record_dtype(("times", REF, "of the keys, 32767 at the end of life"), VALUES)
RANGE = record_dtype(("first", U32, "number of the first key"), ("last", U32, "number of the last key"))

FIRST_NESTED = 264
FIRST_CATACLYSM = 265


class VersionTraits(Struct, frozen=True):
    """The properties of a version that decide the layout of records. `bone_names`: bones have a name hash
    (not in 256); `split_blend`: blend and type of an emitter are bytes.
    """

    version: int
    bone_names: bool = False
    split_blend: bool = False

    @property
    def nested(self) -> bool:
        """Whether each sequence has its own key times, from 0."""
        return self.version >= FIRST_NESTED


class VersionRule(Struct, frozen=True):
    """Which versions have a field: `text` says it to a reader, `holds` decides."""

    text: str
    holds: Callable[[VersionTraits], bool]


class RecordField(Struct, frozen=True):
    """A field. `kind` is `plain`, `ref`, `track`, `event` (a track without values) or `ramp` (over a
    particle's life).

    For the other kinds than `plain`, `dtype` is the type of the referenced items. `into`: the referenced
    record.
    """

    name: str
    kind: str
    dtype: Dtype
    note: str = ""
    only: VersionRule | None = None
    into: RecordLayout | None = None

    def stored(self, generation: VersionTraits) -> Dtype:
        """The dtype of the field itself."""
        if self.kind == "plain":
            return self.dtype
        if self.kind == "track":
            return NESTED_TRACK if generation.nested else OLD_TRACK
        if self.kind == "event":
            return NESTED_EVENT if generation.nested else OLD_EVENT
        return RAMP if self.kind == "ramp" else REF

    def target(self, generation: VersionTraits) -> Dtype:
        """The dtype of one item that the field points at."""
        return self.into.dtype(generation) if self.into is not None else self.dtype


class RecordLayout(Struct, frozen=True, eq=False, dict=True):
    """A record: its fields in file order."""

    name: str
    parts: tuple[RecordField, ...]
    note: str = ""
    _dtypes: dict[VersionTraits, Dtype] = field(default_factory=dict)
    _present: dict[VersionTraits, tuple[RecordField, ...]] = field(default_factory=dict)

    def present(self, generation: VersionTraits) -> tuple[RecordField, ...]:
        """The fields that a record of this generation has."""
        found = self._present.get(generation)
        if found is None:
            found = tuple(part for part in self.parts if part.only is None or part.only.holds(generation))
            self._present[generation] = found
        return found

    def dtype(self, generation: VersionTraits) -> Dtype:
        """The dtype of one record."""
        if generation not in self._dtypes:
            fields = [(part.name, part.stored(generation)) for part in self.present(generation)]
            self._dtypes[generation] = np.dtype(fields)
        return self._dtypes[generation]


@cache
def vector(size: int, base: Dtype = F32) -> Dtype:
    """The dtype of this many numbers."""
    return np.dtype((base, (size,)))


def plain(name: str, dtype: Dtype, note: str = "", only: VersionRule | None = None) -> RecordField:
    """A field with a plain value."""
    return RecordField(name, "plain", dtype, note, only)


def ref(
    name: str, target: Dtype | RecordLayout, note: str = "", only: VersionRule | None = None
) -> RecordField:
    """A field with count and offset of items elsewhere."""
    into = target if isinstance(target, RecordLayout) else None
    return RecordField(name, "ref", U8 if isinstance(target, RecordLayout) else target, note, only, into)


def track(name: str, value: Dtype, note: str = "", only: VersionRule | None = None) -> RecordField:
    """A field with keys over time."""
    return RecordField(name, "track", value, note, only)


def ramp(name: str, value: Dtype, note: str = "") -> RecordField:
    """A field with keys over a particle's life, since 264."""
    return RecordField(name, "ramp", value, note, nested)


def since(version: int) -> VersionRule:
    """The rule for this version and later versions."""
    return VersionRule(f"since {version}", lambda traits: traits.version >= version)


def until(version: int) -> VersionRule:
    """The rule for this version and earlier versions."""
    return VersionRule(f"up to {version}", lambda traits: traits.version <= version)


nested, flat = since(FIRST_NESTED), until(FIRST_NESTED - 1)
"""Since 264 each sequence has key times of its own; before, all sequences share one timeline."""
cataclysm = since(FIRST_CATACLYSM)
