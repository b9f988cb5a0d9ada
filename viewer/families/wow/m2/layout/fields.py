"""Field types of WoW records, namely tracks and ramps of keys, and conditions on the version."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
from msgspec import Struct

from viewer.binary import Expression, record_dtype
from viewer.binary.cursor import Dtype
from viewer.binary.tables import REF, ReferenceColumn, RowField

U8, I8, U16, I16 = np.dtype("u1"), np.dtype("i1"), np.dtype("<u2"), np.dtype("<i2")
U32, I32, F32 = np.dtype("<u4"), np.dtype("<i4"), np.dtype("<f4")
CHAR = np.dtype("S1")
HALF = 32767
"""The i16 that stands for 1.0 in a track."""

TRACK_HEAD = (
    ("interpolation", U16, "0: step, 1: linear, 2 and 3: splines"),
    ("global_sequence", I16, "global sequence that the track follows instead of the sequence, -1: none"),
)
RANGES = ("ranges", REF, "first and last key of each sequence")
TIMES, VALUES = ("times", REF, "times of the keys, ms"), ("values", REF, "values of the keys")
OLD_TRACK = record_dtype(*TRACK_HEAD, RANGES, TIMES, VALUES)
NESTED_TRACK = record_dtype(*TRACK_HEAD, TIMES, VALUES)
OLD_EVENT = record_dtype(*TRACK_HEAD, RANGES, TIMES)
NESTED_EVENT = record_dtype(*TRACK_HEAD, TIMES)
RAMP = record_dtype(("times", REF, "times of the keys, 32767 at the end of life"), VALUES)
RANGE = record_dtype(("first", U32, "number of the first key"), ("last", U32, "number of the last key"))

FIRST_NESTED = 264
FIRST_CATACLYSM = 265


class VersionTraits(Struct, frozen=True):
    """The properties of a version that change the layout of records. `bone_names`: bones have a name hash, as
    in all versions except 256. `split_blend`: an emitter's blend and type are bytes, not u16.
    """

    version: int
    bone_names: bool = False
    split_blend: bool = False

    @property
    def nested(self) -> bool:
        """Whether each sequence has its own key times, which start at 0. Before version 264 all sequences
        share a timeline.
        """
        return self.version >= FIRST_NESTED


class KeyField(RowField):
    """A field of keys over time. Since version 264 its times and its values are tables of references with a
    row for each sequence.
    """

    old: ClassVar[Dtype]
    nested: ClassVar[Dtype]

    def stored(self, generation: VersionTraits) -> Dtype:
        """The dtype of the track in its record, nested or flat."""
        return self.nested if generation.nested else self.old

    def columns(self, generation: VersionTraits) -> Sequence[ReferenceColumn]:
        """The references to times and values: to tables with a row for each sequence, or to the keys."""
        names = [name for name, inner in _parts(self.stored(generation)) if inner == REF]
        if generation.nested:
            return [ReferenceColumn(name, REF, f"{name} of each sequence") for name in names]
        items = {
            "ranges": (RANGE, "first and last key of each sequence"),
            "times": (U32, "ms"),
            "values": (self.dtype, self.note),
        }
        return [ReferenceColumn(name, *items[name]) for name in names]

    def inner(self, column: str) -> ReferenceColumn:
        """Describe the items that a row of a nested table refers to (since version 264): the times or the
        values of one sequence's keys.
        """
        return ReferenceColumn(column, *((U32, "ms") if column == "times" else (self.dtype, self.note)))

    def summary(self, value: Any, generation: VersionTraits) -> str:
        """The number of sequences, or of keys on the shared timeline."""
        return f"{int(value['times']['count'])} {'sequences' if generation.nested else 'keys'}"


class TrackField(KeyField):
    """A field of key times and values."""

    word = "track"
    old, nested = OLD_TRACK, NESTED_TRACK


class EventField(KeyField):
    """A field of key times without values."""

    word = "event"
    old, nested = OLD_EVENT, NESTED_EVENT


class RampField(RowField):
    """A field of keys over a particle's life; it exists since version 264."""

    word = "ramp"

    def stored(self, generation: VersionTraits) -> Dtype:
        """The dtype of the references to times and values."""
        return RAMP

    def columns(self, generation: VersionTraits) -> Sequence[ReferenceColumn]:
        """The references to times and to values."""
        return ReferenceColumn("times", I16, "times"), ReferenceColumn("values", self.dtype, self.note)

    def summary(self, value: Any, generation: VersionTraits) -> str:
        """The number of keys."""
        return f"{int(value['times']['count'])} keys"


def _parts(dtype: Dtype) -> list[tuple[str, Dtype]]:
    return [(name, inner) for name, (inner, *_) in (dtype.fields or {}).items()]


@cache
def vector(size: int, base: Dtype = F32) -> Dtype:
    """The dtype of an array of `size` numbers of the type `base`."""
    return np.dtype((base, (size,)))


def since(version: int) -> Expression:
    """Return the condition of a field that exists since `version`."""
    return Expression(f"version >= {version}", f"since {version}")


def until(version: int) -> Expression:
    """Return the condition of a field that exists up to `version`."""
    return Expression(f"version <= {version}", f"up to {version}")


nested, flat = since(FIRST_NESTED), until(FIRST_NESTED - 1)
"""Two conditions of fields. `nested`: the field exists since version 264, in which each sequence has its own
key times. `flat`: the field exists up to version 263, in which all sequences share a timeline.
"""
cataclysm = since(FIRST_CATACLYSM)
