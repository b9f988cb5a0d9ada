"""The Files panel: the files of a folder or package as a list, or as a tree of their folders."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.arrays import Array
from viewer.session.file_table import FileTable
from viewer.session.preferences import FILE_SORTS, FileSort
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.files.choosing import click, drag, menu, open_file, select_all, step_to
from viewer.ui.files.file_hint import picture_hint
from viewer.ui.files.file_rows import FileRows, Node, node_key
from viewer.ui.files.file_texts import BROKEN, cell, folder_details, icon, title
from viewer.ui.files.header import header
from viewer.ui.files.typing import type_query
from viewer.ui.kit.clipped_rows import clipped_tree
from viewer.ui.kit.dialogs import entered
from viewer.ui.kit.fitted_text import fitted, fitted_row
from viewer.ui.kit.theme import FAINT, TEXT, WARNING, color32
from viewer.ui.kit.tree_keys import fold, scroll_to, walk
from viewer.ui.kit.tree_rows import Branch, Row
from viewer.ui.kit.visible import label_text
from viewer.ui.kit.widgets import colored, hint, mono, nothing, right_aligned, tree_row
from viewer.ui.panels.package_cells import FOLDER, folder_label

COLUMNS: dict[FileSort, float] = {"kind": 5.5, "size": 4.5, "date": 9.0, "bones": 4.0, "triangles": 5.0}
"""The widths of the columns besides the name in line heights."""
FOLDER_ROOM = 4.0
"""The least room behind a name, in line heights, in which its folder is written."""
NAME_WIDTH = 12.0
"""The width in line heights that the name keeps."""
TABLE = int(
    imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.resizable
    | imgui.TableFlags_.row_bg
    | imgui.TableFlags_.no_borders_in_body
)


class FilesPanel:
    """The list. A click selects a file, a double click, Enter or a drop into the view opens it."""

    def __init__(self) -> None:
        self._rows = FileRows()
        self._seen = ""

    def __call__(self, state: State, post: Post) -> None:
        """Draw the panel."""
        table = state.files.table
        if table is None:
            nothing(state.files.problem or "Reading …")
            return
        rows = state.files.rows(state.interface.preferences)
        header(state, len(rows), wall=False)
        if imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows):
            type_query(state.files)
        if not len(rows):
            nothing("No file is found." if len(table) else "The folder holds no files that can be opened.")
            return
        self._table(state, post, table, rows)

    def _table(self, state: State, post: Post, table: FileTable, rows: Array) -> None:
        line = imgui.get_font_size()
        shown = columns(state.interface.preferences.files_sort, imgui.get_content_region_avail().x / line)
        if not imgui.begin_table(f"files {' '.join(shown)}", len(shown) + 1, TABLE):
            return
        imgui.table_setup_scroll_freeze(0, 1)
        imgui.table_setup_column("name", int(imgui.TableColumnFlags_.width_stretch))
        for name in shown:
            imgui.table_setup_column(name, int(imgui.TableColumnFlags_.width_fixed), COLUMNS[name] * line)
        _headers(state, shown)
        tree = self._rows.tree(state, table, rows)
        height = imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
        self._keys(state, post, table, tree, rows, height)
        for row in clipped_tree(tree, height):
            self._row(state, post, table, row, shown, rows)
        imgui.end_table()

    def _row(
        self,
        state: State,
        post: Post,
        table: FileTable,
        row: Row[Node],
        shown: tuple[str, ...],
        rows: Array,
    ) -> None:
        node, files = row.node, state.files
        key = node_key(table, node)
        imgui.table_next_row()
        imgui.table_next_column()
        label, mark = _label(table, node)
        start, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
        moved, text = fitted_row(row.depth, label, f"{mark}  ")
        chosen = key in files.selected or key == files.cursor
        color = WARNING if mark == BROKEN else TEXT
        was_open = row.open
        clicked = tree_row(row, f"{text}###row", chosen, color, True, moved)
        if not isinstance(node, int) and row.open != was_open:
            (files.opened.add if row.open else files.opened.discard)(node.path)
        if isinstance(node, int) and not state.interface.preferences.files_folded:
            used = moved + imgui.get_tree_node_to_label_spacing() + imgui.calc_text_size(text).x
            _folder(table, node, start, room, used)
        self._picture(state, table, node)
        if imgui.begin_popup_context_item("menu"):
            menu(state, post, table, node, rows)
            imgui.end_popup()
        if isinstance(node, int):
            drag(node, text)
        if clicked:
            click(state, table, node, rows)
            if isinstance(node, int) and imgui.is_mouse_double_clicked(0):
                open_file(state, post, table, node)
        if isinstance(node, int):
            _cells(table, node, shown)

    def _picture(self, state: State, table: FileTable, node: Node) -> None:
        """Show the picture of a file, and what is known of it, while the pointer rests on it."""
        if not isinstance(node, int):
            hint(lambda: folder_details(node.path, len(node)))
        else:
            picture_hint(state, table, node)

    def _keys(
        self,
        state: State,
        post: Post,
        table: FileTable,
        tree: Branch[Node],
        rows: Array,
        height: float,
    ) -> None:
        """Handle the keys of a tree; Shift selects, Ctrl+A selects all. A cursor that the wall or the view
        moved is scrolled to.
        """
        cursor = self._rows.path_of(state, table, tree)
        if cursor and state.files.cursor != self._seen:
            at = tree.row_of(cursor) * height
            if (
                not imgui.get_scroll_y()
                <= at
                <= imgui.get_scroll_y() + imgui.get_window_height() - 2 * height
            ):
                scroll_to(tree.row_of(cursor), height)
        self._seen = state.files.cursor
        if not imgui.is_window_focused():
            return
        select_all(state, rows)
        walked_to = walk(tree, cursor, height)
        if walked_to is not None:
            step_to(state, table, walked_to.node, rows)
        if not cursor:
            return
        row, path = fold(tree, cursor)
        if path != cursor:
            above = next(tree.rows(tree.row_of(path), len(tree)))
            state.files.cursor = node_key(table, above.node)
        if entered():
            if isinstance(row.node, int):
                open_file(state, post, table, row.node)
            else:
                row.toggle()


def columns(sort: str, room: float) -> tuple[FileSort, ...]:
    """The columns besides the name that fit into `room` line heights: first the one to sort by."""
    wanted = [sort, *(name for name in ("size", "kind", "triangles", "bones", "date") if name != sort)]
    fitting, left = set[FileSort](), room - NAME_WIDTH
    for name in wanted:
        if name in COLUMNS and COLUMNS[name] <= left:
            fitting.add(name)
            left -= COLUMNS[name]
    return tuple(name for name in COLUMNS if name in fitting)


def _headers(state: State, shown: tuple[FileSort, ...]) -> None:
    """Draw the names of the columns: a click sorts by one, a second click turns the order."""
    preferences = state.interface.preferences
    imgui.table_next_row(imgui.TableRowFlags_.headers)
    for number, name in enumerate((FILE_SORTS[0], *shown)):
        imgui.table_set_column_index(number)
        sorted_by = name == preferences.files_sort
        arrow = ("  \uf175" if preferences.files_descending else "  \uf176") if sorted_by else ""
        imgui.table_header(f"{name}{arrow}###{name}")
        if imgui.is_item_clicked():
            preferences.files_descending = sorted_by and not preferences.files_descending
            preferences.files_sort = name


def _label(table: FileTable, node: Node) -> tuple[str, str]:
    """The text of a row and its icon."""
    if not isinstance(node, int):
        return folder_label(node), FOLDER
    return title(table, node), BROKEN if node in table.errors else icon(table, node)


def _folder(table: FileTable, row: int, start: ImVec2, room: float, used: float) -> None:
    """Write the folder of a file behind its name, as far as it fits into the column."""
    folder = table.names[row].rpartition("/")[0]
    gap = imgui.get_font_size()
    if folder and room - used > FOLDER_ROOM * gap:
        text = fitted(label_text(folder), room - used - gap)
        at = ImVec2(start.x + used + gap / 2, start.y + imgui.get_style().cell_padding.y)
        imgui.get_window_draw_list().add_text(at, color32(FAINT), text)


def _cells(table: FileTable, row: int, shown: tuple[str, ...]) -> None:
    with mono():
        for name in shown:
            imgui.table_next_column()
            draw = colored if name in ("kind", "date") else right_aligned
            draw(cell(table, row, name), FAINT)
