"""The built-in dialog for opening and saving files, for systems without a file dialog."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial

from imgui_bundle import ImVec2, imgui

from viewer.errors import counted, printable
from viewer.scene.names import short_names
from viewer.session.folder_listing import FolderEntry, FolderListing
from viewer.session.requests import (
    AddResourceFolder,
    AddToView,
    Browse,
    ExportFiles,
    ExportModel,
    GiveFile,
    MakeFolder,
    Open,
    OpenEnvironment,
    OpenFolder,
    OpenLook,
    Post,
    Question,
    RecordFilm,
    SaveAs,
    SaveFilePictures,
    SaveLook,
    SaveMotion,
    SaveTexture,
    answered,
)
from viewer.session.state import State
from viewer.ui.dialogs.browser_table import FOLDER, entries_table
from viewer.ui.dialogs.path_bar import path_bar
from viewer.ui.kit.dialogs import default_button, entered
from viewer.ui.kit.texts import label_text, middled
from viewer.ui.kit.theme import ACCENT, ERROR, FAINT, WARNING, rgba
from viewer.ui.kit.widgets import DIALOG, colored, faint, hint

WIDE, HIGH = 52, 34
"""The size of the dialog in line heights."""
NAME_LETTERS = 40
"""The largest number of letters of a folder's name on a button."""
SHARE = 0.92
"""The largest share of the window that the dialog covers."""
SHORTCUTS_WIDTH = 11
"""The width of the list of favourite and recent folders in line heights."""
STAR = "\uf005"
STEPS = {imgui.Key.up_arrow: -1, imgui.Key.down_arrow: 1}
PAGES = {imgui.Key.page_up: -20, imgui.Key.page_down: 20}
FIELD = int(imgui.InputTextFlags_.callback_completion | imgui.InputTextFlags_.auto_select_all)
NEW_FOLDER = "New folder"


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
        _top(state, browser, post)
        enter = _keys(browser, post, unfiltered)
        below = -imgui.get_frame_height_with_spacing()
        if imgui.begin_child("shortcuts", ImVec2(line * SHORTCUTS_WIDTH, below)):
            _shortcuts(state, browser, post)
        imgui.end_child()
        imgui.same_line()
        if imgui.begin_child("entries", ImVec2(0, below)):
            take, use = partial(_take, browser, post), partial(_use, browser, post)
            entries_table(state, browser, _verb(browser), _moved(), take, use)
        imgui.end_child()
        _buttons(browser, post, enter)
    imgui.end()
    if not is_open:
        post(Browse(None))


def title_of(question: Question) -> str:
    """The title of the dialog for the request `question`."""
    match question:
        case OpenFolder():
            return "Open a folder"
        case OpenLook():
            return "Open a look"
        case OpenEnvironment():
            return "Open an environment"
        case SaveAs(SaveLook()):
            return "Save look as"
        case SaveAs(SaveMotion(what)):
            return f"Save {'the keys that pop' if what == 'keys' else 'the contacts of feet'} as"
        case AddToView():
            return "Add a model to the view"
        case GiveFile(name):
            return f"Choose the file for {name}"
        case AddResourceFolder(archive):
            return f"Search for missing files in {'an archive' if archive else 'a folder'}"
        case SaveFilePictures(sheet=sheet):
            return "Save contact sheet as" if sheet else "Save the pictures in a folder"
        case ExportFiles(paths):
            return f"Export {counted(len(paths), 'file')} to a folder"
        case SaveAs(RecordFilm()):
            return "Save film as"
        case SaveAs(ExportModel()):
            return "Export model as"
        case SaveAs(SaveTexture()):
            return "Save texture as"
        case SaveAs():
            return "Save image as"
        case _:
            return "Open"


def _top(state: State, browser: FolderListing, post: Post) -> None:
    """Draw the star, the buttons of the parent folders, and the field for a filter, a path or a name."""
    _star(state, browser.folder)
    imgui.same_line()
    clicked = path_bar(browser.folder)
    if clicked is not None:
        post(Browse(clicked))
    if browser.focus:
        imgui.set_keyboard_focus_here()
        browser.focus = False
    imgui.set_next_item_width(-1)
    tip = "Filter or path" if browser.name is None else "File name or path"
    before = browser.text
    complete = partial(_complete, browser)
    _, browser.text = imgui.input_text_with_hint("##typed", tip, before, FIELD, complete)
    if browser.text != before:
        _follow(browser, post)


def _complete(browser: FolderListing, data: imgui.InputTextCallbackData) -> int:
    """Complete the typed text when Tab is pressed."""
    typed = str(data.buf)
    browser.text = typed
    completed = browser.completed()
    if completed != typed:
        data.delete_chars(0, data.buf_text_len)
        data.insert_chars(0, completed)
    return 0


def _follow(browser: FolderListing, post: Post) -> None:
    """Show the folder of the typed path, and move the cursor to the best match."""
    browser.awaits_entries, browser.problem = False, ""
    folder = browser.typed[0]
    if folder != browser.folder and not browser.packed_path:
        post(Browse(folder, browser.text))
    else:
        browser.place_cursor()


def _star(state: State, folder: str) -> None:
    """Draw the button that adds the folder to the favourites or removes it."""
    favourites = state.interface.preferences.favourite_folders
    known = folder in favourites
    imgui.push_style_color(imgui.Col_.text, rgba(ACCENT if known else FAINT, 1.0 if known else 0.6))
    if imgui.small_button(f"{STAR}###star"):
        _set_favourite(state, folder, not known)
    imgui.pop_style_color()
    hint("Remove this folder from the favourites" if known else "Add this folder to the favourites")


def _set_favourite(state: State, folder: str, wanted: bool) -> None:
    kept = [each for each in state.interface.preferences.favourite_folders if each != folder]
    state.interface.preferences.favourite_folders = [*kept, folder] if wanted else kept


def _shortcuts(state: State, browser: FolderListing, post: Post) -> None:
    """Draw the favourite folders and the recent folders. A click shows a folder."""
    home = os.path.expanduser("~")

    def named(folders: Iterable[str]) -> list[tuple[str, str]]:
        """Pair each folder with a name that no other folder of the list has."""
        every = [*dict.fromkeys(folders)]
        pairs = zip(every, short_names(every), strict=True)
        return [(folder, "Home" if folder == home else name or folder) for folder, name in pairs]

    favourites = dict.fromkeys(state.interface.preferences.favourite_folders)
    if favourites:
        faint("Favourites")
    for folder, name in named(favourites):
        _shortcut(browser, post, folder, STAR, name)
        if imgui.begin_popup_context_item(f"favourite {folder}"):
            if imgui.menu_item_simple("Remove from favourites"):
                _set_favourite(state, folder, False)
            imgui.end_popup()
    faint("Recent folders")
    for folder, name in named((*browser.recent, home, os.getcwd())):
        _shortcut(browser, post, folder, FOLDER, name)


def _shortcut(browser: FolderListing, post: Post, folder: str, icon: str, name: str) -> None:
    if imgui.selectable(f"{icon}  {label_text(name)}##{icon}{folder}", folder == browser.folder)[0]:
        post(Browse(folder))
    hint(printable(folder))


def _moved() -> bool:
    return any(map(imgui.is_key_pressed, (*STEPS, *PAGES)))


def _keys(browser: FolderListing, post: Post, unfiltered: bool) -> bool:
    """Handle the keys; return whether Enter was pressed for the default button.

    Up and Down move the cursor by one row, Page Up and Page Down by 20 rows. Enter opens the entry at the
    cursor. Alt+Up shows the parent folder. Backspace also shows the parent folder if the filter is empty
    (`unfiltered`).
    """
    rows = browser.shown if browser.up_to_date else []
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
    elif browser.packed_path:
        if entered():
            _answer(browser, post, (browser.packed_path,))
    elif entered() or browser.awaits_entries:
        browser.awaits_entries = not browser.up_to_date
        return browser.up_to_date and not _enter(browser, post, rows)
    return False


def _enter(browser: FolderListing, post: Post, rows: list[FolderEntry]) -> bool:
    """Handle Enter in the list or the field; return False if the default button takes it."""
    folder, rest = browser.typed
    if browser.error and browser.path_typed and isinstance(browser.question, Open):
        _answer(browser, post, (os.path.join(folder, rest),))  # opening says why there is no such file
    elif 0 <= browser.cursor < len(rows):
        entry = rows[browser.cursor]
        if browser.folders and browser.path_typed and entry.name == rest:
            _use(browser, post, entry)
        else:
            _take(browser, post, entry)
    elif browser.path_typed and not rest and (browser.name is not None or not browser.folders):
        post(Browse(browser.folder))
    else:
        return False
    return True


def _take(browser: FolderListing, post: Post, entry: FolderEntry) -> None:
    """Show the chosen folder, or take the chosen file: copy its name into the name field, or open it together
    with the marked files.
    """
    if entry.folder:
        post(Browse(os.path.join(browser.folder, entry.name)))
    elif browser.name is not None:
        browser.name, browser.cursor = entry.name, -1
        browser.base = browser.folder
    else:
        _open(browser, post, browser.marked | {entry.name})


def _use(browser: FolderListing, post: Post, entry: FolderEntry) -> None:
    """Choose a folder."""
    _open(browser, post, {entry.name})


def _open(browser: FolderListing, post: Post, names: set[str]) -> None:
    _answer(browser, post, tuple(os.path.join(browser.folder, name) for name in sorted(names)))


def _answer(browser: FolderListing, post: Post, paths: tuple[str, ...]) -> None:
    """Post the dialog's request with the chosen paths, and close the dialog."""
    post(answered(browser.question, paths))
    post(Browse(None))


def _verb(browser: FolderListing) -> str:
    """The verb on the buttons for a folder: Open, Save in or Search."""
    match browser.question:
        case OpenFolder():
            return "Open"
        case SaveFilePictures() | ExportFiles():
            return "Save in"
        case _:
            return "Search"


def _buttons(browser: FolderListing, post: Post, enter: bool) -> None:
    """Draw the buttons. With `enter`, the Enter key presses the first button."""
    if browser.name is not None:
        _save_button(browser, post, enter)
    elif browser.folders:
        rows = browser.shown
        listed = 0 <= browser.cursor < len(rows)
        name = rows[browser.cursor].name if listed else browser.typed[1]
        new, saves = bool(name) and not listed, isinstance(browser.question, SaveFilePictures | ExportFiles)
        what = f"{'new folder ' if new else ''}{middled(name, NAME_LETTERS)}" if name else "this folder"
        label = f"{_verb(browser)} {what}###choose"
        enabled = browser.up_to_date and not browser.error and (saves or not new)
        if default_button(label, enabled, enter=False) or (enter and enabled):
            _answer(browser, post, (os.path.join(browser.folder, name) if name else browser.folder,))
    else:
        rows = browser.shown[browser.cursor : browser.cursor + 1] if browser.cursor >= 0 else []
        names = browser.marked or {each.name for each in rows if not each.folder}
        names = {browser.packed_path} if browser.packed_path else names
        folder = next((each for each in rows if each.folder), None) if not names else None
        if default_button(
            _title(browser, len(names), folder is not None), bool(names or folder), enter=False
        ):
            if folder is not None:
                _take(browser, post, folder)
            else:
                _open(browser, post, names)
        imgui.same_line()
        browser.every = imgui.checkbox("All files", browser.every)[1]
    imgui.same_line()
    if imgui.button("Cancel"):
        post(Browse(None))
    if browser.folders or browser.name is not None:
        _new_folder(browser, post)
    if browser.problem:
        imgui.same_line()
        colored(browser.problem, ERROR)
    elif browser.name is not None and browser.replaces:
        imgui.same_line()
        colored(f"{label_text(browser.saved)} exists.", WARNING)


def _title(browser: FolderListing, count: int, folder: bool) -> str:
    """The text of the button that opens `count` files, or the `folder` at the cursor."""
    if folder:
        return "Open folder"
    if not isinstance(browser.question, Open):
        return "Use this file"
    return f"Open {count} files" if count > 1 else "Open"


def _save_button(browser: FolderListing, post: Post, enter: bool) -> None:
    """Draw the Save button.

    The text of the button is Replace if the file exists, and Open folder if the name is that of a folder.
    With `enter`, the Enter key presses the button.
    """
    folder, name = browser.typed[0], browser.saved
    label = "Open folder" if browser.enters else "Replace" if browser.replaces else "Save"
    enabled = bool(name) and browser.up_to_date and not browser.error
    if not default_button(label, enabled, enter=False) and not (enter and enabled):
        return
    if browser.enters:
        name, browser.name, browser.base = browser.typed[1], browser.suggested, browser.folder
        post(Browse(os.path.join(folder, name)))
    else:
        _answer(browser, post, (os.path.join(folder, name),))


def _new_folder(browser: FolderListing, post: Post) -> None:
    """Draw the button that asks for the name of a new folder and makes the folder."""
    imgui.same_line()
    if imgui.button(f"{NEW_FOLDER}…"):
        browser.new_folder = NEW_FOLDER
        imgui.open_popup(NEW_FOLDER)
    if not imgui.begin_popup(NEW_FOLDER):
        return
    if imgui.is_window_appearing():
        imgui.set_keyboard_focus_here()
    imgui.set_next_item_width(imgui.get_font_size() * SHORTCUTS_WIDTH)
    flags = int(imgui.InputTextFlags_.enter_returns_true)
    pressed, browser.new_folder = imgui.input_text("##folder name", browser.new_folder, flags)
    imgui.same_line()
    pressed |= default_button("Make", enter=False)
    name = browser.new_folder.strip()
    if pressed and name:
        browser.problem = ""
        post(MakeFolder(os.path.join(browser.folder, name)))
        imgui.close_current_popup()
    imgui.end_popup()
