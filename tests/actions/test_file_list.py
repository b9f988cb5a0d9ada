"""The actions on listed files."""

from __future__ import annotations

import tests.wow  # noqa: F401
from tests.actions.test_actions import listed_files
from viewer.actions import ACTIONS_BY_NAME
from viewer.scene.files import Mark
from viewer.session.requests import (
    CheckFiles,
    CompareFiles,
    CopyText,
    ListFiles,
    MarkFiles,
    Open,
    Request,
    SaveFilePictures,
    ShowFiles,
)
from viewer.session.state import State


def run(state: State, *names: str) -> list[Request]:
    """What the actions post."""
    posted: list[Request] = []
    for name in names:
        assert ACTIONS_BY_NAME[name].enabled(state), name
        ACTIONS_BY_NAME[name].run(state, posted.append)
    return posted


def listed() -> State:
    state = State()
    state.files.begin("/files", listed_files())
    return state


def test_the_wall_lists_the_files_beside_the_document_if_none_are_listed() -> None:
    state = State()
    assert not ACTIONS_BY_NAME["wall"].enabled(state)
    state.files.root = "/files"
    assert run(state, "wall") == [] and state.files.wall
    assert run(state, "wall") == [] and not state.files.wall
    state.files.root = ""
    posted: list[Request] = []
    ACTIONS_BY_NAME["wall"].run(state, posted.append)
    assert posted == [ListFiles()] and state.files.wall


def test_the_list_lists_the_files_beside_the_document_if_none_are_listed() -> None:
    posted: list[Request] = []
    ACTIONS_BY_NAME["list_files"].run(State(), posted.append)
    assert posted == [ListFiles()]
    assert run(listed(), "list_files") == []


def test_selected_files_open_as_tabs_in_their_order() -> None:
    state = listed()
    assert not ACTIONS_BY_NAME["open_files"].enabled(state)
    state.files.selected = {"/files/b.mdl", "/files/a.mdl"}
    state.files.wall = True
    assert run(state, "open_files") == [Open(("/files/a.mdl", "/files/b.mdl"))]
    assert not state.files.wall


def test_two_selected_files_are_compared() -> None:
    state = listed()
    state.files.selected = {"/files/a.mdl"}
    assert not ACTIONS_BY_NAME["compare_files"].enabled(state)
    state.files.selected = {"/files/b.mdl", "/files/a.mdl"}
    state.files.wall = True
    assert run(state, "compare_files") == [CompareFiles("/files/a.mdl", "/files/b.mdl")]
    assert not state.files.wall


def test_the_pictures_of_selected_files_are_saved() -> None:
    state = listed()
    state.files.selected = {"/files/b.mdl"}
    assert run(state, "save_file_pictures", "save_contact_sheet") == [
        SaveFilePictures(("/files/b.mdl",)),
        SaveFilePictures(("/files/b.mdl",), sheet=True),
    ]


def test_the_order_is_chosen_and_turned() -> None:
    state = listed()
    run(state, "sort_files_size", "reverse_files", "fold_files")
    preferences = state.interface.preferences
    assert (preferences.files_sort, preferences.files_descending, preferences.files_folded) == (
        "size",
        True,
        True,
    )


def test_stars_are_given_to_the_selected_files() -> None:
    state = listed()
    assert not ACTIONS_BY_NAME["rate_3"].enabled(state)
    state.files.selected = {"/files/b.mdl", "/files/a.mdl"}
    assert run(state, "rate_3", "rate_0") == [
        MarkFiles(("/files/a.mdl", "/files/b.mdl"), rating=3),
        MarkFiles(("/files/a.mdl", "/files/b.mdl"), rating=0),
    ]


def test_a_rating_is_checked_if_all_selected_files_have_it() -> None:
    state, checked = listed(), ACTIONS_BY_NAME["rate_3"].checked
    assert state.files.table is not None and checked is not None
    state.files.selected = {"/files/b.mdl", "/files/a.mdl"}
    state.files.table.mark({"/files/a.mdl": Mark(3)})
    assert not checked(state)
    state.files.table.mark({"/files/b.mdl": Mark(3)})
    assert checked(state)


def test_favourites_are_switched_off_only_if_all_are() -> None:
    state = listed()
    assert state.files.table is not None
    both = ("/files/a.mdl", "/files/b.mdl")
    state.files.selected = set(both)
    state.files.table.mark({both[0]: Mark(0, True)})
    assert run(state, "favourite") == [MarkFiles(both, favourite=True)]
    state.files.table.mark({both[1]: Mark(0, True)})
    assert run(state, "favourite") == [MarkFiles(both, favourite=False)]


def test_paths_are_copied_a_line_each_and_shown_in_the_file_manager() -> None:
    state = listed()
    state.files.selected = {"/files/b.mdl", "/files/a.mdl"}
    assert run(state, "copy_file_paths", "show_in_file_manager") == [
        CopyText("/files/a.mdl\n/files/b.mdl"),
        ShowFiles(("/files/a.mdl", "/files/b.mdl")),
    ]


def test_selected_files_are_checked() -> None:
    state = listed()
    state.files.selected = {"/files/b.mdl", "/files/a.mdl"}
    assert run(state, "check_files_chosen") == [CheckFiles(("/files/a.mdl", "/files/b.mdl"))]


def test_the_export_dialog_opens_for_the_selected_files() -> None:
    state = listed()
    state.files.selected = {"/files/b.mdl", "/files/a.mdl"}
    assert run(state, "export_files") == []
    assert state.interface.exports and state.files.exported == ("/files/a.mdl", "/files/b.mdl")


def test_export_takes_the_selected_files_on_the_wall_and_the_model_elsewhere() -> None:
    state = listed()
    state.files.selected, state.files.wall = {"/files/b.mdl"}, True
    run(state, "export")
    assert state.interface.exports and state.files.exported == ("/files/b.mdl",)
    state.interface.exports, state.files.wall = False, False
    assert not ACTIONS_BY_NAME["export"].enabled(state), "no model is in view"
    ACTIONS_BY_NAME["export"].run(state, list[Request]().append)
    assert state.files.exported == ()
