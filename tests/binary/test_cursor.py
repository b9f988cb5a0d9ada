"""The cursor only moves over bytes that exist."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.binary import Cursor
from viewer.binary.cursor import BYTES_PER_RECORD, FREE_RECORDS, decode
from viewer.errors import FormatError

U32 = np.dtype("<u4")


def test_scalar_moves_by_its_size() -> None:
    cursor = Cursor(b"\x01\x02\x00\x00\xff")
    assert cursor.scalar(U32) == 0x201
    assert (cursor.offset, cursor.left) == (4, 1)


def test_scalar_past_the_end_names_offset_and_what_is_missing() -> None:
    cursor = Cursor(b"abc")
    with pytest.raises(FormatError, match="4 bytes needed, 3 left") as caught:
        cursor.scalar(U32)
    assert caught.value.offset == 0


def test_array_is_a_view_of_the_bytes() -> None:
    data = bytes(range(16))
    items = Cursor(data).array(U32, 4)
    assert np.shares_memory(items, np.frombuffer(data, np.uint8))
    assert not items.flags.writeable


def test_array_is_checked_before_it_is_allocated() -> None:
    with pytest.raises(FormatError, match="left"):
        Cursor(b"1234").array(np.dtype("V1000000"), 2**32)


def test_items_of_no_size_are_refused() -> None:
    with pytest.raises(FormatError, match="no size"):
        Cursor(b"1234").array(np.dtype([]), 5)


def test_big_endian_arrays_come_out_native() -> None:
    items = Cursor(b"\0\0\0\1\0\0\0\2", order=">").array(np.dtype([("a", "<u4"), ("b", "<u4")]), 1)
    assert (items["a"][0], items["b"][0]) == (1, 2)
    assert items.dtype.isnative


def test_big_endian_scalars() -> None:
    assert Cursor(b"\0\1", order=">").scalar(np.dtype("u2")) == 1


def test_a_cursor_ends_where_it_is_told() -> None:
    with pytest.raises(FormatError):
        Cursor(b"12345678", end=3).scalar(U32)


def test_text_stops_behind_its_zero() -> None:
    cursor = Cursor(b"bone\0rest")
    assert cursor.text() == "bone"
    assert cursor.offset == 5


def test_text_without_zero_fails() -> None:
    with pytest.raises(FormatError, match="terminating zero"):
        Cursor(b"bone").text()


@pytest.mark.parametrize(("raw", "text"), [(b"\xe6\xad\xa5", "步"), (b"\xff\xe9", "ÿé")])
def test_text_that_is_no_utf8_is_latin(raw: bytes, text: str) -> None:
    assert decode(raw) == text


def test_records_are_limited_by_the_size_of_the_file() -> None:
    cursor = Cursor(bytes(100 * BYTES_PER_RECORD))
    for _ in range(FREE_RECORDS + 100):
        cursor.spend()
    with pytest.raises(FormatError, match="more records"):
        cursor.spend()
