"""Compiled scripts: what can be told for certain, what is recognised, and that the rest is data."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.opened import opened_file
from tests.shader_files import script_bytes, text
from viewer.binary import ByteWriter, Cursor, Struct, unexplained
from viewer.errors import FormatError
from viewer.families.urho3d.compiled.script import load_script
from viewer.families.urho3d.compiled.script_layout import VariableInteger, read_encoded
from viewer.families.urho3d.literals import BLOCK, literals
from viewer.scene.document import Document
from viewer.scene.items import TextItem
from viewer.scene.script import CompiledScript, ScriptDeclaration
from viewer.storage.documents import open_document

NOISE = bytes([0xFF, 0x00, 0x81, 0xFE])


def load(data: bytes) -> Document:
    return load_script(opened_file(Path("/nowhere/at/all/a.asc"), data))


def script_of(document: Document) -> CompiledScript:
    assert isinstance(document.content, CompiledScript)
    return document.content


def test_a_file_packed_by_hand() -> None:
    data = b"ASBC\1\0\1\x0aMover\0\x20\0\5\1\0" + NOISE + b"\x10rotation" + NOISE
    document = load(data)
    script = script_of(document)
    assert (script.stripped, script.enums) == (True, 0)
    assert script.classes == (ScriptDeclaration("Mover", "", 0x200005),)
    assert [(each.offset, each.size, each.text) for each in script.literals] == [(23, 9, "rotation")]
    assert script.opaque == unexplained(document.root) == 17


def test_the_writer_writes_the_same() -> None:
    assert script_bytes(data=NOISE) == b"ASBC\1\0\1\x0aMover\0\x20\0\5\1\0" + NOISE


@pytest.mark.parametrize(
    "data",
    [
        b"ASBC\2\0\0" + NOISE,
        b"ASBC\1\0\x01\x0aMo ver",
        b"ASBC\1\0\1\x0aMover\0\0\0\0\1\0",
        b"ASBC\1\0\x7f" + b"\xff" * 8,
        b"ASBC\1\0\5" + NOISE,
    ],
)
def test_what_is_not_certain_is_not_told(data: bytes) -> None:
    document = load(data)
    assert script_of(document).classes is None and script_of(document).enums is None
    assert document.report.complete and sum(each.size for each in document.root.children) == len(data)


def test_enums_end_what_is_certain() -> None:
    script = script_of(load(b"ASBC\0\3" + NOISE))
    assert (script.stripped, script.enums, script.classes) == (False, 3, None)


def test_a_name_that_was_there_before_is_looked_up() -> None:
    data = b"ASBC\0\0\2\x04Ab\0\x20\0\5\1\x04Ns\x06Abc\0\x20\0\5\1\3"
    assert script_of(load(data)).classes == (
        ScriptDeclaration("Ab", "Ns", 0x200005),
        ScriptDeclaration("Abc", "Ns", 0x200005),
    )


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b"\x3f", 63),
        (b"\x40\x40", 64),
        (b"\x5f\xff", 0x1FFF),
        (b"\x61\x02\x03", 0x10203),
        (b"\x7f\1\2\3\4\5\6\7\x08", 0x102030405060708),
        (b"\x85", -5),
    ],
)
def test_encoded_numbers(raw: bytes, value: int) -> None:
    assert read_encoded(Cursor(raw)) == value


@pytest.mark.parametrize("value", [0, 63, 64, 8191])
def test_encoded_numbers_are_written_as_they_are_read(value: int) -> None:
    out = ByteWriter()
    VariableInteger("").write(out, value, Struct())
    assert read_encoded(Cursor(bytes(out))) == value


def texts(data: bytes) -> list[str]:
    return [each.text for each in literals(data, 0)]


def test_texts_are_found_by_their_lengths() -> None:
    long = "a long text of more than thirty-one letters"
    assert texts(NOISE + text("Head") + NOISE + text(long) + NOISE) == ["Head", long]
    assert texts(b"\x0aHead" + NOISE) == []


def test_texts_do_not_lie_in_texts() -> None:
    assert texts(text("0 2Models/Box.mdl") + NOISE) == ["0 2Models/Box.mdl"]


def test_chance_is_no_text() -> None:
    assert texts(b"\x08b2b4") == []
    assert texts(b"\x06=@*" + b"\x08\xff\xfe\xfd\xfc" + b"\x04ab") == []


def test_texts_are_found_across_blocks() -> None:
    data = bytes(BLOCK - 3) + text("border") + bytes(BLOCK) + text("behind")
    assert texts(data) == ["border", "behind"]


def test_texts_in_any_script_are_found() -> None:
    raw = "дом".encode()
    assert texts(bytes([2 * len(raw)]) + raw) == ["дом"]


@pytest.mark.parametrize(
    ("name", "classes", "known"),
    [
        ("01_HelloWorld.asc", [], ["InitTouchInput", "Hello World from Urho3D!"]),
        ("06_SkeletalAnimation.asc", ["Mover"], ["AnimationState", "BiasParameters", "CascadeParameters"]),
    ],
)
def test_real_scripts(corpus: Path, name: str, classes: list[str], known: list[str]) -> None:
    document = open_document(corpus / "urho3d" / "made-by-engine" / "asc" / name)
    script = script_of(document)
    assert script.stripped and [each.name for each in script.classes or ()] == classes
    found = [each.text for each in script.literals]
    assert set(known) <= set(found)
    number = found.index(known[0])
    span = document.origin.span(TextItem(number))
    assert span is not None and span.value == known[0]
    assert document.origin.item(span.offset) == TextItem(number)


def test_texts_have_spans_and_bytes_lead_to_them() -> None:
    document = load(script_bytes(data=NOISE + text("rotation") + NOISE + text("Models/Box.mdl") + NOISE))
    assert [each.text for each in script_of(document).literals] == ["rotation", "Models/Box.mdl"]
    for number, words in enumerate(("rotation", "Models/Box.mdl")):
        span = document.origin.span(TextItem(number))
        assert span is not None and span.value == words
        assert document.origin.item(span.offset) == TextItem(number)
        assert document.root.at(span.offset)[-1].value == words


def test_an_identifier_that_begins_in_a_false_text_is_the_real_one() -> None:
    """The star is the length of 21 letters."""
    assert texts(text("x 1 y 2 *") + b"AnimationStateWeightX" + NOISE) == ["AnimationStateWeightX"]


def test_letters_that_are_no_utf8_are_no_text() -> None:
    assert texts(b"\x10abcd\xe4\xe4gh" + NOISE) == []


@pytest.mark.parametrize("letter", ["\t", "\n", "\r", " ", "~", "ä"])
def test_letters_of_a_text(letter: str) -> None:
    words = f"two{letter}words and more"
    assert texts(bytes([2 * len(words.encode())]) + words.encode() + NOISE) == [words]


@pytest.mark.parametrize("letter", ["\x0b", "\x1f", "\x7f"])
def test_control_characters_are_no_letters(letter: str) -> None:
    assert texts(text(f"two{letter}words and more") + NOISE) == []


@pytest.mark.parametrize(("first", "found"), [(0x5F, True), (0x60, False)])
def test_a_length_of_two_bytes_is_less_than_0x6000(first: int, found: bool) -> None:
    size = (first - 0x40 << 8) // 2
    assert bool(texts(bytes([first, 0]) + b"a" * size + NOISE)) is found


@pytest.mark.parametrize(("size", "fits"), [(1 << 20, True), ((1 << 20) + 1, False)])
def test_a_number_is_limited(size: int, fits: bool) -> None:
    cursor = Cursor(bytes([0x70]) + size.to_bytes(3, "big"))
    if fits:
        assert VariableInteger("").read(cursor, Struct()) == size
    else:
        with pytest.raises(FormatError, match="at most 1048576"):
            VariableInteger("").read(cursor, Struct())


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("ab", False),
        ("abc", True),
        ("a1", False),
        ("ab12", False),
        ("ab123", True),
        ("a b ", False),
        ("a b c", True),
    ],
)
def test_the_shortest_texts_of_each_kind(words: str, found: bool) -> None:
    assert texts(NOISE + text(words) + NOISE) == ([words] if found else [])


@pytest.mark.parametrize(("words", "found"), [("abcdef==", True), ("abcde===", False)])
def test_at_least_three_of_four_letters_belong_to_words(words: str, found: bool) -> None:
    assert texts(NOISE + text(words) + NOISE) == ([words] if found else [])


def test_a_text_may_end_with_the_file() -> None:
    assert texts(text("Head")) == ["Head"]
    assert texts(text("Head")[:-1]) == []
