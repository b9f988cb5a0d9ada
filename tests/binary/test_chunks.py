"""Chunk streams walked by grammar: wrong lengths, unknown numbers, runs, and what is left after damage."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from viewer.binary import (
    Array,
    Chunk,
    ChunkStream,
    Cursor,
    Fixed,
    Record,
    Rows,
    Run,
    Span,
    Struct,
    chunk_dtype,
    stream,
    unexplained,
)
from viewer.errors import FormatError, Topic

U16, F32 = np.dtype("<u2"), np.dtype("<f4")

POINTS = Run(0x20, "points", chunk_dtype(("x", F32)))
LIST = Chunk(0x10, "list", Fixed("kind", U16), ChunkStream("chunks", (POINTS,)), many=True)
NUMBERS = Chunk(0x30, "numbers", Array("values", U16, U16))
FILE = Record("file", Fixed("magic", U16), ChunkStream("chunks", (LIST, NUMBERS), skip=True))


def chunk(id: int, body: bytes, length: int | None = None, order: str = "<") -> bytes:
    return struct.pack(f"{order}HI", id, len(body) + 6 if length is None else length) + body


def points(*values: float, length: int | None = None) -> bytes:
    return b"".join(chunk(0x20, struct.pack("<f", value), length) for value in values)


def a_list(*values: float, length: int | None = None) -> bytes:
    return chunk(0x10, struct.pack("<H", 7) + points(*values), length)


def read(data: bytes) -> tuple[Struct, Cursor]:
    cursor = Cursor(b"\x01\x00" + data)
    return FILE.read(cursor), cursor


def tiles(span: Span) -> bool:
    """Whether children fill their parents, all the way down."""
    if isinstance(span.children, Rows) or not len(span.children):
        return True
    ends = [span.offset, *(child.end for child in span.children)]
    starts = [*(child.offset for child in span.children), span.end]
    return ends == starts and all(map(tiles, span.children))


def test_a_stream_steps_back_to_the_one_around() -> None:
    record, cursor = read(a_list(1, 2) + a_list(3) + chunk(0x30, struct.pack("<HH", 1, 9)))
    lists = record.chunks.all(LIST)
    assert [each.chunks.rows(POINTS)["x"].tolist() for each in lists] == [[1, 2], [3]]
    assert record.chunks.first(NUMBERS).values.tolist() == [9]
    assert not cursor.remarks


def test_a_wrong_length_is_noted_and_not_followed() -> None:
    record, cursor = read(a_list(1, 2, length=9) + a_list(3, length=4000))
    assert len(record.chunks.all(LIST)) == 2
    assert cursor.remarks[Topic.LENGTH][0].text == "list (chunk 0x0010) declares 9 bytes and has 28"
    assert len(cursor.remarks[Topic.LENGTH]) == 2
    first, second = record.span().children[1].children
    assert first.note.endswith(cursor.remarks[Topic.LENGTH][0].text) and not first.warning
    assert second.note.endswith(cursor.remarks[Topic.LENGTH][1].text)


def test_an_unknown_chunk_is_passed_over_by_its_length() -> None:
    record, cursor = read(chunk(0x99, b"what") + a_list(1))
    assert len(record.chunks.all(LIST)) == 1
    assert "0x0099" in cursor.remarks[Topic.UNCLAIMED][0].text
    root = record.span()
    assert tiles(root)
    assert unexplained(root) == 4


@pytest.mark.parametrize("length", [0, 5, 400])
def test_an_unknown_chunk_without_a_sound_length_ends_the_stream(length: int) -> None:
    record, cursor = read(a_list(1) + chunk(0x99, b"what", length))
    assert len(record.chunks.all(LIST)) == 1
    assert cursor.left == 10
    assert "no length" in cursor.remarks[Topic.UNCLAIMED][0].text


@pytest.mark.parametrize("count", [1, 63, 64, 65, 191, 192, 193, 1000])
def test_a_run_ends_where_the_number_changes(count: int) -> None:
    record, _ = read(a_list(*range(count)) + a_list(5))
    first, second = record.chunks.all(LIST)
    assert [len(run) for run in first.chunks.all(POINTS)] == [count]
    assert first.chunks.rows(POINTS)["x"].tolist() == list(range(count))
    assert len(second.chunks.rows(POINTS)) == 1


def test_a_run_ends_where_the_length_changes() -> None:
    body = struct.pack("<H", 7) + points(1, 2) + points(3, 4, 5, length=11)
    record, cursor = read(chunk(0x10, body))
    runs = record.chunks.first(LIST).chunks.all(POINTS)
    assert [len(run) for run in runs] == [2, 3]
    (remark,) = cursor.remarks[Topic.LENGTH]
    assert remark.text == "points (chunk 0x0020) declares 11 bytes and has 10"
    assert record.chunks.first(LIST).chunks.rows(POINTS)["x"].tolist() == [1, 2, 3, 4, 5]


def test_a_chunk_that_breaks_costs_only_itself() -> None:
    broken = chunk(0x30, struct.pack("<HH", 60000, 9))
    record, cursor = read(a_list(1) + broken + a_list(2))
    assert len(record.chunks.all(LIST)) == 2
    (error,) = cursor.errors
    assert error.path == "file/numbers/values"
    assert error.offset == 2 + 18 + 8
    root = record.span()
    assert tiles(root)
    assert any(child.error for child in root.children)


def test_a_chunk_that_breaks_and_leads_nowhere_ends_the_file() -> None:
    broken = chunk(0x30, struct.pack("<HH", 60000, 9), 3)
    with pytest.raises(FormatError) as caught:
        read(a_list(1) + broken + a_list(2))
    assert caught.value.path == "numbers/values"
    kept = caught.value.partial.chunks
    assert len(kept.all(LIST)) == 1


def test_the_tree_tiles_and_gathers_chunks_of_one_kind() -> None:
    record, _ = read(a_list(1, 2) + a_list(3) + chunk(0x30, struct.pack("<HH", 1, 9)))
    root = record.span()
    assert tiles(root)
    assert [child.name for child in root.children] == ["magic", "list", "numbers"]
    inner = root.child("list").children[0]
    assert [child.name for child in inner.children] == ["id", "declared", "kind", "points"]
    assert isinstance(inner.child("points").children, Rows)
    assert inner.child("points").children[1].child("x").value == 2


def test_what_is_written_is_read_again() -> None:
    data = b"\x01\x00" + a_list(1, 2) + chunk(0x30, struct.pack("<HH", 1, 9))
    rows = np.array([(0, 0, 1), (0, 0, 2)], chunk_dtype(("x", F32)))
    value = Struct(
        magic=1,
        chunks=stream((LIST, Struct(kind=7, chunks=stream((POINTS, rows)))), (NUMBERS, Struct(values=[9]))),
    )
    assert FILE.pack(value) == data
    assert FILE.pack(FILE.read(Cursor(data))) == data


def test_a_big_endian_file_is_read_and_written() -> None:
    rows: Any = np.array([(0, 0, 1.5), (0, 0, -2)], chunk_dtype(("x", F32)))
    value = Struct(magic=1, chunks=stream((LIST, Struct(kind=7, chunks=stream((POINTS, rows))))))
    data = FILE.pack(value, ">")
    assert data[:8] == b"\x00\x01" + struct.pack(">HI", 0x10, 28)
    again = FILE.read(Cursor(data, order=">"))
    assert again.chunks.first(LIST).chunks.rows(POINTS)["x"].tolist() == [1.5, -2]


def test_vectors_of_a_big_endian_file_are_turned_round() -> None:
    dtype = np.dtype([("position", F32, 3), ("kind", U16)])
    stored = struct.pack(">3fH", 1, 2, 3, 4)
    (item,) = Cursor(stored, order=">").array(dtype, 1)
    assert item["position"].tolist() == [1, 2, 3]
    assert Cursor(struct.pack(">3f", 1, 2, 3), order=">").array(np.dtype((F32, (3,))), 1).tolist() == [
        [1, 2, 3]
    ]


def test_a_stream_of_at_most_one_chunk_leaves_the_second_to_the_stream_around() -> None:
    owner = Chunk(0x40, "owner", ChunkStream("own", (NUMBERS,), most=1))
    layout = Record("file", ChunkStream("chunks", (owner, NUMBERS)))
    numbers = [chunk(0x30, struct.pack("<HH", 1, value)) for value in (8, 9)]
    record = layout.read(Cursor(chunk(0x40, numbers[0]) + numbers[1]))
    assert record.chunks.first(owner).own.first(NUMBERS).values.tolist() == [8]
    assert record.chunks.first(NUMBERS).values.tolist() == [9]
