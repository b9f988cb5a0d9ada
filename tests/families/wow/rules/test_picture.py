"""The rule for the levels of BLP pictures."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.families.wow.blp.test_load import blp2
from viewer.check.checking import check_file

OFFSETS, SIZES = 20, 84
LEVELS = [bytes(range(8)), bytes(2), bytes(1)]


def texts(folder: Path, data: bytes) -> list[str]:
    path = folder / "a.blp"
    path.write_bytes(data)
    return [each.text for each in check_file(str(path), select=["bytes/picture-level"])]


def changed(at: int, change: int) -> bytes:
    data = bytearray(blp2(1, 0, 8, LEVELS))
    struct.pack_into("<I", data, at, struct.unpack_from("<I", data, at)[0] + change)
    return bytes(data)


def test_a_sound_picture(tmp_path: Path) -> None:
    assert texts(tmp_path, changed(OFFSETS, 0)) == []


@pytest.mark.parametrize(
    ("at", "change", "text"),
    [
        (OFFSETS + 4, -2, "levels 0 and 1 share 2 bytes"),
        (OFFSETS + 8, 9000, "outside the file"),
        (OFFSETS + 4, -1100, "level 1 begins at 0x"),
        (SIZES + 8, 1, "level 2 ends at"),
        (SIZES + 4, -1, "level 1 has 1 of 2 bytes"),
    ],
)
def test_a_level_that_lies_wrong(tmp_path: Path, at: int, change: int, text: str) -> None:
    assert any(text in each for each in texts(tmp_path, changed(at, change)))


def test_a_level_over_the_list_of_sizes(tmp_path: Path) -> None:
    data = bytearray(blp2(1, 0, 8, LEVELS))
    struct.pack_into("<I", data, OFFSETS, 25)
    assert "level 0 begins at 0x19, inside the header" in texts(tmp_path, bytes(data))


def test_levels_at_one_place_are_told_once(tmp_path: Path) -> None:
    data = bytearray(blp2(1, 0, 8, LEVELS))
    struct.pack_into("<6I", data, OFFSETS, *[1172] * 6)
    struct.pack_into("<6I", data, SIZES, *[8] * 6)
    assert texts(tmp_path, bytes(data)) == ["levels 0 and 1 share 8 bytes; 3 levels share bytes with others"]


def test_a_level_over_the_whole_header(tmp_path: Path) -> None:
    data = bytearray(blp2(1, 0, 8, LEVELS))
    struct.pack_into("<I", data, OFFSETS + 4, 4)
    struct.pack_into("<I", data, SIZES + 4, 1168)
    assert "level 1 begins at 0x4, inside the header" in texts(tmp_path, bytes(data))


def test_a_level_leads_to_its_entry(tmp_path: Path) -> None:
    for at, change, entry in ((OFFSETS + 4, -1100, 1), (OFFSETS + 8, 9000, 2)):
        path = tmp_path / "a.blp"
        path.write_bytes(changed(at, change))
        found = check_file(str(path), select=["bytes/picture-level"])
        assert found[0].offset == OFFSETS + 4 * entry


def test_a_level_may_begin_behind_the_sizes(tmp_path: Path) -> None:
    """Pictures without a palette may leave it out."""
    data = bytearray(blp2(3, 0, 8, [bytes(32)]))
    struct.pack_into("<I", data, OFFSETS, SIZES + 64)
    assert texts(tmp_path, bytes(data)) == []
