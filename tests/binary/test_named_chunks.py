"""Chunks of a text and plain fields: what is found by its headers, and what comes out of a table."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from viewer.binary import (
    Array,
    Chunk,
    ChunkStream,
    Fixed,
    NamedTable,
    Record,
    Struct,
    Text,
    When,
    read_layout,
)
from viewer.binary.chunk_tables import NamedShape
from viewer.binary.cursor import FREE_RECORDS, Cursor

U16, PAIR = np.dtype("<u2"), np.dtype(("<f4", (2,)))
BARE, FULL = 16, 18


def length_of(place: Struct) -> int:
    return BARE if place.get("extra") is None else FULL


EXTRA = When(f"declared > {BARE}", Fixed("extra", U16))
PLACE = Chunk(
    0x10, "place", Text("name"), Fixed("number", U16), Fixed("at", PAIR), EXTRA, length=length_of, many=True
)
FILE = Record("file", Fixed("magic", U16), ChunkStream("places", (PLACE,), skip=True))


def place(
    name: bytes, number: int = 7, at: tuple[float, float] = (1, 2), order: str = "<", tail: bytes = b""
) -> bytes:
    body = name + b"\0" + struct.pack(f"{order}H2f", number, *at) + tail
    return struct.pack(f"{order}HI", 0x10, BARE + len(tail)) + body


def read(*places: bytes, order: Any = "<") -> tuple[Any, Cursor]:
    magic = b"\x01\x00" if order == "<" else b"\x00\x01"
    return read_layout(FILE, magic + b"".join(places), order)


def parts(*places: bytes) -> list[int]:
    """How many chunks each part of the stream has; a chunk that was read by itself is 0."""
    found = read(*places)[0].places.parts(PLACE)
    return [part.number if isinstance(part, NamedTable) else 0 for part in found]


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_table_has_its_columns_without_its_chunks(order: str) -> None:
    data = [place(b"here", 3, (1, 2), order), place(b"", 5, (3, 4), order)]
    (table,) = read(*data, order=order)[0].places.parts(PLACE)
    assert table.texts == ["here", ""] and table.number == 2
    assert table.rows["number"].tolist() == [3, 5] and table.rows["at"].tolist() == [[1, 2], [3, 4]]
    assert table.rows.dtype.isnative and "pieces" not in vars(table)


@pytest.mark.parametrize("order", ["<", ">"])
def test_its_chunks_are_those_that_are_read_one_by_one(order: str) -> None:
    data = [place(b"here", 3, (1, 2), order), place(b"there", 5, (3, 4), order)]
    made, cursor = read(*data, order=order)
    for piece in made.places:
        known = PLACE.read(Cursor(cursor.data, piece.start, piece.end, order), made)
        assert piece.kind is PLACE and piece.value.outer is made
        assert (piece.value.marks, piece.value.name) == (known.marks, known.name)
        assert piece.value.at.tolist() == known.at.tolist()


@pytest.mark.parametrize(
    ("middle", "expected"),
    [
        (place(b"b"), [3]),
        (place(b"b", tail=b"\1\0"), [1, 0, 1]),
        (place("ü".encode()), [1, 0, 1]),
    ],
    ids=["alike", "with-more", "not-ascii"],
)
def test_a_chunk_of_another_shape_is_read_by_itself(middle: bytes, expected: list[int]) -> None:
    assert parts(place(b"a"), middle, place(b"c")) == expected


@pytest.mark.parametrize(
    ("size", "error"),
    [
        (6, "a text has no terminating zero (file/place[1]/name at 0x1A)"),
        (15, "a text has no terminating zero (file/place[1]/name at 0x1A)"),
        (16, "2 bytes needed, 0 left (file/place[1]/number at 0x24)"),
        (25, "8 bytes needed, 7 left (file/place[1]/at at 0x26)"),
    ],
)
def test_a_cut_chunk_is_an_error_at_the_cut_field(size: int, error: str) -> None:
    made, cursor = read(place(b"a"), place(b"long name")[:size])
    assert [str(each) for each in cursor.errors] == [error]
    assert len(made.places) == 2


def test_a_table_counts_as_many_records_as_its_chunks() -> None:
    places = [place(b"a")] * 100
    cursor = read(*places)[1]
    assert cursor.records == Cursor(cursor.data).records - 1 - len(places)


def test_of_too_many_chunks_those_before_the_error_are_kept() -> None:
    made, cursor = read(place(b"a") * (FREE_RECORDS + 2000))
    (error,) = cursor.errors
    assert error.why == "more records than a file of this size may have"
    assert len(made.places) == Cursor(cursor.data).records - 1


def test_only_a_text_and_fixed_fields_make_a_shape() -> None:
    def shape(*fields: Any) -> NamedShape | None:
        return NamedShape.of(Chunk(0x11, "other", *fields, length=lambda record: 8, many=True))

    assert shape(Text("name"), Fixed("number", U16)) is not None
    assert shape() is None and shape(Fixed("number", U16), Text("name")) is None
    assert shape(Text("name"), Array("numbers", U16, 2)) is None
    assert shape(Text("name"), When("declared > 4", Fixed("number", U16))) is None
    assert shape(Text("name"), When("name == ''", Fixed("number", U16))) is None


def test_a_detached_table_knows_no_record_around() -> None:
    record, _ = read(place(b"a"), place(b"b"))
    made = record.places[0].value
    record.detach()
    assert made.outer is None and record.places[1].value.outer is None
