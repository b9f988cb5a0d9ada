"""The page of a table under a fake mouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.table_files import displays, models, table_bytes
from viewer.scene.items import ByteItem, RowItem
from viewer.scene.text_filter import TextFilter
from viewer.session.requests import OpenRow, OpenRowModel
from viewer.storage.documents import open_document
from viewer.ui.kit.tree_rows import Row
from viewer.ui.kit.widgets import take_copied
from viewer.ui.tables.table_page import TablePage, _GridRows
from viewer.ui.tables.table_rows import cell

pytestmark = pytest.mark.usefixtures("wow")


@pytest.fixture
def table(desk: Any, tmp_path: Path) -> Any:
    (tmp_path / "CreatureDisplayInfo.dbc").write_bytes(displays())
    desk.state.put(open_document(tmp_path / "CreatureDisplayInfo.dbc"))
    return desk


def at(row: int, x: float = 30.0) -> tuple[float, float]:
    """A point of a row; row -1 has the headings."""
    return x, 72.0 + row * (imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y)


def grid(page: TablePage) -> Any:
    return page._grid.value


def test_it_draws(table: Any) -> None:
    table.show(TablePage())
    table.frames(3)
    assert table.posted == []


def test_a_table_without_rows_draws(desk: Any, tmp_path: Path) -> None:
    data = bytearray(table_bytes([(1, 2)]))
    data[4] = 0
    (tmp_path / "a.dbc").write_bytes(bytes(data))
    desk.state.put(open_document(tmp_path / "a.dbc"))
    desk.show(TablePage())
    desk.frames(2)


def test_a_click_selects_the_row_and_its_bytes(table: Any) -> None:
    page = TablePage()
    table.show(page)
    table.frames(2)
    table.click(*at(2))
    assert table.state.view.selection.picked == RowItem(2)
    assert table.state.document.origin.span(RowItem(2)).offset == 20 + 48 * 2


def test_a_click_on_a_reference_asks_for_the_referenced_row(table: Any) -> None:
    table.show(TablePage())
    table.frames(2)
    table.click(*at(0, 90.0))
    assert table.posted == [OpenRow(table.state.document.path, "CreatureModelData", 7)]
    assert table.state.view.selection.picked == RowItem(0)


def test_a_double_click_asks_for_the_rows_that_refer_to_a_row(desk: Any, tmp_path: Path) -> None:
    (tmp_path / "CreatureModelData.dbc").write_bytes(models())
    desk.state.put(open_document(tmp_path / "CreatureModelData.dbc"))
    page = TablePage()
    desk.show(page)
    desk.frames(2)
    grid(page).grid.cursor = (1,)
    drawn = _GridRows(grid(page), desk.state, desk.posted.append)
    drawn.open(Row(1, 0, grid(page).grid._last.value[1], 1))
    path = desk.state.document.path
    assert desk.posted == [OpenRow(path, "CreatureDisplayInfo", 3, "CreatureModelData")]


def test_another_table_has_column_widths_of_its_own(table: Any, tmp_path: Path) -> None:
    page = TablePage()
    table.show(page)
    table.frames(3)
    (tmp_path / "CreatureModelData.dbc").write_bytes(models())
    table.state.put(open_document(tmp_path / "CreatureModelData.dbc"))
    table.frames(3)
    table.click(*at(1, 260.0))
    assert table.state.view.selection.picked == RowItem(1) and table.posted == []
    assert grid(page).grid._name.endswith("CreatureModelData.dbc")


def test_the_page_takes_over_a_filter(table: Any) -> None:
    page = TablePage()
    table.show(page)
    table.frames(1)
    table.state.interface.table_filter = "CreatureModelData:7"
    table.frames(2)
    assert grid(page).grid._last.value[1].nodes == [0, 1] and table.state.interface.table_filter == ""


def test_a_byte_of_a_row_selects_the_row(table: Any) -> None:
    page = TablePage()
    table.show(page)
    table.frames(2)
    table.state.view.selection.pick(ByteItem(20 + 48 + 7))
    table.frames(2)
    assert grid(page).grid.cursor == (1,)


def test_the_filter_narrows_the_rows(table: Any) -> None:
    page = TablePage()
    table.show(page)
    table.frames(1)
    grid(page).grid.filter = TextFilter("frog")
    table.frames(2)
    assert grid(page).grid._last.value[1].nodes == [2]


def test_ctrl_c_copies_the_selected_row(table: Any) -> None:
    table.show(TablePage())
    table.frames(2)
    table.click(*at(1, 260.0))
    table.key("C", "Ctrl")
    copied = imgui.get_clipboard_text().split("\t")
    assert "\\t" not in take_copied(), "the note of the status line has spaces instead of tabs"
    assert len(copied) > 5 and copied[0] == str(cell(table.state.document.content, 1, 0))


def test_a_click_on_a_heading_sorts(table: Any) -> None:
    page = TablePage()
    table.show(page)
    table.frames(2)
    table.click(*at(-1))
    table.frames(2)
    assert grid(page).grid.order == ("id", False)
    assert grid(page).grid._last.value[1].nodes == [2, 3, 0, 1]


def test_the_menu_of_a_row_opens_its_model(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table.show(TablePage())
    table.frames(2)
    monkeypatch.setattr(imgui, "menu_item_simple", lambda label, *more: label == "Open the model")
    table.click(*at(1), button="right")
    table.frames(1)
    assert OpenRowModel(table.state.document.path, 1) in table.posted
