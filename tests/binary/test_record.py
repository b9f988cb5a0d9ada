"""One description reads, writes and explains; what breaks is named, what was read before stays."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.binary import (
    Array,
    Cursor,
    Fixed,
    Magic,
    Optional,
    Record,
    Repeat,
    Span,
    Struct,
    Text,
    When,
    unexplained,
)
from viewer.errors import FormatError

U8, U16, U32, F32 = np.dtype("u1"), np.dtype("<u2"), np.dtype("<u4"), np.dtype("<f4")

PART = Record(
    "part",
    Text("name"),
    Fixed("flags", U8),
    When("flags & 1", Fixed("size", F32, note="metres")),
    Array("points", np.dtype((F32, (2,))), U16),
    title=lambda part: part.name,
)
FILE = Record("file", Magic("magic", (b"PART",)), Repeat("parts", PART, U32), Optional(Fixed("last", U16)))

GOOD = b"PART\x02\0\0\0" + b"one\0\x01\0\0\x80\x3f\x01\0\0\0\0\0\0\0\0\x40" + b"two\0\x00\x00\0" + b"\x07\0"


def read(data: bytes) -> Struct:
    return FILE.read(Cursor(data))


def broken(data: bytes) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read(data)
    return caught.value


def names(span: Span) -> list[str]:
    return [child.name for child in span.children]


@pytest.mark.parametrize("field", [Array("items", U16, "n"), Repeat("items", PART, "n - 1")])
def test_a_negative_count_is_an_error(field: Array | Repeat) -> None:
    layout = Record("counted", Fixed("n", np.dtype("<i2")), field)
    with pytest.raises(FormatError, match="items declared") as caught:
        layout.read(Cursor(b"\xfd\xff" + bytes(8)))
    assert (caught.value.path, caught.value.offset) == ("items", 2)


def test_a_count_without_a_field_names_the_layout() -> None:
    layout = Record("counted", Array("items", U16, "number"))
    with pytest.raises(TypeError, match="the layout counted has no field for the count number"):
        layout.read(Cursor(bytes(8)))


def test_values_are_attributes() -> None:
    file = read(GOOD)
    assert [part.name for part in file.parts] == ["one", "two"]
    assert file.parts[0].size == 1.0
    assert file.parts[0].points.tolist() == [[0, 2]]
    assert file.last == 7


def test_a_field_that_is_not_there_has_no_value() -> None:
    second = read(GOOD).parts[1]
    assert second.get("size") is None
    with pytest.raises(AttributeError, match="part has no field 'size'"):
        _ = second.size


def test_the_tail_may_be_missing() -> None:
    assert read(GOOD[:-2]).get("last") is None


def test_writing_gives_the_bytes_back() -> None:
    assert FILE.pack(read(GOOD)) == GOOD
    assert FILE.pack(read(GOOD[:-2])) == GOOD[:-2]


def test_the_tree_covers_every_byte_once() -> None:
    root = read(GOOD).span()
    leaves = [span for span in walk(root) if not len(span.children)]
    assert sorted(range(len(GOOD))) == sorted(at for leaf in leaves for at in range(leaf.offset, leaf.end))
    assert unexplained(root) == 0


def walk(span: Span) -> list[Span]:
    return [span] + [inner for child in span.children for inner in walk(child)]


def test_the_tree_shows_names_values_notes_and_titles() -> None:
    parts = read(GOOD).span().child("parts")
    assert names(parts) == ["count", "[0]", "[1]"]
    first = parts.children[1]
    assert first.value == "one"
    assert names(first) == ["name", "flags", "size", "points"]
    assert first.child("size").note == "metres"
    assert names(first.child("points")) == ["count", "points"]


def test_the_path_leads_to_the_field() -> None:
    error = broken(GOOD[:19])
    assert error.path == "parts[0]/points"
    assert error.offset == GOOD.index(b"\x80\x3f") + 4


def test_what_was_read_before_the_damage_stays() -> None:
    error = broken(GOOD[:-4])
    file = error.partial
    assert [part.get("name") for part in file.parts] == ["one", "two"]
    assert file.parts[1].error is error
    assert file.span().child("parts").children[2].error == error.why


def test_a_wrong_magic_says_what_was_expected() -> None:
    assert "PART" in broken(b"PORT\0\0\0\0").why


def test_an_optional_magic_may_be_absent() -> None:
    record = Record("r", Magic("magic", (b"PART",), optional=True), Fixed("n", U8)).read(Cursor(b"\x05"))
    assert (record.magic, record.n) == ("", 5)


def test_a_count_is_checked_against_the_bytes_before_anything_is_made() -> None:
    assert "room" in broken(b"PART\xff\xff\xff\xff").why


def test_a_limit_is_named() -> None:
    field = Array("items", U8, U8, most=3)
    with pytest.raises(FormatError, match="at most 3"):
        Record("r", field).read(Cursor(b"\x04abcd"))


def test_an_array_may_follow_an_earlier_count() -> None:
    record = Record("r", Fixed("n", U8), Array("items", U8, "n")).read(Cursor(b"\x02ab"))
    assert record.items.tolist() == [97, 98]


def test_a_cut_array_keeps_its_whole_items() -> None:
    layout = Record("r", Array("items", U16, U8, salvage=True))
    with pytest.raises(FormatError, match="9 items declared, 2 are there") as caught:
        layout.read(Cursor(b"\x09\1\0\2\0\3"))
    cut = caught.value.partial
    assert caught.value.offset == 1
    assert cut.items.tolist() == [1, 2]
    assert names(cut.span().child("items")) == ["count", "items"]


def test_a_tail_array_takes_the_whole_items_that_are_left() -> None:
    record = Record("r", Array("items", U16, 9, tail=True)).read(Cursor(b"\1\0\2\0\3"))
    assert record.items.tolist() == [1, 2]


def test_an_error_in_a_type_function_knows_its_offset() -> None:
    def refuse(record: Struct) -> np.dtype[np.void]:
        raise FormatError("no such type")

    layout = Record("r", Fixed("n", U32), Array("items", refuse, 1))
    with pytest.raises(FormatError) as caught:
        layout.read(Cursor(bytes(8)))
    assert (caught.value.path, caught.value.offset) == ("items", 4)


def test_structured_fields_show_their_parts() -> None:
    pair = np.dtype([("a", "<u2"), ("b", "<f4", 2)])
    span = Record("r", Fixed("pair", pair)).read(Cursor(bytes(10))).span().child("pair")
    assert [(part.name, part.type, part.offset) for part in span.children] == [
        ("a", "u16", 0),
        ("b", "f32×2", 2),
    ]


def test_text_in_another_encoding() -> None:
    record = Record("r", Text("name")).read(Cursor("跑步".encode("gb18030") + b"\0"))
    assert record.name == "跑步"
