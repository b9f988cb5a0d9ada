"""The clicks, the keys and the context menu that the file list and the wall share."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.arrays import Array
from viewer.errors import printable
from viewer.scene.files import MOST_STARS
from viewer.session.file_columns import FILE_SORTS
from viewer.session.file_list import FileList
from viewer.session.file_table import FileTable
from viewer.session.requests import OpenListed, Post
from viewer.session.state import State
from viewer.ui.files.file_rows import Node, node_key
from viewer.ui.item_menu import action_entries, reload_entry
from viewer.ui.kit.widgets import copy_text


def type_ahead(files: FileList) -> bool:
    """Add the letters typed in this frame to the query; Backspace removes the last letter.

    Return whether Backspace removed a letter. Call this function in the focused window. An active text field
    gets the letters instead of the query. A letter pressed with Alt is not added, because it is a key of an
    action.
    """
    io = imgui.get_io()
    if imgui.get_io().want_text_input:
        return False
    files.takes_text = True
    held = io.key_alt and not io.key_ctrl
    typed = "" if held else "".join(map(chr, io.input_queue_characters))
    files.query += "".join(filter(str.isprintable, typed)) if files.query else typed.strip()
    if files.query and imgui.is_key_pressed(imgui.Key.backspace):
        files.query = files.query[:-1]
        return True
    return False


LIST_ENTRIES = (
    *("open_folder", "wall", "fold_files"),
    *(f"sort_files_{name}" for name in FILE_SORTS),
    "reverse_files",
)
"""The actions for the whole list."""
ENTRIES = (
    "open_files",
    "add_files_to_view",
    "compare_files",
    "save_file_pictures",
    "save_contact_sheet",
    "export_files",
    "check_files_chosen",
    "copy_file_paths",
    "show_in_file_manager",
)
"""The actions for the selected files."""
RATING = (*(f"rate_{rating}" for rating in range(MOST_STARS, -1, -1)), "favourite")
"""The actions that mark the selected files."""

LISTED = "listed file"
"""The type of ImGui's drag payload for a file dragged from the list into the view."""


def click(state: State, table: FileTable, node: Node, rows: Array) -> None:
    """Select a clicked file.

    With Ctrl, add the file to the selection or remove it. With Shift, select all files up to the clicked one.
    """
    files, io = state.files, imgui.get_io()
    if not isinstance(node, int):
        files.cursor = node.path
    elif io.key_shift:
        files.extend(table.path(node), rows)
    elif io.key_ctrl:
        files.toggle(table.path(node))
    else:
        files.choose(table.path(node))


def step_to(state: State, table: FileTable, node: Node, rows: Array) -> None:
    """Move the cursor to a node. With Shift, also select the files in between."""
    if isinstance(node, int) and imgui.get_io().key_shift:
        state.files.extend(table.path(node), rows)
    elif isinstance(node, int):
        state.files.choose(table.path(node))
    else:
        state.files.cursor = node.path


def drag(row: int, text: str) -> None:
    """Make the last drawn widget, which shows a listed file, draggable."""
    if imgui.begin_drag_drop_source():
        imgui.set_drag_drop_payload_py_id(LISTED, row)
        imgui.text_unformatted(text)
        imgui.end_drag_drop_source()


def drop_into_view(state: State, post: Post) -> None:
    """Open a listed file that is dropped on the last drawn widget."""
    if not imgui.begin_drag_drop_target():
        return
    dropped, table = imgui.accept_drag_drop_payload_py_id(LISTED), state.files.table
    if dropped is not None and table is not None and dropped.data_id < len(table):
        post(OpenListed(table.path(dropped.data_id)))
    imgui.end_drag_drop_target()


def open_file(state: State, post: Post, table: FileTable, row: int) -> None:
    """Open a file and close the wall."""
    state.files.cursor = table.path(row)
    state.files.wall = False
    post(OpenListed(table.path(row)))


def select_all(state: State, rows: Array) -> None:
    """Select all files on Ctrl+A. Call it in the focused window."""
    if imgui.shortcut(int(imgui.Key.mod_ctrl) | int(imgui.Key.a)):
        state.files.choose_all(rows)


def list_menu(state: State, post: Post, rows: Array) -> None:
    """Draw the entries for the whole list."""
    if len(rows) and imgui.menu_item_simple("Select all", "Ctrl+A"):
        state.files.choose_all(rows)
    if state.files.query and imgui.menu_item_simple("Clear the query"):
        state.files.query = ""
    action_entries(state, post, LIST_ENTRIES)
    if imgui.menu_item_simple("Copy path of the folder"):
        copy_text(printable(state.files.root))


def menu(state: State, post: Post, table: FileTable, node: Node, rows: Array) -> None:
    """Draw the entries for the selected files.

    A right-clicked file that is not selected becomes the selection first.
    """
    if isinstance(node, int):
        if node_key(table, node) not in state.files.selected:
            state.files.choose(table.path(node))
        if imgui.menu_item_simple("Open"):
            open_file(state, post, table, node)
        if state.documents.at(table.path(node)) is not None:
            reload_entry(state, post, table.path(node))
    action_entries(state, post, ENTRIES)
    if state.files.selected and imgui.begin_menu("Rating"):
        action_entries(state, post, RATING)
        imgui.end_menu()
