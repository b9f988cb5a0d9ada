"""The Files panel under the mouse and the keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from viewer.scene.files import Mark
from viewer.session.file_columns import BY_NAME, FILE_SORTS, HEART, STAR, date_text
from viewer.session.file_list import QueryResult
from viewer.session.file_table import FactColumns
from viewer.session.requests import OpenListed
from viewer.ui.files.file_texts import details
from viewer.ui.files.files_panel import FilesPanel, columns
from viewer.ui.files.header import counts_text

FIRST, SECOND = "/files/a/afile0.mdl", "/files/a/afile1.mdl"


@pytest.fixture
def panel(listed: Any) -> Any:
    """The panel, drawn."""
    listed.show(FilesPanel())
    return listed


def row(desk: Any, number: int) -> tuple[float, float]:
    """The middle of a row of the list."""
    style = imgui.get_style()
    line = desk.line + style.cell_padding.y * 2 - style.item_spacing.y
    frame = imgui.get_font_size() + 2 * style.frame_padding.y + style.item_spacing.y
    top = 2 * frame + desk.line + line
    return 90.0, top + (number + 0.5) * line


def test_a_click_selects_ctrl_adds_and_shift_takes_a_range(panel: Any) -> None:
    panel.click(*row(panel, 0))
    assert panel.state.files.selected == {FIRST} and panel.posted == []
    panel.move(*row(panel, 2))
    panel.press(held="Ctrl")
    panel.release()
    assert panel.state.files.selected == {FIRST, "/files/a/afile2.mdl"}
    panel.click(*row(panel, 1))
    panel.move(*row(panel, 3))
    panel.press(held="Shift")
    panel.release()
    assert len(panel.state.files.selected) == 3


def test_a_double_click_opens(panel: Any) -> None:
    panel.state.files.wall = True
    panel.click(*row(panel, 1))
    panel.click(*row(panel, 1))
    assert panel.posted == [OpenListed(SECOND)] and not panel.state.files.wall


def test_arrows_move_and_enter_opens(panel: Any) -> None:
    panel.click(*row(panel, 0))
    panel.frames(3)  # keys wait for what may become a drag
    panel.key("DOWN")
    assert panel.state.files.cursor == SECOND
    panel.key("RETURN")
    assert panel.posted == [OpenListed(SECOND)]
    panel.key("END")
    assert panel.state.files.cursor == "/files/b/bfile39.mdl"


def test_ctrl_a_selects_all(panel: Any) -> None:
    panel.click(*row(panel, 0))
    panel.frames(3)  # keys wait for what may become a drag
    panel.key("A", "Ctrl")
    assert len(panel.state.files.selected) == 80


def test_letters_go_to_the_query_only_if_it_was_clicked(panel: Any) -> None:
    panel.click(*row(panel, 0))
    assert not panel.state.files.takes_text
    panel.host.input.text("b")
    panel.frames()
    assert panel.state.files.query == ""
    panel.click(60, panel.line / 2 + 10)
    panel.host.input.text("b/3")
    panel.frames(2)
    assert panel.state.files.query == "b/3"


def typed(desk: Any, text: str) -> None:
    """Click the query field and type."""
    desk.click(60, desk.line / 2 + 10)
    desk.host.input.text(text)
    desk.frames(2)


@pytest.mark.parametrize("folded", [False, True])
def test_enter_in_the_query_field_opens_the_first_match(
    panel: Any, answer: Callable[[], None], folded: bool
) -> None:
    panel.state.interface.preferences.files_folded = folded
    panel.state.files.choose(FIRST)
    typed(panel, "bfile3")
    answer()
    assert panel.state.files.cursor == "/files/b/bfile3.mdl"
    panel.key("RETURN")
    assert panel.posted == [OpenListed("/files/b/bfile3.mdl")]


def test_enter_in_the_query_field_waits_for_the_answer(panel: Any, answer: Callable[[], None]) -> None:
    typed(panel, "bfile3")
    panel.key("RETURN")
    assert panel.posted == []
    answer()
    assert panel.posted == [OpenListed("/files/b/bfile3.mdl")]


def test_enter_in_the_query_field_opens_nothing_without_a_match(
    panel: Any, answer: Callable[[], None]
) -> None:
    panel.state.files.choose(FIRST)
    for text in ("", "nothing"):
        typed(panel, text)
        answer()
        panel.key("RETURN")
    assert panel.posted == []


def test_down_leads_from_the_query_field_into_the_list(panel: Any, answer: Callable[[], None]) -> None:
    files = panel.state.files
    files.choose(FIRST)
    typed(panel, "bfile3")
    answer()
    panel.key("DOWN")
    assert files.selected == {"/files/b/bfile3.mdl"}
    panel.frames(2)
    panel.key("DOWN")
    assert files.cursor == "/files/b/bfile30.mdl"
    panel.host.input.text("x")
    panel.frames(2)
    assert files.query == "bfile3", "the field is left"
    typed(panel, "")
    panel.key("RETURN")
    assert panel.posted == [OpenListed("/files/b/bfile30.mdl")], "the cursor is among the matches"


def test_down_leads_to_the_first_row_without_a_cursor(panel: Any) -> None:
    typed(panel, "")
    panel.key("DOWN")
    assert panel.state.files.selected == {FIRST}


def test_escape_leaves_the_query_field_with_its_text(panel: Any) -> None:
    typed(panel, "b")
    panel.key("RETURN")
    typed(panel, "3")
    panel.key("BACKSPACE")
    panel.key("BACKSPACE")
    assert panel.state.files.query == ""
    panel.key("ESCAPE")
    assert panel.state.files.query == "" and not imgui.is_any_item_active()


def test_folders_fold_by_keys_and_stay_open_in_another_order(panel: Any) -> None:
    panel.state.interface.preferences.files_folded = True
    panel.state.files.cursor = ""
    panel.frames(2)
    panel.click(*row(panel, 0))
    assert panel.state.files.cursor == "a/"
    panel.key("LEFT")
    panel.key("DOWN")
    assert panel.state.files.cursor == "b/"


def test_a_cursor_from_elsewhere_is_scrolled_to(panel: Any) -> None:
    panel.state.files.choose("/files/b/bfile30.mdl")
    panel.frames(3)
    assert any("file30" in text for text in shown_rows(panel))


def test_the_wheel_scrolls_away_from_the_cursor(panel: Any) -> None:
    panel.state.files.choose("/files/b/bfile30.mdl")
    panel.frames(3)
    panel.move(90, 200)
    panel.host.input.wheel(0, 60)
    panel.frames(12)
    assert "a/afile0.mdl" in shown_rows(panel)


def test_a_click_on_a_header_sorts_and_a_second_one_reverses(panel: Any) -> None:
    preferences = panel.state.interface.preferences
    preferences.files_sort = "size"
    panel.frames(2)
    found = []
    for _ in range(3):
        panel.click(*row(panel, -1))
        panel.frames(30)  # no double click
        found.append((preferences.files_sort, preferences.files_descending))
    assert found == [("name", False), ("name", True), ("name", False)]


def shown_rows(desk: Any) -> list[str]:
    """The names that the list shows: those whose row is in the scrolled part."""
    table = desk.state.files.table
    style = imgui.get_style()
    line = desk.line + style.cell_padding.y * 2 - style.item_spacing.y
    inner = next(
        window
        for window in imgui.get_current_context().windows
        if window.name.startswith("desk/files") and window.active
    )
    first = int(inner.scroll.y / line)
    return table.names[first : first + int(inner.size.y / line)]


def test_an_error_of_the_query_is_told_in_place_of_the_counts(panel: Any) -> None:
    files = panel.state.files
    assert counts_text(files, 80) == "80 files"
    files.query, files.result = "bones>", QueryResult("bones>", error="a number is missing", at=6)
    panel.frames(2)
    files.selected, files.progress = {FIRST, SECOND}, "reading 12 %"
    assert counts_text(files, 1_234) == "1,234 of 80 files, 2 selected, reading 12 %"


def test_a_file_is_dragged_out_of_the_list(panel: Any) -> None:
    panel.move(*row(panel, 1))
    panel.press()
    panel.move(200, 250)
    panel.frames(2)
    payload = imgui.get_drag_drop_payload_py_id()
    assert payload is not None and panel.state.files.table.path(payload.data_id) == SECOND
    panel.release()


def test_the_column_of_the_order_is_kept_where_there_is_little_room() -> None:
    assert columns("bones", 17) == ("bones",)
    assert columns("name", 17) == ("size",)
    assert columns("name", 60) == FILE_SORTS[1:]
    assert columns("size", 5) == ()


def test_cells_and_details_of_a_file(listed: Any) -> None:
    files, table = listed.state.files, listed.state.files.table
    table.learn(
        FactColumns.of(
            table,
            [
                (
                    "/files/a/afile3.mdl",
                    "model",
                    {"bones": 12, "triangles": 3456},
                    "cut off",
                    "Fire Bolt",
                    None,
                )
            ],
        )
    )
    assert [BY_NAME[name].text(table, 3) for name in FILE_SORTS[1:3]] == ["model", "3 B"]
    assert [BY_NAME[name].text(table, 3) for name in ("bones", "triangles")] == ["12", "3,456"]
    assert BY_NAME["bones"].text(table, 4) == ""
    told = details(files, table, 3)
    assert "a/afile3.mdl" in told and "3,456 triangles" in told and "cut off" in told
    assert told.splitlines()[1] == "Fire Bolt"


def test_the_details_of_a_file_of_a_game_name_its_archives(listed: Any) -> None:
    files, table = listed.state.files, listed.state.files.table
    archives = {SECOND: ("patch-3.MPQ", "patch.MPQ", "common.MPQ"), FIRST: ("patch.MPQ",)}
    files.sources = lambda path: archives.get(path, ())
    rows = [table.row(each) for each in (FIRST, SECOND)]
    assert [details(files, table, each).splitlines()[-1] for each in rows] == [
        "From patch.MPQ",
        "From patch-3.MPQ; hides the file in patch.MPQ, common.MPQ",
    ]
    assert "From" not in details(files, table, 9)


def test_times_that_no_calendar_has_are_empty() -> None:
    assert date_text(2**70) == "" and date_text(0)


def test_what_the_query_finds_is_listed(panel: Any) -> None:
    files = panel.state.files
    files.query = "x"
    files.result = QueryResult("x", files.table, np.array([41]))
    panel.frames(2)
    panel.click(*row(panel, 0))
    assert files.selected == {"/files/b/bfile1.mdl"}


def test_the_rating_is_a_column_of_stars_and_a_heart(listed: Any) -> None:
    table = listed.state.files.table
    table.mark({FIRST: Mark(2, True), SECOND: Mark(0, True)})
    assert [BY_NAME["rating"].text(table, row) for row in range(3)] == [f"{STAR}{STAR} {HEART}", HEART, ""]
    assert BY_NAME["rating"].text(table, 0) in details(listed.state.files, table, 0)


def test_the_rating_is_kept_where_there_is_little_room_only_if_files_are_marked() -> None:
    assert columns("name", 20, marked=True) == ("rating",)
    assert "rating" not in columns("name", 20)
