"""The cursor only moves over bytes that exist."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.binary import Cursor
from viewer.binary.code_pages import decode
from viewer.binary.cursor import BYTES_PER_RECORD, FREE_RECORDS
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
    with pytest.raises(FormatError, match="has 0 bytes"):
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


@pytest.mark.parametrize(("raw", "text"), [(b"\xe6\xad\xa5", "步"), (b"caf\xe9", "café")])
def test_text_that_is_no_utf8_is_in_a_code_page(raw: bytes, text: str) -> None:
    assert decode(raw) == text


def test_records_are_limited_by_the_size_of_the_file() -> None:
    cursor = Cursor(bytes(100 * BYTES_PER_RECORD))
    for _ in range(FREE_RECORDS + 100):
        cursor.spend()
    with pytest.raises(FormatError, match="more records"):
        cursor.spend()


def test_items_are_gathered_each_from_its_own_offset_to_the_last_byte() -> None:
    found = Cursor(bytes(range(10))).gather(np.array([6, 0, 3]), U32)
    assert found.tolist() == [0x09080706, 0x03020100, 0x06050403]


@pytest.mark.parametrize(
    ("offsets", "said"), [([0, 7], "from 0x0 to 0xB"), ([-1, 0], "from 0x-1 to 0x4"), ([7, 0], "to 0xB lie")]
)
def test_items_outside_of_the_file_are_refused(offsets: list[int], said: str) -> None:
    with pytest.raises(FormatError, match=said):
        Cursor(bytes(10)).gather(np.array(offsets), U32)


def test_rows_are_gathered_whole() -> None:
    row = np.dtype((np.dtype("<u2"), (2, 2)))
    found = Cursor(bytes(range(9))).gather(np.array([1]), row)
    assert found.tolist() == [[[0x0201, 0x0403], [0x0605, 0x0807]]]


def test_gathering_nothing_keeps_the_shape_of_a_row() -> None:
    assert Cursor(b"").gather(np.empty(0, np.int64), np.dtype(("<f4", (3,)))).shape == (0, 3)


def test_gathered_items_come_out_native() -> None:
    found = Cursor(b"\0\0\1\2", order=">").gather(np.array([1]), np.dtype("u2"))
    assert found.tolist() == [1] and found.dtype.isnative
