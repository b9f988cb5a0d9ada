"""The wall under the mouse and the keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from tests.labels import drawn_labels
from viewer.scene.files import Mark
from viewer.session.file_columns import HEART, STAR
from viewer.session.file_list import QueryResult
from viewer.session.file_table import FactColumns, FileTable
from viewer.session.requests import MarkFiles, OpenListed
from viewer.ui.files import tiles
from viewer.ui.files.file_texts import details, title
from viewer.ui.files.tiles import Grid
from viewer.ui.files.wall import Wall
from viewer.ui.kit.shortcuts import run_shortcuts
from viewer.view.view_info import PanelPicture

FIRST = "/files/a/afile0.mdl"


@pytest.fixture
def wall(listed: Any) -> Any:
    """The wall with the smallest pictures, several in a row."""
    listed.state.interface.preferences.picture_size = 56.0
    listed.state.files.wall = True
    listed.show(Wall())
    listed.frames(2)
    return listed


def grid() -> Grid:
    return Grid.of(80, 400 - imgui.get_style().scrollbar_size, 56.0)


def tile(number: int) -> tuple[float, float]:
    """The middle of a picture; the header takes two rows in a narrow window."""
    child = next(
        window
        for window in imgui.get_current_context().windows
        if window.name.startswith("desk/wall") and window.active
    )
    x, y = grid().corner(number)
    return child.pos.x + x + 28, child.pos.y + y + 28 - child.scroll.y


def test_a_click_selects_and_a_double_click_opens(wall: Any) -> None:
    wall.click(*tile(1))
    assert wall.state.files.selected == {"/files/a/afile1.mdl"}
    wall.click(*tile(1))
    assert wall.posted == [OpenListed("/files/a/afile1.mdl")] and not wall.state.files.wall


def test_arrows_move_in_the_grid(wall: Any) -> None:
    wall.click(*tile(0))
    assert wall.state.files.cursor == FIRST
    wall.key("RIGHT")
    assert wall.state.files.cursor == "/files/a/afile1.mdl"
    wall.key("DOWN")
    assert wall.state.files.cursor == f"/files/a/afile{1 + grid().columns}.mdl"
    wall.key("RIGHT", "Shift")
    assert len(wall.state.files.selected) == 2
    wall.key("RETURN")
    assert wall.posted == [OpenListed(wall.state.files.cursor)]


@pytest.mark.parametrize("before", [FIRST, "/files/b/bfile39.mdl", ""])
def test_enter_after_typed_letters_opens_the_first_match(
    wall: Any, answer: Callable[[], None], before: str
) -> None:
    wall.state.files.cursor = before
    wall.host.input.takes_text = True
    wall.host.input.text("bfile3")
    wall.frames(2)
    answer()
    assert wall.state.files.cursor == "/files/b/bfile3.mdl"
    wall.key("RETURN")
    assert wall.posted == [OpenListed("/files/b/bfile3.mdl")]


def test_down_stays_on_the_first_match_if_no_tile_is_below(wall: Any, answer: Callable[[], None]) -> None:
    wall.click(*tile(0))
    wall.state.files.query = "bfile1 8"
    answer()
    assert wall.state.files.cursor == "/files/b/bfile18.mdl"
    wall.state.files.query = "file18"
    answer()
    wall.key("DOWN")
    assert wall.state.files.cursor == "/files/a/afile18.mdl"
    wall.key("RIGHT")
    assert wall.state.files.cursor == "/files/b/bfile18.mdl"
    wall.key("UP")
    assert wall.state.files.cursor == "/files/b/bfile18.mdl"


def test_down_goes_to_the_first_tile_if_there_is_no_cursor(wall: Any) -> None:
    wall.click(*tile(0))
    wall.frames(3)
    wall.state.files.cursor = ""
    wall.key("DOWN")
    assert wall.state.files.cursor == FIRST


def test_the_query_field_of_the_wall_leads_to_the_tiles(wall: Any, answer: Callable[[], None]) -> None:
    wall.click(60, wall.line / 2)
    wall.host.input.text("bfile3")
    wall.frames(2)
    answer()
    wall.key("DOWN")
    assert wall.state.files.selected == {"/files/b/bfile3.mdl"}
    wall.frames(2)
    wall.key("RIGHT")
    assert wall.state.files.cursor == "/files/b/bfile30.mdl"
    wall.key("RETURN")
    assert wall.posted == [OpenListed("/files/b/bfile30.mdl")]


def test_the_end_is_scrolled_to_and_its_pictures_are_wanted(wall: Any) -> None:
    wall.click(*tile(0))
    assert FIRST in wall.state.files.shown
    wall.key("END")
    wall.frames(2)
    assert "/files/b/bfile39.mdl" in wall.state.files.shown and FIRST not in wall.state.files.shown


def test_pictures_are_wanted_from_the_top(wall: Any) -> None:
    shown = [*wall.state.files.shown]
    assert len(shown) > 8 and shown == sorted(shown, key=lambda path: wall.state.files.table.row(path))


def chained(wall: Any) -> Any:
    """The wall in folder view with two files five folders deep, one of them in a folder of its own."""
    names = ("art/models/bear/bear.mdl", "art/models/bear/parts/deep/claw.mdl", "fish.mdl")
    wall.state.files.replace(FileTable("/files", False, names, range(3), [0] * 3, [0] * 3))
    wall.state.interface.preferences.files_folded = True
    wall.frames(2)
    return wall


def test_a_chain_of_folders_is_one_step(wall: Any) -> None:
    files = chained(wall).state.files
    wall.click(*tile(0))
    assert files.cursor == "art/models/bear/"
    wall.key("RETURN")
    assert files.folder == "art/models/bear/"
    wall.click(*tile(0))
    wall.key("RETURN")
    assert files.folder == "art/models/bear/parts/deep/"
    wall.key("BACKSPACE")
    assert (files.folder, files.cursor) == ("art/models/bear/", "art/models/bear/parts/deep/")
    wall.key("BACKSPACE")
    assert (files.folder, files.cursor) == ("", "art/models/bear/")


@pytest.mark.parametrize("folder", ["", "fish/"])
def test_a_right_click_beside_the_tiles_opens_the_menu_of_the_list(wall: Any, folder: str) -> None:
    chained(wall).state.files.folder = folder
    wall.frames(2)
    wall.click(200, 290, "right")
    wall.frames(2)
    assert imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    assert not wall.state.files.selected, "the menu is not the menu of a file"


def test_the_menu_of_the_list_marks_what_is_chosen(wall: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    marks: dict[str, Any] = {}
    drawn = imgui.menu_item_simple

    def entry(label: str, key: str = "", marked: bool = False, *more: Any) -> bool:
        marks[label] = marked
        return bool(drawn(label, key, marked, *more))

    monkeypatch.setattr(imgui, "menu_item_simple", entry)
    chained(wall)
    wall.frames(2)
    wall.click(200, 290, "right")
    wall.frames(2)
    assert marks["Sort by name"] and marks["Keep subfolders"]
    assert not marks["Sort by size"] and not marks["Reverse order"]


def test_a_folder_opens_and_backspace_leads_out(wall: Any) -> None:
    wall.state.interface.preferences.files_folded = True
    wall.frames(2)
    previews = [f"/files/{folder}/{folder}file{number}.mdl" for folder in "ba" for number in range(4)]
    assert sorted(wall.state.files.shown) == sorted(previews), "the pictures of some of their files"
    wall.click(*tile(1))
    assert wall.state.files.cursor == "b/"
    wall.key("RETURN")
    assert wall.state.files.folder == "b/"
    wall.frames()
    assert all("/b/" in path for path in wall.state.files.shown)
    wall.state.files.query = "f"
    wall.key("BACKSPACE")
    assert (wall.state.files.folder, wall.state.files.query) == ("b/", ""), "letters go first"
    wall.key("BACKSPACE")
    assert (wall.state.files.folder, wall.state.files.cursor) == ("", "b/")


def test_a_query_that_finds_nothing_can_be_taken_back(wall: Any) -> None:
    files = wall.state.files
    files.query, files.result = "x", QueryResult("x", files.table, np.empty(0, np.intp))
    wall.frames(3)
    assert files.takes_text
    wall.key("BACKSPACE")
    assert files.query == ""


def test_ctrl_and_the_wheel_change_the_size(wall: Any) -> None:
    wall.move(*tile(0))
    wall.host.input.key("LCTRL", True, frozenset(["Ctrl"]))
    wall.host.input.wheel(0, 2)
    wall.frames(2)
    assert wall.state.interface.preferences.picture_size > 56


def test_a_model_turns_under_the_pointer_that_rests(wall: Any) -> None:
    wall.move(*tile(0))
    wall.frames(10)
    assert wall.state.files.turning == ""
    wall.frames(20)
    assert wall.state.files.turning == FIRST and 0 < wall.state.files.turn < 0.2
    wall.frames(20)
    assert wall.state.files.turn > 0.1


def test_broken_files_show_their_reason_and_others_their_picture(wall: Any) -> None:
    asked: set[str] = set()

    def picture(path: str) -> PanelPicture | str:
        asked.add(path)
        return "takes longer than 60 s" if path == FIRST else ""

    wall.state.files.picture = picture
    wall.frames(2)
    assert asked == set(wall.state.files.shown)


def test_tiles_are_found_where_they_are() -> None:
    made = Grid(10, 4, 50.0, 60.0, 80.0)
    assert [made.at(*place) for place in ((0, 0), (239, 0), (61, 81), (241, 0), (130, 170), (0, -1))] == [
        *(0, 3, 5, -1, -1, -1),
    ]
    assert made.height == 240 and made.visible(80, 80) == range(4, 10)
    assert made.scrolled(9, 0, 100) == 140 and made.scrolled(0, 140, 100) == 0


def tooltips() -> list[Any]:
    """The windows of the tooltips that are shown."""
    windows = imgui.get_current_context().windows
    return [each for each in windows if each.name.startswith("##Tooltip") and each.active and not each.hidden]


def test_the_tooltip_of_a_turning_model_is_below_it(wall: Any) -> None:
    wall.move(*tile(0))
    wall.frames(90)
    (hint,) = tooltips()
    assert hint.pos.y >= tile(0)[1] + 28


def test_the_tooltip_waits_until_the_pointer_has_rested_on_the_tile(wall: Any) -> None:
    wall.frames(90)
    wall.move(*tile(0))
    wall.frames(10)
    assert not tooltips()
    wall.frames(80)
    assert tooltips()


def test_the_wall_asks_for_frames_until_the_tooltip_is_shown(wall: Any) -> None:
    pending = wall.state.pending_files
    wall.state.files.turned = lambda path, turn: ""
    wall.move(*tile(0))
    pending.unsettled = False
    wall.frames()
    assert pending.unsettled
    wall.frames(120)
    pending.unsettled = False
    wall.frames()
    assert tooltips() and not pending.unsettled


@pytest.mark.parametrize(("held", "query"), [("", "4"), ("Alt", "")])
def test_a_letter_with_alt_is_not_typed_into_the_query(wall: Any, held: str, query: str) -> None:
    wall.click(*tile(0))
    wall.host.input.takes_text = True
    wall.host.input.key("_4", True, frozenset(filter(None, [held])))
    wall.host.input.text("4")
    wall.frames(3)
    assert wall.state.files.query == query


def test_alt_and_a_digit_rate_the_selected_files(wall: Any) -> None:
    drawn = Wall()
    wall.show(lambda state, post: (drawn(state, post), run_shortcuts(state, post)))
    wall.click(*tile(0))
    wall.key("_4", "Alt")
    assert wall.posted == [MarkFiles((FIRST,), rating=4)]


def test_stars_are_drawn_over_the_picture_of_their_file(wall: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(tiles, "_strip", lambda draw, text, *_, right=False: drawn.append(text))
    wall.state.files.table.mark({FIRST: Mark(3, True)})
    wall.frames(1)
    assert drawn == [f"{STAR * 3} {HEART}"]


def test_files_with_the_same_bytes_are_marked(wall: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(tiles, "_strip", lambda draw, text, *_, right=False: drawn.append(text))
    table = wall.state.files.table
    known = [(table.path(row), "model", {"bones": 1}, "", "", b"1" if row < 2 else None) for row in range(3)]
    table.learn(FactColumns.of(table, known))
    wall.frames(1)
    assert drawn == [tiles.COPY] * 2
    assert f"Same bytes as {table.names[1]}" in details(wall.state.files, table, 0)


def test_tiles_of_equal_names_show_their_folders(wall: Any) -> None:
    names = ["a/Box.mdl", "b/Box.mdl", "b/Ball.mdl"]
    table = FileTable("/files", False, names, [1] * 3, [1] * 3, [0] * 3)
    assert [title(table, row, distinct=True) for row in range(3)] == ["a/Box.mdl", "Ball.mdl", "b/Box.mdl"]
    wall.state.files.replace(table)
    wall.frames(2)


def test_a_key_searches_the_words_inside_files_too(wall: Any) -> None:
    files = wall.state.files
    files.query, wider = "walk", "(walk or clip:walk)"
    files.result = QueryResult("walk", files.table, np.array([0]), wider=wider, more=8)
    wall.draw = lambda state, post: (run_shortcuts(state, post), Wall()(state, post))
    labels = drawn_labels(wall)
    assert "8 more by bones, materials, textures, clips" in labels
    wall.key("I", "Alt")
    assert files.query == wider
    wall.frames(2)
    assert "8 more by bones, materials, textures, clips" not in drawn_labels(wall)
