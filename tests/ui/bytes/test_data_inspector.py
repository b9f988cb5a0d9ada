"""What bytes are as values of each type."""

from __future__ import annotations

import struct

import pytest

from viewer.ui.bytes.bytes_panel import share
from viewer.ui.bytes.data_inspector import readings


def read(data: bytes, offset: int = 0) -> dict[str, tuple[str, str]]:
    return {reading.type: (reading.little, reading.big) for reading in readings(data, offset)}


@pytest.mark.parametrize(
    ("kind", "code", "value"),
    [
        ("u16", "H", 513),
        ("i16", "h", -2),
        ("u32", "I", 4_000_000_000),
        ("i32", "i", -7),
        ("u64", "Q", 2**63 + 1),
        ("i64", "q", -(2**62)),
        ("f16", "e", 0.25),
        ("f32", "f", -1.5),
        ("f64", "d", 1e100),
    ],
)
def test_numbers_in_both_orders(kind: str, code: str, value: float) -> None:
    text = str(value) if isinstance(value, int) else f"{value:.6g}"
    assert read(b"x" + struct.pack(f"<{code}", value), 1)[kind][0] == text
    assert read(b"x" + struct.pack(f">{code}", value), 1)[kind][1] == text


def test_single_bytes_have_no_order() -> None:
    found = read(b"\xfe\0")
    assert (found["u8"], found["i8"], found["bits"]) == (("254", ""), ("-2", ""), ("11111110", ""))


def test_vectors_and_texts() -> None:
    assert read(struct.pack("<3f", 1, 2.5, -3))["vec3"][0] == "1 2.5 -3"
    assert read(struct.pack(">4f", 0, 0, 0, 1))["quaternion"][1] == "0 0 0 1"
    assert read("Füße\0x".encode())["text"][0] == "Füße"
    assert read("Füße\0x".encode("utf-16-be"))["UTF-16"][1] == "Füße"
    assert read(b"ab\xff\xfe")["text"][0] == "ab"


def test_only_what_there_are_bytes_enough_for() -> None:
    assert set(read(b"abc", 1)) == {"bits", "u8", "i8", "u16", "i16", "f16", "text", "UTF-16"}
    assert read(b"abc", 3) == {}


@pytest.mark.parametrize(
    ("size", "parts"),
    [
        ((440, 300), (False, False, False)),
        ((440, 800), (False, False, True)),
        ((1280, 300), (True, False, False)),
        ((1280, 700), (True, False, True)),
        ((1900, 300), (True, True, False)),
        ((750, 270), (True, False, False)),
    ],
)
def test_parts_of_a_panel(size: tuple[int, int], parts: tuple[bool, bool, bool]) -> None:
    found = share(*size, 15.0, 6.0)
    assert (found.side_by_side, found.column > 0, found.below > 0) == parts
    assert found.least <= found.tree <= found.most


def test_the_user_has_the_last_word_about_the_inspector() -> None:
    assert share(1280, 300, 15.0, 6.0, True).column > 0
    assert share(440, 300, 15.0, 6.0, True).below > 0
    assert share(1900, 300, 15.0, 6.0, False).column == 0


@pytest.mark.parametrize("size", [(750, 270), (440, 300), (600, 240), (520, 200)])
@pytest.mark.parametrize("inspector", [None, True, False])
def test_a_low_panel_has_room_for_rows_of_bytes(size: tuple[int, int], inspector: bool | None) -> None:
    found = share(*size, 15.0, 6.0, inspector)
    left = size[1] - found.below - (0 if found.side_by_side else found.least)
    assert left >= 6 * 15.0
