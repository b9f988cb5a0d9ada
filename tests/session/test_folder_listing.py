"""The typed path and the order of the entries in the window's own file dialog."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from viewer.session.folder_listing import FolderEntry, FolderListing, split_path

BASE = os.path.abspath("/here/models")
ENTRIES = (
    FolderEntry("Maps", True, modified=5.0),
    FolderEntry("materials", True, modified=1.0),
    FolderEntry(".git", True),
    FolderEntry("Fox.mdl", False, 30, 2.0),
    FolderEntry("Fox 2.mdl", False, 10, 3.0),
    FolderEntry("notes.txt", False, 20, 1.0),
)


def listing(text: str = "", **more: object) -> FolderListing:
    made = FolderListing(BASE, suffixes=(".mdl",), entries=ENTRIES, base=BASE, **more)  # type: ignore[arg-type]
    made.text = text
    return made


def names(listing: FolderListing) -> list[str]:
    return [each.name for each in listing.shown]


@pytest.mark.parametrize(
    ("text", "folder", "rest"),
    [
        ("~", "~", ""),
        ("~/pictures/fo", "~/pictures", "fo"),
        ("/a/b.mdl", "/a", "b.mdl"),
        ("../fo", "/here", "fo"),
        ("./", BASE, ""),
        ("maps/", f"{BASE}/maps", ""),
        ("  '/a b/c d.mdl'\n", "/a b", "c d.mdl"),
        ("file:///a%20b/%C3%A4.mdl", "/a b", "ä.mdl"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="other separators")
def test_typed_and_pasted_paths(text: str, folder: str, rest: str) -> None:
    assert split_path(text, BASE) == (os.path.expanduser(folder), rest)


@pytest.mark.parametrize("text", ["", "fox", "fox 2.mdl", "~fox", "..", "'fox'"])
def test_a_name_is_no_path(text: str) -> None:
    assert split_path(text, BASE) is None


@pytest.mark.parametrize("folder", ["", "./"])
def test_words_are_found_anywhere_in_names_also_after_a_typed_folder(folder: str) -> None:
    assert names(listing(f"{folder}ma")) == ["Maps", "materials"]
    assert names(listing(f"{folder}2")) == ["Fox 2.mdl"]
    assert names(listing(f"{folder}fox")) == ["Fox.mdl", "Fox 2.mdl"]
    assert names(listing(f"{folder}MDL 2 fox")) == ["Fox 2.mdl"]


def test_the_cursor_prefers_what_a_path_begins_with() -> None:
    made = listing("./m")
    made.entries = (FolderEntry("Fox.mdl", False), FolderEntry("maps.mdl", False))
    made.place_cursor()
    assert made.shown[made.cursor].name == "maps.mdl"


def test_hidden_entries_are_shown_for_a_full_stop() -> None:
    assert ".git" not in names(listing())
    assert ".git" in names(listing("./."))
    assert names(listing("./.g")) == [".git"]


def test_a_whole_path_finds_a_file_of_any_type() -> None:
    assert names(listing("./notes")) == []
    assert names(listing("./notes.txt")) == ["notes.txt"]


def test_a_dialog_for_folders_shows_no_file_for_a_whole_path() -> None:
    assert names(listing("./Fox.mdl", folders=True)) == []


@pytest.mark.parametrize(
    ("text", "completed"),
    [
        ("fo", "Fox"),
        ("./fox.", "./Fox.mdl"),
        ("mat", "materials" + os.sep),
        ("../models/ma", "../models/ma"),
        ("ma", "ma"),
        ("./zebra", "./zebra"),
        ("2", "Fox 2.mdl"),
        ("", ""),
    ],
)
def test_completion(text: str, completed: str) -> None:
    assert listing(text).completed() == completed


def test_a_name_to_save_is_completed_but_never_replaced() -> None:
    assert listing("mat", name="").completed() == "materials" + os.sep
    assert listing("x", name="", every=True).completed() == "x"
    assert listing("fo", name="").completed() == "Fox"


def test_nothing_is_completed_from_another_folder() -> None:
    assert listing("/elsewhere/fo").completed() == "/elsewhere/fo"


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (("name", True), ["materials", "Maps", "Fox 2.mdl", "Fox.mdl"]),
        (("size", False), ["Maps", "materials", "Fox 2.mdl", "Fox.mdl"]),
        (("size", True), ["Maps", "materials", "Fox.mdl", "Fox 2.mdl"]),
        (("date", False), ["materials", "Maps", "Fox.mdl", "Fox 2.mdl"]),
        (("date", True), ["Maps", "materials", "Fox 2.mdl", "Fox.mdl"]),
    ],
)
def test_folders_come_first_in_every_order(order: tuple[str, bool], expected: list[str]) -> None:
    made = listing()
    made.order = order  # type: ignore[assignment]
    assert names(made) == expected


@pytest.mark.parametrize(
    ("text", "folders", "cursor"),
    [("./fox 2.mdl", False, 1), ("./Fox", False, 0), ("./", False, -1), ("", False, 0), ("", True, -1)],
)
def test_the_cursor_is_on_the_best_match(text: str, folders: bool, cursor: int) -> None:
    made = listing(text, folders=folders)
    made.entries = (FolderEntry("Fox", True), *ENTRIES[3:], FolderEntry("fox 2.mdl", False))
    made.place_cursor()
    assert made.cursor == cursor


def test_a_name_stays_when_another_folder_is_shown() -> None:
    assert listing("fox.png", name="", suggested="new.png").kept_name == "fox.png"
    assert listing("../fox.png", name="", suggested="new.png").kept_name == "fox.png"
    assert listing("../", name="", suggested="new.png").kept_name == "new.png"
    assert listing("fox").kept_name is None


def test_a_name_can_be_a_folder() -> None:
    assert listing("Maps", name="").enters and not listing("Maps", name="").replaces
    assert listing("Fox.mdl", name="").replaces and not listing("Fox.mdl", name="").enters


def test_dates_and_hidden_entries_come_from_the_disk(tmp_path: Path) -> None:
    from viewer.app.open_files.matching_models import listing as listed

    (tmp_path / "a.mdl").write_bytes(b"12")
    (tmp_path / ".hidden").mkdir()
    os.utime(tmp_path / "a.mdl", (0, 1_700_000_000))
    hidden, file = listed(str(tmp_path))
    assert (hidden.name, hidden.folder) == (".hidden", True)
    assert file == FolderEntry("a.mdl", False, 2, 1_700_000_000.0)
