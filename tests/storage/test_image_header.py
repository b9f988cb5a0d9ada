"""Headers of pictures agree with the pictures, and damage is refused."""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np
import PIL.Image
import pytest

from tests.storage.test_image import photoshop
from viewer.arrays import Array
from viewer.errors import FormatError
from viewer.scene.material import ImageHeader
from viewer.storage.image import PILLOW_FORMATS, decode_image, image_header

FORMS = tuple(each.name for each in PILLOW_FORMATS)
WITH_ALPHA = ("PNG", "TGA", "WEBP", "DDS")


@pytest.fixture(scope="module")
def pixels() -> Array:
    return np.random.default_rng(8).integers(0, 256, (24, 40, 4), dtype=np.uint8)


def packed(pixels: Array, form: str, mode: str, **options: Any) -> bytes:
    if form == "PSD":  # Pillow writes none
        return photoshop(pixels)
    file = io.BytesIO()
    PIL.Image.fromarray(pixels).convert(mode).save(file, form, **options)
    return file.getvalue()


def header(data: bytes, name: str) -> ImageHeader:
    found = image_header(data, name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("form", "mode"),
    [(form, mode) for form in FORMS for mode in ("RGB", "RGBA") if mode == "RGB" or form in WITH_ALPHA],
)
def test_the_header_has_the_size_and_the_alpha(pixels: Array, form: str, mode: str) -> None:
    data = packed(pixels, form, mode)
    found = header(data, f"a.{form.lower()}")
    assert decode_image(data, f"a.{form.lower()}").size == (found.width, found.height) == (40, 24)
    assert found.alpha is (mode == "RGBA") and not found.damage
    assert found.cost == 24 * 40 // (4 if form == "JPEG" else 1)
    assert found.encoding.startswith(form)


@pytest.mark.parametrize(
    "options", [{"lossless": True}, {"lossless": True, "exact": True, "icc_profile": b"x"}, {}]
)
def test_each_kind_of_webp(pixels: Array, options: dict[str, Any]) -> None:
    found = header(packed(pixels, "WEBP", "RGBA", **options), "a.webp")
    assert (found.width, found.height, found.alpha, found.cost) == (40, 24, True, 960)
    assert not header(packed(pixels, "WEBP", "RGB", **options), "a.webp").alpha


def test_a_palette_may_have_an_alpha(pixels: Array) -> None:
    data = packed(pixels[..., :3], "PNG", "P")
    assert not header(data, "a.png").alpha
    assert header(packed(pixels[..., :3], "PNG", "P", transparency=0), "a.png").alpha


def test_a_jpeg_may_have_segments_and_fill_bytes_before_its_frame(pixels: Array) -> None:
    data = packed(pixels, "JPEG", "RGB", progressive=True, exif=b"Exif\0\0" + bytes(500))
    assert header(data, "a.jpg")[1:3] == (40, 24)
    assert header(data[:2] + b"\xff\xff\xfe\0\4ok" + data[2:], "a.jpg")[1:3] == (40, 24)


def dds(
    code: bytes, size: tuple[int, int], levels: int, body: int, caps: int = 0, more: bytes = b""
) -> bytes:
    """A DDS of zeros with `body` bytes behind its header."""
    head = struct.pack("<4s7I44x", b"DDS ", 124, 0xA1007, size[1], size[0], 0, 0, levels)
    return head + struct.pack("<2I4s5I2I12x", 32, 4, code, 0, 0, 0, 0, 0, 0x1000, caps) + more + bytes(body)


def test_the_levels_of_a_dds_are_counted() -> None:
    whole = 8 * (4 + 1 + 1 + 1)
    found = header(dds(b"DXT1", (8, 8), 4, whole), "a.dds")
    assert (found.levels, found.stored, found.block, found.damage) == (4, 4, 4, "")
    assert header(dds(b"DXT1", (8, 8), 4, whole - 9), "a.dds").damage == "2 of 4 levels are in the file"
    assert header(dds(b"DXT5", (8, 8), 4, 2 * whole), "a.dds").stored == 4
    assert (
        header(dds(b"DXT1", (8, 8), 9, whole), "a.dds").damage
        == "9 levels are declared; a chain down to one pixel has 4"
    )
    assert header(dds(b"DXT1", (8, 8), 0, 32), "a.dds").levels == 1


def test_a_cube_has_six_faces() -> None:
    assert header(dds(b"DXT1", (4, 4), 1, 6 * 8, caps=0x200), "a.dds").stored == 1
    assert header(dds(b"DXT1", (4, 4), 1, 5 * 8, caps=0x200), "a.dds").stored == 0


def test_newer_dds_formats_have_numbers() -> None:
    def newer(number: int, body: int) -> ImageHeader:
        return header(dds(b"DX10", (4, 4), 1, body, more=struct.pack("<5I", number, 3, 0, 1, 0)), "a.dds")

    assert (newer(98, 16).stored, newer(98, 15).stored) == (1, 0)
    assert newer(77, 16).alpha and not newer(83, 16).alpha and not newer(79, 8).alpha
    assert [newer(number, 8).stored for number in (71, 77, 79, 80, 82, 84)] == [1, 0, 1, 1, 0, 0]
    assert newer(2, 0).damage == "" and newer(2, 0).block == 1


@pytest.mark.parametrize("form", FORMS)
def test_a_cut_header_is_refused_or_as_good_as_whole(pixels: Array, form: str) -> None:
    data = packed(pixels, form, "RGB")
    for length in range(0, 200, 3):
        try:
            found = header(data[:length], f"a.{form.lower()}")
        except FormatError:
            continue
        assert found[1:3] == (40, 24)


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(FormatError, match="not an image"):
        image_header(b"none", "a.glb")
