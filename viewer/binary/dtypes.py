"""Dtypes of fixed-size records with a note for each field, and the spans of arrays of these records."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from viewer.binary.cursor import Dtype, NdArray
from viewer.binary.expression import Expression
from viewer.binary.record import Struct
from viewer.binary.span import Rows, Span, tile

FieldDtype = Dtype | Callable[[Struct], Dtype]

SHORT = 16
RECORD = "record"
"""The type name of an item that has fields."""


def record_dtype(*fields: tuple[Any, ...]) -> Dtype:
    """Make the dtype of `fields`, tuples (name, dtype) or (name, dtype, note) in file order, without gaps."""
    notes = {name: note for name, _, *rest in fields for note in rest}
    return np.dtype([(name, dtype) for name, dtype, *_ in fields], metadata={"notes": notes})


def field_notes(dtype: Dtype) -> dict[str, str]:
    """The notes of a dtype's fields, by field name."""
    return dtype.metadata.get("notes", {}) if dtype.metadata else {}


class VaryingField:
    """A field of a `VaryingDtype`: its dtype and its presence may depend on the record."""

    def __init__(self, name: str, dtype: FieldDtype, note: str = "", when: str | Expression = "") -> None:
        self.name, self.dtype, self.note = name, dtype, note
        self.when = Expression(when) if isinstance(when, str) and when else when or None


class VaryingDtype:
    """A dtype that depends on the record. Its fields are tuples (name, dtype, note, condition)."""

    def __init__(self, *fields: tuple[Any, ...]) -> None:
        self.fields = tuple(VaryingField(*field) for field in fields)
        self._conditions = [field.when for field in self.fields if field.when is not None]
        self._made: dict[tuple[bool, ...], Dtype] = {}

    def __call__(self, record: Struct) -> Dtype:
        """The dtype of the fields that the record has. FormatError if a field has an unknown size."""
        answers = tuple([bool(condition(record)) for condition in self._conditions])
        if answers in self._made:
            return self._made[answers]
        present = iter(answers)
        chosen = [field for field in self.fields if field.when is None or next(present)]
        dtype = record_dtype(*((field.name, _resolved(field.dtype, record), field.note) for field in chosen))
        if all(isinstance(field.dtype, np.dtype) for field in chosen):
            self._made[answers] = dtype
        return dtype


def _resolved(dtype: FieldDtype, record: Struct) -> Dtype:
    return dtype if isinstance(dtype, np.dtype) else dtype(record)


def rows_span(name: str, items: NdArray, offset: int, note: str = "", layout: object = None) -> Span:
    """Make the span of an array of equal items. Its rows are created when they are indexed."""
    dtype = items.dtype if items.ndim == 1 else np.dtype((items.dtype, items.shape[1:]))

    def row(index: int, at: int) -> Span:
        span = item_span(f"[{index}]", dtype, items[index], at)
        span.index = index
        return span

    kind = f"{type_name(dtype)}[{len(items)}]"
    value = items.tolist() if items.ndim == 1 and dtype.names is None and len(items) <= SHORT else None
    rows = Rows(offset, dtype.itemsize, len(items), row, items)
    return Span(name, offset, dtype.itemsize * len(items), kind, value, note, rows, layout=layout)


def item_span(name: str, dtype: Dtype, value: Any, offset: int, note: str = "") -> Span:
    """Make the span of one item of a dtype: a number, a small array, or a record with a child for each
    field.
    """
    if dtype.names is None:
        shown = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        return Span(name, offset, dtype.itemsize, type_name(dtype), shown, note)

    def children() -> list[Span]:
        assert dtype.fields is not None and dtype.names is not None
        offsets = ((part, *dtype.fields[part][:2]) for part in dtype.names)
        notes = field_notes(dtype)
        parts = [
            item_span(part, inner, value[part], offset + begin, notes.get(part, ""))
            for part, inner, begin in offsets
        ]
        return tile(parts, offset, dtype.itemsize)

    return Span(name, offset, dtype.itemsize, RECORD, None, note, children)


@lru_cache(1024)
def type_name(dtype: Dtype) -> str:
    """The name of a dtype as the tree shows it: `u32`, `f32×3`, `f32×3×4`, `record`."""
    if dtype.names is not None:
        return RECORD
    kind = {"u": "u", "i": "i", "f": "f", "b": "u", "S": "bytes", "V": "bytes"}[dtype.base.kind]
    base = kind if kind == "bytes" else f"{kind}{8 * dtype.base.itemsize}"
    return "×".join([base, *map(str, dtype.shape)])
