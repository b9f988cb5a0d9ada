"""The window's own dialog for files."""

from __future__ import annotations

from typing import Any

import pytest

from viewer.session.pending_files import FolderEntry, FolderListing
from viewer.session.requests import Browse
from viewer.ui.dialogs import file_browser as page


def test_a_name_that_is_cut_is_told_whole(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(page, "hint", told.append)
    long = f"{'a_long_name' * 12}.mdl"
    entries = (FolderEntry(long, False, 1), FolderEntry("b.mdl", False, 1))
    desk.state.pending_files.browser = FolderListing("/", suffixes=(".mdl",), entries=entries)
    desk.show(page.file_browser)
    assert set(told) == {long}


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
