"""The page of a package, which replaces the picture: its files in folders, with a filter and sort order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
from viewer.ui.files.folder_tree import flat
from viewer.ui.files.package_files import (
    ARCHIVE,
    CHECKSUM,
    NAME,
    PACKED,
    RATIO,
    SIZE,
    STATE,
    PackageFolder,
    PackageNode,
    PackageRows,
    package_tree,
    path_of,
    summary,
)
from viewer.ui.kit.texts import fitted_row
from viewer.ui.kit.theme import ERROR, FAINT, TEXT, WARNING, Color
from viewer.ui.kit.tree_rows import Branch, Row
from viewer.ui.kit.tree_table import Column, TableRows, TreeTable
from viewer.ui.kit.widgets import Memo, copy_text, faint, filter_box, hint, nothing

COLUMNS = (
    Column("name"),
    Column("size", 5.0, mono=True, right=True),
    Column("packed", 5.0, mono=True, right=True),
    Column("ratio", 3.5, mono=True, right=True),
    Column("checksum", 5.5, mono=True),
    Column("state", 6.0, mono=True),
    Column("archive", 12.0, cut=True),
)
NARROW = 42
"""Width in line heights below which only the columns name, size and state are shown."""
WIDE, KEPT = (NAME, SIZE, PACKED, RATIO, CHECKSUM, STATE), (NAME, SIZE, STATE)
"""The columns of a package on a wide page and on a narrow page."""
GAME = (NAME, SIZE, ARCHIVE)
"""The columns of a game. The files of a game come from several archives, and have no checksums."""
COLORS: dict[int, Color] = {UNCHECKED: FAINT, GOOD: FAINT, WRONG: WARNING, BROKEN: ERROR}
SORTED = int(imgui.TableFlags_.sortable | imgui.TableFlags_.sort_tristate)
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
        self._rows = PackageRows(package)
        self._filter = ""
        self._sort: tuple[int | None, bool] = (None, False)
        self._table = TreeTable[PackageNode]("package", COLUMNS, True, SORTED)
        self._whole, self._found = Memo(lasting=True), Memo(lasting=True)

    def __call__(self, state: State, post: Post) -> None:
        """Draw the filter and the files."""
        package = self.package
        before, self._filter = (
            self._filter,
            filter_box("package", self._filter, state.interface.find_requested(VIEW)),
        )
        if before != self._filter:
            self._table.cursor = ()
        rows = self._rows.rows(self._filter, *self._sort)
        faint(summary(package, len(rows)))
        if not len(rows):
            nothing("No file name contains this text." if len(package) else "The package has no files.")
            return
        wide = imgui.get_content_region_avail().x > NARROW * imgui.get_font_size()
        shown = GAME if package.providers is not None else WIDE if wide else KEPT
        tree = self._tree(package, rows, self._rows.version)
        drawn = _PackageRows(self, state, post, shown)
        self._table(tree, drawn, [COLUMNS[column] for column in shown])

    def _tree(self, package: Package, rows: Array, version: int) -> Branch[PackageNode]:
        """Return the rows as a tree of folders.

        If they are sorted by a column other than the name, return a list.
        """
        down, opened = self._sort[1], bool(self._filter) and len(rows) <= OPENED_HITS
        if self.listed:
            listed: Branch[PackageNode] = self._found.get(version, lambda: flat(rows.tolist()))
            return listed
        memo, key = (self._found, version) if self._filter else (self._whole, self._sort)
        tree: Branch[PackageNode] = memo.get(key, lambda: package_tree(package, rows.tolist(), down, opened))
        return tree

    @property
    def listed(self) -> bool:
        """Whether the files are listed without folders."""
        return self._sort[0] not in (None, NAME)

    def take_order(self) -> None:
        """Store the sort order if the user has changed it."""
        specs = imgui.table_get_sort_specs()
        if specs is None or not specs.specs_dirty:
            return
        if specs.specs_count:
            first = specs.get_specs(0)
            down = first.get_sort_direction() == imgui.SortDirection.descending
            self._sort = (int(first.column_user_id), down)
        else:
            self._sort = (None, False)
        self._table.cursor = ()
        specs.specs_dirty = False


class _PackageRows(TableRows[PackageNode]):
    def __init__(self, table: PackageTable, state: State, post: Post, shown: Sequence[int]) -> None:
        self._table, self._state, self._post = table, state, post
        self._package, self._shown = table.package, shown

    def line(self, row: Row[PackageNode]) -> tuple[float, str]:
        """The indentation and the name of a row, with its icon."""
        name = package_files.label(self._package, row.node, 0 if self._table.listed else row.depth)
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
            copy_text(f"{printable(self._table.path)}{JOINT}{name}")

    def cells(self, row: Row[PackageNode]) -> Iterable[tuple[str, Color]]:
        """The texts of a row's columns."""
        texts = package_files.cells(self._package, row.node)
        verdict = COLORS[package_files.verdict(self._package, row.node)]
        return [(texts[column], verdict if column == STATE else FAINT) for column in self._shown[1:]]

    def headers(self) -> None:
        """Draw the column headers; a click sorts."""
        super().headers()
        self._table.take_order()

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
            self._post(Open((f"{self._table.path}{JOINT}{self._package.names[row.node]}",)))
