"""Spans tile their parent, are lazy, and find the byte asked for."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.binary import Rows, Span, VariableRows, tile, unexplained
from viewer.binary.dtypes import SHORT, rows_span
from viewer.binary.span import number_at, unclaimed


def rows(count: int, made: list[int] | None = None) -> Rows:
    def make(index: int, at: int) -> Span:
        if made is not None:
            made.append(index)
        return Span(f"[{index}]", at, 4, "u32")

    return Rows(100, 4, count, make)


def test_children_are_made_once_and_only_when_looked_at() -> None:
    calls: list[int] = []

    def children() -> list[Span]:
        calls.append(1)
        return [Span("a", 0, 1)]

    span = Span("root", 0, 1, children=children)
    assert not calls
    assert span.children is span.children
    assert calls == [1]


def test_rows_make_only_what_is_indexed() -> None:
    made: list[int] = []
    run = rows(1_000_000, made)
    assert len(run) == 1_000_000
    assert run[-1].offset == 100 + 999_999 * 4
    assert made == [999_999]


def test_rows_end() -> None:
    with pytest.raises(IndexError):
        rows(3)[3]
    assert [rows(3)[number].name for number in (0, 2, -1)] == ["[0]", "[2]", "[2]"]


def test_rows_slice() -> None:
    assert [span.name for span in rows(5)[1:3]] == ["[1]", "[2]"]


def test_gaps_become_unknown_spans() -> None:
    tiles = tile([Span("b", 6, 2), Span("a", 1, 3)], 0, 10)
    assert [(span.name, span.offset, span.size) for span in tiles] == [
        ("unknown", 0, 1),
        ("a", 1, 3),
        ("unknown", 4, 2),
        ("b", 6, 2),
        ("unknown", 8, 2),
    ]


def test_gaps_of_zeros_are_fill_and_explained() -> None:
    data = b"\0\0\0\0ab\0\0cd\0\1"
    tiles = tile([Span("a", 4, 2), Span("b", 8, 2)], 0, 12, data)
    assert [(each.name, each.offset, each.size) for each in tiles] == [
        ("zero fill", 0, 4),
        ("a", 4, 2),
        ("zero fill", 6, 2),
        ("b", 8, 2),
        ("unknown", 10, 2),
    ]
    assert unexplained(Span("root", 0, 12, children=tiles)) == 2


def test_unclaimed_goes_on_span_by_span_however_deep_the_tree_is() -> None:
    root = Span("leaf", 0, 1, "unknown")
    for depth in range(5000):
        root = Span(f"level {depth}", 0, 1, children=[root])
    parts = unclaimed(root)
    assert [next(parts) for _ in range(5000)] == [0] * 5000
    assert list(parts) == [1]


def test_counting_keeps_no_spans() -> None:
    made: list[int] = []

    def children() -> list[Span]:
        made.append(len(made))
        return [Span("gap", 0, 3, "unknown"), Span("known", 3, 5)]

    root = Span("root", 0, 8, children=children)
    assert (unexplained(root), unexplained(root), len(made)) == (3, 3, 2)
    assert root.children is root.children and unexplained(root) == 3
    assert len(made) == 3


def test_unexplained_counts_the_gaps_of_all_levels() -> None:
    inner = Span("a", 0, 4, children=tile([Span("x", 0, 1)], 0, 4))
    root = Span("root", 0, 6, children=tile([inner], 0, 6))
    assert unexplained(root) == 3 + 2


def test_rows_are_explained_by_their_type() -> None:
    made: list[int] = []
    assert unexplained(Span("root", 100, 40, children=rows(10, made))) == 0
    assert not made


def test_at_goes_down_to_the_innermost() -> None:
    run = Span("run", 100, 40, children=rows(10))
    root = Span("root", 90, 60, children=tile([run], 90, 60))
    assert [span.name for span in root.at(109)] == ["root", "run", "[2]"]
    assert [span.name for span in root.at(95)] == ["root", "unknown"]
    assert [span.name for span in root.at(90)] == ["root", "unknown"]
    assert root.at(89) == root.at(150) == []


def test_child_by_name() -> None:
    root = Span("root", 0, 1, children=[Span("a", 0, 1)])
    assert root.child("a").size == 1
    with pytest.raises(KeyError):
        root.child("b")


def test_uneven_rows_are_made_when_indexed_and_found_by_offset() -> None:
    starts = np.array([10, 12, 20, 20, 30])
    made: list[int] = []

    def row(index: int, at: int) -> Span:
        made.append(index)
        return Span(f"[{index}]", at, int(starts[index + 1]) - at)

    rows = VariableRows(starts, row, unexplained=3)
    root = Span("root", 10, 20, children=rows)
    assert len(rows) == 4 and made == []
    assert [span.name for span in root.at(15)] == ["root", "[1]"]
    assert [number_at(rows, offset) for offset in (9, 10, 19, 20, 29, 30)] == [None, 0, 1, 3, 3, None]
    assert unexplained(root) == 3
    assert [span.size for span in rows[1:]] == [8, 0, 10] and rows[-1].offset == 20
    assert [rows[index].name for index in (0, 3, -4)] == ["[0]", "[3]", "[0]"]
    for outside in (4, -5):
        with pytest.raises(IndexError):
            rows[outside]


def test_overlapping_spans_are_clipped_so_that_they_tile() -> None:
    spans = [Span("a", 0, 6), Span("b", 4, 4), Span("within", 5, 2), Span("c", 7, 30)]
    tiles = tile(spans, 0, 10)
    assert [(span.name, span.offset, span.size) for span in tiles] == [("a", 0, 6), ("b", 6, 2), ("c", 8, 2)]
    assert [bool(span.warning) for span in tiles] == [False, True, True]


def test_rows_are_found_by_their_bytes_from_the_first_to_the_last() -> None:
    assert [number_at(rows(3), offset) for offset in (99, 100, 103, 104, 111, 112)] == [
        None,
        0,
        0,
        1,
        2,
        None,
    ]


def test_an_array_of_few_plain_numbers_has_them_as_its_value() -> None:
    assert rows_span("a", np.arange(SHORT), 0).value == list(range(SHORT))
    assert rows_span("a", np.arange(SHORT + 1), 0).value is None
    assert rows_span("a", np.zeros((2, 3)), 0).value is None
    assert rows_span("a", np.zeros(2, [("x", "<f4")]), 0).value is None


def test_children_of_different_sizes_are_found_by_their_bytes() -> None:
    spans = [Span(str(number), 10 * number, number) for number in range(1, 9)]
    assert [number_at(spans, span.offset) for span in spans] == list(range(8))
    assert [number_at(spans, span.end) for span in spans] == [None] * 8
