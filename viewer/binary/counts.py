"""How many items a field has, and the bytes of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.binary.cursor import Cursor, Dtype
from viewer.binary.expression import Described, Expression
from viewer.binary.record import ByteWriter, Struct
from viewer.errors import Topic, counted

Count = int | str | Dtype | Expression | Described
"""A number, an expression such as the name of an earlier field, a described function of the record, or the
dtype of a number in front."""
Counting = int | Dtype | Expression | Described


def counting(count: Count) -> Counting:
    """The count; a text becomes an expression."""
    return Expression(count) if isinstance(count, str) else count


def read_count(count: Counting, cursor: Cursor, record: Struct, most: int | None = None) -> int:
    """How many items follow. `most` is a limit that no honest file reaches."""
    if isinstance(count, np.dtype):
        number = int(cursor.scalar(count))
    else:
        number = count if isinstance(count, int) else count(record)
    if most is not None and number > most:
        cursor.fail(f"{counted(number, 'item')} claimed, at most {most} make sense", Topic.CUT)
    return number


def write_count(count: Counting, out: ByteWriter, number: int) -> None:
    """Append the number before the items, if the layout has such a number."""
    if isinstance(count, np.dtype):
        out += stored(number, count, out)


def stored(value: Any, dtype: Dtype, out: ByteWriter) -> bytes:
    """The bytes of numbers or records of `dtype` in the file's byte order."""
    return np.asarray(value, (dtype.base if dtype.shape else dtype).newbyteorder(out.order)).tobytes()
