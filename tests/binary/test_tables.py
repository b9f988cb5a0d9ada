"""Texts of references, whose stored counts may be too small."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.binary.tables import LONGEST_REST, RecordTables, RowRecord
from viewer.errors import Report

REFERENCE = np.dtype([("count", "<u4"), ("offset", "<u4")])
NAME = b"World\\Rock.blp"


def text(data: bytes, count: int, offset: int = 0, base: int = 0, size: int | None = None) -> str:
    """The text of a reference into a block at `base`."""
    block = len(data) - base if size is None else size
    tables = RecordTables(data, base, block, Report(), None, RowRecord("row"), None)
    return tables.text(np.array((count, offset), REFERENCE))


@pytest.mark.parametrize("count", [0, 1, 5, len(NAME), len(NAME) + 1, len(NAME) + 3])
def test_a_text_goes_to_its_zero_byte_whatever_its_count(count: int) -> None:
    assert text(NAME + b"\0\0\0" + b"other\0", count) == (NAME.decode() if count else "")


def test_offsets_count_from_the_block() -> None:
    assert text(b"MD21head..pad" + NAME + b"\0", 4, offset=5, base=8) == NAME.decode()


@pytest.mark.parametrize(
    "rest",
    [
        b"\x01\x02\0",
        b"rest\x80\0",
        "räst".encode() + b"\0",
        b"rest",
        b"\n\0",
        b"x" * (LONGEST_REST + 1) + b"\0",
        b"",
    ],
    ids=["numbers", "no ASCII", "UTF-8", "no zero byte", "control characters", "too long", "the end"],
)
def test_a_count_holds_if_no_text_follows(rest: bytes) -> None:
    assert text(b"Rock" + rest, 4) == "Rock"


def test_a_text_does_not_leave_its_block() -> None:
    assert text(b"Rock.blp\0", 4, size=6) == "Rock"
    assert text(b"Rock.blp\0", 40) == text(b"Rock.blp\0", 4, offset=1 << 30) == ""
