"""Trees and lists as tables with cells, a cursor, keys, context menus, and branches that open and close."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Generic, TypeVar

import numpy as np
from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.text_filter import EVERYTHING
from viewer.ui.kit.dialogs import entered
from viewer.ui.kit.texts import cut
from viewer.ui.kit.theme import FAINT, Color, mono_font, rgba
from viewer.ui.kit.tree_rows import Branch, Path, Row
from viewer.ui.kit.widgets import (
    Memo,
    clipped_tree,
    colored,
    filter_box,
    focus_window,
    mark_ranges,
    right_aligned,
    walked,
)

Node = TypeVar("Node")
Made = TypeVar("Made")

# the flags are converted to int, because combining enum members takes longer than drawing a line
LINE = int(imgui.TreeNodeFlags_.no_tree_push_on_open | imgui.TreeNodeFlags_.open_on_arrow)
ALL_COLUMNS = int(imgui.TreeNodeFlags_.span_all_columns)
FULL_WIDTH = int(imgui.TreeNodeFlags_.span_full_width)
LEAF = int(imgui.TreeNodeFlags_.leaf)
CHOSEN = int(imgui.TreeNodeFlags_.selected)
FIXED = int(imgui.TableColumnFlags_.width_fixed)
STRETCH = int(imgui.TableColumnFlags_.width_stretch)
ABSENT = int(imgui.TableColumnFlags_.disabled)
TABLE = int(
    imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.resizable
    | imgui.TableFlags_.row_bg
    | imgui.TableFlags_.no_borders_in_body
)
UNSAVED = int(imgui.TableFlags_.no_saved_settings)


class Column(Struct, Generic[Node], frozen=True):
    """A column, which is found by its name.

    `text` gives the text of a cell; the first column has the labels of the rows instead. `keys` gives the
    numbers [N] by which all N rows of a list are sorted, None if a click on the heading does not sort. The
    words of the filter are marked in a `searched` column.

    The column is `width` font sizes wide. If `width` is 0, it gets a `share` of the remaining width; if both
    are 0, it is as wide as its texts. If `mono`, cells have the fixed-width font. If `right`, they are
    aligned to the right. If `cut`, long texts end with an ellipsis.
    """

    name: str
    width: float = 0.0
    share: float = 1.0
    mono: bool = False
    right: bool = False
    cut: bool = False
    text: Callable[[Node], str] = str
    keys: Callable[[], Array] | None = None
    searched: bool = False


class TableRows(Generic[Node]):
    """Draws and handles the rows of a panel's `TreeTable`. A new object is created in each frame."""

    filter = EVERYTHING
    """The filter of the table, whose words are marked."""
    walks = True
    """Whether keys of the focused table move the cursor."""
    overlap = False
    """Whether widgets lie over the lines and take their clicks."""

    def line(self, row: Row[Node]) -> tuple[float, str]:
        """Return the indentation of a row in points, and its label, as `fitted_row` does."""
        raise NotImplementedError

    def draw(self, row: Row[Node], chosen: bool, wide: bool) -> bool:
        """Draw a line, over all columns if `wide`; return whether it was clicked."""
        moved, label = self.line(row)
        corner = imgui.get_cursor_screen_pos()
        flags = (ALL_COLUMNS if wide else FULL_WIDTH) | (CHOSEN if chosen else 0)
        clicked = tree_row(row, f"{label}###row", moved, self.color(row), flags)
        if self.filter:
            left = corner.x + moved + imgui.get_tree_node_to_label_spacing()
            mark_ranges(self.label_marks(row, label), label, ImVec2(left, corner.y))
        return clicked

    def label_marks(self, row: Row[Node], label: str) -> Sequence[tuple[int, int]]:
        """The ranges (first, end) of letters to mark in the drawn `label`, while there is a filter."""
        return self.filter.marks(label)

    def color(self, row: Row[Node]) -> Color | None:
        """The colour of a row's label, None for the colour of text."""
        return None

    def is_chosen(self, row: Row[Node], at_cursor: bool) -> bool:
        """Whether a row is drawn as selected."""
        return at_cursor

    def on_line(self, row: Row[Node]) -> None:
        """Handle a line that was just drawn: show a tooltip, or handle hovering or dragging.

        The line is ImGui's last item.
        """

    def has_menu(self, row: Row[Node]) -> bool:
        """Whether a row has a context menu."""
        return True

    def menu(self, row: Row[Node]) -> None:
        """Draw the entries of a row's context menu. The cursor is on this row."""

    def cells(self, row: Row[Node], columns: Sequence[Column[Node]]) -> Iterable[tuple[str, Color]]:
        """Return text and colour of a row's cells in some columns."""
        return [(column.text(row.node), self.cell_color(row, column)) for column in columns]

    def cell_color(self, row: Row[Node], column: Column[Node]) -> Color:
        """The colour of a cell."""
        return FAINT

    def cell_marks(self, row: Row[Node], column: Column[Node], text: str) -> Sequence[tuple[int, int]]:
        """The ranges (first, end) of letters to mark in the drawn `text` of a cell, while there is a
        filter.
        """
        return self.filter.marks(text) if column.searched else ()

    def behind(self, row: Row[Node]) -> None:
        """Draw additional parts over a line, after its cells."""

    def choose(self, row: Row[Node], by_key: bool) -> None:
        """Select the object of the row to which the user moved the cursor. `by_key` is False after a
        click.
        """

    def open(self, row: Row[Node]) -> None:
        """Handle Enter or a double click; by default, open or close a branch."""
        if not row.leaf:
            self.fold(row)

    def fold(self, row: Row[Node]) -> None:
        """Open or close a branch."""
        row.toggle()
        self.folded(row)

    def folded(self, row: Row[Node]) -> None:
        """React to a branch that the user opened or closed."""

    def headers(self) -> None:
        """Draw the headers of the columns."""
        imgui.table_headers_row()

    def keys(self) -> None:
        """Handle additional keys while the table has the focus."""

    def after(self) -> None:
        """Draw additional parts after all rows, such as a menu of the whole table."""


class TreeTable(Generic[Node]):
    """A tree or list as a table with `columns`. Without columns, its lines are drawn in a child window.

    The arrow keys, Home, End and the page keys move the `cursor`, which is the path of a row, or empty. Right
    opens a branch or enters it. Left closes it or goes to the parent row. Enter or a double click opens the
    row. The table has a `filter`, whose words are marked in the rows. `order` is the name of the column by
    which the rows are sorted, and whether they are descending; None while the user has chosen no column.
    """

    def __init__(
        self,
        name: str,
        columns: Sequence[Column[Node]] = (),
        headers: bool = False,
        flags: int = TABLE | UNSAVED,
    ):
        self.cursor: Path = ()
        self.filter = EVERYTHING
        self.order: tuple[str, bool] | None = None
        self.focused = self.scrolled = False
        self.columns = {column.name: column for column in columns}
        self._numbers = {column.name: number for number, column in enumerate(columns)}
        self._name, self._headers, self._flags = name, headers, flags
        self._whole, self._found, self._last = Memo(), Memo(), Memo()
        self._wanted: Path = ()
        self._restarts = self._takes_focus = False

    def filter_line(self, focus: bool = False) -> None:
        """Draw the field of the filter. `focus` gives it the keyboard focus."""
        self.filter = filter_box(self._name, self.filter, focus)

    def kept(self, key: tuple[object, ...], make: Callable[[], Made]) -> Made:
        """Return the rows that `make` makes, kept until the `key`, the filter or the order changes. The
        cursor is on none of the new rows.

        While there is a filter or an order, the rows without them are kept too, with their open branches.
        """
        memo = self._found if self.filter or self.order else self._whole
        key = (*key, self.filter, self.order)
        made: Made = memo.get(key, make)
        if made is not self._last.value:
            self._last.get((*key, id(made)), lambda: made)
            self.cursor = ()
        return made

    def ordered(self, rows: Array) -> Array:
        """Sort the indices [R] of rows by the column in `order`."""
        name, descending = self.order or ("", False)
        keys = self.columns[name].keys if name else None
        if keys is None:
            return rows
        values = keys()[rows].astype(np.float64)
        return np.asarray(rows[np.argsort(-values if descending else values, kind="stable")])

    def show(self, path: Path) -> None:
        """Scroll to the row at `path` when the table is drawn next. Its ancestors are opened."""
        self._wanted = path

    def restart(self) -> None:
        """Scroll to the first row when the table is drawn next, for the rows of another document."""
        self._restarts = True

    def take_focus(self) -> None:
        """Give the table the keyboard focus when it is drawn next; no text field is active any more."""
        self._takes_focus = True

    def __call__(
        self,
        tree: Branch[Node],
        rows: TableRows[Node],
        shown: Collection[str] | None = None,
        height: float = 0.0,
    ) -> None:
        """Draw the visible rows with the columns named in `shown`, None for all columns.

        A table is `height` points high, 0 for the rest of the window.
        """
        rows.filter = self.filter
        if not self.columns:
            if imgui.begin_child(self._name):
                self._draw(tree, rows, [], imgui.get_text_line_height_with_spacing())
            imgui.end_child()
            return
        # all choices of columns share one table, because a new table would lose the focus and the scroll
        # position
        if not imgui.begin_table(self._name, len(self.columns), self._flags, ImVec2(0, height)):
            return
        unit = imgui.get_font_size()
        columns = [each for each in self.columns.values() if shown is None or each.name in shown]
        for name, column in self.columns.items():
            flags = FIXED if column.width or not column.share else STRETCH
            width = column.width * unit or column.share
            title, number = name.replace("_", " ").capitalize(), self._numbers[name]
            imgui.table_setup_column(title, flags | (0 if column in columns else ABSENT), width, number)
        if self._headers:
            imgui.table_setup_scroll_freeze(0, 1)
            rows.headers()
            self._take_order()
        self._draw(tree, rows, columns, imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y)
        imgui.end_table()

    def _take_order(self) -> None:
        """Store the order if the user has changed it by a click on a heading."""
        specs = imgui.table_get_sort_specs()
        if specs is None or not specs.specs_dirty:
            return
        self.order = None
        if specs.specs_count:
            first = specs.get_specs(0)
            descending = first.get_sort_direction() == imgui.SortDirection.descending
            self.order = [*self.columns][first.column_user_id], descending
        specs.specs_dirty = False

    def _draw(
        self, tree: Branch[Node], rows: TableRows[Node], columns: list[Column[Node]], height: float
    ) -> None:
        self.focused, self.scrolled = imgui.is_window_focused(), bool(self._wanted)
        top = imgui.get_scroll_y()
        if self._restarts:
            top = 0.0
            imgui.set_scroll_y(top)
            self._restarts = False
        if self._wanted:
            _scroll_to(tree.reveal(self._wanted), height, top)
            self._wanted = ()
        if self.focused:
            rows.keys()
            if rows.walks:
                self._keys(tree, rows, height)
        menus = imgui.is_mouse_released(1) or imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
        cells = columns[1:]
        for row in clipped_tree(tree, height):
            self._row(rows, row, cells, menus)
        rows.after()
        if self._takes_focus:  # after the keys, because the key that led here moves the cursor no further
            self._takes_focus = False
            focus_window()

    def _row(self, rows: TableRows[Node], row: Row[Node], cells: Sequence[Column[Node]], menus: bool) -> None:
        """Draw a row with its `cells` after the label. `menus` is False if no context menu is open and none
        opens in this frame.
        """
        if self.columns:
            imgui.table_next_row()
            imgui.table_next_column()
        at_cursor = bool(self.cursor) and row.number == self.cursor[-1] and row.path == self.cursor
        chosen, was_open = rows.is_chosen(row, at_cursor), row.open
        if rows.overlap:
            imgui.set_next_item_allow_overlap()
        clicked = rows.draw(row, chosen, bool(self.columns))
        if row.open != was_open:
            rows.folded(row)
        rows.on_line(row)
        if menus and rows.has_menu(row) and imgui.begin_popup_context_item("menu"):
            self.cursor = row.path
            rows.menu(row)
            imgui.end_popup()
        if clicked:
            self.cursor = row.path
            if imgui.is_mouse_double_clicked(0):
                rows.open(row)
            else:
                rows.choose(row, False)
        if cells:
            self._cells(rows, row, cells)
        rows.behind(row)

    def _cells(self, rows: TableRows[Node], row: Row[Node], columns: Sequence[Column[Node]]) -> None:
        """Draw a row's cells in some columns.

        The font is changed only once for neighbouring cells with the same font.
        """
        fixed = False
        for column, (text, color) in zip(columns, rows.cells(row, columns), strict=True):
            if column.mono is not fixed:
                fixed = column.mono
                if fixed:
                    imgui.push_font(mono_font(), 0.0)
                else:
                    imgui.pop_font()
            if imgui.table_set_column_index(self._numbers[column.name]) and text:
                if column.cut:
                    text = cut(text, imgui.get_content_region_avail().x)
                (right_aligned if column.right else colored)(text, color)
                if rows.filter:
                    marks = rows.cell_marks(row, column, text)
                    mark_ranges(marks, text, imgui.get_item_rect_min())
        if fixed:
            imgui.pop_font()

    def _keys(self, tree: Branch[Node], rows: TableRows[Node], height: float) -> None:
        number = tree.row_of(self.cursor) if self.cursor else -1
        page = max(int(imgui.get_window_height() / height) - 2, 1)
        target = walked(number, len(tree), page)
        if target is not None:
            self._step(tree, rows, target, height)
        if not self.cursor:
            return
        number = tree.row_of(self.cursor)
        row = tree.row(number)
        if _pressed(imgui.Key.right_arrow) and not row.leaf:
            if row.open:
                self._step(tree, rows, number + 1, height)
            else:
                rows.fold(row)
        elif _pressed(imgui.Key.left_arrow) and (row.open or row.depth):
            if row.open:
                rows.fold(row)
            else:
                self._step(tree, rows, tree.row_of(row.path[:-1]), height)
        if entered():
            rows.open(tree.row(tree.row_of(self.cursor)))

    def _step(self, tree: Branch[Node], rows: TableRows[Node], number: int, height: float) -> None:
        """Move the cursor to row `number`, select it and scroll to it."""
        row = tree.row(number)
        self.cursor = row.path
        _scroll_to(number, height, imgui.get_scroll_y())
        rows.choose(row, True)


def _scroll_to(row: int, height: float, top: float) -> None:
    """Scroll row `row` into the middle of the current window if it is not visible at the scroll position
    `top`.
    """
    room = imgui.get_window_height()
    if not top <= row * height <= top + room - 2 * height:
        imgui.set_scroll_y(max((row + 0.5) * height - room / 2, 0.0))


def _pressed(key: imgui.Key) -> bool:
    return bool(imgui.shortcut(int(key), imgui.InputFlags_.repeat))


def tree_row(row: Row[Node], label: str, moved: float, color: Color | None, flags: int) -> bool:
    """Draw a line, indented by `moved` points; return whether it was clicked.

    A click that opens or closes a branch does not count: a click on the arrow, or a double click.
    """
    leaf = row.leaf
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + moved)
    if not leaf:
        imgui.set_next_item_open(row.open)
    if color is not None:
        imgui.push_style_color(imgui.Col_.text, rgba(color))
    imgui.tree_node_ex(label, LINE | flags | (LEAF if leaf else 0))
    if color is not None:
        imgui.pop_style_color()
    doubled = not leaf and imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0)
    if doubled or (not leaf and imgui.is_item_toggled_open()):
        row.toggle()
        return False
    return bool(imgui.is_item_clicked())
