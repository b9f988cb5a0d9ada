"""Recent files, folders and packages as rows: a picture, the name and the folder."""

from __future__ import annotations

import os

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.scene.names import JOINT
from viewer.session.requests import Open, Post
from viewer.session.state import State
from viewer.ui.kit.texts import fitted, label_text
from viewer.ui.kit.theme import ACCENT, FAINT, TEXT, color32
from viewer.ui.kit.widgets import faint, hint

FOLDER, FILE = "\uf07b", "\uf15b"
MENU_WIDTH = 32
"""Width of the rows of the menu in font sizes."""
MENU_SHARE = 0.7
"""The largest share of the window's height that the rows of the menu take."""
MENU_ROW = 1.5
"""Height of a row of the menu in line heights."""
LEAST_FOLDER = 4
"""The least width, in font sizes, for a shortened path of a folder."""
FADED = 0.55
"""The opacity of missing files."""
GAP = 0.4
"""The space between the picture and the name, in font sizes."""


def shares(rows: int, files: int, folders: int) -> tuple[int, int]:
    """Return how many of the recent files and folders fit in `rows`: about two files for each folder."""
    while files + folders > max(rows, 0):
        if folders and (not files or 2 * folders > files):
            folders -= 1
        else:
            files -= 1
    return files, folders


def recent_menu(state: State, post: Post) -> None:
    """Draw the rows of the menu Open recent, as many as fit in the window."""
    line, preferences = imgui.get_text_line_height_with_spacing(), state.interface.preferences
    height = line * MENU_ROW
    most = int(imgui.get_io().display_size.y * MENU_SHARE / (height + imgui.get_style().item_spacing.y))
    files, folders = shares(most, len(preferences.recent), len(preferences.recent_folders))
    size = ImVec2(imgui.get_font_size() * MENU_WIDTH, height)
    for path in preferences.recent[:files]:
        recent_row(state, post, path, size)
    if folders:
        if files:
            imgui.separator()
        faint("Folders and packages")
    for path in preferences.recent_folders[:folders]:
        recent_row(state, post, path, size)
    imgui.separator()


def recent_row(state: State, post: Post, path: str, size: ImVec2) -> None:
    """Draw a recent file, folder or package; a click opens it. A missing file or folder is grey.

    A high row shows the folder below the name; a low row shows it at the right of the name.
    """
    state.pending_files.recent_shown = True
    known = state.pending_files.recent.get(path)
    missing = known is not None and known.missing
    start, draw = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    imgui.begin_disabled(missing)
    if imgui.selectable(f"###recent {path}", False, 0, size)[0]:
        post(Open((path,)))
    imgui.end_disabled()
    hint(f"{printable(path)}\nThis file or folder is missing" if missing else printable(path))
    opacity = FADED if missing else 1.0
    side = size.y - 2
    low = ImVec2(start.x + 1, start.y + 1)
    if known is not None and known.picture is not None and not missing:
        draw.add_image(imgui.ImTextureRef(known.picture.glo), low, ImVec2(low.x + side, low.y + side))
    else:
        _icon(state, path, low, side, opacity)
    _texts(path, ImVec2(low.x + side + imgui.get_font_size() * GAP, low.y), start.x + size.x, side, opacity)


def _icon(state: State, path: str, low: ImVec2, side: float, opacity: float) -> None:
    """Draw the icon of the file's kind, or the icon of a folder, in a square."""
    known, listed = state.pending_files.recent.get(path), path in state.interface.preferences.recent_folders
    text = (known.icon if known is not None else "") or (FOLDER if listed else FILE)
    wide = imgui.calc_text_size(text)
    corner = ImVec2(low.x + (side - wide.x) / 2, low.y + (side - wide.y) / 2)
    imgui.get_window_draw_list().add_text(corner, color32(ACCENT if listed else FAINT, opacity), text)


def _texts(path: str, low: ImVec2, right: float, side: float, opacity: float) -> None:
    """Draw the name and the folder between `low` and the x coordinate `right`."""
    draw, line = imgui.get_window_draw_list(), imgui.get_text_line_height()
    folder, name = folder_and_name(path)
    name = fitted(name, right - low.x)
    high = side >= 2 * line
    y = low.y + (side - line * (2 if high else 1)) / 2
    draw.add_text(ImVec2(low.x, y), color32(TEXT, opacity), name)
    used = 0.0 if high else imgui.calc_text_size(name).x + imgui.get_font_size()
    room = right - low.x - used
    if room < imgui.get_font_size() * LEAST_FOLDER:
        return
    shown = fitted(folder, room)
    x = low.x if high else right - imgui.calc_text_size(shown).x
    draw.add_text(ImVec2(x, y + line * high), color32(FAINT, opacity), shown)


def folder_and_name(path: str) -> tuple[str, str]:
    """Return the folder and the name of a path, in characters that the window can draw. The folder of a file
    in a package is the path of the package, and the user's folder is `~`.
    """
    folder, name = os.path.split(path.rstrip(os.sep) or path)
    if JOINT in name:
        package, _, name = name.rpartition(JOINT)
        folder = os.path.join(folder, package)
    home = os.path.expanduser("~")
    if folder == home or folder.startswith(home + os.sep):
        folder = f"~{folder[len(home) :]}"
    return label_text(folder), label_text(name or path)
