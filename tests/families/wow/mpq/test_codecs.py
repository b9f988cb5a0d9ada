"""The compression methods of MPQ archives: what they unpack to, and what damage cannot make them do."""

from __future__ import annotations

import bz2
import zlib

import pytest

from viewer.errors import FormatError
from viewer.families.wow.mpq.codecs import unpack, unpack_imploded
from viewer.families.wow.mpq.explode import explode

IMPLODED = bytes.fromhex("00048224258f807f")
"""The example of `blast` in zlib: `AIAIAIAIAIAIA`."""


def test_zlib_and_bzip2_unpack_by_their_masks() -> None:
    assert unpack(b"\x02" + zlib.compress(b"abc" * 9), 27) == b"abc" * 9
    assert unpack(b"\x10" + bz2.compress(b"abc" * 9), 27) == b"abc" * 9


def test_the_published_example_of_implode_unpacks() -> None:
    assert explode(IMPLODED, 13) == b"AIAIAIAIAIAIA"
    assert unpack(b"\x08" + IMPLODED, 13) == b"AIAIAIAIAIAIA"


def test_runs_of_zeros_unpack() -> None:
    packed = b"\x20" + (9).to_bytes(4, "big") + bytes([0x81]) + b"ab" + bytes([2]) + bytes([0x81]) + b"cd"
    assert unpack(packed, 9) == b"ab\0\0\0\0\0cd"


def test_two_methods_are_undone_in_their_order() -> None:
    sparse = (7).to_bytes(4, "big") + bytes([0x80]) + b"a" + bytes([3])
    assert unpack(b"\x22" + zlib.compress(sparse), 7) == b"a\0\0\0\0\0\0"


@pytest.mark.parametrize("method", [zlib.compress, bz2.compress])
def test_a_sector_that_unpacks_to_more_stops_at_its_size(method: object) -> None:
    packed = method(bytes(1 << 20))  # type: ignore[operator]
    with pytest.raises(FormatError, match="unpacks to more than 100 bytes"):
        unpack((b"\x02" if method is zlib.compress else b"\x10") + packed, 100)


def test_runs_of_zeros_stop_at_the_size() -> None:
    packed = b"\x20" + (1 << 31).to_bytes(4, "big") + b"\x7f" * 1000
    assert unpack(packed, 100) == bytes(100)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x12....", "LZMA"),
        (b"\x01....", "Huffman"),
        (b"\x41....", "ADPCM"),
        (b"\x81....", "ADPCM"),
        (b"\x04....", "0x04 is unknown"),
        (b"", "0x00 is unknown"),
        (b"\x02....", "broken zlib"),
        (b"\x10....", "broken bzip2"),
        (b"\x02" + zlib.compress(b"ab"), "unpacks to 2 bytes, not 10"),
        (b"\x08\x00", "no valid header"),
    ],
)
def test_a_sector_that_cannot_be_unpacked_says_why(data: bytes, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        unpack(data, 10)


def test_imploded_data_that_ends_early_is_refused() -> None:
    with pytest.raises(FormatError, match="ends too early"):
        unpack_imploded(IMPLODED[:5], 1000)


def test_a_match_before_the_data_is_refused() -> None:
    with pytest.raises(FormatError, match="before the imploded data"):
        explode(b"\x00\x06" + b"\xff" * 20, 1000)
