"""Spans as rows and patches."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.synthetic import write_pair
from viewer.binary.dtypes import RECORD, rows_span
from viewer.binary.span import Span
from viewer.errors import Report
from viewer.scene.document import Document
from viewer.scene.items import BoneItem
from viewer.scene.model import Model
from viewer.storage.documents import open_document
from viewer.ui.bytes.span_rows import UNKNOWN_TINT, node_at, patches, path_name, path_to, span_line, value_of
from viewer.ui.kit.texts import parse_number
from viewer.ui.kit.tree_rows import Branch

POINT = np.dtype([("x", "<f4"), ("y", "<f4"), ("id", "<u2")])


@pytest.fixture
def root() -> Span:
    """A count of 4 bytes, a million points of 10, a tail of 6."""
    points = np.zeros(1_000_000, POINT)
    return Span(
        "file",
        0,
        10_000_010,
        children=[
            Span("count", 0, 4, "u32", 1_000_000, "how many"),
            rows_span("points", points, 4),
            Span("tail", 10_000_004, 6, "text", "end"),
        ],
    )


@pytest.mark.parametrize(
    ("first", "last", "name"),
    [
        (0, 3, "count"),
        (2, 2, "count"),
        (4 + 10 * 765_432 + 5, 4 + 10 * 765_432 + 5, "points/[765432]/y"),
        (4 + 10 * 7 + 3, 4 + 10 * 7 + 6, "points/[7]"),
        (19, 30, "points"),
        (3, 4, "file"),
        (10_000_005, 10_000_009, "tail"),
        (99_000_000, 99_000_000, "file"),
    ],
)
def test_the_innermost_span_that_holds_a_range(root: Span, first: int, last: int, name: str) -> None:
    path = path_to(root, first, last)
    assert path_name(root, path) == name
    assert node_at(root, path).name == name.rpartition("/")[2]


def test_a_path_that_ends_early_gives_what_is_there(root: Span) -> None:
    assert node_at(root, (0, 1, 5_000_000)).name == "points"


def test_patches_tile_what_is_asked_for(root: Span) -> None:
    found = patches(root, 2, 40)
    assert [(patch.first, patch.end) for patch in found[:4]] == [(2, 4), (4, 8), (8, 12), (12, 14)]
    assert found[-1].end == 40
    assert all(a.end == b.first and a.tint != b.tint for a, b in itertools.pairwise(found))
    assert {patch.tint for patch in found} < set(range(UNKNOWN_TINT)), "the tints of known fields"


def test_patches_stop_at_the_end_of_the_file(root: Span) -> None:
    assert [(patch.first, patch.end) for patch in patches(root, 10_000_000, 99_000_000)][-1] == (
        10_000_004,
        10_000_010,
    )
    assert patches(root, 99_000_000, 99_000_100) == []


def test_a_million_rows_open_and_close_by_arithmetic(root: Span) -> None:
    tree = Branch([root], lambda span: span.children)
    place = tree.reveal((0, 1, 765_432, 2))
    assert len(tree) == 1 + 3 + 1_000_000 + 3
    (row,) = tree.rows(place, place + 1)
    assert (row.node.name, row.path, row.depth) == ("id", (0, 1, 765_432, 2), 3)
    assert next(tree.rows(len(tree) - 1, len(tree))).node.name == "tail"
    tree.open(0).close(1)
    assert len(tree) == 4
    assert tree.row_of((0, 1, 765_432, 2)) == 2, "hidden: the nearest row above"


def test_what_was_open_opens_again_in_another_tree(root: Span) -> None:
    tree = Branch([root], lambda span: span.children)
    tree.reveal((0, 1, 3, 0))
    other = Branch([root], lambda span: span.children)
    other.open_like(tree)
    assert len(other) == len(tree)


def test_the_line_of_a_span_has_its_offset_and_size(root: Span) -> None:
    tree = Branch([root], lambda span: span.children)
    tree.open(0).open(1)
    document = Document("x", "", "", b"", root, Model("x"), Report())
    line = span_line(tree.row(1010), document, digits=8)
    assert (line.offset, line.size) == (f"{4 + 10 * (1010 - 3):08X}", "10")
    assert span_line(tree.row(0), document, digits=8).size == "10 000 010"


def test_the_row_of_a_bone_has_its_name(tmp_path: Path) -> None:
    document = open_document(write_pair(tmp_path))
    span = document.origin.span(BoneItem(1))
    assert span is not None
    tree = Branch([span], lambda span: span.children)
    assert document.model is not None and document.model.skeleton is not None
    assert span_line(tree.row(0), document, 8).label == f"[1]  {document.model.skeleton.names[1]}"


@pytest.mark.parametrize(
    ("text", "value", "distance"),
    [
        ("17", 17, 0),
        ("0x1F", 31, 0),
        ("-0.25", -0.25, 5e-7),
        ("1e3", 1000, 0.005),
        ("0.0", 0, 0),
        ("1.5±0.01", 1.5, 0.01),
        ("1.5 +- 0.01", 1.5, 0.01),
    ],
)
def test_a_number_stands_for_all_that_are_written_so(text: str, value: float, distance: float) -> None:
    assert parse_number(text) == pytest.approx((value, distance), rel=1e-5)


@pytest.mark.parametrize("text", ["", "bone", "0xfg", "1.5±", "nan", "inf", "1e999"])
def test_what_is_no_number(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize(
    ("kind", "value", "shown"),
    [(RECORD, None, "1  2"), (RECORD, "whole", '"whole"'), ("list", None, ""), ("list", [7, 8], "7 8")],
)
def test_only_a_record_without_a_value_shows_the_values_of_its_fields(
    kind: str, value: Any, shown: str
) -> None:
    fields = [Span("a", 0, 4, "u32", 1), Span("b", 4, 4, "u32", 2)]
    assert value_of(Span("row", 0, 8, kind, value, children=fields)) == shown
