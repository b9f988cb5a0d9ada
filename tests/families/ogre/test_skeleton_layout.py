"""Skeleton files packed by hand: the scale rules, and the key lists of TLBB."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from tests.ogre_skeletons import rich_skeleton
from viewer.binary import Cursor, unexplained
from viewer.families.ogre.skeleton_layout import ANIMATION, BONE, KEY_LIST, KEYS, SKELETON_FILE, TRACK

HEAD = b"\x00\x10[Serializer_v1.10]\n"
NO_TURN = (0, 0, 0, 1)


def chunk(id: int, body: bytes, length: int | None = None) -> bytes:
    return struct.pack("<HI", id, len(body) + 6 if length is None else length) + body


def bone(name: bytes, scale: tuple[float, ...] = ()) -> bytes:
    """The declared length never counts the name."""
    body = name + b"\n" + struct.pack("<H7f", 0, 1, 2, 3, *NO_TURN) + struct.pack(f"<{len(scale)}f", *scale)
    return chunk(0x2000, body, 36 + 4 * len(scale))


def read(data: bytes) -> tuple[Any, Cursor]:
    cursor = Cursor(HEAD + data)
    return SKELETON_FILE.read(cursor), cursor


def test_a_name_as_long_as_a_scale_is_no_scale() -> None:
    record, cursor = read(bone(b"eleven_char") + bone(b"b", (1, 2, 1)))
    first, second = record.chunks.all(BONE)
    assert first.get("scale") is None
    assert second.scale.tolist() == [1, 2, 1]
    assert not cursor.remarks
    assert not any(span.warning for span in record.span().child("bone").children)


def animation(*keys: bytes, length: int | None = None) -> bytes:
    track = chunk(0x4100, struct.pack("<H", 0) + b"".join(keys), length)
    return chunk(0x4000, b"walk\n" + struct.pack("<f", 2) + track)


def tracks(record: Any) -> Any:
    return record.chunks.first(ANIMATION).chunks.first(TRACK).chunks


def test_keys_have_a_scale_where_their_length_says_so() -> None:
    plain = chunk(0x4110, struct.pack("<8f", 0.5, *NO_TURN, 1, 2, 3))
    scaled = chunk(0x4110, struct.pack("<11f", 1.5, *NO_TURN, 4, 5, 6, 2, 2, 2))
    record, cursor = read(animation(plain, plain, scaled))
    first, second = tracks(record).all(KEYS)
    assert first["time"].tolist() == [0.5, 0.5]
    assert second["scale"].tolist() == [[2, 2, 2]]
    assert not cursor.remarks


PARTS = {0: 0, 1: 4, 2: 3, 3: 7, 4: 3, 5: 7, 6: 6, 7: 10}


@pytest.mark.parametrize("flags", range(8))
def test_a_key_list_holds_what_its_flags_name(flags: int) -> None:
    size = 4 + 4 * PARTS[flags]
    rows = np.arange(2 * size // 4, dtype="<f4").tobytes()
    body = struct.pack("<2H", 2, flags) + rows
    listed = chunk(0x4120, body, 6 + 2 + 2 * size)
    record, cursor = read(animation(listed, chunk(0x4110, struct.pack("<8f", 0.5, *NO_TURN, 1, 2, 3))))
    keys = tracks(record).first(KEY_LIST).get("keys")
    assert len(keys) == 2
    assert keys["time"].tolist() == [0, size // 4]
    assert len(tracks(record).all(KEYS)) == 1, "the next chunk starts two bytes behind the declared end"
    assert set(cursor.remarks) <= {"track", "animation"}
    assert unexplained(record.span()) == 0


def test_a_list_at_the_end_of_the_file_is_kept() -> None:
    listed = chunk(0x4120, struct.pack("<2H2f", 2, 0, 0, 1), 6 + 2 + 8)
    data = bone(b"b") + animation(listed)
    record, cursor = read(data)
    assert cursor.left == 0
    assert len(tracks(record).first(KEY_LIST).get("keys")) == 2


@pytest.mark.parametrize("order", ["<", ">"])
def test_what_is_written_is_read_and_written_again(order: Any) -> None:
    data = rich_skeleton(order, "other.skeleton")
    record = SKELETON_FILE.read(Cursor(data, order=order))
    assert record.marks[-1] == len(data)
    assert SKELETON_FILE.pack(record, order) == data
