"""The query language: what texts mean, and where they are wrong."""

from __future__ import annotations

import pytest

from viewer.library.conditions import All, Any, Condition, Not, QueryError, Range, Text
from viewer.library.query import DEEPEST, MOST, parse

A, B, C = (Text("path", each) for each in "abc")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("", All()),
        ("  ", All()),
        ("walk", Text("path", "walk")),
        ('"two words"', Text("path", "two words")),
        ("*.mdl", Text("name", "*.mdl")),
        ("set*/a.mdl", Text("path", "set*/a.mdl")),
        ("bones>60", Range("bones", low=60, closed=False)),
        ("triangles>=10000", Range("triangles", low=10000)),
        ("triangles>10k", Range("triangles", low=10000, closed=False)),
        ("bones:60..", Range("bones", low=60)),
        ("triangles:..5000", Range("triangles", high=5000)),
        ("bones:60..100", Range("bones", 60, 100)),
        ("bones:60", Range("bones", 60, 60)),
        ("bones!=60", Not(Range("bones", 60, 60))),
        ("version:264", Text("version", "264")),
        ("format:ogre", Text("format", "ogre")),
        ("kind=model", Text("kind", "model", whole=True)),
        ("clip:walk", Text("clip", "walk")),
        ('bone:"Bip01 Head"', Text("bone", "Bip01 Head")),
        ("texture:*.tga", Text("texture", "*.tga")),
        ("missing:texture", Text("missing", "texture")),
        ("has:particles", Range("emitters", low=1)),
        ("error", Range("errors", low=1)),
        ("warning", Range("warnings", low=1)),
        ("missing", Range("missing", low=1)),
        ('"error"', Text("path", "error")),
        ("modified<7d", Range("age", high=7 * 86400, closed=False)),
        ("size>1M", Range("size", low=1 << 20, closed=False)),
        ("length>2s", Range("length", low=2, closed=False)),
        ("length:500ms..", Range("length", low=0.5)),
        ("CLIP:Walk", Text("clip", "Walk")),
    ],
)
def test_a_term_has_one_meaning(text: str, meaning: Condition) -> None:
    assert parse(text) == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a b", All((A, B))),
        ("a and b", All((A, B))),
        ("a or b", Any((A, B))),
        ("a OR b", Any((A, B))),
        ("a b or c", Any((All((A, B)), C))),
        ("a (b or c)", All((A, Any((B, C))))),
        ("not a b", All((Not(A), B))),
        ("not (a b)", Not(All((A, B)))),
        ("not not a", Not(Not(A))),
        ("(a)b", All((A, B))),
    ],
)
def test_words_are_joined_as_in_other_search_fields(text: str, meaning: Condition) -> None:
    assert parse(text) == meaning


def test_a_day_is_from_midnight_to_midnight() -> None:
    day = parse("modified:2026-01-31")
    assert isinstance(day, Range) and day.field == "modified"
    assert day.high is not None and day.low is not None
    assert 86399e9 < day.high - day.low < 86400e9


@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        ("bones>", 6, "bones takes numbers"),
        ("walk bones>many", 11, "bones takes numbers"),
        ("bones:head", 6, "bone:head looks for names"),
        ("bones:..", 6, "a number is missing"),
        ("bone>5", 4, "bones>… counts"),
        ("clip:", 5, "a text is missing"),
        ("modified:7d..2026-01-01", 9, "two dates or two ages"),
        ("modified:2026-13-01", 9, "modified takes numbers"),
        ("modified:0000-01-01", 9, "modified takes numbers"),
        ("size:1e999999", 5, "size takes numbers"),
        ("has:wings", 4, "has: takes one of"),
        ("a bonse>5", 2, "no field 'bonse'; near: "),
        ("(a", 0, "the bracket is not closed"),
        ("a (b (c)", 2, "the bracket is not closed"),
        ("a)", 1, "no bracket is open"),
        ("()", 1, "is missing here"),
        ("not", 3, "is missing here"),
        ("a or", 4, "is missing here"),
        ("or a", 0, "is missing here"),
        ('a "b', 2, "the quote is not closed"),
        ('bone:"Bip', 5, "the quote is not closed"),
        (">5", 0, "a field, such as bones, is missing"),
    ],
)
def test_an_error_points_at_the_character(text: str, at: int, why: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert (caught.value.at, why in caught.value.why) == (at, True), caught.value.why


@pytest.mark.parametrize("text", ["(" * 9999, "not " * 9999, "a " * (MOST + 1), "(" * DEEPEST + "(a"])
def test_a_query_without_end_is_refused(text: str) -> None:
    with pytest.raises(QueryError):
        parse(text)
