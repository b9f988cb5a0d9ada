"""The start page: buttons to open a file or folder, recent files and folders, samples."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS, ACTIONS_BY_NAME, Action
from viewer.actions.bindings import shown_key
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.files.recent_files import recent_row, shares
from viewer.ui.kit.theme import GROUND, color32
from viewer.ui.kit.widgets import faint

WIDE = 32
"""Width of the card in line heights."""
RECENT_FILES, RECENT_FOLDERS = 6, 3
FILES, FOLDERS = "Recent files", "Recent folders and packages"
ROW = 2.2
"""Height of the row of a recent file in text heights."""
SAMPLES = tuple(action for action in ACTIONS if action.name.startswith("sample_"))
OPENERS = ("open", "open_folder")
HINTS = (("manual", "read the manual"), ("help", "show all keys"), ("palette", "find an action"))


def welcome(state: State, post: Post, low: ImVec2, size: ImVec2) -> None:
    """Draw a card in the middle of the picture, with as many recent files and folders as fit."""
    line, high = imgui.get_text_line_height_with_spacing(), imgui.get_frame_height_with_spacing()
    pad = imgui.get_font_size()
    wide = min(pad * WIDE, size.x - 2 * pad)
    fixed = 2 * (line + high + pad)
    height = ROW * imgui.get_text_line_height()
    step = height + imgui.get_style().item_spacing.y
    recent, folders = _fitting(state, size.y - fixed - line / 2, step, 1.5 * line)
    listed = [(title, paths) for title, paths in ((FILES, recent), (FOLDERS, folders)) if paths]
    tall = fixed + line / 2 + 1.5 * line * len(listed) + step * (len(recent) + len(folders))
    gap = line / 2 - imgui.get_style().item_spacing.y
    x, y = low.x + (size.x - wide) / 2, low.y + max(size.y - tall, 0) / 2
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled(ImVec2(x, y), ImVec2(x + wide, y + tall), color32(GROUND, 0.6), pad / 2)
    imgui.set_cursor_screen_pos(ImVec2(x + pad, y + pad))
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 1.0)
    imgui.begin_group()
    imgui.text_unformatted("Drop a model here, or")
    _row(state, post, tuple(ACTIONS_BY_NAME[name] for name in OPENERS))
    for title, paths in listed:
        imgui.dummy(ImVec2(0, gap))
        faint(title)
        for path in paths:
            recent_row(state, post, path, ImVec2(wide - 2 * pad, height))
    imgui.dummy(ImVec2(0, gap))
    imgui.align_text_to_frame_padding()
    faint("Samples")
    imgui.same_line()
    _row(state, post, SAMPLES)
    for number, (name, what) in enumerate(HINTS):
        if number:
            imgui.same_line()
        if imgui.text_link(f"{shown_key(state.interface.preferences, name)} {what}".lstrip()):
            ACTIONS_BY_NAME[name].run(state, post)
    imgui.end_group()
    imgui.pop_style_var()


def _fitting(state: State, room: float, step: float, heading: float) -> tuple[list[str], list[str]]:
    """Return the recent files and folders whose rows and headings fit in the height `room`."""
    preferences = state.interface.preferences
    files, folders = len(preferences.recent[:RECENT_FILES]), len(preferences.recent_folders[:RECENT_FOLDERS])
    headings = heading * (bool(files) + bool(folders))
    files, folders = shares(int((room - headings) / step), files, folders)
    return preferences.recent[:files], preferences.recent_folders[:folders]


def _row(state: State, post: Post, actions: tuple[Action, ...]) -> None:
    """Draw actions as buttons with their keys, side by side."""
    for number, action in enumerate(actions):
        if number:
            imgui.same_line()
        key = shown_key(state.interface.preferences, action.name)
        if imgui.button(f"{action.title}   {key}".rstrip() + f"###{action.name}"):
            action.run(state, post)
