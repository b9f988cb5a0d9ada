"""The window's own dialog for files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.labels import drawn_labels
from viewer.session.folder_listing import FolderEntry, FolderListing
from viewer.session.requests import (
    AddResourceFolder,
    Browse,
    ExportFiles,
    GiveFile,
    Open,
    OpenFolder,
    RecordFilm,
    SaveAs,
    SaveFilePictures,
)
from viewer.ui.dialogs import browser_table
from viewer.ui.dialogs import file_browser as page


def test_a_name_that_is_cut_is_told_whole(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(browser_table, "hint", told.append)
    long = f"{'a_long_name' * 12}.mdl"
    entries = (FolderEntry(long, False, 1), FolderEntry("b.mdl", False, 1))
    desk.state.pending_files.browser = FolderListing("/", suffixes=(".mdl",), entries=entries)
    desk.show(page.file_browser)
    assert {each for each in told if each.endswith(".mdl")} == {long}


@pytest.fixture
def many(desk: Any) -> Any:
    """The dialog at a folder of fifty files, its filter in focus."""
    entries = tuple(FolderEntry(f"{number}.mdl", False, 1) for number in range(50))
    desk.state.pending_files.browser = FolderListing("/there/inside", suffixes=(".mdl",), entries=entries)
    desk.show(page.file_browser)
    desk.frames(2)
    return desk


def test_pages_move_far_and_stay_in_the_list(many: Any) -> None:
    browser = many.state.pending_files.browser
    lines = []
    for key in ("PAGEDOWN", "PAGEDOWN", "PAGEDOWN", "PAGEUP"):
        many.key(key)
        lines.append(browser.cursor)
    assert lines == [20, 40, 49, 29]


def test_taking_back_the_last_letter_of_the_filter_stays_in_the_folder(many: Any) -> None:
    browser = many.state.pending_files.browser
    many.host.input.text("7")
    many.frames(2)
    assert browser.filter == "7"
    many.key("BACKSPACE")
    assert (browser.filter, many.posted) == ("", [])
    many.key("BACKSPACE")
    assert many.posted == [Browse("/there")]


@pytest.fixture
def folders(desk: Any) -> Any:
    """The dialog that asks for a folder, at a folder with two folders."""
    entries = (FolderEntry("one", True), FolderEntry("two", True))
    desk.state.pending_files.browser = FolderListing(
        "/there", True, question=OpenFolder(), entries=entries, cursor=-1
    )
    desk.show(page.file_browser)
    desk.frames(2)
    return desk


def test_enter_takes_the_folder_itself(folders: Any) -> None:
    folders.key("ENTER")
    assert folders.posted == [OpenFolder("/there"), Browse(None)]


@pytest.mark.parametrize("typed", ["three", "/there/three"])
@pytest.mark.parametrize("question", [ExportFiles(("a.mdl",)), SaveFilePictures(("a.mdl",))])
def test_files_are_saved_in_the_new_folder_that_is_typed(folders: Any, question: Any, typed: str) -> None:
    folders.state.pending_files.browser.question = question
    folders.host.input.text(typed)
    folders.frames(3)
    assert "Save in new folder three" in drawn_labels(folders)
    folders.key("ENTER")
    assert [each.path for each in folders.posted[:1]] == ["/there/three"]


def test_a_typed_folder_that_is_not_there_opens_no_other(folders: Any) -> None:
    folders.host.input.text("/there/three")
    folders.frames(3)
    folders.key("ENTER")
    assert folders.posted == []


def test_a_click_on_a_folder_and_the_button_choose_it(folders: Any) -> None:
    assert "Open this folder" in drawn_labels(folders)
    x, y = drawn_labels(folders)["two"]
    folders.click(x - 40, y)  # the middle of this small dialog is the button of the row
    assert folders.posted == []
    folders.click(*drawn_labels(folders)["Open two"])
    assert folders.posted == [OpenFolder("/there/two"), Browse(None)]


def test_one_click_on_the_button_of_a_row_chooses_a_folder(folders: Any) -> None:
    folders.move(*drawn_labels(folders)["one"])
    folders.click(*drawn_labels(folders)["Open"])
    folders.frames()
    assert folders.posted == [OpenFolder("/there/one"), Browse(None)]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        (Open(), "Open"),
        (OpenFolder(), "Open a folder"),
        (GiveFile("a.png"), "Choose the file for a.png"),
        (AddResourceFolder(), "Search for missing files in a folder"),
        (AddResourceFolder(archive=True), "Search for missing files in an archive"),
    ],
)
def test_the_title_says_what_is_asked_for(desk: Any, monkeypatch: Any, question: Any, title: str) -> None:
    titles: list[str] = []
    begin = imgui.begin
    monkeypatch.setattr(imgui, "begin", lambda name, *more: titles.append(name) or begin(name, *more))
    desk.state.pending_files.browser = FolderListing("/there", question=question, entries=())
    desk.show(page.file_browser)
    assert f"{title}###browser" in titles


@pytest.mark.parametrize(("key", "name"), [("DOWN", "one"), ("UP", "two")])
def test_enter_goes_into_the_folder_at_the_cursor(folders: Any, key: str, name: str) -> None:
    folders.key(key)
    folders.key("ENTER")
    assert folders.posted == [Browse(f"/there/{name}")]


def test_a_typed_path_opens_a_file_of_a_package(desk: Any, tmp_path: Path) -> None:
    (tmp_path / "Data.pak").write_bytes(b"package")
    browser = FolderListing(str(tmp_path), suffixes=(".mdl",), entries=())
    desk.state.pending_files.browser = browser
    desk.show(page.file_browser)
    desk.frames(2)
    for typed, name in (("Data.pak::Jack.mdl", "Jack.mdl"), ("Data.pak::a/Jack.mdl", "a/Jack.mdl")):
        browser.filter = ""
        browser.focus = True
        desk.frames(2)
        desk.host.input.text(typed)
        desk.frames(2)
        desk.key("ENTER")
        assert desk.posted[-2:] == [Open((f"{tmp_path}/Data.pak::{name}",)), Browse(None)]


def test_enter_opens_the_file_at_the_cursor(many: Any) -> None:
    many.key("ENTER")
    assert many.posted == [Open(("/there/inside/0.mdl",)), Browse(None)]


def test_a_click_on_a_heading_sorts(many: Any) -> None:
    browser = many.state.pending_files.browser
    browser.entries = (
        FolderEntry("a.mdl", False, 1),
        FolderEntry("b.mdl", False, 3),
        FolderEntry("c.mdl", False, 2),
    )
    many.frames()
    y = drawn_labels(many)["a.mdl"][1] - many.line
    for clicks, names in ((1, ["b.mdl", "c.mdl", "a.mdl"]), (2, ["a.mdl", "c.mdl", "b.mdl"])):
        many.click(drawn_labels(many)["1 B"][0], y)
        many.frames(30)
        assert [each.name for each in browser.shown] == names, clicks
    assert many.state.pending_files.order == ("size", False)


def test_the_button_opens_the_file_at_the_cursor(many: Any) -> None:
    many.key("DOWN")
    many.click(*drawn_labels(many)["Open"])
    many.frames(3)
    assert many.posted == [Open(("/there/inside/1.mdl",)), Browse(None)]


@pytest.mark.parametrize("question", [Open(), GiveFile("a.png")])
def test_the_button_opens_the_folder_at_the_cursor(many: Any, question: Any) -> None:
    browser = many.state.pending_files.browser
    browser.question, browser.entries = question, (FolderEntry("sub", True), FolderEntry("a.mdl", False, 1))
    browser.cursor = 0
    many.frames(2)
    many.click(*drawn_labels(many)["Open folder"])
    many.frames(3)
    assert many.posted == [Browse("/there/inside/sub")]


def test_a_favourite_is_removed_by_its_menu(many: Any) -> None:
    many.state.interface.preferences.favourite_folders = ["/favourite"]
    many.frames()
    many.click(*drawn_labels(many)["favourite"], button="right")
    many.frames(3)
    many.click(*drawn_labels(many)["Remove from favourites"])
    many.frames(3)
    assert many.state.interface.preferences.favourite_folders == []


@pytest.mark.parametrize(
    ("question", "every", "text"),
    [
        (Open(), False, "No file in this folder can be opened."),
        (SaveAs(RecordFilm()), False, "This folder has no files of this type."),
        (GiveFile("a.png"), True, "This folder is empty."),
    ],
)
def test_an_empty_folder_says_what_it_lacks(
    desk: Any, monkeypatch: pytest.MonkeyPatch, question: Any, every: bool, text: str
) -> None:
    said: list[str] = []
    monkeypatch.setattr(browser_table, "nothing", said.append)
    desk.state.pending_files.browser = FolderListing("/there", question=question, entries=(), every=every)
    desk.show(page.file_browser)
    assert text in said


def test_recent_folders_of_one_name_show_their_parents(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    monkeypatch.setattr(page, "label_text", lambda text: names.append(text) or text)
    recent = ("/games/one/models", "/games/two/models")
    desk.state.pending_files.browser = FolderListing("/there", recent=recent, entries=())
    desk.show(page.file_browser)
    assert {"one/models", "two/models"} <= set(names)
