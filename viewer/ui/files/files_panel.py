"""The Files panel: the files of a folder or package as a list or as a tree of folders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from imgui_bundle import ImVec2, imgui

from viewer.arrays import Array
from viewer.scene.text_filter import TextFilter
from viewer.session.file_columns import BY_NAME, FILE_COLUMNS, FILE_SORTS
from viewer.session.file_table import FileTable
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.files.choosing import click, drag, menu, open_file, select_all, step_to
from viewer.ui.files.file_rows import FileRows, Node, node_key
from viewer.ui.files.file_texts import BROKEN, details, folder_details, icon, title
from viewer.ui.files.header import empty_text, header
from viewer.ui.files.package_files import COUNT, FOLDER, folder_label
from viewer.ui.item_menu import CHANGE
from viewer.ui.kit.overlays import is_under_overlay
from viewer.ui.kit.texts import fitted, fitted_row, label_text
from viewer.ui.kit.theme import FAINT, TEXT, WARNING, Color, color32
from viewer.ui.kit.tree_rows import Row
from viewer.ui.kit.tree_table import TABLE, Column, TableRows, TreeTable
from viewer.ui.kit.widgets import hint, mark_words, nothing

HINT = 12.0
"""The side of the picture in a tooltip, in line heights."""


def picture_hint(state: State, table: FileTable, row: int) -> None:
    """Show a file's thumbnail and known facts as the tooltip of the widget drawn last."""
    if is_under_overlay() or not imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        return
    path = table.path(row)
    if table.is_pictured(row):
        state.files.shown, state.files.side = (path,), imgui.get_font_size() * HINT
    found = state.files.picture(path)
    if not imgui.begin_tooltip():
        return
    if not isinstance(found, str):
        side = imgui.get_font_size() * HINT
        imgui.image(imgui.ImTextureRef(found.glo), ImVec2(side, side))
    imgui.text_unformatted(details(state.files, table, row, state.pending_files.change(path)))
    imgui.end_tooltip()


NAME = FILE_COLUMNS[0].name
COLUMNS: tuple[Column[Node], ...] = tuple(
    Column(each.name, each.width, mono=bool(each.width), right=each.right) for each in FILE_COLUMNS
)
FOLDER_ROOM = 4.0
"""The least room in line heights that must be left after a file's name to show its folder there."""
NAME_WIDTH = 12.0
"""The least width of the name column in line heights."""


class FilesPanel:
    """The list. A click selects a file; a double click, Enter or a drop into the view opens it."""

    def __init__(self) -> None:
        self._rows = FileRows()
        self._table = TreeTable[Node]("files", COLUMNS, True, TABLE)
        self._seen = ""

    def __call__(self, state: State, post: Post) -> None:
        """Draw the panel."""
        table = state.files.table
        if table is None:
            nothing(state.files.problem or "Reading …")
            return
        rows = state.files.rows(state.interface.preferences)
        key = header(state, post, len(rows), wall=False)
        entered = self._rows.entered(state.files, key == imgui.Key.enter)
        if not len(rows):
            nothing(empty_text(table))
            return
        tree = self._rows.tree(state, table, rows)
        if state.files.takes_first(wall=False):
            files = (row.node for row in tree.rows(0, len(tree)) if isinstance(row.node, int))
            state.files.cursor = state.files.anchor = table.path(next(files, int(rows[0])))
        cursor = self._table.cursor = self._rows.path_of(state, table, tree)
        if cursor and state.files.cursor != self._seen:
            self._table.show(cursor)
        self._seen = state.files.cursor
        room = imgui.get_content_region_avail().x / imgui.get_font_size()
        shown = (NAME, *columns(state.interface.preferences.files_sort, room, bool(table.marks)))
        self._table.filter = state.files.result.words
        drawn = _FileRows(state, post, table, rows, shown)
        if entered or key == imgui.Key.down_arrow:
            row = tree.row(tree.row_of(cursor) if cursor else 0)
            if entered:
                drawn.open(row)
            else:
                step_to(state, table, row.node, rows)
                self._table.take_focus()
        self._table(tree, drawn, shown)


class _FileRows(TableRows[Node]):
    """The rows, with the columns `shown`. `rows` are the files that match the query."""

    def __init__(self, state: State, post: Post, table: FileTable, rows: Array, shown: Sequence[str]) -> None:
        self._state, self._post, self._table, self._rows, self._shown = state, post, table, rows, shown
        self._files, self._folded = state.files, state.interface.preferences.files_folded
        self._start, self._room, self._line = ImVec2(), 0.0, (0.0, "")

    def line(self, row: Row[Node]) -> tuple[float, str]:
        """The indentation and the name of a row, with its icon."""
        label, mark = _label(self._table, row.node)
        mark = CHANGE if self._change(row) else mark
        self._start, self._room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
        self._line = fitted_row(row.depth, label, f"{mark}  ")
        return self._line

    def color(self, row: Row[Node]) -> Color:
        """The colour of a warning for files that could not be read or that changed after they were opened."""
        return WARNING if row.node in self._table.errors or self._change(row) else TEXT

    def _change(self, row: Row[Node]) -> str:
        """What happened to an open file on the disk; empty if nothing."""
        node = row.node
        return self._state.pending_files.change(self._table.path(node)) if isinstance(node, int) else ""

    def is_chosen(self, row: Row[Node], at_cursor: bool) -> bool:
        """Whether the file or folder is selected or has the cursor."""
        key = node_key(self._table, row.node)
        return key in self._files.selected or key == self._files.cursor

    def on_line(self, row: Row[Node]) -> None:
        """Draw the folder and the tooltip of a file, and let the user drag it."""
        node = row.node
        if isinstance(node, int):
            moved, text = self._line
            if not self._folded:
                used = moved + imgui.get_tree_node_to_label_spacing() + imgui.calc_text_size(text).x
                _folder(self._table, node, self._start, self._room, used, self.filter)
            picture_hint(self._state, self._table, node)
            drag(node, text)
        else:
            hint(lambda: folder_details(node.path, len(node)))

    def menu(self, row: Row[Node]) -> None:
        """Draw the entries for the file or the selected files."""
        menu(self._state, self._post, self._table, row.node, self._rows)

    def label_marks(self, row: Row[Node], label: str) -> Sequence[tuple[int, int]]:
        """The words of the query in a name, but not in the number of a folder's files."""
        name = label if isinstance(row.node, int) else label.rpartition(COUNT)[0]
        return self.filter.marks(name)

    def cells(self, row: Row[Node], columns: Sequence[Column[Node]]) -> Iterable[tuple[str, Color]]:
        """The texts of a file's columns; a folder has none."""
        node = row.node
        return [
            (BY_NAME[each.name].text(self._table, node) if isinstance(node, int) else "", FAINT)
            for each in columns
        ]

    def headers(self) -> None:
        """Draw the column headers; a click sorts."""
        _headers(self._state, self._shown)

    def keys(self) -> None:
        """Select all files on Ctrl+A."""
        select_all(self._state, self._rows)

    def choose(self, row: Row[Node], by_key: bool) -> None:
        """Select the file."""
        (step_to if by_key else click)(self._state, self._table, row.node, self._rows)

    def open(self, row: Row[Node]) -> None:
        """Open the file, or open or close the folder."""
        if isinstance(row.node, int):
            open_file(self._state, self._post, self._table, row.node)
        else:
            self.fold(row)

    def folded(self, row: Row[Node]) -> None:
        """Record whether a folder is open."""
        if not isinstance(row.node, int):
            (self._files.opened.add if row.open else self._files.opened.discard)(row.node.path)


def columns(sort: str, room: float, marked: bool = False) -> tuple[str, ...]:
    """Return the columns that fit into `room` line heights beside the name, in the order of the table.

    If not all columns fit, the column in `sort` has priority, and after it the rating if files are `marked`.
    """
    fitting, left = set[str](), room - NAME_WIDTH
    for each in sorted(
        FILE_COLUMNS[1:],
        key=lambda each: (each.name != sort, not marked or each.name != "rating", each.rank),
    ):
        if each.width <= left:
            fitting.add(each.name)
            left -= each.width
    return tuple(each.name for each in FILE_COLUMNS if each.name in fitting)


def _headers(state: State, shown: Sequence[str]) -> None:
    """Draw the headers. A click on a header sorts by its column; a second click reverses the order."""
    preferences = state.interface.preferences
    imgui.table_next_row(imgui.TableRowFlags_.headers)
    for number, name in enumerate(FILE_SORTS):
        if name not in shown:
            continue
        imgui.table_set_column_index(number)
        sorted_by = name == preferences.files_sort
        arrow = ("  \uf175" if preferences.files_descending else "  \uf176") if sorted_by else ""
        imgui.table_header(f"{name.capitalize()}{arrow}###{name}")
        if imgui.is_item_clicked():
            preferences.files_descending = sorted_by and not preferences.files_descending
            preferences.files_sort = name


def _label(table: FileTable, node: Node) -> tuple[str, str]:
    """Return the text of a row and its icon."""
    if not isinstance(node, int):
        return folder_label(node), FOLDER
    return title(table, node), BROKEN if node in table.errors else icon(table, node)


def _folder(table: FileTable, row: int, start: ImVec2, room: float, used: float, wanted: TextFilter) -> None:
    """Draw the folder of a file after the name. The folder is shortened to the room left in the column."""
    folder = table.names[row].rpartition("/")[0]
    gap = imgui.get_font_size()
    if folder and room - used > FOLDER_ROOM * gap:
        text = fitted(label_text(folder), room - used - gap)
        at = ImVec2(start.x + used + gap / 2, start.y + imgui.get_style().cell_padding.y)
        imgui.get_window_draw_list().add_text(at, color32(FAINT), text)
        mark_words(wanted, text, at)
