"""The page of a package, which replaces the picture: its files in folders, with a filter and sort order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from imgui_bundle import imgui

from viewer.arrays import Array
from viewer.errors import printable
from viewer.scene.items import ByteItem
from viewer.scene.names import JOINT
from viewer.scene.package import BROKEN, GOOD, UNCHECKED, WRONG, Package
from viewer.session.layouts import VIEW
from viewer.session.requests import Open, Post
from viewer.session.state import State
from viewer.ui.files import package_files
from viewer.ui.files.package_files import (
    COUNT,
    PackageFolder,
    PackageNode,
    package_columns,
    package_tree,
    path_of,
    summary,
)
from viewer.ui.kit.texts import fitted_row
from viewer.ui.kit.theme import ERROR, FAINT, TEXT, WARNING, Color
from viewer.ui.kit.tree_rows import Branch, Row, flat
from viewer.ui.kit.tree_table import TABLE, Column, TableRows, TreeTable
from viewer.ui.kit.widgets import Memo, copy_text, faint, hint, nothing

NARROW = 42
"""Width in line heights below which only the columns in KEPT are shown."""
WIDE, KEPT = ("name", "size", "packed", "ratio", "checksum", "state"), ("name", "size", "state")
"""The columns of a package on a wide page and on a narrow page."""
GAME = ("name", "size", "archive")
"""The columns of a game. The files of a game come from several archives, and have no checksums."""
COLORS: dict[int, Color] = {UNCHECKED: FAINT, GOOD: FAINT, WRONG: WARNING, BROKEN: ERROR}
SORTED = TABLE | int(imgui.TableFlags_.sortable | imgui.TableFlags_.sort_tristate)
OPENED_HITS = 1000
"""Up to this number of filter hits, all folders are open."""


class PackageList:
    """The page of the package in view. Its state stays until another package is shown."""

    def __init__(self) -> None:
        self._table = Memo()

    def __call__(self, state: State, post: Post) -> None:
        """Draw the package in view."""
        document = state.document
        if document is not None and isinstance(document.content, Package):
            package = document.content
            self._table.get(document, lambda: PackageTable(document.path, package))(state, post)


class PackageTable:
    """The files of one package.

    A click shows a file's bytes in the Chunks panel; a double click or Enter opens the file. The filter
    searches all folders. If the files are sorted by a column other than the name, they are listed without
    folders.
    """

    def __init__(self, path: str, package: Package) -> None:
        self.path, self.package = path, package
        self.table = TreeTable[PackageNode]("package", package_columns(package), True, SORTED)

    def __call__(self, state: State, post: Post) -> None:
        """Draw the filter and the files."""
        package, table = self.package, self.table
        table.filter_line(state.interface.find_requested(VIEW))
        checked = int(package.verdicts.sum()) if table.order and table.order[0] == "state" else 0
        rows, tree = table.kept((state.document, checked), self.found)
        faint(summary(package, len(rows)))
        if not len(rows):
            nothing("No file name contains this text." if len(package) else "The package has no files.")
            return
        wide = imgui.get_content_region_avail().x > NARROW * imgui.get_font_size()
        shown = GAME if package.providers is not None else WIDE if wide else KEPT
        table(tree, _PackageRows(self, state, post), shown)

    def found(self) -> tuple[Array, Branch[PackageNode]]:
        """The indices [R] of the files that the filter finds, and their rows."""
        package, table = self.package, self.table
        rows = table.ordered(np.array(table.filter.matching(package.names), np.int64))
        if self.listed:
            return rows, flat(rows.tolist())
        opened = bool(table.filter) and len(rows) <= OPENED_HITS
        down = table.order is not None and table.order[1]
        return rows, package_tree(package, rows.tolist(), down, opened)

    @property
    def listed(self) -> bool:
        """Whether the files are listed without folders."""
        return self.table.order is not None and self.table.order[0] != "name"


class _PackageRows(TableRows[PackageNode]):
    def __init__(self, page: PackageTable, state: State, post: Post) -> None:
        self._page, self._state, self._post, self._package = page, state, post, page.package

    def line(self, row: Row[PackageNode]) -> tuple[float, str]:
        """The indentation and the name of a row, with its icon."""
        name = package_files.label(self._package, row.node, 0 if self._page.listed else row.depth)
        icon = package_files.icon(self._package, row.node, self._state.pending_files.kinds())
        return fitted_row(row.depth, name, f"{icon}  ")

    def color(self, row: Row[PackageNode]) -> Color:
        """The text colour for folders and files that can be opened, a faint colour for other files."""
        suffixes = tuple(self._state.pending_files.kinds())
        node, names = row.node, self._package.names
        return TEXT if isinstance(node, PackageFolder) or names[node].lower().endswith(suffixes) else FAINT

    def on_line(self, row: Row[PackageNode]) -> None:
        """Show the path, the exact sizes and the offset in a tooltip."""
        hint(lambda: package_files.details(self._package, row.node))

    def menu(self, row: Row[PackageNode]) -> None:
        """Draw the entries that open a row and copy its name or path."""
        name = printable(path_of(self._package, row.node))
        if isinstance(row.node, PackageFolder):
            if imgui.menu_item_simple("Close" if row.open else "Open"):
                row.toggle()
        elif imgui.menu_item_simple("Open"):
            self.open(row)
        if imgui.menu_item_simple("Copy name"):
            copy_text(name)
        if imgui.menu_item_simple("Copy path"):
            copy_text(f"{printable(self._page.path)}{JOINT}{name}")

    def label_marks(self, row: Row[PackageNode], label: str) -> Sequence[tuple[int, int]]:
        """The words of the filter in a name, but not in the number of a folder's files."""
        name = label.rpartition(COUNT)[0] if isinstance(row.node, PackageFolder) else label
        return self.filter.marks(name)

    def cell_color(self, row: Row[PackageNode], column: Column[PackageNode]) -> Color:
        """The colour of a state, a faint one for the other cells."""
        return COLORS[package_files.verdict(self._package, row.node)] if column.name == "state" else FAINT

    def choose(self, row: Row[PackageNode], by_key: bool) -> None:
        """Select the first packed byte of a file. An empty file or a folder has no effect."""
        number, document = row.node, self._state.document
        if isinstance(number, PackageFolder) or document is None:
            return
        offset = int(self._package.offsets[number])
        if self._package.packed[number] and offset < len(document.data):
            self._state.view.selection.pick(ByteItem(offset))

    def open(self, row: Row[PackageNode]) -> None:
        """Open the file, or open or close the folder."""
        if isinstance(row.node, PackageFolder):
            self.fold(row)
        else:
            self._post(Open((f"{self._page.path}{JOINT}{self._package.names[row.node]}",)))
