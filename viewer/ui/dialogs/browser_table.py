"""The entries of the folder in the window's own file dialog: a table with headings that sort it."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from viewer.errors import printable
from viewer.scene.text_filter import TextFilter
from viewer.session.file_columns import date_text, size_text
from viewer.session.folder_listing import COLUMNS, BrowserColumn, FolderEntry, FolderListing
from viewer.session.requests import Open
from viewer.session.state import State
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.theme import ACCENT, ERROR, FAINT, TEXT, rgba
from viewer.ui.kit.widgets import WHOLE_ROW, clipped, colored, found_line, hint, mono, nothing, right_aligned

FOLDER, FILE = "\uf07b", "\uf15b"
PRESSED_TOO = int(imgui.HoveredFlags_.allow_when_blocked_by_active_item)
WIDTHS = {"date": 9.5, "size": 6.0}
"""The widths of columns in line heights."""
TITLES = {"name": "Name", "date": "Modified", "size": "Size"}
NARROWEST = 26
"""The dates are left out if the table is narrower than this number of line heights."""
ROW = WHOLE_ROW | int(imgui.SelectableFlags_.allow_double_click)
TABLE = int(imgui.TableFlags_.scroll_y | imgui.TableFlags_.sortable | imgui.TableFlags_.no_saved_settings)

Take = Callable[[FolderEntry], None]


def entries_table(
    state: State, browser: FolderListing, verb: str, moved: bool, take: Take, use: Take
) -> None:
    """Draw the entries. With `moved`, scroll to the cursor.

    `take` is called with a double-clicked entry. Each folder has a button with the text `verb`; `use` is
    called with the folder whose button was clicked.
    """
    if browser.entries is None:
        nothing("Reading …")
        return
    if browser.packed_path:
        nothing("Enter opens this file of the package or game.")
        return
    if browser.error:
        colored(browser.error, ERROR)
        return
    rows = browser.shown
    if not rows:
        nothing(_empty_text(browser))
        return
    wide = imgui.get_content_region_avail().x > imgui.get_font_size() * NARROWEST
    columns = [each for each in COLUMNS if each != "date" or wide]
    if not imgui.begin_table(f"entries {len(columns)}", len(columns), TABLE):
        return
    _headings(state, browser, columns)
    wanted = browser.wanted
    for number in clipped(len(rows)):
        over = _row(browser, rows[number], number, take, wanted)
        if "date" in columns:
            _date(rows[number])
        _last_cell(browser, rows[number], number, over, verb, use)
    if moved:
        height = imgui.get_text_line_height_with_spacing()
        imgui.set_scroll_y(max((browser.cursor + 1.5) * height - imgui.get_window_height() / 2, 0.0))
    imgui.end_table()


def _empty_text(browser: FolderListing) -> str:
    typed = browser.typed[1] if browser.name is None else ""
    if typed:
        return f"Nothing here contains {printable(typed)}"
    if browser.folders:
        return "This folder has no subfolders."
    if browser.every:
        return "This folder is empty."
    if isinstance(browser.question, Open):
        return "No file in this folder can be opened."
    return "This folder has no files of this type."


def _headings(state: State, browser: FolderListing, columns: list[BrowserColumn]) -> None:
    """Draw the headings. A click on a heading sorts by its column; another click on the same heading reverses
    the order.
    """
    line, (sorted_by, down) = imgui.get_font_size(), browser.order
    imgui.table_setup_scroll_freeze(0, 1)
    for name in columns:
        fixed = name in WIDTHS
        width = imgui.TableColumnFlags_.width_fixed if fixed else imgui.TableColumnFlags_.width_stretch
        first = imgui.TableColumnFlags_.default_sort if name == sorted_by else 0
        start = imgui.TableColumnFlags_.prefer_sort_descending if fixed or (first and down) else 0
        imgui.table_setup_column(
            TITLES[name], int(width) | int(first) | int(start), line * WIDTHS.get(name, 0.0)
        )
    imgui.table_headers_row()
    specs = imgui.table_get_sort_specs()
    if specs is not None and specs.specs_dirty and specs.specs_count:
        chosen = specs.get_specs(0)
        down = chosen.get_sort_direction() == imgui.SortDirection.descending
        browser.order = state.pending_files.order = columns[chosen.column_index], down
        specs.specs_dirty = False


def _row(browser: FolderListing, entry: FolderEntry, number: int, take: Take, wanted: TextFilter) -> bool:
    """Draw the name of an entry; return whether the pointer is over its row."""
    imgui.table_next_row()
    imgui.table_next_column()
    marked = entry.name in browser.marked or number == browser.cursor
    imgui.push_style_color(imgui.Col_.text, rgba(ACCENT if entry.folder else TEXT))
    name = label_text(entry.name)
    label = f"{FOLDER if entry.folder else FILE}  {name}"
    cut = imgui.calc_text_size(name).x > imgui.get_content_region_avail().x - 2 * imgui.get_font_size()
    clicked = found_line(label, str(number), marked, wanted, ROW)
    imgui.pop_style_color()
    if cut:
        hint(name)
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    over = imgui.is_window_hovered(PRESSED_TOO) and imgui.is_mouse_hovering_rect(low, high, False)
    if clicked:
        browser.cursor = number
        if imgui.is_mouse_double_clicked(0) or (browser.name is not None and not entry.folder):
            take(entry)
        elif imgui.get_io().key_ctrl and not entry.folder:
            browser.marked ^= {entry.name}
        elif not entry.folder:
            browser.marked = {entry.name}
    return over


def _date(entry: FolderEntry) -> None:
    imgui.table_next_column()
    with mono():
        colored(date_text(int(entry.modified // 60)) if entry.modified else "", FAINT)


def _last_cell(
    browser: FolderListing, entry: FolderEntry, number: int, over: bool, verb: str, use: Take
) -> None:
    """Draw the size of a file, or the button of a folder if the pointer is `over` the row."""
    imgui.table_next_column()
    if not entry.folder:
        with mono():
            right_aligned(size_text(entry.size), FAINT)
    elif browser.folders and (over or number == browser.cursor):
        imgui.push_style_color(imgui.Col_.button, rgba(ACCENT, 0.45))
        if imgui.small_button(f"{verb}##{number}"):
            use(entry)
        imgui.pop_style_color()
        hint(f"{verb} {printable(entry.name)}\nDouble click: show its contents")
