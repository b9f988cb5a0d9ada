"""The header of the file list and the wall: query, sort order, switches and counts."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS_BY_NAME
from viewer.actions.bindings import shown_key
from viewer.errors import counted, printable
from viewer.scene.names import file_name
from viewer.session.file_columns import BY_NAME, FILE_SORTS
from viewer.session.file_list import FileList
from viewer.session.file_table import FileTable
from viewer.session.layouts import FILES
from viewer.session.preferences import LARGEST_PICTURE, SMALLEST_PICTURE, Preferences
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.dialogs import ENTER
from viewer.ui.kit.texts import fitted
from viewer.ui.kit.theme import ERROR, color32
from viewer.ui.kit.widgets import faint, hint, toggle, wrapped

FOLDERS, PICTURES, LINES, UP, DOWN = "\uf07b", "\uf00a", "\uf03a", "\uf176", "\uf175"
QUERY_HINT = "Find: name, bones>60, clip:walk, error …"
SORT_WIDTH, SLIDER_WIDTH, QUERY_WIDTH = 7.0, 9.0, 24.0
"""Widths of the controls in line heights."""
WIDE = 58.0
"""Least width, in line heights, at which all controls of the wall fit into one row."""


def header(state: State, post: Post, shown: int, wall: bool) -> imgui.Key:
    """Draw the header of the `wall` or of the list. `shown` is the number of files that match the query.

    Return the key that leads from the query field to the files, as `query_field` does.
    """
    files, preferences = state.files, state.interface.preferences
    line, room = imgui.get_font_size(), imgui.get_content_region_avail().x
    one_row = wall and room > WIDE * line
    key = query_field(state, QUERY_WIDTH * line if one_row else -1)
    if one_row:
        imgui.same_line()
    _sorting(preferences)
    imgui.same_line()
    if toggle(f"{FOLDERS}###folded", preferences.files_folded):
        preferences.files_folded = not preferences.files_folded
    hint("List all files without folders" if preferences.files_folded else "Group the files by folder")
    imgui.same_line()
    if toggle(f"{PICTURES}###wall", files.wall):
        files.wall = not files.wall
    hint("Show the files as a list" if files.wall else "Show the files as a wall of pictures")
    if wall:
        imgui.same_line()
        imgui.set_next_item_width(SLIDER_WIDTH * line)
        preferences.picture_size = imgui.slider_float(
            "##picture size", preferences.picture_size, SMALLEST_PICTURE, LARGEST_PICTURE, ""
        )[1]
        hint("Size of the pictures (Ctrl+wheel)")
    if one_row:
        imgui.same_line()
    if files.result.error:
        wrapped(files.result.error, ERROR)
    else:
        faint(counts_text(files, shown))
    inside = ACTIONS_BY_NAME["search_inside"]
    if inside.enabled(state):
        if one_row:
            imgui.same_line()
        text = f"{files.result.more:,} more by bones, materials, textures, clips"
        if imgui.small_button(f"{fitted(text, imgui.get_content_region_avail().x - line)}###inside"):
            inside.run(state, post)
        hint(f"{text}   {shown_key(preferences, inside.name)}")
    return key


def empty_text(table: FileTable) -> str:
    """The text shown when there are no files to show."""
    name = printable(file_name(table.root))
    return "No file matches the query." if len(table) else f"{name} has no files that can be opened."


def query_field(state: State, width: float) -> imgui.Key:
    """Draw the query field. An error is underlined at its character. Escape leaves the field with its text.

    Return the key that was pressed in the field and leads to the files: Enter, if there is a query, or Down;
    `none` if there was no such key.
    """
    files = state.files
    if state.interface.find_requested(FILES):
        imgui.set_keyboard_focus_here()
    imgui.set_next_item_width(width)
    text = imgui.input_text_with_hint("##query", QUERY_HINT, files.query)[1]
    left = imgui.is_item_deactivated()
    if not (left and imgui.is_key_pressed(imgui.Key.escape, False)):  # ImGui gives the text before the edit
        files.query = text
    down = imgui.is_item_active() and imgui.is_key_pressed(imgui.Key.down_arrow, False)
    entered = left and bool(files.query.strip()) and any(imgui.is_key_pressed(each, False) for each in ENTER)
    if files.result.error and files.result.query == files.query:
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        pad = imgui.get_style().frame_padding
        x = low.x + pad.x + imgui.calc_text_size(files.query[: files.result.at]).x
        mark = max(imgui.calc_text_size(files.query[files.result.at :][:1]).x, pad.x)
        right = min(x + mark, high.x)
        imgui.get_window_draw_list().add_rect_filled(
            ImVec2(min(x, high.x - pad.x), high.y - pad.y), ImVec2(right, high.y), color32(ERROR)
        )
    return imgui.Key.down_arrow if down else imgui.Key.enter if entered else imgui.Key.none


def _sorting(preferences: Preferences) -> None:
    """Draw the choice of the column to sort by, and of the direction."""
    imgui.set_next_item_width(SORT_WIDTH * imgui.get_font_size())
    if imgui.begin_combo("##sort", f"By {preferences.files_sort}"):
        for name in FILE_SORTS:
            if imgui.selectable(f"By {name}", name == preferences.files_sort)[0]:
                preferences.files_sort = name
        imgui.end_combo()
    imgui.same_line(0, imgui.get_style().item_inner_spacing.x)
    if imgui.button(f"{DOWN if preferences.files_descending else UP}###direction"):
        preferences.files_descending = not preferences.files_descending
    hint(BY_NAME[preferences.files_sort].orders[preferences.files_descending])


def counts_text(files: FileList, shown: int) -> str:
    """Summarize the files: `12 of 340 files, 3 selected, indexing 45 %`."""
    total, noun = (len(files.table), files.table.noun) if files.table is not None else (0, "file")
    count = counted(total, noun) if shown == total else f"{shown:,} of {counted(total, noun)}"
    selected = f"{len(files.selected):,} selected" if len(files.selected) > 1 else ""
    return ", ".join(filter(None, (count, selected, files.progress)))
