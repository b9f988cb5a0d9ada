"""Looking through the spans of a file."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.binary.dtypes import rows_span
from viewer.binary.span import UNKNOWN, Rows, Span
from viewer.errors import FormatError, Report
from viewer.scene.document import Document
from viewer.scene.text_filter import TextFilter
from viewer.ui.bytes import span_filter
from viewer.ui.bytes.span_filter import Filter, Problems
from viewer.ui.bytes.span_rows import path_name

POINT = np.dtype([("position", "<f4", 3), ("id", "<u2")])


def tree(count: int = 1000) -> Span:
    points = np.zeros(count, POINT)
    points["id"] = np.arange(count) % 65536
    points["position"][7] = (0.25, 0.5, np.nan)
    size = points.nbytes
    inner = [Span("name", 0, 4, "text", "Head"), Span("parent", 4, 4, "u32", 7)]
    return Span(
        "file",
        0,
        size + 8,
        children=[Span("bone", 0, 8, "bone", children=inner), rows_span("points", points, 8)],
    )


def found(root: Span, text: str) -> list[str]:
    looking = Filter(root, TextFilter(text))
    while not looking.done:
        looking.advance()
    return [path_name(root, path) for path in looking.hits]


def test_by_name_and_by_value() -> None:
    assert found(tree(), "HEAD") == ["bone/name"]
    assert found(tree(), "nothing of the kind") == []
    assert found(tree(), "paren") == ["bone/parent"]


def test_a_field_of_bulk_rows_is_found_once_by_name() -> None:
    assert found(tree(), "position") == ["points/[0]/position"]


def test_numbers_in_bulk_rows() -> None:
    assert found(tree(), "0.5") == ["points/[7]/position"]
    assert found(tree(), "7") == ["bone/parent", "points/[7]/id"]
    assert found(tree(), "7±1")[-3:] == ["points/[6]/id", "points/[7]/id", "points/[8]/id"]


def test_plain_rows_are_searched_too() -> None:
    root = Span("file", 0, 8, children=[rows_span("indices", np.array([3, 9, 3, 4], "<u2"), 0)])
    assert found(root, "9") == ["indices", "indices/[1]"], "a short run shows its values in its own line"


def test_rows_without_an_array_are_walked() -> None:
    rows = Rows(0, 2, 5, lambda number, at: Span(f"[{number}]", at, 2, "text", "x" * number))
    assert found(Span("file", 0, 10, children=rows), "xxx") == ["[3]", "[4]"]


def test_no_step_makes_more_than_it_is_asked_for() -> None:
    made = 0

    def make(number: int, at: int) -> Span:
        nonlocal made
        made += 1
        return Span(f"[{number}]", at, 1)

    looking = Filter(Span("file", 0, 10**6, children=Rows(0, 1, 10**6, make)), TextFilter("zzz"))
    looking.advance(50)
    assert made <= 50 and not looking.done


def test_too_many_hits_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(span_filter, "KEPT_HITS", 5)
    looking = Filter(tree(), TextFilter("0"))
    while not looking.done:
        looking.advance()
    assert looking.full and len(looking.hits) == 5


def problems(document: Document) -> list[tuple[int, str, bool]]:
    looking = Problems(document)
    while not looking.done:
        looking.advance(3)
    return [(each.offset, each.text, each.error) for each in looking.found]


def document(root: Span, *errors: FormatError) -> Document:
    return Document("a.bin", "", "", bytes(root.size), root, None, Report(errors=list(errors)))


def test_a_whole_file_has_no_problems() -> None:
    assert problems(document(tree())) == []


def test_unclaimed_bytes_and_the_innermost_error() -> None:
    root = Span(
        "file",
        0,
        20,
        error="cut off",
        children=[
            Span(UNKNOWN, 0, 4, UNKNOWN),
            Span(
                "bones",
                4,
                16,
                error="cut off",
                children=[Span("[0]", 4, 8), Span("[1]", 12, 8, error="cut off")],
            ),
        ],
    )
    assert problems(document(root)) == [
        (0, "4 bytes that belong to no field", False),
        (12, "[1]: cut off", True),
    ]


def test_a_reported_error_is_told_once_and_exactly_where() -> None:
    root = Span("file", 0, 20, error="cut off", children=[Span("count", 0, 4)])
    error = FormatError("cut off", "file/bones[3]", 17, "a.bin")
    elsewhere = FormatError("no such tag", "material", 3, "b.xml")
    assert problems(document(root, error, elsewhere)) == [(17, "file/bones[3]: cut off", True)]
