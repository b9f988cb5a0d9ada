"""Records of fixed size that numpy reads at once: dtypes whose fields have notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from viewer.binary.cursor import Dtype
from viewer.binary.expression import Expression
from viewer.binary.record import Struct

FieldDtype = Dtype | Callable[[Struct], Dtype]


def record_dtype(*fields: tuple[Any, ...]) -> Dtype:
    """The dtype of the fields (name, dtype) or (name, dtype, note) in file order, without gaps."""
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
    """A dtype that depends on the record: fields (name, dtype, note, condition)."""

    def __init__(self, *fields: tuple[Any, ...]) -> None:
        self.fields = tuple(VaryingField(*field) for field in fields)
        self._made: dict[tuple[bool, ...], Dtype] = {}

    def __call__(self, record: Struct) -> Dtype:
        """The dtype of the fields that the record has. FormatError if a field has an unknown size."""
        present = tuple([field.when is None or bool(field.when(record)) for field in self.fields])
        if present in self._made:
            return self._made[present]
        chosen = [field for field, there in zip(self.fields, present, strict=True) if there]
        dtype = record_dtype(*((field.name, _resolved(field.dtype, record), field.note) for field in chosen))
        if all(isinstance(field.dtype, np.dtype) for field in chosen):
            self._made[present] = dtype
        return dtype


def _resolved(dtype: FieldDtype, record: Struct) -> Dtype:
    return dtype if isinstance(dtype, np.dtype) else dtype(record)
