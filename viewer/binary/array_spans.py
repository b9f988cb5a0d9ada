"""Spans for numpy arrays: one node for each array, whose rows are made when they are shown."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from viewer.binary.cursor import Dtype, NdArray
from viewer.binary.dtypes import field_notes
from viewer.binary.span import Rows, Span, tile

SHORT = 16
RECORD = "record"
"""The type name of an item that has fields."""


def rows_span(name: str, items: NdArray, offset: int, note: str = "", layout: object = None) -> Span:
    """The span of an array of equal items: one node whose rows are made when indexed."""
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
    """The span of one item of a dtype: a number, a small array, or a record with a child for each field."""
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
