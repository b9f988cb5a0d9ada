"""The wall of all displays of one model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.creature_files import creature_tables, write_creature, write_tables
from tests.desktop import Desktop
from viewer.actions import ACTIONS_BY_NAME
from viewer.app.wall.file_library import scan
from viewer.errors import ViewerError
from viewer.scene.files import MODEL
from viewer.scene.reading_context import DEFAULT
from viewer.session.requests import OpenListed
from viewer.storage.documents import open_document
from viewer.ui.files.header import counts_text

NAMES = ["20 MadeBlack", "30 MadeGone", "40 MadeWhite, MadeEyes", "50 MadeBlack, alpha 128"]


def test_each_distinct_display_is_a_row_whose_path_opens_it(tmp_path: Path) -> None:
    path = str(write_creature(tmp_path))
    table = scan(path, DEFAULT).table
    assert table.names == NAMES and table.kind(0) is MODEL
    opened = [open_document(table.path(row)) for row in range(len(table))]
    assert [each.displays.worn_id for each in opened] == [20, 30, 40, 50]
    assert {each.path for each in opened} == {path}


def test_a_name_with_slashes_stays_one_name(tmp_path: Path) -> None:
    tables = creature_tables([(20, 7, 0, 0, 1.0, 255, "..\\a/b:c\n")])
    table = scan(str(write_creature(tmp_path, tables)), DEFAULT).table
    assert table.names == ["20 .._a_b_c_"]
    assert open_document(table.path(0)).displays.worn_id == 20


def test_rows_that_change_are_drawn_again(tmp_path: Path) -> None:
    path = str(write_creature(tmp_path))
    before = scan(path, DEFAULT).table
    write_tables(tmp_path / "DBFilesClient", creature_tables([(40, 7, 0, 0, 1.0, 255, "MadeWhite")]))
    again = scan(path, DEFAULT, before)
    assert again.table.names == ["40 MadeWhite"] and before.path(0) in again.changed


def test_a_model_without_displays_says_so(tmp_path: Path) -> None:
    with pytest.raises(ViewerError, match="no table of the game has displays of this model"):
        scan(str(write_creature(tmp_path, {})), DEFAULT)


def test_the_wall_chooses_a_display_and_goes_back_to_the_folder(ctx: Any, tmp_path: Path) -> None:
    path = write_creature(tmp_path)
    desktop = Desktop(ctx, path)
    try:
        files, action = desktop.state.files, ACTIONS_BY_NAME["display_wall"]
        action.run(desktop.state, desktop.app.post)
        while files.table is None:
            desktop.settle()
        assert files.wall and files.table.names == NAMES
        assert counts_text(files, 4) == "4 displays" and counts_text(files, 1) == "1 of 4 displays"
        desktop.rest()
        desktop.app.post(OpenListed(files.table.path(2)))
        desktop.frames(2)
        desktop.settle()
        (document,) = desktop.state.documents.opened
        assert document.displays.worn_id == 40 and desktop.state.undo.undo()
        action.run(desktop.state, desktop.app.post)
        desktop.frames(2)
        assert files.root == str(path.parent)
    finally:
        desktop.close()


def test_a_display_that_is_not_open_opens_its_model(ctx: Any, tmp_path: Path) -> None:
    path = write_creature(tmp_path)
    desktop = Desktop(ctx)
    try:
        desktop.app.post(OpenListed(f"{path}::40 MadeWhite"))
        desktop.frames(2)
        desktop.settle()
        (document,) = desktop.state.documents.opened
        assert (document.path, document.displays.worn_id) == (str(path), 40)
        assert desktop.state.view.display == 40
    finally:
        desktop.close()
