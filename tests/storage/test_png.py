"""PNG files of the program's own writer, read by Pillow."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from viewer.arrays import Array
from viewer.storage.png import ROWS, png_pieces


def read(pixels: Array) -> Array:
    """The pixels as Pillow reads the file."""
    with Image.open(io.BytesIO(b"".join(png_pieces(pixels)))) as picture:
        picture.verify()  # the checksums
    with Image.open(io.BytesIO(b"".join(png_pieces(pixels)))) as picture:
        return np.asarray(picture)


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("size", [(1, 1), (1, 7), (5, 1), (ROWS, 3), (2 * ROWS + 1, 2)])
def test_pixels_are_read_as_they_were_written(size: tuple[int, int], channels: int) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (*size, channels), np.uint8)
    assert (read(pixels) == pixels).all()


def test_a_part_of_a_larger_picture_is_written() -> None:
    pixels = np.random.default_rng(2).integers(0, 256, (6, 5, 4), np.uint8)
    assert (read(pixels[::-1, ::2, :3]) == pixels[::-1, ::2, :3]).all()


def test_a_picture_of_one_colour_is_small() -> None:
    assert sum(map(len, png_pieces(np.full((64, 64, 3), 90, np.uint8)))) < 64 * 64 * 3 / 6


@pytest.mark.parametrize(
    "pixels",
    [np.zeros((2, 2), "u1"), np.zeros((2, 2, 2), "u1"), np.zeros((2, 2, 3)), np.zeros((0, 2, 3), "u1")],
    ids=["no channels", "two channels", "floats", "no pixels"],
)
def test_what_no_png_holds_is_refused(pixels: Array) -> None:
    with pytest.raises(ValueError, match="cannot be a PNG"):
        next(png_pieces(pixels))
