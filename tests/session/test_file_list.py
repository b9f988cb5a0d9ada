"""The list of files: order, selection, and the steps from file to file."""

from __future__ import annotations

import numpy as np
import pytest

from tests.session.test_file_table import table
from viewer.scene.files import Mark
from viewer.session.file_list import FileList, QueryResult
from viewer.session.file_table import FactColumns, FileTable
from viewer.session.preferences import Preferences


@pytest.fixture
def files() -> FileList:
    """Four models: d.mdl has the size 0, c.mdl 1, b.mdl 2, a.mdl 3."""
    made = FileList()
    made.begin("/files", table("d.mdl", "c.mdl", "b.mdl", "a.mdl"))
    return made


def names(files: FileList, **preferences: object) -> list[str]:
    """The shown names without suffix."""
    assert files.table is not None
    made = Preferences()
    for name, value in preferences.items():
        setattr(made, name, value)
    return [files.table.names[row][:-4] for row in files.rows(made)]


def of(files: FileList) -> FileTable:
    assert files.table is not None
    return files.table


def learn(files: FileList, **known: tuple[str, int]) -> None:
    """Learn kinds and numbers of bones by names."""
    rows = [
        (f"/files/{name}.mdl", kind, {"bones": bones}, "", "", None) for name, (kind, bones) in known.items()
    ]
    of(files).learn(FactColumns.of(of(files), rows))


def test_files_are_sorted_by_a_column_in_both_directions(files: FileList) -> None:
    assert names(files) == ["a", "b", "c", "d"]
    assert names(files, files_descending=True) == ["d", "c", "b", "a"]
    assert names(files, files_sort="size") == ["d", "c", "b", "a"]
    assert names(files, files_sort="date", files_descending=True) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("descending", [False, True])
def test_unknown_counts_come_last(files: FileList, descending: bool) -> None:
    learn(files, c=("model", 1), b=("model", 2))
    expected = ["b", "c", "a", "d"] if descending else ["c", "b", "a", "d"]
    assert names(files, files_sort="bones", files_descending=descending) == expected


def test_learning_changes_the_order_only_of_counts(files: FileList) -> None:
    preferences = Preferences()
    before = files.rows(preferences)
    learn(files, a=("model", 0))
    assert files.rows(preferences) is before
    preferences.files_sort = "bones"
    rows = files.rows(preferences)
    learn(files, a=("model", 0))
    assert files.rows(preferences) is not rows


def test_a_query_leaves_what_it_found_of_this_table(files: FileList) -> None:
    files.query = "b"
    files.result = QueryResult("b", of(files), np.array([1]))
    assert names(files) == ["b"]
    files.result = QueryResult("b", of(files), np.array([1, 2]))
    assert names(files) == ["b", "c"], "the index has read more files"
    files.replace(table("a.mdl", "b.mdl"))
    assert names(files) == ["a", "b"], "the answer belongs to the files before"


def test_one_is_selected_several_with_ctrl_and_a_range_with_shift(files: FileList) -> None:
    rows = files.rows(Preferences())
    files.choose("/files/b.mdl")
    files.toggle("/files/d.mdl")
    assert files.selected == {"/files/b.mdl", "/files/d.mdl"} and files.cursor == "/files/d.mdl"
    files.choose("/files/c.mdl")
    files.extend("/files/a.mdl", rows)
    assert files.selected_paths(rows) == ("/files/a.mdl", "/files/b.mdl", "/files/c.mdl")
    files.extend("/files/d.mdl", rows)
    assert files.selected_paths(rows) == ("/files/c.mdl", "/files/d.mdl"), "the anchor stays"
    files.choose_all(rows)
    assert len(files.selected) == 4


def test_files_that_are_gone_are_no_longer_selected(files: FileList) -> None:
    files.choose_all(files.rows(Preferences()))
    files.replace(table("a.mdl", "new.mdl"))
    assert files.selected == {"/files/a.mdl"}


def test_another_place_begins_without_query_and_selection(files: FileList) -> None:
    files.query, files.folder = "x", "a/"
    files.choose("/files/b.mdl")
    files.begin("/files")
    assert files.query == "x"
    files.begin("/other")
    assert (files.query, files.folder, files.cursor, files.selected, files.table) == ("", "", "", set(), None)


def test_steps_follow_the_shown_order(files: FileList) -> None:
    preferences = Preferences(files_sort="size")
    found = files.neighbour("/files/c.mdl", 1, preferences)
    assert found is not None and (found.path, found.number, found.count) == ("/files/b.mdl", 3, 4)
    assert files.cursor == "/files/b.mdl"
    end = files.neighbour("/files/a.mdl", 1, preferences)
    assert end is not None and end.end == "the last model in the list"
    assert files.neighbour("/elsewhere/a.mdl", 1, preferences) is None


def test_steps_stay_with_the_kind_and_with_what_is_found(files: FileList) -> None:
    learn(files, b=("animation", 0))
    found = files.neighbour("/files/a.mdl", 1, Preferences())
    assert found is not None and found.path == "/files/c.mdl"
    files.query, files.result = "d", QueryResult("d", of(files), np.array([3]))
    first = files.neighbour("/files/a.mdl", 1, Preferences())
    assert first is not None and first.path == "/files/d.mdl"


def test_escape_empties_the_query_then_closes_the_wall(files: FileList) -> None:
    files.wall = files.takes_text = True
    files.query = "b"
    assert files.escape() and files.query == "" and files.wall
    assert files.escape() and not files.wall
    assert not files.escape()


def test_a_place_that_is_not_listed_yet_has_no_rows() -> None:
    assert FileList().rows(Preferences()).tolist() == []


def test_at_the_end_of_a_list_the_first_and_the_last_are_told_from_the_only_one() -> None:
    for names, path, by, end in (
        (("a.mdl",), "/files/a.mdl", 1, "the only model in the list"),
        (("a.mdl", "b.mdl"), "/files/b.mdl", 1, "the last model in the list"),
        (("a.mdl", "b.mdl"), "/files/a.mdl", -1, "the first model in the list"),
    ):
        made = FileList()
        made.begin("/files", table(*names))
        found = made.neighbour(path, by, Preferences())
        assert found is not None and found.end == end


def test_a_flat_list_is_sorted_by_the_names_without_folders() -> None:
    files = FileList()
    files.begin("/files", table("b/a10.mdl", "a/c.mdl", "z/a2.mdl", "a/b.mdl"))
    assert names(files) == ["z/a2", "b/a10", "a/b", "a/c"]
    assert names(files, files_descending=True) == ["a/c", "a/b", "b/a10", "z/a2"]
    assert names(files, files_folded=True) == ["a/b", "a/c", "b/a10", "z/a2"]


@pytest.mark.parametrize("descending", [False, True])
def test_files_without_stars_come_last(files: FileList, descending: bool) -> None:
    of(files).mark({"/files/c.mdl": Mark(1), "/files/b.mdl": Mark(5), "/files/a.mdl": Mark(0, True)})
    expected = ["b", "c", "a", "d"] if descending else ["c", "b", "a", "d"]
    assert names(files, files_sort="rating", files_descending=descending) == expected
