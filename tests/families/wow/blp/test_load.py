"""BLP files packed by hand, real ones against an independent decoder, and damaged ones."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.blp_files import HEADER, PALETTE, blp1_jpeg, blp2
from tests.conftest import SHARED
from tests.damage import check
from tests.opened import opened_file
from viewer.binary import unexplained
from viewer.errors import FormatError
from viewer.families.wow.blp.load import blp_header, decode_blp, decode_small_blp, load_blp
from viewer.scene.material import Image, ImageHeader
from viewer.storage.documents import open_document
from viewer.storage.image import decode_image, image_header


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


def test_a_thumbnail_reads_only_the_level_that_it_needs() -> None:
    data = blp2(1, 0, 8, [INDICES, bytes(2), bytes(1)])
    assert [decode_small_blp(data, side).size for side in (1, 2, 3, 99)] == [(1, 1), (2, 1), (4, 2), (4, 2)]
    assert decode_image(data, "a.blp", 1).size == (1, 1)


def test_a_thumbnail_with_a_broken_level_is_made_of_the_largest() -> None:
    picture = decode_small_blp(blp2(3, 0, 8, [bytes(32), b"far too many bytes"]), 1)
    assert picture.size == (4, 2)


def test_small_block_levels_may_be_cut_short() -> None:
    levels = [bytes(8), b"\0\xf8", b"\0\xf8"]
    assert [level.shape[:2] for level in decode_blp(blp2(2, 0, 0, levels)).levels] == [(2, 4), (1, 2), (1, 1)]


def test_a_broken_small_level_does_not_cost_the_picture() -> None:
    assert len(decode_blp(blp2(1, 8, 8, [INDICES + INDICES, b"\1"])).levels) == 1


def test_levels_of_another_size_are_left_out_with_a_warning() -> None:
    picture = decode_blp(blp2(1, 0, 8, [INDICES, b"\1\2\3", b"\3"]))
    assert [level.shape for level in picture.levels] == [(2, 4, 4)]
    assert picture.warnings == ("2 smaller levels left out: level 1 has 3 bytes; its pixels need 2",)


def test_the_header_tells_levels_and_alpha() -> None:
    found = image_header(blp2(1, 8, 8, [INDICES * 2, bytes(4), bytes(2)]), "a.blp")
    assert found == ImageHeader("BLP2 palette, 8 bit alpha", 4, 2, True, 3, 3, cost=8, palette=True)
    blocks = blp_header(blp2(2, 0, 0, [bytes(8), b"\0", b"\0"]))
    assert (blocks.alpha, blocks.block, blocks.damage) == (False, 4, "")
    assert blp_header(blp2(1, 0, 8, [INDICES])).levels == 1


def test_the_header_tells_what_is_wrong_with_levels() -> None:
    wrong = blp_header(blp2(1, 0, 8, [INDICES, b"\1\2\3", b"\3"]))
    assert wrong.damage == "level 1 of 2 × 1 pixels has 3 bytes; it needs 2"
    cut = blp_header(blp2(1, 0, 8, [INDICES, b"\1\2", b"\3"])[:-1])
    assert cut.damage == "2 of 3 levels are in the file"
    assert blp_header(blp2(1, 0, 8, [INDICES + b"more"])).damage == ""


def test_the_largest_level_may_have_bytes_to_spare() -> None:
    assert decode_blp(blp2(1, 0, 8, [INDICES + b"more"])).warnings == ()


def test_the_document_has_the_warnings_of_the_picture(tmp_path: Path) -> None:
    (tmp_path / "x.blp").write_bytes(blp2(1, 0, 8, [INDICES, b"\1\2\3"]))
    document = open_document(tmp_path / "x.blp")
    assert document.report.complete
    assert [text for text in document.report.warnings if "left out" in text] == document.report.warnings
    assert len(document.report.warnings) == 1


def jpeg(*channels: int) -> bytes:
    """A baseline JPEG of 8 × 8 pixels that all have these values, packed by hand: Pillow inverts four
    channels when it writes. Source: ITU-T T.81, annexes B and F.
    """
    count = len(channels)
    numbers = bytes(range(1, count + 1))
    quantised = b"\xff\xdb\0\x43\0" + bytes([8]) * 64
    frame = struct.pack(">HHBHHB", 0xFFC0, 8 + 3 * count, 8, 8, 8, count)
    frame += b"".join(bytes((number, 0x11, 0)) for number in numbers)
    # Twelve sizes of a DC difference with codes of four bits, and the end of a block as the only AC code.
    dc = b"\xff\xc4\0\x1f\0" + bytes((0, 0, 0, 12)) + bytes(12) + bytes(range(12))
    ac = b"\xff\xc4\0\x14\x10" + bytes((1,)) + bytes(15) + b"\0"
    scan = struct.pack(">HHB", 0xFFDA, 6 + 2 * count, count)
    scan += b"".join(bytes((number, 0)) for number in numbers) + b"\0\x3f\0"
    bits = ""
    for value in channels:
        level = value - 128
        size = abs(level).bit_length()
        bits += (
            f"{size:04b}" + (f"{level if level > 0 else level + 2**size - 1:0{size}b}" if size else "") + "0"
        )
    bits += "1" * (-len(bits) % 8)
    coded = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")
    return b"\xff\xd8" + quantised + frame + dc + ac + scan + coded + b"\xff\xd9"


def test_blp1_jpeg_channels_are_b_g_r_a() -> None:
    picture = decode_blp(blp1_jpeg(8, jpeg(10, 100, 200, 50)))
    assert picture.encoding == "BLP1 JPEG"
    np.testing.assert_allclose(picture.levels[0].reshape(-1, 4), [(200, 100, 10, 50)] * 64, atol=1)


def test_blp1_jpeg_without_alpha_bits_is_opaque() -> None:
    picture = decode_blp(blp1_jpeg(0, jpeg(10, 100, 200, 0)))
    np.testing.assert_allclose(picture.levels[0].reshape(-1, 4), [(200, 100, 10, 255)] * 64, atol=1)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("test_simple_jpg", "test_image_source"),
        ("test_rect_without_alpha", "test_image_source_rect_no_alpha"),
        ("test_rect_with_alpha", "test_image_source_rect"),
    ],
)
def test_real_blp1_pictures_look_like_their_sources(corpus: Path, name: str, source: str) -> None:
    folder = corpus / "first-sight/blp"
    picture = decode_image((folder / f"{name}.blp").read_bytes(), "x.blp").levels[0]
    wanted = decode_image((folder / f"{source}.png").read_bytes(), "x.png").levels[0]
    assert picture.shape == wanted.shape
    seen = (wanted[..., 3:] > 0) & (picture[..., 3:] > 0)
    assert np.abs(picture.astype(int) - wanted)[np.broadcast_to(seen, picture.shape)].mean() < 6
    np.testing.assert_allclose(picture[..., 3], wanted[..., 3], atol=8)


def test_a_real_picture_with_equal_levels_keeps_the_first(corpus: Path) -> None:
    document = open_document(corpus / "first-sight/blp/Ashenvale 23-26.blp")
    assert isinstance(document.content, Image)
    assert [level.shape[:2] for level in document.content.levels] == [(256, 512)]
    assert "9 smaller levels left out: level 1 has 131072 bytes" in document.report.warnings[0]


def test_a_broken_jpeg_is_an_error_of_the_document() -> None:
    for whole in (b"\0\1" + jpeg(1, 2, 3)[2:], jpeg(1, 2, 3)[:60] + bytes(200)):
        document = load_blp(opened_file(Path("/nowhere/at/all/x.blp"), blp1_jpeg(0, whole)))
        assert document.content is None
        assert "broken JPEG" in document.report.errors[0].why


def test_a_compression_of_no_meaning_is_named_as_an_error() -> None:
    data = bytearray(blp1_jpeg(0, jpeg(1, 2, 3)))
    data[4] = 9
    document = load_blp(opened_file(Path("/nowhere/at/all/x.blp"), bytes(data)))
    (error,) = document.report.errors
    assert (error.why, error.offset) == ("the compression 9 is unknown", 4)
    assert document.root.value == "BLP1 compression 9"


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
    document = load_blp(opened_file(Path("/nowhere/at/all/x.blp"), damaged))
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


def test_levels_that_overlap_are_clipped_so_that_the_tree_tiles() -> None:
    data = bytearray(blp2(1, 0, 8, [bytes(64), bytes(16), bytes(4), b"1"], 8, 8))
    struct.pack_into("<2I", data, 20, HEADER, HEADER + 56)
    document = load_blp(opened_file(Path("made.blp"), bytes(data)))
    check(document, len(data))
    names = [span.name for span in document.root.children if span.warning]
    assert names == ["level 1"]
