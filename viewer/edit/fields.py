"""What an editor has to know of a field to offer its values."""

from __future__ import annotations

from typing import Literal

import numpy as np
from msgspec import Struct

from viewer.edit.operations import refusal
from viewer.edit.paths import Node
from viewer.edit.rules import field_range, rules_of
from viewer.edit.values import RAW, choices, named_by, number_dtype, text_field
from viewer.scene.document import Document

QUATERNIONS = ("w x y z", "x y z w")
"""The orders of the parts of a quaternion, as notes say them."""


class EditableField(Struct, frozen=True):
    """A field whose value can be set. It holds a text, `count` numbers, or `count` bytes.

    `least` and `most` are the smallest and the largest allowed number. For an index, they follow from the
    number of rows. `words` are the named numbers of an enumeration; with `flags`, they are bits. `quaternion`
    is the order of the parts of a rotation, `wxyz` or `xyzw`; empty for any other field.
    """

    kind: Literal["text", "whole", "decimal", "bytes"]
    count: int = 1
    least: float = 0
    most: float = 0
    words: tuple[tuple[str, int], ...] = ()
    flags: bool = False
    quaternion: str = ""


def editable_field(document: Document, node: Node) -> EditableField | None:
    """What can be set at a node; None if nothing can."""
    span = node.span
    if refusal(document):
        return None
    if rules_of(document).stored_text(document, span) is not None or text_field(span) is not None:
        return EditableField("text")
    dtype = None if span.warning else number_dtype(span)
    if dtype is None:
        return EditableField("text") if named_by(span) is not None else None
    count = int(np.prod(dtype.shape, dtype=int)) if dtype.shape else 1
    if dtype.base.kind in RAW:
        return EditableField("bytes", dtype.itemsize)
    if dtype.base.kind == "f":
        most = float(np.finfo(dtype.base).max)
        order = next((each for each in QUATERNIONS if each in span.note), "") if count == 4 else ""
        return EditableField("decimal", count, -most, most, quaternion=order.replace(" ", ""))
    all_numbers = np.iinfo(dtype.base)
    least, most = field_range(document, node) or (all_numbers.min, all_numbers.max)
    words = tuple(choices(span.note))
    bits = are_bits([number for _, number in words])
    return EditableField("whole", count, max(least, all_numbers.min), min(most, all_numbers.max), words, bits)


def are_bits(numbers: list[int]) -> bool:
    """Whether named numbers are bits that may be set together."""
    return bool(numbers) and max(numbers) > 2 and all(each.bit_count() == 1 for each in numbers)
