"""The files of a package in place of the picture: folders to open, and a list to search and sort."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui

from viewer.arrays import Array
from viewer.errors import printable
from viewer.scene.items import ByteItem
from viewer.scene.names import JOINT
from viewer.scene.package import BROKEN, GOOD, UNCHECKED, WRONG, Package
from viewer.session.layouts import VIEW
from viewer.session.requests import Open, Post
from viewer.session.state import State
from viewer.ui.kit.clipped_rows import clipped_tree
from viewer.ui.kit.copying import copy_text
from viewer.ui.kit.dialogs import entered
from viewer.ui.kit.fitted_text import fitted_row
from viewer.ui.kit.folder_tree import flat
from viewer.ui.kit.theme import ERROR, FAINT, TEXT, WARNING, Color
from viewer.ui.kit.tree_keys import fold, walk
from viewer.ui.kit.tree_rows import Branch, Path, Row
from viewer.ui.kit.widgets import (
    Memo,
    colored,
    faint,
    filter_box,
    hint,
    mono,
    nothing,
    right_aligned,
    tree_row,
)
from viewer.ui.panels import package_cells
from viewer.ui.panels.package_cells import path_of, summary
from viewer.ui.panels.package_rows import COLUMNS, NAME, PACKED, RATIO, SIZE, STATE, PackageRows
from viewer.ui.panels.package_tree import PackageFolder, PackageNode, package_tree

WIDTHS = (0.0, 5.0, 5.0, 3.5, 5.5, 6.0)
"""The widths of the columns in line heights; the name takes the rest."""
NARROW = 42
"""The width in line heights below which only name, size and state are shown."""
KEPT = (NAME, SIZE, STATE)
NUMBERS = (SIZE, PACKED, RATIO)
COLORS: dict[int, Color] = {UNCHECKED: FAINT, GOOD: FAINT, WRONG: WARNING, BROKEN: ERROR}
TABLE = int(
    imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.sortable
    | imgui.TableFlags_.sort_tristate
    | imgui.TableFlags_.resizable
    | imgui.TableFlags_.row_bg
    | imgui.TableFlags_.no_borders_in_body
)
MOST_OPENED = 1000
"""The number of hits of the filter up to which all folders are opened."""


class PackageList:
    """The files of the package in view. The list of a package stays as it is until another package is
    shown."""

    def __init__(self) -> None:
        self._table = Memo()

    def __call__(self, state: State, post: Post) -> None:
        """Draw the package in view."""
        document = state.document
        if document is not None and isinstance(document.content, Package):
            package = document.content
            self._table.get(document, lambda: PackageTable(document.path, package))(state, post)


class PackageTable:
    """The files of one package: a click shows a file's bytes in the chunk tree, a double click or Enter opens
    it.

    Folders fold, also by the arrow keys. The filter finds files in all folders. Sorted by a column other than
    the name, the files are one list.
    """

    def __init__(self, path: str, package: Package) -> None:
        self._path, self._package = path, package
        self._rows = PackageRows(package)
        self._filter = ""
        self._sort: tuple[int | None, bool] = (None, False)
        self._cursor: Path = ()
        self._whole, self._found = Memo(lasting=True), Memo(lasting=True)

    def __call__(self, state: State, post: Post) -> None:
        """Draw the filter and the files."""
        package = self._package
        before, self._filter = (
            self._filter,
            filter_box("package", self._filter, state.interface.find_requested(VIEW)),
        )
        if before != self._filter:
            self._cursor = ()
        rows = self._rows.rows(self._filter, *self._sort)
        faint(summary(package, len(rows)))
        if not len(rows):
            nothing("No file name contains this text." if len(package) else "The package holds no files.")
            return
        self._table(state, post, package, self._tree(package, rows, self._rows.version))

    def _tree(self, package: Package, rows: Array, version: int) -> Branch[PackageNode]:
        """The rows as a tree, or as a list if they are sorted by a number."""
        down, opened = self._sort[1], bool(self._filter) and len(rows) <= MOST_OPENED
        if self._listed:
            listed: Branch[PackageNode] = self._found.get(version, lambda: flat(rows.tolist()))
            return listed
        memo, key = (self._found, version) if self._filter else (self._whole, self._sort)
        tree: Branch[PackageNode] = memo.get(key, lambda: package_tree(package, rows.tolist(), down, opened))
        return tree

    @property
    def _listed(self) -> bool:
        """Whether the files are one list."""
        return self._sort[0] not in (None, NAME)

    def _table(self, state: State, post: Post, package: Package, tree: Branch[PackageNode]) -> None:
        line = imgui.get_font_size()
        wide = imgui.get_content_region_avail().x > NARROW * line
        shown = tuple(range(len(COLUMNS))) if wide else KEPT
        if not imgui.begin_table(f"files{len(shown)}", len(shown), TABLE, ImVec2(0, 0)):
            return
        imgui.table_setup_scroll_freeze(0, 1)
        for column in shown:
            stretch = imgui.TableColumnFlags_.width_fixed if column else imgui.TableColumnFlags_.width_stretch
            imgui.table_setup_column(COLUMNS[column], int(stretch), WIDTHS[column] * line, column)
        imgui.table_headers_row()
        self._sorted()
        height = imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
        self._keys(state, post, package, tree, height)
        for row in clipped_tree(tree, height):
            self._row(state, post, package, row, shown)
        imgui.end_table()

    def _sorted(self) -> None:
        """Take over a new sort order."""
        specs = imgui.table_get_sort_specs()
        if specs is None or not specs.specs_dirty:
            return
        if specs.specs_count:
            first = specs.get_specs(0)
            down = first.get_sort_direction() == imgui.SortDirection.descending
            self._sort = (int(first.column_user_id), down)
        else:
            self._sort = (None, False)
        self._cursor = ()
        specs.specs_dirty = False

    def _row(
        self, state: State, post: Post, package: Package, row: Row[PackageNode], shown: Sequence[int]
    ) -> None:
        node = row.node
        imgui.table_next_row()
        imgui.table_next_column()
        name = package_cells.label(package, node, 0 if self._listed else row.depth)
        moved, label = fitted_row(row.depth, name, f"{package_cells.icon(package, node)}  ")
        chosen = row.path == self._cursor
        clicked = tree_row(row, f"{label}###row", chosen, _color(state, package, node), True, moved)
        hint(lambda: package_cells.details(package, node))
        self._menu(post, package, row)
        if clicked:
            self._pick(state, package, row)
            if imgui.is_mouse_double_clicked(0):
                self._open(post, package, row)
        cells = package_cells.cells(package, node)
        with mono():
            for column in shown[1:]:
                imgui.table_next_column()
                ink = COLORS[package_cells.verdict(package, node)] if column == STATE else FAINT
                (right_aligned if column in NUMBERS else colored)(cells[column], ink)

    def _menu(self, post: Post, package: Package, row: Row[PackageNode]) -> None:
        if not imgui.begin_popup_context_item("menu"):
            return
        self._cursor = row.path
        if not isinstance(row.node, PackageFolder) and imgui.menu_item_simple("Open"):
            self._open(post, package, row)
        if isinstance(row.node, PackageFolder) and imgui.menu_item_simple("Close" if row.open else "Open"):
            row.toggle()
        if imgui.menu_item_simple("Copy name"):
            copy_text(printable(path_of(package, row.node)))
        if imgui.menu_item_simple("Copy path"):
            copy_text(f"{printable(self._path)}{JOINT}{printable(path_of(package, row.node))}")
        imgui.end_popup()

    def _pick(self, state: State, package: Package, row: Row[PackageNode]) -> None:
        """Move the cursor to a row, and select the bytes of its file if it has any."""
        self._cursor, number = row.path, row.node
        if isinstance(number, PackageFolder) or state.document is None:
            return
        offset = int(package.offsets[number])
        if package.packed[number] and offset < len(state.document.data):
            state.selection.pick(ByteItem(offset))

    def _open(self, post: Post, package: Package, row: Row[PackageNode]) -> None:
        """Open a file, or open or close a folder."""
        if isinstance(row.node, PackageFolder):
            row.toggle()
        else:
            post(Open((f"{self._path}{JOINT}{package.names[row.node]}",)))

    def _keys(
        self, state: State, post: Post, package: Package, tree: Branch[PackageNode], height: float
    ) -> None:
        """Handle the keys: arrows, Home, End and page keys move the cursor, Right and Left open and close
        folders, Enter opens.
        """
        if not imgui.is_window_focused():
            return
        walked_to = walk(tree, self._cursor, height)
        if walked_to is not None:
            self._pick(state, package, walked_to)
        if not self._cursor:
            return
        row, self._cursor = fold(tree, self._cursor)
        if entered():
            self._open(post, package, row)


def _color(state: State, package: Package, node: PackageNode) -> Color:
    """Files that can be opened, and folders, are bright."""
    opens = isinstance(node, PackageFolder) or package.names[node].lower().endswith(
        state.pending_files.suffixes()
    )
    return TEXT if opens else FAINT
