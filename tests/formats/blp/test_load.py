"""BLP files packed by hand, real ones against an independent decoder, and damaged ones."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import SHARED
from viewer.binary import unexplained
from viewer.errors import FormatError
from viewer.formats import open_document
from viewer.formats.blp.load import decode_blp, load_blp
from viewer.scene.material import Image
from viewer.storage.image import decode_image

PALETTE = b"".join(bytes((i, 255 - i, 7, 99)) for i in range(256))
HEADER = 20 + 128 + 1024


def blp2(encoding: int, bits: int, kind: int, levels: list[bytes], width: int = 4, height: int = 2) -> bytes:
    offsets, sizes, at = [0] * 16, [0] * 16, HEADER
    for number, level in enumerate(levels):
        offsets[number], sizes[number] = at, len(level)
        at += len(level)
    head = struct.pack("<4sI4BII", b"BLP2", 1, encoding, bits, kind, len(levels) > 1, width, height)
    return head + struct.pack("<32I", *offsets, *sizes) + PALETTE + b"".join(levels)


def alpha(data: bytes) -> list[int]:
    return decode_blp(data).levels[0][..., 3].ravel().tolist()  # type: ignore[no-any-return]


INDICES = bytes(range(8))


def test_a_palette_is_b_g_r_and_its_fourth_byte_is_no_alpha() -> None:
    picture = decode_blp(blp2(1, 0, 8, [INDICES])).levels[0]
    assert picture[0, 1].tolist() == [7, 254, 1, 255]
    assert picture[1, 3].tolist() == [7, 248, 7, 255]


def test_one_bit_alpha_begins_at_the_lowest() -> None:
    assert alpha(blp2(1, 1, 8, [INDICES + b"\x81"])) == [255, 0, 0, 0, 0, 0, 0, 255]


def test_four_bit_alpha_begins_with_the_low_half() -> None:
    assert alpha(blp2(1, 4, 8, [INDICES + bytes([0xF0, 1, 0, 0])])) == [0, 255, 17, 0, 0, 0, 0, 0]


def test_eight_bit_alpha() -> None:
    assert alpha(blp2(1, 8, 8, [INDICES + INDICES])) == list(INDICES)


@pytest.mark.parametrize("encoding", [3, 4])
def test_raw_pixels_are_b_g_r_a(encoding: int) -> None:
    raw = bytes((1, 2, 3, 4)) * 8
    assert decode_blp(blp2(encoding, 136, 2, [raw])).levels[0][0, 0].tolist() == [3, 2, 1, 4]


def test_all_levels_are_read() -> None:
    picture = decode_blp(blp2(1, 0, 8, [INDICES, b"\1\2", b"\3"]))
    assert [level.shape for level in picture.levels] == [(2, 4, 4), (1, 2, 4), (1, 1, 4)]


def test_small_block_levels_may_be_cut_short() -> None:
    levels = [bytes(8), b"\0\xf8", b"\0\xf8"]
    assert [level.shape[:2] for level in decode_blp(blp2(2, 0, 0, levels)).levels] == [(2, 4), (1, 2), (1, 1)]


def test_a_broken_small_level_does_not_cost_the_picture() -> None:
    assert len(decode_blp(blp2(1, 8, 8, [INDICES + INDICES, b"\1"])).levels) == 1


def jpeg(pixels: Any) -> bytes:
    """The channels as they are, in a JPEG of four."""
    import PIL.Image

    out = io.BytesIO()
    PIL.Image.fromarray(pixels, "CMYK").save(out, "JPEG", quality=100, subsampling=0)
    return out.getvalue()


def test_blp1_jpeg_channels_are_b_g_r_a() -> None:
    whole = jpeg(np.full((8, 8, 4), (10, 100, 200, 50), np.uint8))
    head = struct.pack("<4s6I", b"BLP1", 0, 8, 8, 8, 4, 0)
    at = len(head) + 128 + 4 + 40
    body = struct.pack("<32I", at, *[0] * 15, len(whole) - 40, *[0] * 15)
    data = head + body + struct.pack("<I", 40) + whole[:40] + whole[40:]
    picture = decode_blp(data)
    assert picture.encoding == "BLP1 JPEG"
    np.testing.assert_allclose(picture.levels[0][3, 3], (200, 100, 10, 50), atol=3)


def test_blp1_palette() -> None:
    head = struct.pack("<4s6I", b"BLP1", 1, 8, 4, 2, 3, 0)
    at = len(head) + 128 + 1024
    data = head + struct.pack("<32I", at, *[0] * 15, 16, *[0] * 15) + PALETTE + INDICES + INDICES
    assert decode_blp(data).levels[0][0, 1].tolist() == [7, 254, 1, 1]


def test_the_tree_names_every_level(tmp_path: Path) -> None:
    (tmp_path / "x.blp").write_bytes(blp2(1, 0, 8, [INDICES, b"\1\2"]) + b"tail")
    document = open_document(tmp_path / "x.blp")
    assert isinstance(document.content, Image)
    assert [span.name for span in document.root.children][-3:] == ["level 0", "level 1", "unknown"]
    assert unexplained(document.root) == 4


def test_textures_are_decoded_by_it_too() -> None:
    assert decode_image(blp2(1, 0, 8, [INDICES]), "a.blp").encoding == "BLP2 palette, 0 bit alpha"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (blp2(9, 0, 0, [INDICES]), "encoding 9"),
        (blp2(1, 0, 8, []), "outside"),
        (blp2(1, 0, 8, [INDICES], width=0), "0 × 2"),
        (blp2(1, 0, 8, [INDICES], width=1 << 20), "1048576 × 2"),
        (blp2(1, 0, 8, [INDICES[:4]]), "4 of 8 bytes"),
    ],
)
def test_what_is_wrong_is_said(data: bytes, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        decode_blp(data)


SEEDS = [blp2(1, 8, 8, [INDICES + INDICES, b"\1\2"]), blp2(2, 8, 7, [bytes(16), bytes(16)])]


@given(
    st.sampled_from(SEEDS),
    st.lists(st.tuples(st.integers(0, 147), st.integers(0, 255)), max_size=6),
    st.integers(0),
)
@settings(max_examples=200)
def test_damage_gives_a_document(seed: bytes, changes: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(seed)
    for at, value in changes:
        data[at] = value
    data[:4] = seed[:4]
    damaged = bytes(data[: max(cut % len(data), 4)])
    document = load_blp(Path("/nowhere/x.blp"), damaged)
    assert (document.content is None) == bool(document.report.errors)
    assert sum(span.size for span in document.root.children) >= len(damaged)


def means() -> list[tuple[str, int, int, list[float]]]:
    listed = SHARED / "oracle" / "m2" / "blp_channel_means.txt"
    lines = listed.read_text().splitlines() if listed.is_file() else ["absent 0 0 0 0 0 0"]
    rows = [line.split() for line in lines if not line.startswith("#")]
    return [(name, int(width), int(height), list(map(float, rest))) for name, width, height, *rest in rows]


@pytest.mark.parametrize(("name", "width", "height", "expected"), means(), ids=lambda value: str(value)[:12])
def test_real_pictures(corpus: Path, name: str, width: int, height: int, expected: list[float]) -> None:
    document = open_document(corpus / "m2" / "blp" / name)
    assert isinstance(document.content, Image)
    assert document.content.size == (width, height)
    np.testing.assert_allclose(document.content.levels[0].reshape(-1, 4).mean(axis=0), expected, atol=0.01)
    assert unexplained(document.root) == 0
