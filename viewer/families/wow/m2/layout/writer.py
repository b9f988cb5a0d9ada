"""Write models for the tests and the sample, with the layouts that also read models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from viewer.binary import Fixed
from viewer.binary.cursor import Dtype
from viewer.binary.reference_tree import ALIGNMENT
from viewer.binary.tables import REF, Reference, RowField, RowRecord
from viewer.families.wow.m2.layout.fields import (
    CHAR,
    I16,
    RANGE,
    U32,
    EventField,
    KeyField,
    RampField,
    VersionTraits,
)
from viewer.families.wow.m2.layout.header import HEADER, HEADER_WITH_COMBINERS
from viewer.families.wow.m2.layout.records import SKIN
from viewer.families.wow.m2.layout.tables import COMBINERS
from viewer.families.wow.m2.probe import PLAIN, SKIN_MAGIC

RecordValues = Mapping[str, Any]


class WrittenTrack(Struct, frozen=True):
    """The keys of a track to write.

    Up to version 263: `times` [K] ms on the single timeline, `values` [K, …], and in `ranges` the first and
    last key of each sequence. Since version 264: `times` and `values` have a row of keys for each sequence.
    """

    times: Sequence[Any] = ()
    values: Sequence[Any] = ()
    ranges: Sequence[tuple[int, int]] = ()
    interpolation: int = 1
    global_sequence: int = -1


def model_bytes(generation: VersionTraits, fields: RecordValues) -> bytes:
    """Write a whole model. `fields` are the header's fields by name; a table is a list of records, each
    again a mapping. Missing fields are empty or zero.
    """
    layout = HEADER_WITH_COMBINERS if int(fields.get("flags", 0)) & COMBINERS else HEADER
    given = {"magic": PLAIN, "version": generation.version, **fields}
    return layout_bytes(layout, generation, given)


def skin_bytes(generation: VersionTraits, view: RecordValues) -> bytes:
    """Write a view as a separate file."""
    return layout_bytes(SKIN, generation, {"magic": SKIN_MAGIC, **view})


def layout_bytes(layout: RowRecord, generation: VersionTraits, fields: RecordValues) -> bytes:
    """Write a record and the data that it refers to, as a file or as the content of a chunk. Offsets count
    from the record.
    """
    out = bytearray(layout.dtype(generation).itemsize)
    head = _records(out, layout, generation, [fields])
    out[: head.nbytes] = head.tobytes()
    return bytes(out)


def _records(
    out: bytearray, layout: RowRecord, generation: VersionTraits, rows: Sequence[RecordValues]
) -> Any:
    """Append to `out` the data that records refer to, and return the records [N]."""
    records = np.zeros(len(rows), layout.dtype(generation))
    for part in layout.present(generation):
        for number, row in enumerate(rows):
            value = row.get(part.name)
            if value is None and isinstance(part, KeyField):
                value = WrittenTrack(interpolation=0)
            if value is not None:
                records[part.name][number] = _field_value(out, part, generation, value)
    return records


def _field_value(out: bytearray, part: Fixed | RowField, generation: VersionTraits, value: Any) -> Any:
    """Append the data that a field refers to, and return the field's value in the record."""
    if isinstance(part, Reference):
        return _reference(out, _items(out, part, generation, value))
    if isinstance(part, RampField):
        return _array(out, value[0], I16), _array(out, value[1], part.dtype)
    return _track(out, part, generation, value) if isinstance(part, KeyField) else value


def _items(out: bytearray, part: Reference, generation: VersionTraits, value: Any) -> Any:
    if part.into is not None:
        return _records(out, part.into, generation, value)
    if part.dtype == CHAR:
        return np.frombuffer(value.encode("latin-1") + b"\0", np.uint8)
    return _as(value, part.dtype)


def _track(out: bytearray, part: KeyField, generation: VersionTraits, curve: WrittenTrack) -> tuple[Any, ...]:
    head = curve.interpolation, curve.global_sequence
    if generation.nested:
        keys = [_rows(out, curve.times, U32)]
    else:
        keys = [_array(out, curve.ranges, RANGE), _array(out, curve.times, U32)]
    if isinstance(part, EventField):
        return *head, *keys
    values = _rows if generation.nested else _array
    return *head, *keys, values(out, curve.values, part.dtype)


def _rows(out: bytearray, rows: Sequence[Any], dtype: Dtype) -> tuple[int, int]:
    inner = np.array([_array(out, row, dtype) for row in rows], REF)
    return _reference(out, inner)


def _array(out: bytearray, values: Any, dtype: Dtype) -> tuple[int, int]:
    return _reference(out, _as(values, dtype))


def _as(values: Any, dtype: Dtype) -> Any:
    if dtype.names is not None:
        return np.array([tuple(value) for value in values], dtype)
    return np.asarray(values, dtype.base).reshape(-1, *dtype.shape)


def _reference(out: bytearray, items: Any) -> tuple[int, int]:
    """Append items at an aligned offset; return their count and offset."""
    if not len(items):
        return 0, 0
    out += bytes(-len(out) % ALIGNMENT)
    offset = len(out)
    out += items.tobytes()
    return len(items), offset
