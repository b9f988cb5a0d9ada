"""PNG files of the program's own writer, read by Pillow."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from viewer.app.output.screenshot import save
from viewer.arrays import Array
from viewer.storage.image import save_png
from viewer.storage.png import ROWS, SOFTWARE, is_rendered, png_pieces


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


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp"])
def test_a_rendered_picture_says_so(tmp_path: Path, suffix: str) -> None:
    pixels = np.random.default_rng(3).integers(0, 256, (64, 64, 3), np.uint8)
    path = str(tmp_path / f"x{suffix}")
    save(pixels, path)
    assert is_rendered(path)
    Image.fromarray(pixels).save(path)
    assert not is_rendered(path)


def test_a_rendered_png_has_the_same_pixels_and_names_the_program(tmp_path: Path) -> None:
    pixels = np.random.default_rng(4).integers(0, 256, (5, 6, 4), np.uint8)
    save_png(tmp_path / "x.png", pixels, rendered=True)
    with Image.open(tmp_path / "x.png") as picture:
        assert picture.info["Software"] == SOFTWARE and (np.asarray(picture) == pixels).all()
    assert is_rendered(str(tmp_path / "x.png"))
    save_png(tmp_path / "x.png", pixels)
    assert not is_rendered(str(tmp_path / "x.png"))


def test_what_cannot_be_read_is_not_rendered(tmp_path: Path) -> None:
    (tmp_path / "short.png").write_bytes(b"x")
    (tmp_path / "folder.png").mkdir()
    names = ("short.png", "folder.png", "missing.png", "Data.pak::x.png")
    assert not any(is_rendered(str(tmp_path / name)) for name in names)
