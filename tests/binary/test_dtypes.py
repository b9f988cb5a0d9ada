"""Dtypes whose fields have notes."""

from __future__ import annotations

import numpy as np

from viewer.binary import Array, Cursor, Record, Struct, VaryingDtype, record_dtype

U1 = np.dtype("u1")


def test_notes_are_those_of_the_fields_in_the_tree() -> None:
    pair = record_dtype(("x", U1, "to the right"), ("y", U1))
    points = Record("points", Array("rows", pair, 2)).read(Cursor(b"\1\2\3\4"))
    second = points.span().child("rows").children[1]
    assert [(span.name, span.value, span.note) for span in second.children] == [
        ("x", 3, "to the right"),
        ("y", 4, ""),
    ]


def test_a_dtype_with_notes_equals_one_without() -> None:
    assert record_dtype(("x", U1, "to the right")) == np.dtype([("x", "u1")])


def test_a_varying_dtype_has_the_fields_whose_condition_holds() -> None:
    key = VaryingDtype(("time", U1), ("position", U1, "", "mask & 1"), ("scale", U1, "", "mask & 2"))
    assert key(Struct(mask=2)).names == ("time", "scale")
