"""Selected bytes, typed offsets, places in the hex view."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.binary.dtypes import rows_span
from viewer.binary.span import Span
from viewer.errors import Report
from viewer.scene.document import Document
from viewer.ui.bytes.byte_selection import ByteSelection, parse_offset
from viewer.ui.bytes.hex_grid import BRIGHT, DIM, DOT, LETTER, HexGrid, digits_of, fitting, letters_of, runs


def document(size: int = 40) -> Document:
    numbers = np.arange(size // 4, dtype="<u4")
    children = [rows_span("numbers", numbers[:-2], 0), Span("tail", size - 8, 8)]
    return Document(
        "a.bin", "", "", numbers.tobytes(), Span("a.bin", 0, size, children=children), None, Report()
    )


def test_bytes_select_the_innermost_node_and_nodes_their_bytes() -> None:
    view = ByteSelection(document())
    view.move_cursor(5)
    assert (view.name, view.first, view.last) == ("numbers/[1]", 5, 5)
    view.move_cursor(9, extend=True)
    assert (view.name, view.first, view.last) == ("numbers", 5, 9)
    view.choose((0, 1))
    assert (view.name, view.first, view.last, view.cursor) == ("tail", 32, 39, 32)
    assert view.selected == view.data[32:]


def test_a_reference_is_followed_to_what_it_points_at() -> None:
    made = document()
    made.root.children[1].target = 8
    view = ByteSelection(made)
    assert not view.follow()
    view.choose((0, 1))
    assert view.follow()
    assert (view.name, view.cursor) == ("numbers/[2]", 8)


def test_the_cursor_stays_in_the_file() -> None:
    view = ByteSelection(document())
    view.move_cursor(1000)
    assert view.cursor == 39
    view.move_cursor(-3)
    assert view.cursor == 0


def test_selecting_is_told_once() -> None:
    view = ByteSelection(document())
    assert not view.take_change()
    view.move_cursor(3)
    assert view.take_change() and not view.take_change()


def test_hover_is_read_one_frame_later() -> None:
    view = ByteSelection(document())
    view.point(3, 5)
    assert view.hover is None
    view.turn()
    assert view.hover == (3, 5)
    view.turn()
    assert view.hover is None


def test_a_file_read_again_keeps_place_and_open_nodes() -> None:
    view = ByteSelection(document())
    view.tree.open(0).open(0)
    view.move_cursor(38)
    count = len(view.tree)
    view.renew(document(24))
    assert (view.cursor, view.name) == (23, "tail")
    assert len(view.tree) == count - 4
    view.renew(Document("a.bin", "", "", b"", Span("a.bin", 0, 0), None, Report()))
    assert (view.cursor, view.selected) == (0, b"")


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("31", 31),
        ("0x1F", 31),
        ("1fh", 31),
        ("1F", 31),
        ("0000001F", 31),
        ("00000010", 16),
        ("+16", 116),
        ("- 0x10", 84),
    ],
)
def test_typed_offsets(text: str, offset: int) -> None:
    assert parse_offset(text, 100, 8) == offset


@pytest.mark.parametrize("text", ["", "+", "xyz", "0x"])
def test_what_is_no_offset(text: str) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        parse_offset(text, 0, 8)


GRID = HexGrid(16, 8, 10.0, 20.0)


@pytest.mark.parametrize("column", range(16))
def test_a_pointer_on_a_byte_finds_its_column(column: int) -> None:
    assert GRID.column_at(GRID.hex_x(column) + 1) == column
    assert GRID.column_at(GRID.hex_x(column) + 19) == column
    assert GRID.column_at(GRID.text_x(column) + 5) == column


def test_a_pointer_beside_the_bytes_finds_the_nearest() -> None:
    assert (GRID.column_at(-50), GRID.column_at(9999)) == (0, 15)
    assert not GRID.on_bytes(30) and GRID.on_bytes(GRID.hex_x(0)) and not GRID.on_bytes(GRID.width)


@pytest.mark.parametrize(("width", "columns"), [(2000, 16), (GRID.width, 16), (GRID.width - 1, 8), (10, 4)])
def test_as_many_columns_as_fit(width: float, columns: int) -> None:
    assert fitting(width, 8, 10.0, 20.0).columns == columns


def test_a_range_takes_up_lines() -> None:
    assert runs(18, 50, 16, 160, 16) == [(0, 2, 16), (1, 0, 16), (2, 0, 2)]
    assert runs(0, 500, 16, 40, 16) == [(0, 0, 16), (1, 0, 8)]
    assert runs(500, 600, 16, 40, 16) == []


def test_the_two_texts_of_a_line_make_up_all_of_it() -> None:
    row = bytes([0, 65, 0, 10, 255, 32, 1, 2, 0, 66])
    both = [max(pair) for pair in zip(digits_of(row, BRIGHT), digits_of(row, DIM), strict=True)]
    assert "".join(both).split() == [f"{byte:02X}" for byte in row]
    assert digits_of(row, BRIGHT).index("42") * 10 == GRID.hex_x(9) - GRID.hex_x(0)
    both = [max(pair) for pair in zip(letters_of(row, LETTER), letters_of(row, DOT), strict=True)]
    assert "".join(both) == ".A... ...B"
