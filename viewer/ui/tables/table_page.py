"""The page of a table, which replaces the picture: its rows and columns, with a filter and sort order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from imgui_bundle import imgui

from viewer.arrays import Array
from viewer.errors import counted
from viewer.scene.items import Item, RowItem
from viewer.scene.table import Table, TableColumn
from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.session.layouts import VIEW
from viewer.session.requests import OpenRow, OpenRowModel, Post
from viewer.session.state import State
from viewer.ui.kit.texts import grouped, label_text
from viewer.ui.kit.theme import ACCENT, FAINT, TEXT, Color
from viewer.ui.kit.tree_rows import Branch, Row, flat
from viewer.ui.kit.tree_table import TABLE, Column, TableRows, TreeTable
from viewer.ui.kit.widgets import Memo, copy_text, faint, filter_box, hint, nothing
from viewer.ui.tables.table_rows import TableSearch, cell, referenced

SORTED = TABLE | int(
    imgui.TableFlags_.sortable
    | imgui.TableFlags_.sort_tristate
    | imgui.TableFlags_.scroll_x
    | imgui.TableFlags_.borders_inner_v
)
NARROWEST, WIDEST = 3.0, 22.0
"""The widths of a column in font sizes."""
LETTER = 0.62
"""The width of a letter in font sizes."""
MODELLED = ("CreatureDisplayInfo", "CreatureModelData", "GameObjectDisplayInfo", "SpellVisualEffectName")
"""The tables whose rows are about models."""
MEASURED = 60
"""The number of rows, evenly spread, whose texts give the width of a column."""


class TablePage:
    """The page of the table in view. Its state stays until another table is shown."""

    def __init__(self) -> None:
        self._grid = Memo()

    def __call__(self, state: State, post: Post) -> None:
        """Draw the table in view."""
        document = state.document
        if document is not None and isinstance(document.content, Table):
            table = document.content
            self._grid.get(document, lambda: TableGrid(document.path, table))(state, post)


class TableGrid:
    """The rows of the table in the file `path`. A click on a row selects it; a click on a heading sorts."""

    def __init__(self, path: str, table: Table) -> None:
        self.table, self.search = table, TableSearch(table)
        self.numbers = {each.name: number for number, each in enumerate(table.columns)}
        columns = [_column(table, self.search, number) for number in range(len(table.columns))]
        self.grid = TreeTable[int](f"table##{path}", columns, True, SORTED)
        self._order = self.grid.order
        self._shown: Item | None = None

    def __call__(self, state: State, post: Post) -> None:
        """Draw the filter and the rows."""
        grid = self.grid
        if state.interface.table_filter:
            grid.filter, state.interface.table_filter = TextFilter(state.interface.table_filter), ""
        grid.filter = filter_box("table", grid.filter, state.interface.find_requested(VIEW))
        rows, tree = grid.kept((state.document,), self.found)
        faint(_summary(self.table, len(rows)))
        if not len(rows):
            nothing("No row contains this text or number." if len(self.table) else "The table has no rows.")
            return
        if grid.order != self._order:
            self._order, self._shown = grid.order, None
        self._follow(state.focus, rows)
        grid(tree, _GridRows(self, state, post))

    def found(self) -> tuple[Array, Branch[int]]:
        """The indices [R] of the rows that the filter finds, and their list."""
        rows = self.grid.ordered(self.search.rows(self.grid.filter))
        return rows, flat(rows.tolist())

    def _follow(self, focus: Item | None, rows: Array) -> None:
        """Scroll to the row that was selected since the last frame."""
        if focus == self._shown:
            return
        self._shown = focus
        if isinstance(focus, RowItem):
            found = (rows == focus.number).nonzero()[0]
            if len(found):
                self.grid.cursor = (int(found[0]),)
                self.grid.show(self.grid.cursor)

    def show_all(self) -> None:
        """Clear the filter, because it may hide a referenced row of the same table."""
        self.grid.filter = EVERYTHING

    def remember(self, item: Item) -> None:
        """Remember that the user has selected `item` here, so that the page does not scroll to it."""
        self._shown = item


class _GridRows(TableRows[int]):
    def __init__(self, page: TableGrid, state: State, post: Post) -> None:
        self._page, self._state, self._post = page, state, post
        self._table, self._focus = page.table, state.focus

    def line(self, row: Row[int]) -> tuple[float, str]:
        """The indentation and the first cell of a row."""
        before = imgui.get_tree_node_to_label_spacing()
        return -before, label_text(cell(self._table, row.node, 0))

    def is_chosen(self, row: Row[int], at_cursor: bool) -> bool:
        """Whether a row is selected, or the byte that is selected belongs to the row."""
        return self._focus == RowItem(row.node)

    def on_line(self, row: Row[int]) -> None:
        """Show the whole text and the meaning of the cell under the mouse in a tooltip."""
        if imgui.is_item_hovered():
            self._state.view.selection.point(RowItem(row.node))
            number = imgui.table_get_hovered_column()
            if 0 <= number < len(self._table.columns):
                if referenced(self._table, row.node, number) is not None:
                    imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
                hint(_tip(self._table.columns[number], cell(self._table, row.node, number)))

    def menu(self, row: Row[int]) -> None:
        """Draw the menu entries of a row. The entries follow the row's references, show the rows that refer
        to it, and copy it.
        """
        for number, each in enumerate(self._table.columns):
            target = referenced(self._table, row.node, number)
            if target is not None and imgui.menu_item_simple(f"Show {each.reference} {target}##{number}"):
                self._follow(number, target)
        for name in self._table.referrers:
            if imgui.menu_item_simple(f"Show rows of {name} that refer to this row"):
                self._show_referring(name, row.node)
        document = self._state.document
        if document is not None and self._table.name in MODELLED and imgui.menu_item_simple("Open the model"):
            self._post(OpenRowModel(document.path, row.node))
        if imgui.menu_item_simple("Copy row", "Ctrl+C"):
            self._copy(row.node)

    def keys(self) -> None:
        """Copy the selected row on Ctrl+C."""
        if isinstance(self._focus, RowItem) and imgui.shortcut(int(imgui.Key.mod_ctrl | imgui.Key.c)):
            self._copy(self._focus.number)

    def _copy(self, row: int) -> None:
        columns = range(len(self._table.columns))
        copy_text("\t".join(cell(self._table, row, each) for each in columns))

    def label_marks(self, row: Row[int], label: str) -> Sequence[tuple[int, int]]:
        """The letters in which the filter occurs in the first cell."""
        return self._page.search.marks(row.node, self._table.columns[0], label, self.filter)

    def cell_marks(self, row: Row[int], column: Column[int], text: str) -> Sequence[tuple[int, int]]:
        """The letters in which the filter occurs in a cell."""
        each = self._table.columns[self._page.numbers[column.name]]
        return self._page.search.marks(row.node, each, text, self.filter)

    def cells(self, row: Row[int], columns: Sequence[Column[int]]) -> Iterable[tuple[str, Color]]:
        """The texts of a row's columns after the first. Texts of rows in sight are made once."""
        if row.texts is None:
            row.texts = super().cells(row, columns)
        texts: Iterable[tuple[str, Color]] = row.texts
        return texts

    def cell_color(self, row: Row[int], column: Column[int]) -> Color:
        """The colour of a cell: the accent colour for references, a faint one for zeros."""
        if referenced(self._table, row.node, self._page.numbers[column.name]) is not None:
            return ACCENT
        return TEXT if self._table.records[column.name][row.node] else FAINT

    def choose(self, row: Row[int], by_key: bool) -> None:
        """Select the row and its bytes. A click on a reference then shows the referenced row."""
        self._page.remember(RowItem(row.node))
        self._state.view.selection.pick(RowItem(row.node))
        number = -1 if by_key else imgui.table_get_hovered_column()
        target = (
            referenced(self._table, row.node, number) if number in range(len(self._table.columns)) else None
        )
        if target is not None:
            self._follow(number, target)

    def open(self, row: Row[int]) -> None:
        """Show the rows of the first table that refers to this table, such as the displays of a model."""
        if self._table.referrers:
            self._show_referring(self._table.referrers[0], row.node)

    def _show_referring(self, name: str, row: int) -> None:
        """Show the rows of another table, with this `name`, that refer to a row of this table."""
        document, id = self._state.document, self._table.value(row, 0)
        if document is not None and isinstance(id, int):
            self._post(OpenRow(document.path, name, id, self._table.name))

    def _follow(self, column: int, target: int) -> None:
        """Show the row `target` of the table to which a column refers."""
        document, name = self._state.document, self._table.columns[column].reference
        if document is None:
            return
        if name == self._table.name:
            self._page.show_all()
        self._post(OpenRow(document.path, name, target))


def _summary(table: Table, found: int) -> str:
    """Summarize a table: `12 of 8 320 rows, 16 columns, 3.3.5a`."""
    rows = f"{grouped(len(table))} row{'' if len(table) == 1 else 's'}"
    if found < len(table):
        rows = f"{grouped(found)} of {rows}"
    clients = ", ".join(table.clients) or "of an unknown client"
    return f"{rows}, {counted(len(table.columns), 'column')}, {clients}"


def _tip(column: TableColumn, text: str) -> str:
    """The tooltip of a cell: the name of its column, its text, its meaning."""
    meaning = f"row of {column.reference}: click to show it" if column.reference else column.note
    return "\n".join(filter(None, (f"{column.name}  {text}".rstrip(), meaning)))


def _column(table: Table, search: TableSearch, number: int) -> Column[int]:
    """A column of the page, as wide as its name and the texts of some rows."""
    each = table.columns[number]
    rows = range(0, len(table), max(len(table) // MEASURED, 1))
    longest = max((len(cell(table, row, number)) for row in rows), default=0)
    width = max(min(max(longest, len(each.name) + 3) * LETTER, WIDEST), NARROWEST)
    plain = each.type == "text"
    return Column(
        each.name,
        width,
        mono=not plain,
        right=not plain,
        cut=True,
        text=lambda row: cell(table, row, number),
        keys=lambda: search.keys(each),
    )
