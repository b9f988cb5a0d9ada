"""The files of a package in place of the picture: a list to search, sort and open files from."""

from __future__ import annotations

import os
from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.scene.document import Document
from viewer.scene.items import ByteItem
from viewer.scene.package import BROKEN, GOOD, JOINT, UNCHECKED, VERDICTS, WRONG, Package, ratio
from viewer.session.requests import Open, Post
from viewer.session.state import State
from viewer.ui.kit.theme import ERROR, FAINT, TEXT, WARNING, Color
from viewer.ui.kit.widgets import colored, faint, filter_box, hint, mono, nothing, right_aligned
from viewer.ui.panels.package_rows import COLUMNS, NAME, PACKED, RATIO, SIZE, STATE, PackageRows
from viewer.ui.value_text import size_text

FILE, MODEL, ANIMATION = "\uf15b", "\uf1b2", "\uf008"
ICONS = {".mdl": MODEL, ".mesh": MODEL, ".m2": MODEL, ".ani": ANIMATION, ".skeleton": ANIMATION}
INDENT = 1.6
"""The space for icons before the names, in line heights."""
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
ROW = int(imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_double_click)
ENTER = (imgui.Key.enter, imgui.Key.keypad_enter)


class PackageList:
    """The list: a click shows a file's bytes in the chunk tree, a double click or Enter opens it."""

    def __init__(self) -> None:
        self._document: Document | None = None
        self._rows: PackageRows | None = None
        self._filter = ""
        self._sort: tuple[int | None, bool] = (None, False)
        self._cursor: int | None = None

    def __call__(self, state: State, post: Post) -> None:
        """Draw the package in view."""
        document = state.document
        if document is None or not isinstance(document.content, Package):
            return
        package = document.content
        if self._document is not document or self._rows is None:
            self._document, self._rows, self._cursor = document, PackageRows(package), None
        self._filter = filter_box("package", self._filter)
        rows = self._rows.rows(self._filter, *self._sort).tolist()
        faint(_summary(package, len(rows)))
        if not rows:
            nothing("No file name contains this text." if len(package) else "The package holds no files.")
            return
        self._table(state, post, package, rows)

    def _table(self, state: State, post: Post, package: Package, rows: list[int]) -> None:
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
        self._keys(post, package, rows)
        clipper = imgui.ListClipper()
        clipper.begin(len(rows))
        while clipper.step():
            for number in rows[clipper.display_start : clipper.display_end]:
                imgui.push_id(number)
                self._row(state, post, package, number, shown)
                imgui.pop_id()
        imgui.end_table()

    def _sorted(self) -> None:
        """Apply the sort order that a click on a header requested; it takes effect in the next frame."""
        specs = imgui.table_get_sort_specs()
        if specs is None or not specs.specs_dirty:
            return
        if specs.specs_count:
            first = specs.get_specs(0)
            down = first.get_sort_direction() == imgui.SortDirection.descending
            self._sort = (int(first.column_user_id), down)
        else:
            self._sort = (None, False)
        specs.specs_dirty = False

    def _row(self, state: State, post: Post, package: Package, number: int, shown: Sequence[int]) -> None:
        name = package.names[number]
        opens = name.lower().endswith(state.pending_files.suffixes())
        imgui.table_next_row()
        imgui.table_next_column()
        start = imgui.get_cursor_pos_x()
        color: Color = TEXT if opens else FAINT
        clicked = imgui.selectable("###file", number == self._cursor, ROW)[0]
        hint(lambda: _told(package, number))
        self._menu(post, package, number)
        imgui.same_line(start)
        colored(_icon(name), color)
        imgui.same_line(start + INDENT * imgui.get_font_size())
        colored(printable(name), color)
        if clicked:
            self._pick(state, package, number)
            if imgui.is_mouse_double_clicked(0):
                self._open(post, package, number)
        cells = _cells(package, number)
        with mono():
            for column in shown[1:]:
                imgui.table_next_column()
                color = COLORS[int(package.verdicts[number])] if column == STATE else FAINT
                (right_aligned if column in NUMBERS else colored)(cells[column], color)

    def _menu(self, post: Post, package: Package, number: int) -> None:
        if imgui.begin_popup_context_item("menu"):
            self._cursor = number
            if imgui.menu_item_simple("Open"):
                self._open(post, package, number)
            if imgui.menu_item_simple("Copy name"):
                imgui.set_clipboard_text(package.names[number])
            if imgui.menu_item_simple("Copy path") and self._document is not None:
                imgui.set_clipboard_text(f"{self._document.path}{JOINT}{package.names[number]}")
            imgui.end_popup()

    def _pick(self, state: State, package: Package, number: int) -> None:
        """Select a file, and its bytes if it has any."""
        self._cursor, offset = number, int(package.offsets[number])
        if state.document is not None and package.packed[number] and offset < len(state.document.data):
            state.selection.pick(ByteItem(offset))

    def _open(self, post: Post, package: Package, number: int) -> None:
        if self._document is not None:
            post(Open((f"{self._document.path}{JOINT}{package.names[number]}",)))

    def _keys(self, post: Post, package: Package, rows: list[int]) -> None:
        """Handle the keys: Up and Down move the cursor, Enter opens the file."""
        if not imgui.is_window_focused() or imgui.is_any_item_active():
            return
        step = imgui.is_key_pressed(imgui.Key.down_arrow) - imgui.is_key_pressed(imgui.Key.up_arrow)
        at = rows.index(self._cursor) if self._cursor in rows else None
        if step:
            at = min(max((at if at is not None else -step) + step, 0), len(rows) - 1)
            self._cursor = rows[at]
            height = imgui.get_text_line_height_with_spacing()
            imgui.set_scroll_y(max((at + 0.5) * height - imgui.get_window_height() / 2, 0.0))
        if self._cursor is not None and at is not None and any(map(imgui.is_key_pressed, ENTER)):
            self._open(post, package, self._cursor)


def _icon(name: str) -> str:
    return ICONS.get(os.path.splitext(name)[1].lower(), FILE)


def _cells(package: Package, number: int) -> tuple[str, ...]:
    size, packed = int(package.sizes[number]), int(package.packed[number])
    return (
        "",
        size_text(size),
        size_text(packed),
        f"{ratio(packed, size):.0%}",
        f"{package.checksums[number]:08X}",
        VERDICTS[package.verdicts[number]],
    )


def _told(package: Package, number: int) -> str:
    """The full name and the exact numbers."""
    size, packed = int(package.sizes[number]), int(package.packed[number])
    at = f"at 0x{package.offsets[number]:X}, {packed:,} bytes there"
    return f"{printable(package.names[number])}\n{size:,} bytes; {at}"


def _summary(package: Package, shown: int) -> str:
    """`28 files, 174 KB, packed 98 KB (56 %), all checked`."""
    size, packed = int(package.sizes.sum()), int(package.packed.sum())
    count = f"{shown:,} of {len(package):,} files" if shown < len(package) else f"{len(package):,} files"
    taken = f", packed {size_text(packed)} ({ratio(packed, size):.0%})" if package.compressed else ""
    checked = int((package.verdicts != UNCHECKED).sum())
    wrong = int((package.verdicts > GOOD).sum())
    state = f"{wrong:,} wrong or broken" if wrong else "checksums ok" if checked else ""
    if checked < len(package):
        state = f"{checked:,} checked" + (f", {state}" if wrong else "")
    return f"{count}, {size_text(size)}{taken}" + (f", {state}" if state else "")
