"""A reference from a row of a table to a row of another table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import Make, until
from tests.creature_files import write_creature
from tests.desktop import Desktop
from tests.table_files import displays, models
from viewer.app.loop import App
from viewer.app.open_files.table_reference import opened_table, select_row
from viewer.scene.items import RowItem
from viewer.session.requests import OpenRow, OpenRowModel


@pytest.fixture
def app(make: Make, tmp_path: Path) -> App:
    (tmp_path / "CreatureDisplayInfo.dbc").write_bytes(displays())
    return make(tmp_path / "CreatureDisplayInfo.dbc")


def follow(app: App, tmp_path: Path, id: int) -> None:
    app.post(OpenRow(str(tmp_path / "CreatureDisplayInfo.dbc"), "CreatureModelData", id))


@pytest.mark.parametrize("name", ["CreatureModelData.dbc", "creaturemodeldata.DBC"])
def test_the_table_beside_opens_at_the_row_whatever_the_case_of_its_name(
    app: App, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(models())
    follow(app, tmp_path, 3)
    until(app, lambda state: len(state.documents.opened) == 2)
    assert app.state.document is not None and Path(app.state.document.path).name == name
    assert app.state.view.selection.picked == RowItem(1)


def test_an_open_table_comes_into_view_at_the_row(app: App, tmp_path: Path) -> None:
    (tmp_path / "CreatureModelData.dbc").write_bytes(models())
    follow(app, tmp_path, 3)
    until(app, lambda state: len(state.documents.opened) == 2)
    app.state.show(0)
    follow(app, tmp_path, 7)
    until(app, lambda state: state.documents.current == 1)
    assert app.state.view.selection.picked == RowItem(0) and len(app.state.documents.opened) == 2


def test_the_rows_that_refer_to_a_row_are_filtered(app: App, tmp_path: Path) -> None:
    wanted = OpenRow(str(tmp_path / "CreatureModelData.dbc"), "CreatureDisplayInfo", 7, "CreatureModelData")
    shown = opened_table(app.state, wanted)
    assert shown is app.state.document and shown is not None
    select_row(app.state, shown, wanted)
    assert app.state.interface.table_filter == "CreatureModelData:7"


def test_a_missing_row_is_a_message(app: App, tmp_path: Path) -> None:
    (tmp_path / "CreatureModelData.dbc").write_bytes(models())
    follow(app, tmp_path, 1000)
    until(app, lambda state: len(state.documents.opened) == 2)
    assert "CreatureModelData.dbc has no row 1000" in [each.text for each in app.state.messages]


def test_a_missing_table_is_a_message(app: App, tmp_path: Path) -> None:
    follow(app, tmp_path, 7)
    until(app, lambda state: bool(state.messages))
    assert app.state.messages[-1].text == "CreatureModelData.dbc is missing beside CreatureDisplayInfo.dbc"
    assert len(app.state.documents.opened) == 1


def test_a_row_of_displays_opens_its_model(ctx: Any, tmp_path: Path) -> None:
    path = write_creature(tmp_path)
    desktop = Desktop(ctx, tmp_path / "DBFilesClient" / "CreatureDisplayInfo.dbc")
    try:
        table = desktop.state.document
        assert table is not None
        for row, id in ((2, 40), (1, 20)):
            desktop.app.post(OpenRowModel(table.path, row))
            desktop.frames(2)
            desktop.settle()
            document = desktop.state.document
            assert document is not None
            assert (document.path, document.displays.worn_id) == (str(path), id)
        desktop.app.post(OpenRowModel(table.path, 5))
        desktop.frames(2)
        desktop.settle()
        assert "names no model" in desktop.state.messages[-1].text
    finally:
        desktop.close()
