"""The line above the timeline: the listed rows, the animation, and the unit of times."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS
from viewer.actions.bindings import shown_key
from viewer.errors import printable
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.visible import label_text
from viewer.ui.kit.widgets import hint, toggle

ROWS = {"animated": "Animated bones", "all": "All bones", "selected": "Selected bone and below"}
FOLLOW, FRAMES, WHOLE = "\uf05b", "\uf292", "\uf31e"
BY_NAME = {action.name: action for action in ACTIONS}


def header(state: State, post: Post, layer: int, wanted: str, find: bool) -> str:
    """Draw the line for the animation at that index of the playlist; returns the filter.

    `find` gives the filter the keyboard focus.
    """
    size, room = imgui.get_font_size(), imgui.get_content_region_avail().x
    arrow = imgui.get_frame_height() + 2 * imgui.get_style().frame_padding.x
    imgui.set_next_item_width(max(imgui.calc_text_size(title).x for title in ROWS.values()) + arrow)
    _rows(state)
    imgui.same_line()
    imgui.set_next_item_width(min(size * 10, room * 0.25))
    if find:
        imgui.set_keyboard_focus_here()
    wanted = imgui.input_text_with_hint("##filter", "Filter", wanted)[1]
    if len(state.playlist) > 1:
        imgui.same_line()
        imgui.set_next_item_width(min(size * 10, room * 0.2))
        _layers(state, layer)
    imgui.same_line()
    _buttons(state, post)
    return wanted


def _rows(state: State) -> None:
    timeline = state.timeline
    if imgui.begin_combo("##rows", ROWS[timeline.rows]):
        for name, title in ROWS.items():
            if imgui.selectable(title, name == timeline.rows)[0]:
                timeline.rows = name  # type: ignore[assignment]
        imgui.end_combo()


def _layers(state: State, layer: int) -> None:
    if imgui.begin_combo("##layer", printable(state.playlist[layer].animation.name)):
        for number, chosen in enumerate(state.playlist):
            if imgui.selectable(f"{label_text(chosen.animation.name)}##{number}", number == layer)[0]:
                state.timeline.layer = number
        imgui.end_combo()


def _buttons(state: State, post: Post) -> None:
    side = imgui.get_frame_height() * 1.25
    room = imgui.get_content_region_avail().x - 3 * side - 4
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room, 0))
    for number, (icon, name) in enumerate(((FRAMES, "frames"), (FOLLOW, "follow"), (WHOLE, "fit_timeline"))):
        action = BY_NAME[name]
        on = action.checked is None or action.checked(state)
        if number:
            imgui.same_line(0, 2)
        if toggle(f"{icon}##{name}", on, ImVec2(side, imgui.get_frame_height())):
            action.run(state, post)
        hint(action.title)


def range_menu(state: State) -> None:
    """Draw the context menu while it is open."""
    if not imgui.begin_popup("range"):
        return
    for name in ("range_start", "range_end", "range_reset", "fit_timeline", "follow", "frames"):
        action = BY_NAME[name]
        key = shown_key(state.interface.preferences, name)
        checked = action.checked is not None and action.checked(state)
        if imgui.menu_item_simple(action.title, key, checked, action.enabled(state)):
            action.run(state, lambda request: None)
    imgui.end_popup()
