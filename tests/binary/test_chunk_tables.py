"""Chunks that are walked by their headers: what is a table, what is not, and what comes out of one."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from viewer.binary import (
    Chunk,
    ChunkStream,
    ChunkTable,
    Fixed,
    Record,
    Run,
    Struct,
    chunk_dtype,
    read_layout,
    varying_chunk,
)
from viewer.binary.chunk_tables import is_row_layout
from viewer.binary.cursor import FREE_RECORDS, Cursor
from viewer.errors import Topic

U16, F32 = np.dtype("<u2"), np.dtype("<f4")

SHORT, LONG = 10, 14
POINTS = Run(0x20, "points", varying_chunk(("x", F32), ("y", F32, "", f"declared > {SHORT}")))
OTHERS = Run(0x21, "others", chunk_dtype(("x", F32)))
LIST = Chunk(0x10, "list", Fixed("kind", U16), ChunkStream("chunks", (POINTS, OTHERS)), many=True)
FILE = Record("file", Fixed("magic", U16), ChunkStream("chunks", (LIST,), skip=True))


def chunk(id: int, body: bytes, length: int | None = None, order: str = "<") -> bytes:
    return struct.pack(f"{order}HI", id, len(body) + 6 if length is None else length) + body


def short(*values: float) -> bytes:
    return b"".join(chunk(0x20, struct.pack("<f", value)) for value in values)


def long(*values: float) -> bytes:
    return b"".join(chunk(0x20, struct.pack("<2f", value, 0)) for value in values)


def a_list(rows: bytes, kind: int = 7, length: int | None = None) -> bytes:
    return chunk(0x10, struct.pack("<H", kind) + rows, length)


def read(*lists: bytes) -> tuple[Any, Cursor]:
    record, cursor = read_layout(FILE, b"\x01\x00" + b"".join(lists))
    return record.chunks, cursor


def tables(*lists: bytes) -> list[int]:
    """How many chunks each part of the stream has; a chunk that was read by itself is 0."""
    parts = read(*lists)[0].parts(LIST)
    return [part.number if isinstance(part, ChunkTable) else 0 for part in parts]


def test_a_table_has_its_columns_without_its_chunks() -> None:
    chunks, _ = read(a_list(short(1, 2), 3), a_list(long(4, 5, 6), 8))
    (table,) = chunks.parts(LIST)
    assert (table.column("kind"), table.counts, table.number) == ([3, 8], [2, 3], 2)
    assert "pieces" not in vars(table)


def test_its_chunks_are_those_that_are_read_one_by_one() -> None:
    data = b"\x01\x00" + a_list(short(1, 2), 3) + a_list(long(4), 8)
    for order, stored in (("<", data), (">", _swapped(data))):
        made = read_layout(FILE, stored, order)[0]  # type: ignore[arg-type]
        for piece in made.chunks:
            first, start, end = piece.value, piece.start, piece.end
            second = LIST.read(Cursor(stored, start, end, order), made)  # type: ignore[arg-type]
            assert (first.id, first.declared, first.kind, first.marks) == (
                0x10,
                second.declared,
                second.kind,
                second.marks,
            )
            assert first.outer is made and first.record is LIST
            (rows,), (others,) = first.chunks.all(POINTS), second.chunks.all(POINTS)
            assert rows.dtype == others.dtype and rows.tolist() == others.tolist()


def _swapped(data: bytes) -> bytes:
    """Two lists in the other byte order: every number of two or four bytes turned round."""
    record, _ = read_layout(FILE, data)
    return FILE.pack(record, ">")


@pytest.mark.parametrize(
    ("middle", "parts"),
    [
        (a_list(short(3)), [3]),
        (a_list(chunk(0x21, bytes(4))), [1, 0, 1]),
        (a_list(b""), [1, 0, 1]),
        (a_list(short(3), length=9), [1, 0, 1]),
        (a_list(short(3), length=18 + 24), [1, 0, 1]),
        (a_list(chunk(0x20, bytes(4), 9)), [1, 0, 1]),
    ],
    ids=["alike", "no-row", "empty", "too-short", "too-long", "odd-row"],
)
def test_a_chunk_of_another_shape_is_read_by_itself(middle: bytes, parts: list[int]) -> None:
    assert tables(a_list(short(1, 2)), middle, a_list(short(5))) == parts


def test_from_a_chunk_on_whose_rows_have_other_headers_all_are_read_one_by_one() -> None:
    other = a_list(short(3) + chunk(0x21, bytes(4)))
    assert tables(a_list(short(1, 2)), other, a_list(short(5)), a_list(short(6))) == [1, 0, 0, 0]


MIXED = (
    (short(3) + long(4, 5), [1, 2]),
    (long(3) + short(4) + long(5) + short(6, 7), [1, 1, 1, 2]),
    (short(0) + long(*range(5)), [1, 5]),  # the bytes of seven short rows
)


@pytest.mark.parametrize(("rows", "runs"), MIXED, ids=["two-sizes", "in-turn", "only-add-up"])
@pytest.mark.parametrize("order", ["<", ">"])
def test_rows_of_both_sizes_are_found_by_their_headers(rows: bytes, runs: list[int], order: Any) -> None:
    data = b"\x01\x00" + a_list(short(1, 2)) + a_list(rows, 9) + a_list(long(8))
    data = data if order == "<" else _swapped(data)
    chunks, cursor = read_layout(FILE, data, order)[0].chunks, read_layout(FILE, data, order)[1]
    (table,) = chunks.parts(LIST)
    assert isinstance(table, ChunkTable) and not cursor.remarks and not cursor.errors
    assert table.counts == [2, sum(runs), 1] and table.column("kind") == [7, 9, 7]
    assert "pieces" not in vars(table)
    values = np.zeros(sum(runs), np.float32)
    for numbers, found in table.blocks(1):
        values[numbers] = found["x"]
    (mixed,) = [piece.value for piece in table.pieces if piece.value.kind == 9]
    stored = mixed.chunks.all(POINTS)
    assert [len(run) for run in stored] == runs
    assert values.tolist() == [x for run in stored for x in run["x"].tolist()]


def test_bytes_that_look_like_a_header_in_a_row_are_no_row() -> None:
    """The values of a row are the header of a short one: the chunks are read one by one from there on."""
    trap = a_list(chunk(0x20, struct.pack("<HIH", 0x20, SHORT, 0)) + short(3))
    assert tables(a_list(short(1)), trap, a_list(short(4))) == [1, 0, 0]
    runs = read(a_list(short(1)), trap)[0].all(LIST)[1].chunks.all(POINTS)
    assert [len(run) for run in runs] == [1, 1]


def test_a_chunk_that_ends_in_the_header_of_its_row_is_read_by_itself() -> None:
    cut = a_list(short(1), length=10)
    assert tables(cut) == [0]
    assert read(cut)[0].first(LIST).chunks.rows(POINTS)["x"].tolist() == [1]


def test_a_mixed_chunk_that_claims_too_little_is_read_by_itself() -> None:
    rows = short(1) + long(2)
    chunks, cursor = read(a_list(short(0)), a_list(rows, length=20), a_list(short(5)))
    assert [len(each.chunks.all(POINTS)) for each in chunks.all(LIST)] == [1, 2, 1]
    assert len(cursor.remarks[Topic.LENGTH]) == 1


def test_a_chunk_that_claims_more_than_the_file_has_is_read_by_itself() -> None:
    chunks, cursor = read(a_list(short(1)), a_list(short(2), length=28))
    assert tables(a_list(short(1)), a_list(short(2), length=28)) == [1, 0]
    assert [each.chunks.rows(POINTS)["x"].tolist() for each in chunks.all(LIST)] == [[1], [2]]
    (remark,) = cursor.remarks[Topic.LENGTH]
    assert remark.text == "list (chunk 0x0010) declares 28 bytes and has 18"


def test_a_run_that_goes_on_behind_its_chunk_is_followed() -> None:
    chunks, cursor = read(a_list(short(1)), a_list(short(2), length=18), short(3, 4))
    assert [len(each.chunks.first(POINTS)) for each in chunks.all(LIST)] == [1, 3]
    assert len(cursor.remarks[Topic.LENGTH]) == 1


def test_a_table_counts_as_many_records_as_its_chunks() -> None:
    lists = [a_list(short(1))] * 100
    cursor = read(*lists)[1]
    assert cursor.records == Cursor(cursor.data).records - 1 - 2 * len(lists)


def test_of_too_many_chunks_those_before_the_error_are_kept() -> None:
    each = a_list(short(1))
    record, cursor = read_layout(FILE, b"\x01\x00" + each * FREE_RECORDS)
    (error,) = cursor.errors
    assert error.why == "more records than a file of this size may have"
    assert len(record.chunks) == (Cursor(cursor.data).records - 1) // 2 + 1


def test_a_layout_that_looks_around_is_no_row() -> None:
    assert is_row_layout(POINTS.dtype) and is_row_layout(OTHERS.dtype)
    assert not is_row_layout(varying_chunk(("x", F32, "", "kind == 1")))
    assert not is_row_layout(varying_chunk(("x", lambda record: F32)))
    assert not is_row_layout(lambda record: F32)


def test_a_table_is_written_again() -> None:
    data = b"\x01\x00" + a_list(short(1, 2)) + a_list(long(3))
    record, _ = read_layout(FILE, data)
    assert FILE.pack(record) == data
    assert isinstance(record, Struct)
