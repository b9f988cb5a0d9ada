"""The built-in dialog for opening and saving files, for systems without a file dialog."""

from __future__ import annotations

import os

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.session.pending_files import FolderEntry, FolderListing
from viewer.session.requests import (
    AddResourceFolder,
    Browse,
    ExportModel,
    GiveFile,
    Open,
    OpenFolder,
    Post,
    Question,
    RecordFilm,
    SaveAs,
    SaveFilePictures,
    answered,
)
from viewer.session.state import State
from viewer.ui.dialogs.path_bar import path_bar
from viewer.ui.kit.dialogs import default_button, entered
from viewer.ui.kit.texts import label_text, middled, size_text
from viewer.ui.kit.theme import ACCENT, ERROR, FAINT, TEXT, WARNING, rgba
from viewer.ui.kit.widgets import (
    DIALOG,
    WHOLE_ROW,
    clipped,
    colored,
    faint,
    filter_box,
    hint,
    mono,
    nothing,
    right_aligned,
)


def name_field(browser: FolderListing) -> None:
    """Draw the field for the name of the file to save."""
    imgui.set_next_item_width(-1)
    changed, browser.name = imgui.input_text_with_hint("##file name", "File name", browser.name or "")
    if changed:
        browser.cursor = -1


def save_button(browser: FolderListing, post: Post, enter: bool) -> None:
    """Draw the Save button.

    Its text is Replace if the file exists. With `enter`, the Enter key presses the button.
    """
    name = os.path.expanduser((browser.name or "").strip())
    if default_button("Replace" if browser.replaces else "Save", bool(name), enter):
        post(answered(browser.question, (os.path.join(browser.folder, name),)))
        post(Browse(None))


def replacement(browser: FolderListing) -> None:
    """Draw a warning beside the buttons if a file with the entered name exists."""
    if browser.name is not None and browser.replaces:
        imgui.same_line()
        colored("A file with this name exists.", WARNING)


FOLDER, FILE = "\uf07b", "\uf15b"
WIDE, HIGH = 52, 34
"""The size of the dialog in line heights."""
PRESSED_TOO = int(imgui.HoveredFlags_.allow_when_blocked_by_active_item)
NAME_LETTERS = 40
"""The largest number of letters of a folder's name on a button."""
SHARE = 0.92
"""The largest share of the window that the dialog covers."""
SHORTCUTS_WIDTH = 11
SIZE = 7
"""Widths in line heights: the list of recent folders, and the column of sizes."""
STEPS = {imgui.Key.up_arrow: -1, imgui.Key.down_arrow: 1}
PAGES = {imgui.Key.page_up: -20, imgui.Key.page_down: 20}
ROW = WHOLE_ROW | int(imgui.SelectableFlags_.allow_double_click)


def file_browser(state: State, post: Post) -> None:
    """Draw the dialog while `state.pending_files.browser` is set."""
    browser = state.pending_files.browser
    if browser is None:
        return
    screen, line = imgui.get_io().display_size, imgui.get_font_size()
    size = ImVec2(min(line * WIDE, screen.x * SHARE), min(line * HIGH, screen.y * SHARE))
    imgui.set_next_window_pos(ImVec2(screen.x / 2, screen.y / 2), imgui.Cond_.always, ImVec2(0.5, 0.5))
    imgui.set_next_window_size(size)
    imgui.push_style_var(imgui.StyleVar_.window_border_size, 1.0)
    shown, is_open = imgui.begin(f"{title_of(browser.question)}###browser", True, DIALOG)
    imgui.pop_style_var()
    if shown:
        unfiltered = not browser.filter and browser.name is None
        enter = not 0 <= browser.cursor < len(browser.shown)
        _top(browser, post)
        _keys(browser, post, unfiltered)
        below = -imgui.get_frame_height_with_spacing()
        if imgui.begin_child("shortcuts", ImVec2(line * SHORTCUTS_WIDTH, below)):
            _shortcuts(browser, post)
        imgui.end_child()
        imgui.same_line()
        if imgui.begin_child("entries", ImVec2(0, below)):
            _entries(browser, post)
        imgui.end_child()
        _buttons(browser, post, enter)
    imgui.end()
    if not is_open:
        post(Browse(None))


def title_of(question: Question) -> str:
    """The title of the dialog for a question to the user."""
    match question:
        case OpenFolder():
            return "Open a folder"
        case GiveFile(name):
            return f"Choose the file for {name}"
        case AddResourceFolder(archive):
            return f"Search for missing files in {'an archive' if archive else 'a folder'}"
        case SaveFilePictures(sheet=sheet):
            return "Save the contact sheet in a folder" if sheet else "Save the pictures in a folder"
        case SaveAs(RecordFilm()):
            return "Save film as"
        case SaveAs(ExportModel()):
            return "Export model as"
        case SaveAs():
            return "Save image as"
        case _:
            return "Open"


def _top(browser: FolderListing, post: Post) -> None:
    """Draw the buttons of the parent folders, then the filter or the name of the file to save."""
    clicked = path_bar(browser.folder)
    if clicked is not None:
        post(Browse(clicked))
    if imgui.is_window_appearing() or browser.entries is None:
        imgui.set_keyboard_focus_here()
    if browser.name is not None:
        name_field(browser)
        return
    before = browser.filter
    browser.filter = filter_box("browser filter", browser.filter)
    if browser.filter != before:
        browser.cursor = -1 if browser.folders and not browser.filter else 0


def _shortcuts(browser: FolderListing, post: Post) -> None:
    faint("Recent folders")
    home = os.path.expanduser("~")
    for folder in dict.fromkeys((*browser.recent, home, os.getcwd())):
        name = "Home" if folder == home else os.path.basename(folder) or folder
        if imgui.selectable(f"{FOLDER}  {label_text(name)}##{folder}", folder == browser.folder)[0]:
            post(Browse(folder))
        hint(printable(folder))


def _entries(browser: FolderListing, post: Post) -> None:
    if browser.entries is None:
        nothing("Reading …")
        return
    if browser.error:
        colored(browser.error, ERROR)
        return
    rows = browser.shown
    if not rows:
        nothing("This folder has no folders." if browser.folders else "No file in this folder can be opened.")
        return
    line = imgui.get_font_size()
    if not imgui.begin_table("entries", 2, int(imgui.TableFlags_.scroll_y)):
        return
    imgui.table_setup_column("name", int(imgui.TableColumnFlags_.width_stretch))
    imgui.table_setup_column("size", int(imgui.TableColumnFlags_.width_fixed), line * SIZE)
    for number in clipped(len(rows)):
        _row(browser, post, rows[number], number)
    if _moved():
        height = imgui.get_text_line_height_with_spacing()
        imgui.set_scroll_y(max((browser.cursor + 0.5) * height - imgui.get_window_height() / 2, 0.0))
    imgui.end_table()


def _row(browser: FolderListing, post: Post, entry: FolderEntry, number: int) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    marked = entry.name in browser.marked or number == browser.cursor
    imgui.push_style_color(imgui.Col_.text, rgba(ACCENT if entry.folder else TEXT))
    name = label_text(entry.name)
    label = f"{FOLDER if entry.folder else FILE}  {name}##{number}"
    cut = imgui.calc_text_size(name).x > imgui.get_content_region_avail().x - 2 * imgui.get_font_size()
    clicked = imgui.selectable(label, marked, ROW)[0]
    imgui.pop_style_color()
    if cut:
        hint(name)
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    over = imgui.is_window_hovered(PRESSED_TOO) and imgui.is_mouse_hovering_rect(low, high, False)
    if clicked:
        browser.cursor = number
        if imgui.is_mouse_double_clicked(0) or (browser.name is not None and not entry.folder):
            _take(browser, post, entry)
        elif imgui.get_io().key_ctrl and not entry.folder:
            browser.marked ^= {entry.name}
        elif not entry.folder:
            browser.marked = {entry.name}
    imgui.table_next_column()
    if not entry.folder:
        with mono():
            right_aligned(size_text(entry.size), FAINT)
    elif browser.folders and (over or number == browser.cursor):
        imgui.push_style_color(imgui.Col_.button, rgba(ACCENT, 0.45))
        if imgui.small_button(f"{_verb(browser)}##{number}"):
            _open(browser, post, {entry.name})
        imgui.pop_style_color()
        hint(f"{_verb(browser)} {printable(entry.name)}\nDouble click: show its contents")


def _moved() -> bool:
    return any(map(imgui.is_key_pressed, (*STEPS, *PAGES)))


def _keys(browser: FolderListing, post: Post, unfiltered: bool) -> None:
    """Handle the keys.

    Up and Down move the cursor by one row, Page Up and Page Down by 20 rows. Enter opens the entry at the
    cursor. Alt+Up shows the parent folder. Backspace shows it too if the filter is empty (`unfiltered`).
    """
    rows = browser.shown
    step = sum(by for key, by in STEPS.items() if imgui.is_key_pressed(key))
    page = sum(by for key, by in PAGES.items() if imgui.is_key_pressed(key))
    up = unfiltered and imgui.is_key_pressed(imgui.Key.backspace, False)
    if up or (step and imgui.get_io().key_alt):
        post(Browse(os.path.dirname(browser.folder)))
    elif step and rows:
        start = browser.cursor if browser.cursor >= 0 or step > 0 else 0
        browser.cursor = (start + step) % len(rows)
    elif page and rows:
        browser.cursor = max(0, min(browser.cursor + page, len(rows) - 1))
    elif 0 <= browser.cursor < len(rows) and entered():
        _take(browser, post, rows[browser.cursor])


def _take(browser: FolderListing, post: Post, entry: FolderEntry) -> None:
    """Show the chosen folder, or take the chosen file: copy its name into the name field, or open it together
    with the marked files.
    """
    path = os.path.join(browser.folder, entry.name)
    if entry.folder:
        post(Browse(path))
        return
    if browser.name is not None:
        browser.name, browser.cursor = entry.name, -1
    else:
        _open(browser, post, browser.marked | {entry.name})


def _open(browser: FolderListing, post: Post, names: set[str]) -> None:
    post(answered(browser.question, tuple(os.path.join(browser.folder, name) for name in sorted(names))))
    post(Browse(None))


def _verb(browser: FolderListing) -> str:
    """The verb on the buttons for a folder: Open, Save in or Search."""
    match browser.question:
        case OpenFolder():
            return "Open"
        case SaveFilePictures():
            return "Save in"
        case _:
            return "Search"


def _buttons(browser: FolderListing, post: Post, enter: bool) -> None:
    """Draw the buttons. With `enter`, the Enter key presses the first button."""
    if browser.name is not None:
        save_button(browser, post, enter)
    elif browser.folders:
        name = browser.shown[browser.cursor].name if 0 <= browser.cursor < len(browser.shown) else ""
        label = f"{_verb(browser)} {middled(name, NAME_LETTERS) or 'this folder'}###choose"
        if default_button(label, enter=enter):
            post(
                answered(browser.question, (os.path.join(browser.folder, name) if name else browser.folder,))
            )
            post(Browse(None))
    else:
        count = len(browser.marked)
        opens = isinstance(browser.question, Open)
        title = "Use this file" if not opens else f"Open {count} files" if count > 1 else "Open"
        if default_button(title, enabled=bool(count), enter=False):
            _open(browser, post, browser.marked)
        imgui.same_line()
        browser.every = imgui.checkbox("All files", browser.every)[1]
    imgui.same_line()
    if imgui.button("Cancel"):
        post(Browse(None))
    replacement(browser)
