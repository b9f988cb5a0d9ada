"""The start page: buttons to open a file or folder, recent files, samples."""

from __future__ import annotations

import os

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS, ACTIONS_BY_NAME, Action
from viewer.actions.bindings import shown_key
from viewer.errors import printable
from viewer.session.requests import Open, Post
from viewer.session.state import State
from viewer.ui.kit.texts import label_text, middled
from viewer.ui.kit.theme import FAINT, GROUND, color32
from viewer.ui.kit.widgets import faint, hint

WIDE = 32
"""Width of the card in line heights."""
RECENT_FILES = 6
SAMPLES = tuple(action for action in ACTIONS if action.name.startswith("sample_"))
OPENERS = ("open", "open_folder")
HINTS = (("manual", "read the manual"), ("help", "show all keys"), ("palette", "find an action"))


def welcome(state: State, post: Post, low: ImVec2, size: ImVec2) -> None:
    """Draw a card in the middle of the picture, with as many recent files as fit."""
    line, high = imgui.get_text_line_height_with_spacing(), imgui.get_frame_height_with_spacing()
    pad = imgui.get_font_size()
    wide = min(pad * WIDE, size.x - 2 * pad)
    fixed = 2 * (line + high + pad)
    most = min(RECENT_FILES, max(int((size.y - fixed) / line) - 2, 0))
    recent = state.interface.preferences.recent[:most]
    tall = fixed + line / 2 + (len(recent) + 1.5) * line * bool(recent)
    gap = line / 2 - imgui.get_style().item_spacing.y
    x, y = low.x + (size.x - wide) / 2, low.y + max(size.y - tall, 0) / 2
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled(ImVec2(x, y), ImVec2(x + wide, y + tall), color32(GROUND, 0.6), pad / 2)
    imgui.set_cursor_screen_pos(ImVec2(x + pad, y + pad))
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 1.0)
    imgui.begin_group()
    imgui.text_unformatted("Drop a model here, or")
    _row(state, post, tuple(ACTIONS_BY_NAME[name] for name in OPENERS))
    if recent:
        imgui.dummy(ImVec2(0, gap))
        faint("Recent files")
        for path in recent:
            _file(post, path, wide - 2 * pad)
    imgui.dummy(ImVec2(0, gap))
    imgui.align_text_to_frame_padding()
    faint("Samples")
    imgui.same_line()
    _row(state, post, SAMPLES)
    faint("   ".join(f"{shown_key(state.interface.preferences, name)} {what}" for name, what in HINTS))
    imgui.end_group()
    imgui.pop_style_var()


def _row(state: State, post: Post, actions: tuple[Action, ...]) -> None:
    """Draw actions as buttons with their keys, side by side."""
    for number, action in enumerate(actions):
        if number:
            imgui.same_line()
        key = shown_key(state.interface.preferences, action.name)
        if imgui.button(f"{action.title}   {key}".rstrip() + f"###{action.name}"):
            action.run(state, post)


def _file(post: Post, path: str, wide: float) -> None:
    """Draw a recent file with its name and its shortened folder. A click opens it."""
    folder, name = map(label_text, os.path.split(path))
    start = imgui.get_cursor_screen_pos()
    if imgui.selectable(f"{name}###{path}", False, 0, ImVec2(wide, 0))[0]:
        post(Open((path,)))
    hint(printable(path))
    room = wide - imgui.calc_text_size(name).x - imgui.get_font_size()
    shown = middled(folder, int(len(folder) * room / max(imgui.calc_text_size(folder).x, 1)))
    at = ImVec2(start.x + wide - imgui.calc_text_size(shown).x, start.y)
    if room > 0:
        imgui.get_window_draw_list().add_text(at, color32(FAINT), shown)
