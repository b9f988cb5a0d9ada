"""The rows of a table, filtered and sorted."""

from __future__ import annotations

from pathlib import Path

import pytest

import tests.wow  # noqa: F401
from tests.opened import opened_file
from tests.table_files import displays, table_bytes
from viewer.families.wow.dbc.load import load_table
from viewer.scene.table import Table
from viewer.scene.text_filter import TextFilter
from viewer.ui.tables.table_page import TableGrid
from viewer.ui.tables.table_rows import TableSearch, cell, referenced


@pytest.fixture
def table() -> Table:
    content = load_table(opened_file(Path("CreatureDisplayInfo.dbc"), displays())).content
    assert isinstance(content, Table)
    return content


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("", [0, 1, 2, 3]),
        ("BEAR", [0, 1]),
        ("bear brown", [1]),
        ("706", [0]),
        ("0xff", [0, 1, 3]),
        ("1.5", [0]),
        ("70", []),
        ("xyz", []),
        ("model:7", [0, 1]),
        ("CreatureModelData:3", [2]),
        ("texture:frog", [2]),
        ("alpha:7", []),
        ("model:", []),
    ],
)
def test_each_word_is_a_part_of_a_text_or_a_whole_number(table: Table, wanted: str, found: list[int]) -> None:
    assert TableSearch(table).rows(TextFilter(wanted)).tolist() == found


def rows(table: Table, wanted: str, column: int, descending: bool) -> list[int]:
    """The rows that the page lists, sorted by a column."""
    page = TableGrid("a.dbc", table)
    page.grid.filter, page.grid.order = TextFilter(wanted), (table.columns[column].name, descending)
    return page.found()[0].tolist()


@pytest.mark.parametrize(
    ("column", "descending", "found"),
    [(0, False, [2, 3, 0, 1]), (0, True, [1, 0, 3, 2]), (4, True, [0, 1, 3, 2]), (6, False, [0, 1, 2, 3])],
)
def test_rows_are_sorted_by_the_values_of_a_column(
    table: Table, column: int, descending: bool, found: list[int]
) -> None:
    assert rows(table, "", column, descending) == found


def test_texts_are_sorted_by_their_letters_not_by_their_offsets() -> None:
    content = load_table(
        opened_file(Path("ItemVisualEffects.dbc"), table_bytes([(1, "b"), (2, "C"), (3, "a")]))
    ).content
    assert isinstance(content, Table)
    assert rows(content, "", 1, False) == [2, 0, 1]


def test_found_rows_are_sorted_too(table: Table) -> None:
    assert rows(table, "bear", 0, True) == [1, 0]


def test_cells_show_bits_as_hexadecimal_and_short_decimals(table: Table) -> None:
    assert [cell(table, 0, each) for each in (0, 4, 6)] == ["706", "1.5", "BearSkinBlack"]


def test_zero_and_plain_numbers_refer_to_nothing(table: Table) -> None:
    assert [referenced(table, 0, each) for each in (0, 1, 3)] == [None, 7, None]
