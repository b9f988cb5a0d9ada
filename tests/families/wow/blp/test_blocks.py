"""Blocks packed by hand: every pixel's colour and alpha follows from the specification."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from viewer.families.wow.blp.blocks import BLOCKS, block_count, decode_blocks

RED, BLUE = 0xF800, 0x001F


def block(first: int, second: int, choices: int, alpha: bytes = b"") -> Any:
    return np.frombuffer(alpha + struct.pack("<HHI", first, second, choices), np.uint8)


def pixels(data: Any, kind: str, punched: bool = False) -> list[list[int]]:
    return decode_blocks(data, kind, 4, 4, punched).reshape(16, 4).tolist()  # type: ignore[no-any-return]


def test_four_colours_where_the_first_is_greater() -> None:
    shown = pixels(block(RED, BLUE, 0b11_10_01_00), "DXT1")
    assert shown[:4] == [[255, 0, 0, 255], [0, 0, 255, 255], [170, 0, 85, 255], [85, 0, 170, 255]]


def test_three_colours_and_black_where_it_is_not() -> None:
    shown = pixels(block(BLUE, RED, 0b11_10_01_00), "DXT1")
    assert shown[2:4] == [[127, 0, 127, 255], [0, 0, 0, 255]]


def test_punched_black_is_transparent() -> None:
    assert pixels(block(BLUE, RED, 0b11), "DXT1", punched=True)[0] == [0, 0, 0, 0]


def test_high_bits_are_repeated_below() -> None:
    grey = 16 << 11 | 32 << 5 | 16
    assert pixels(block(grey, 0, 0), "DXT1")[0] == [132, 130, 132, 255]


def test_choices_go_row_by_row_from_the_lowest_bits() -> None:
    shown = pixels(block(RED, BLUE, 1 << 2 * 5), "DXT1")
    assert [i for i, pixel in enumerate(shown) if pixel[2]] == [5]


def test_dxt3_alpha_has_four_bits_a_pixel() -> None:
    shown = pixels(block(RED, BLUE, 0, bytes([0xF0, 0x21]) + bytes(6)), "DXT3")
    assert [pixel[3] for pixel in shown[:4]] == [0, 255, 17, 34]


def test_dxt3_has_four_colours_in_any_order() -> None:
    assert pixels(block(BLUE, RED, 3, b"\xff" * 8), "DXT3")[0] == [170, 0, 85, 255]


def alphas(first: int, second: int) -> list[int]:
    choices = sum((i % 8) << 3 * i for i in range(16)).to_bytes(6, "little")
    return [pixel[3] for pixel in pixels(block(RED, BLUE, 0, bytes([first, second]) + choices), "DXT5")][:8]


def test_dxt5_alpha_with_eight_values() -> None:
    assert alphas(255, 10) == [255, 10, 220, 185, 150, 115, 80, 45]


def test_dxt5_alpha_with_six_values_and_the_ends() -> None:
    assert alphas(10, 255) == [10, 255, 59, 108, 157, 206, 0, 255]


@pytest.mark.parametrize("size", [(1, 1), (5, 3), (8, 4), (2, 9)])
@pytest.mark.parametrize("kind", sorted(BLOCKS))
def test_edges_cut_blocks(kind: str, size: tuple[int, int]) -> None:
    width, height = size
    data = np.zeros(block_count(width, height) * BLOCKS[kind].itemsize, np.uint8)
    assert decode_blocks(data, kind, width, height).shape == (height, width, 4)


def test_blocks_lie_row_by_row() -> None:
    data = np.concatenate([block(color, 0, 0) for color in (RED, BLUE, BLUE, RED)])
    shown = decode_blocks(data, "DXT1", 8, 8)
    assert [shown[y, x].tolist()[:3] for y, x in ((0, 0), (0, 7), (7, 0), (7, 7))] == [
        [255, 0, 0],
        [0, 0, 255],
        [0, 0, 255],
        [255, 0, 0],
    ]


def test_many_blocks_equal_one_by_one() -> None:
    data = np.random.default_rng(7).integers(0, 256, 16 * 9000, dtype=np.uint8)
    whole = decode_blocks(data, "DXT5", 4 * 9000, 4)
    for number in (0, 1, 4500, 8999):
        one = decode_blocks(data[16 * number : 16 * number + 16], "DXT5", 4, 4)
        np.testing.assert_array_equal(whole[:, 4 * number : 4 * number + 4], one)


def test_of_two_equal_colours_the_fourth_is_black() -> None:
    assert pixels(block(RED, RED, 0b11_10), "DXT1")[:2] == [[255, 0, 0, 255], [0, 0, 0, 255]]


def test_of_two_equal_alphas_the_ends_are_values() -> None:
    assert alphas(100, 100) == [100] * 6 + [0, 255]
