"""XML and JSON texts: what is read, where errors are, what is refused."""

from __future__ import annotations

import pytest

from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.storage.markup import TEXT_LIMIT, is_json, json_text, parse_json, parse_xml


def test_xml_tree() -> None:
    root = parse_xml(b'<?xml version="1.0"?><a x="1"><b y="2"/><c/><b y="3"><d/></b></a>', "f.xml")
    assert (root.tag, root.get("x"), root.get("z", "none")) == ("a", "1", "none")
    assert [b.get("y") for b in root.all("b")] == ["2", "3"]
    assert [element.tag for element in root.walk()] == ["a", "b", "c", "b", "d"]
    assert root.first("d") is None


def test_xml_error_has_line_column_and_offset() -> None:
    with pytest.raises(FormatError) as caught:
        parse_xml(b"<a>\n  <b>\n</a>", "f.xml")
    error = caught.value
    assert (error.file, error.path, error.offset) == ("f.xml", "line 3, column 3", 12)
    assert "mismatched tag" in error.why


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"   ",
        b"plain",
        b"<a/><b/>",
        b"<?xml version='1.0' encoding='no-such'?><a/>",
        b"<a>\xff</a>",
        b"\0",
    ],
)
def test_bad_xml_is_a_format_error(text: bytes) -> None:
    with pytest.raises(FormatError):
        parse_xml(text, "f.xml")


def test_entities_are_refused() -> None:
    bomb = b'<!DOCTYPE a [<!ENTITY x "aaaaaaaaaa"><!ENTITY y "&x;&x;&x;">]><a b="&y;"/>'
    with pytest.raises(FormatError, match="entity") as caught:
        parse_xml(b"\n  " + bomb, "f.xml")
    assert (caught.value.path, caught.value.offset) == ("line 2, column 27", 27)


def test_too_many_elements_are_refused() -> None:
    with pytest.raises(FormatError, match="elements"):
        parse_xml(b"<a>" + b"<b/>" * (BUDGET.markup_elements + 1) + b"</a>", "f.xml")


@pytest.mark.parametrize(
    "text", [b"[" + b"[]," * BUDGET.markup_parts + b"0]", b"{" + b"{}," * BUDGET.markup_parts + b"}"]
)
def test_too_many_json_values_are_refused(text: bytes) -> None:
    with pytest.raises(FormatError, match="values"):
        parse_json(text, "f.json")


def test_too_many_attributes_are_refused() -> None:
    attributes = " ".join(f'a{number:x}=""' for number in range(BUDGET.markup_parts + 1))
    with pytest.raises(FormatError, match="values"):
        parse_xml(f"<a {attributes}/>".encode(), "f.xml")


def test_deep_xml_is_walked_without_recursion() -> None:
    root = parse_xml(b"<a>" * 20_000 + b"</a>" * 20_000, "f.xml")
    assert sum(1 for _ in root.walk()) == 20_000


def test_too_large_texts_are_refused() -> None:
    with pytest.raises(FormatError, match="limit"):
        parse_xml(b" " * (TEXT_LIMIT + 1), "f.xml")
    with pytest.raises(FormatError, match="limit"):
        parse_json(b" " * (TEXT_LIMIT + 1), "f.json")


def test_a_text_may_be_as_large_as_the_limit() -> None:
    assert parse_json(b"0" + b" " * (TEXT_LIMIT - 1), "f.json") == 0


def test_json_error_has_line_column_and_offset_in_bytes() -> None:
    with pytest.raises(FormatError) as caught:
        parse_json('{"ä": 1,\n "b" 2}'.encode(), "f.json")
    assert (caught.value.path, caught.value.offset) == ("line 2, column 6", 15)


@pytest.mark.parametrize("text", [b"", b"{", b"[" * 100_000, b'"\xff"', b"1" * 5000, b"nope"])
def test_bad_json_is_a_format_error(text: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        parse_json(text, "f.json")
    assert caught.value.file == "f.json"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (2, "2"),
        (0.5, "0.5"),
        ([1, 0.5], "1 0.5"),
        ("a", "a"),
        ({}, ""),
        (None, ""),
        ("\ud800", "?"),
    ],
)
def test_json_scalars_as_text(value: object, text: str) -> None:
    assert json_text(value) == text


def test_is_json() -> None:
    assert is_json(b"\xef\xbb\xbf\r\n {}")
    assert not is_json(b"  <a/>")
    assert not is_json(b"")


def test_a_text_may_have_as_many_values_as_the_limit() -> None:
    assert len(parse_json(b"[" + b"0," * (BUDGET.markup_parts - 1) + b"0]", "f.json")) == BUDGET.markup_parts


def test_a_text_may_have_as_many_elements_as_the_limit() -> None:
    root = parse_xml(b"<a>" + b"<b/>" * (BUDGET.markup_elements - 1) + b"</a>", "f.xml")
    assert len(root.children) == BUDGET.markup_elements - 1
