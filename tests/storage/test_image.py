"""Pictures of every format to RGBA bytes, and what is refused."""

from __future__ import annotations

import io
import os
import re
import struct
import time
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

from tests.damage import peak
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.family import registry
from viewer.family.picture import ImageDecoder
from viewer.scene.material import Image
from viewer.scene.reading_context import DEFAULT
from viewer.storage.image import (
    check_size,
    decode_image,
    image_header,
    jpeg_channels,
    read_image,
    read_small_image,
    resized,
    save_png,
)
from viewer.storage.search import lone


@pytest.fixture
def rgba() -> Array:
    """Four by six pixels, all different."""
    return np.arange(4 * 6 * 4, dtype=np.uint8).reshape(4, 6, 4) * 2


def packed(pixels: Array, form: str, mode: str = "RGBA", **options: Any) -> bytes:
    file = io.BytesIO()
    PIL.Image.fromarray(pixels).convert(mode).save(file, form, **options)
    return file.getvalue()


def plain_dds(pixels: bytes, size: tuple[int, int], bits: int, masks: tuple[int, int, int, int]) -> bytes:
    width, height = size
    flags = 0x40 | (1 if masks[3] else 0)
    header = struct.pack("<4s7I44x", b"DDS ", 124, 0x1007, height, width, 0, 0, 1)
    return header + struct.pack("<8I20x", 32, flags, 0, bits, *masks) + pixels


@pytest.mark.parametrize("form", ["PNG", "TGA", "BMP", "DDS", "WEBP"])
def test_lossless_formats(rgba: Array, form: str) -> None:
    data = packed(rgba, form, lossless=True, exact=True) if form == "WEBP" else packed(rgba, form)
    picture = decode_image(data, f"a.{form.lower()}")
    assert picture.size == (6, 4)
    channels = 3 if form == "BMP" else 4  # Pillow writes no alpha there
    np.testing.assert_array_equal(picture.levels[0][..., :channels], rgba[..., :channels])


@pytest.mark.parametrize("form", ["TIFF", "PCX", "GIF"])
def test_pictures_of_older_programs(rgba: Array, form: str) -> None:
    data = packed(rgba, form, "P" if form == "GIF" else "RGB")
    picture = decode_image(data, f"a.{form.lower()}")
    assert picture.size == (6, 4) and picture.encoding.startswith(form)
    expected = PIL.Image.open(io.BytesIO(data)).convert("RGBA")
    np.testing.assert_array_equal(picture.levels[0], np.asarray(expected))


def photoshop(pixels: Array) -> bytes:
    """A Photoshop picture of the colours of pixels [height, width, 4] u8, with no layers."""
    head = struct.pack(">4sH6xHIIHH", b"8BPS", 1, 3, *pixels.shape[:2], 8, 3)
    return head + struct.pack(">IIIH", 0, 0, 0, 0) + np.moveaxis(pixels[..., :3], 2, 0).tobytes()


def test_the_composite_of_a_photoshop_picture(rgba: Array) -> None:
    np.testing.assert_array_equal(decode_image(photoshop(rgba), "a.psd").levels[0][..., :3], rgba[..., :3])


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "is empty"),
        (b"\xabKTX 11\xbb\r\n\x1a\n" + bytes(64), "is a KTX picture"),
        (b"<!DOCTYPE html><html>", "is a web page, perhaps of a failed download"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1234\n",
            "is a Git LFS pointer, not the file itself: `git lfs pull` fetches its 1,234 bytes",
        ),
    ],
)
def test_a_file_that_is_no_picture_is_named(data: bytes, why: str) -> None:
    with pytest.raises(FormatError) as caught:
        decode_image(data, "a.png")
    assert caught.value.why.startswith(why)


def test_jpeg(rgba: Array) -> None:
    grey = np.full((16, 24, 4), 100, np.uint8)
    picture = decode_image(packed(grey, "JPEG", "RGB"), "a.jpg")
    assert picture.levels[0].shape == (16, 24, 4)
    np.testing.assert_allclose(picture.levels[0][..., :3], 100, atol=2)
    assert (picture.levels[0][..., 3] == 255).all()


@pytest.mark.parametrize("pixel_format", ["DXT1", "DXT3", "DXT5"])
def test_block_compressed_dds(pixel_format: str) -> None:
    color = np.tile(np.array([255, 0, 0, 255], np.uint8), (8, 8, 1))
    picture = decode_image(packed(color, "DDS", pixel_format=pixel_format), "a.dds")
    assert pixel_format in picture.encoding
    np.testing.assert_array_equal(picture.levels[0], color)


@pytest.mark.parametrize(
    ("bits", "masks", "pixel", "expected"),
    [
        (32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000), b"\x01\x02\x03\x04", (3, 2, 1, 4)),
        (32, (0xFF, 0xFF00, 0xFF0000, 0), b"\x01\x02\x03\x04", (1, 2, 3, 255)),
        (24, (0xFF0000, 0xFF00, 0xFF, 0), b"\x01\x02\x03", (3, 2, 1, 255)),
        (16, (0xF800, 0x7E0, 0x1F, 0), b"\x1f\xf8", (255, 0, 255, 255)),
        (16, (0x7C00, 0x3E0, 0x1F, 0x8000), b"\x00\x80", (0, 0, 0, 255)),
        (32, (0x3FF00000, 0xFFC00, 0x3FF, 0xC0000000), b"\xff\xff\xff\xbf", (255, 255, 255, 170)),
    ],
)
def test_dds_by_masks(
    bits: int, masks: tuple[int, int, int, int], pixel: bytes, expected: tuple[int, ...]
) -> None:
    picture = decode_image(plain_dds(pixel * 6, (3, 2), bits, masks), "a.dds")
    assert picture.levels[0].shape == (2, 3, 4)
    np.testing.assert_array_equal(picture.levels[0], np.broadcast_to(expected, (2, 3, 4)))


def test_dds_of_a_megapixel_is_quick() -> None:
    import time

    data = plain_dds(bytes(1 << 21), (1024, 1024), 16, (0xF800, 0x7E0, 0x1F, 0))
    start = time.thread_time()
    decode_image(data, "a.dds")
    assert time.thread_time() - start < 0.5


def test_sixteen_bit_grey_is_scaled_not_clipped() -> None:
    file = io.BytesIO()
    PIL.Image.fromarray(np.array([[0, 0x4000, 0xFFFF]], np.uint16)).save(file, "PNG")
    level = decode_image(file.getvalue(), "a.png").levels[0]
    np.testing.assert_array_equal(level[0, :, 0], [0, 0x40, 0xFF])
    assert (level[..., 3] == 255).all()


@pytest.mark.parametrize("mode", ["L", "LA", "P", "1"])
def test_other_png_modes_become_rgba(rgba: Array, mode: str) -> None:
    level = decode_image(packed(rgba, "PNG", mode), "a.png").levels[0]
    assert (level.shape, level.dtype) == ((4, 6, 4), np.uint8)


@pytest.mark.parametrize("form", ["PNG", "TGA", "BMP", "DDS", "WEBP", "JPEG"])
def test_pictures_are_what_pillow_makes_of_them(rgba: Array, form: str) -> None:
    options: dict[str, Any] = {"lossless": True} if form == "WEBP" else {}
    for mode in ("RGB",) if form in ("JPEG", "BMP") else ("RGB", "RGBA"):
        for more in ({"compression": "tga_rle"}, {"orientation": 1}, {}) if form == "TGA" else ({},):
            data = packed(rgba, form, mode, **options, **more)
            with PIL.Image.open(io.BytesIO(data)) as picture:
                wanted = np.asarray(picture.convert("RGBA"))
            level = decode_image(data, f"a.{form.lower()}").levels[0]
            np.testing.assert_array_equal(level, wanted, f"{form} {mode} {more}")


@pytest.mark.parametrize("kind", [0x10, 0x30])
def test_a_tga_from_right_to_left_is_turned_round(kind: int) -> None:
    header = struct.pack("<3B5x4H2B", 0, 0, 2, 0, 0, 2, 2, 24, kind)
    data = header + bytes(range(12))
    with PIL.Image.open(io.BytesIO(data)) as picture:
        wanted = np.asarray(picture.convert("RGBA"))
    np.testing.assert_array_equal(decode_image(data, "a.tga").levels[0], wanted)


def test_a_transparent_color_of_a_png_is_transparent() -> None:
    colors = np.array([[(10, 20, 30), (40, 50, 60)]], np.uint8)
    file = io.BytesIO()
    PIL.Image.fromarray(colors).save(file, "PNG", transparency=(40, 50, 60))
    assert decode_image(file.getvalue(), "a.png").levels[0][0, :, 3].tolist() == [255, 0]


def test_palette_with_transparency(rgba: Array) -> None:
    level = decode_image(packed(rgba, "PNG", "P", transparency=0), "a.png").levels[0]
    assert set(np.unique(level[..., 3])) <= {0, 255}


def test_cmyk_jpeg(rgba: Array) -> None:
    white = np.full((8, 8, 4), 255, np.uint8)
    level = decode_image(packed(white, "JPEG", "CMYK"), "a.jpg").levels[0]
    np.testing.assert_allclose(level, 255, atol=2)


@pytest.mark.parametrize(("mode", "channels"), [("RGB", [255, 0, 255]), ("CMYK", [255, 0, 255, 255])])
def test_the_channels_of_a_jpeg_are_as_stored(mode: str, channels: list[int]) -> None:
    """Magenta; Adobe stores inverted inks, and a BLP keeps other channels in them."""
    magenta = np.full((8, 8, 3), (255, 0, 255), np.uint8)
    found = jpeg_channels(packed(magenta, "JPEG", mode), (8, 8))
    assert found.shape == (8, 8, len(channels))
    np.testing.assert_allclose(found.astype(int), np.broadcast_to(channels, found.shape), atol=4)


def test_magic_beats_the_suffix(rgba: Array) -> None:
    assert decode_image(packed(rgba, "PNG"), "wrong.dds").encoding.startswith("PNG")


@pytest.mark.parametrize("data", [b"hello", bytes(100)])
def test_no_picture(data: bytes) -> None:
    with pytest.raises(FormatError, match="not an image"):
        decode_image(data, "a.png")


def png_header(width: int, height: int) -> bytes:
    """A valid beginning of a PNG of that size, with next to no pixels."""
    import zlib

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">2I5B", width, height, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0"))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("size", "why"),
    [
        ((60000, 60000), "limit"),
        ((30000, 30000), "limit"),
        ((8000, 8000), "too short"),
        ((0, 5), "0 × 5|broken"),
    ],
)
def test_bombs_are_refused_by_their_header(size: tuple[int, int], why: str) -> None:
    with pytest.raises(FormatError, match=why):
        decode_image(png_header(*size), "bomb.png")


@pytest.mark.parametrize(("more", "why"), [(0, "broken"), (1, "too short")])
def test_a_byte_of_a_png_holds_as_many_pixels_as_deflate_can_pack(more: int, why: str) -> None:
    width, height = len(png_header(1, 1)), 8 * 1032 + more
    with pytest.raises(FormatError, match=why):
        decode_image(png_header(width, height), "x.png")


@pytest.mark.parametrize("form", ["PNG", "JPEG", "TGA", "BMP", "DDS"])
@pytest.mark.parametrize("part", [0.3, 0.9])
def test_cut_files(form: str, part: float) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (64, 64, 4), dtype=np.uint8)
    data = packed(noise, form, "RGB" if form == "JPEG" else "RGBA")
    with pytest.raises(FormatError) as caught:
        decode_image(data[: int(len(data) * part)], f"a.{form.lower()}")
    assert caught.value.file == f"a.{form.lower()}"


@pytest.mark.parametrize("form", ["PNG", "JPEG", "TGA", "BMP", "DDS", "GIF", "PCX", "TIFF"])
def test_damage_is_said_without_the_words_of_python(form: str) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (16, 16, 4), dtype=np.uint8)
    data = packed(noise, form, "RGBA" if form in ("PNG", "TGA", "BMP", "DDS") else "RGB")
    spoilt = (data[:at] + b"\xff" + data[at + 1 :] for at in range(min(len(data), 200)))
    told = set()
    for each in (*(data[:size] for size in range(min(len(data), 200))), *spoilt):
        for read in (decode_image, image_header, lambda data, name: jpeg_channels(data, (16, 16))):
            try:
                read(each, f"a.{form.lower()}")
            except FormatError as error:
                told.add(error.why)
    assert told and not [each for each in told if re.search(r"unpack|b'|indices|__|, \d*$", each)]


def test_cut_block_compressed_dds() -> None:
    data = packed(np.zeros((64, 64, 4), np.uint8), "DDS", pixel_format="DXT5")
    with pytest.raises(FormatError):
        decode_image(data[: len(data) // 2], "a.dds")


def test_the_decoder_of_a_family_is_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Image((np.zeros((1, 1, 4), np.uint8),), "BLP")
    mine = ImageDecoder("BLP", (".blp",), lambda data, _suffix: data.startswith(b"BLP2"), lambda _data: made)
    monkeypatch.setattr(registry, "decoders", lambda head, suffix: [mine])
    assert decode_image(b"BLP2...", "a.blp") is made


def test_save_png_round_trip(rgba: Array, tmp_path: Path) -> None:
    save_png(tmp_path / "a.png", rgba)
    np.testing.assert_array_equal(decode_image((tmp_path / "a.png").read_bytes(), "a.png").levels[0], rgba)


def test_save_png_without_alpha(rgba: Array, tmp_path: Path) -> None:
    save_png(tmp_path / "a.png", rgba[..., :3])
    read = decode_image((tmp_path / "a.png").read_bytes(), "a.png").levels[0]
    np.testing.assert_array_equal(read[..., :3], rgba[..., :3])
    assert (read[..., 3] == 255).all()


def test_packed_normals_of_the_engine(corpus: Path) -> None:
    file = corpus / "urho3d/Data/Textures/StoneNormal.dds"
    level = decode_image(file.read_bytes(), file.name).levels[0]
    x, y = (level[..., channel].astype(float) / 127.5 - 1 for channel in (3, 1))
    assert level.shape == (1024, 1024, 4)
    assert (x * x + y * y <= 1.02).mean() > 0.999
    assert abs(x.mean()) < 0.02
    assert abs(y.mean()) < 0.02


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA"])
def test_decoding_takes_little_more_than_the_pixels(mode: str) -> None:
    """Pillow's own memory is not traced; the arrays are."""
    import io

    import PIL.Image

    file = io.BytesIO()
    PIL.Image.new(mode, (2048, 2048)).save(file, "PNG")
    data = file.getvalue()
    decode_image(data, "warm.png")
    pixels = 4 * 2048 * 2048
    assert peak(lambda: decode_image(data, "x.png")) < pixels + (4 << 20)


def eight_bit_dds(side: int) -> bytes:
    """The header of a square with three bits of red and green and two of blue."""
    form = (32, 0x40, 8, 0xE0, 0x1C, 3, 0)
    return struct.pack("<4s7I44x2I4x5I20x", b"DDS ", 124, 0x1007, side, side, 0, 0, 0, *form)


def test_an_eight_bit_dds_takes_little_more_than_its_pixels() -> None:
    side = 1024
    data = eight_bit_dds(side) + bytes(range(256)) * (side * side // 256)
    image = decode_image(data, "x.dds")
    assert image.size == (side, side) and image.levels[0][0, 255].tolist() == [255, 255, 255, 255]
    assert peak(lambda: decode_image(data, "x.dds")) < 4 * side * side + (4 << 20)


def test_a_dds_of_too_many_pixels_is_refused() -> None:
    with pytest.raises(FormatError, match="more than the limit"):
        decode_image(eight_bit_dds(1 << 16), "x.dds")


@pytest.mark.parametrize("size", [(0, 1), (1, 0), (0, 0), (-1, -1)])
def test_an_image_without_pixels_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(FormatError, match="the image has"):
        check_size(*size)


def test_an_image_may_have_as_many_pixels_as_the_limit() -> None:
    check_size(1, BUDGET.image_pixels)
    with pytest.raises(FormatError, match="more than the limit"):
        check_size(1, BUDGET.image_pixels + 1)


@pytest.mark.parametrize(("form", "mode"), [("PNG", "RGBA"), ("JPEG", "RGB"), ("PNG", "P"), ("TGA", "L")])
def test_a_small_picture_has_at_least_the_wanted_pixels(form: str, mode: str) -> None:
    halves = np.full((300, 1000, 4), 255, np.uint8)
    halves[:, :500, :3] = 0
    data = packed(halves, form, mode)
    picture = decode_image(data, f"a.{form.lower()}", side=120)
    width, height = picture.size
    assert (width, height) == ((1000, 300) if mode == "P" else (125, 38))
    assert picture.levels[0][height // 2, 5, 0] < 20 < 230 < picture.levels[0][height // 2, width - 5, 0]
    assert decode_image(data, f"a.{form.lower()}", side=2000).size == (1000, 300)


def test_a_format_without_small_levels_gives_the_whole_picture() -> None:
    masks = (0xFF, 0xFF00, 0xFF0000, 0)
    assert decode_image(plain_dds(bytes(24), (3, 2), 32, masks), "a.dds", side=1).size == (3, 2)


def test_a_file_is_decoded_by_its_bytes_and_its_name(rgba: Array, tmp_path: Path) -> None:
    (tmp_path / "a.tga").write_bytes(packed(rgba, "TGA"))
    found = read_image(lone(str(tmp_path / "a.tga"), DEFAULT))
    np.testing.assert_array_equal(found.levels[0], rgba)


def test_a_small_picture_is_decoded_once_while_its_file_does_not_change(rgba: Array, tmp_path: Path) -> None:
    path = tmp_path / "a.png"

    def read(pixels: Array | None = None, age: float = 100.0) -> Image:
        if pixels is not None:
            path.write_bytes(packed(pixels, "PNG"))
            os.utime(path, (time.time() - age,) * 2)
        return read_small_image(lone(str(path), DEFAULT), 64)

    first = read(rgba)
    assert read() is first
    np.testing.assert_array_equal(read(255 - rgba, age=50.0).levels[0], 255 - rgba)
    assert read(rgba, age=0.0) is not read(), "it changed just now"


def test_a_picture_is_scaled_with_a_filter() -> None:
    pixels = np.full((2, 2, 4), 255, np.uint8)
    pixels[:, :, 0] = (0, 200)
    found = resized(pixels, 4, 1)
    assert found.shape == (1, 4, 4) and found[0, :, 0].tolist() == [0, 50, 150, 200]
