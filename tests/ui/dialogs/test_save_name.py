"""The window's own dialog when it asks for a file to write."""

from __future__ import annotations

from typing import Any

import pytest

from viewer.session.folder_listing import FolderEntry, FolderListing
from viewer.session.requests import Browse, RecordFilm, SaveAs, Screenshot
from viewer.ui.dialogs import file_browser as page

QUESTION = SaveAs(Screenshot())


@pytest.fixture
def dialog(desk: Any) -> Any:
    """The dialog suggests `new.png` in a folder with a folder and a picture."""
    entries = (FolderEntry("inside", True), FolderEntry("old.png", False, 1))
    desk.state.pending_files.browser = FolderListing(
        "/there", suffixes=(".png",), question=QUESTION, entries=entries, cursor=-1, name="new.png"
    )
    desk.show(page.file_browser)
    desk.frames(3)
    return desk


def saved(path: str) -> list[Any]:
    return [SaveAs(Screenshot(), path), Browse(None)]


def test_enter_takes_the_suggestion(dialog: Any) -> None:
    dialog.key("ENTER")
    assert dialog.posted == saved("/there/new.png")


def test_a_typed_name_takes_its_place(dialog: Any) -> None:
    dialog.host.input.text("other.png")
    dialog.frames(3)
    dialog.key("ENTER")
    assert dialog.posted == saved("/there/other.png")


def test_a_name_with_a_folder_is_taken_as_it_is(dialog: Any) -> None:
    dialog.host.input.text("/elsewhere/a.png")
    dialog.frames(3)
    assert dialog.posted == [Browse("/elsewhere", "/elsewhere/a.png")]
    browser = dialog.state.pending_files.browser
    browser.base, browser.folder, browser.entries = browser.folder, "/elsewhere", ()
    dialog.key("ENTER")
    assert dialog.posted[1:] == saved("/elsewhere/a.png")


def test_without_a_name_nothing_is_saved(dialog: Any) -> None:
    dialog.key("BACKSPACE")
    dialog.key("ENTER")
    assert dialog.posted == []


def test_enter_at_a_folder_goes_into_it(dialog: Any) -> None:
    dialog.key("DOWN")
    dialog.key("ENTER")
    assert dialog.posted == [Browse("/there/inside")]


def test_a_file_that_is_there_is_replaced_only_by_a_second_enter(dialog: Any) -> None:
    browser = dialog.state.pending_files.browser
    dialog.key("DOWN")
    dialog.key("DOWN")
    dialog.key("ENTER")
    assert dialog.posted == [] and browser.name == "old.png" and browser.replaces
    dialog.frames(3)
    dialog.key("ENTER")
    assert dialog.posted == saved("/there/old.png")


@pytest.mark.parametrize(
    ("question", "title"), [(QUESTION, "Save image as"), (SaveAs(RecordFilm()), "Save film as")]
)
def test_the_title_says_what_is_saved(question: SaveAs, title: str) -> None:
    assert page.title_of(question) == title
