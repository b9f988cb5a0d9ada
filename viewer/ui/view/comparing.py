"""Compared documents in the picture: where each one is, what the slider does, and their captions."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS
from viewer.dataclass import dataclass, replace
from viewer.errors import printable
from viewer.scene.comparison import CompareMode, difference_text, panes
from viewer.scene.model_size import model_size
from viewer.scene.names import short_names
from viewer.session.comparison import in_order
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.fitted_text import fitted
from viewer.ui.kit.theme import ACCENT, FAINT, GROUND, TEXT, Color, color32
from viewer.ui.kit.visible import label_text
from viewer.ui.kit.widgets import hint
from viewer.ui.view.overlays import GAP, label

COLUMNS, ARROWS = "\uf0db", "\uf337"
GRIP = 0.35
"""Half the width of the part of the slider that the mouse takes hold of, in letter heights."""
MODES = [action for action in ACTIONS if action.menu == ("View", "Compare")]


@dataclass(frozen=True, slots=True, eq=False)
class ViewPane:
    """A document in the picture: its own picture is at `low` and `size`, and is seen from `start` to `end`.
    All are points of the screen."""

    state: State
    low: ImVec2
    size: ImVec2
    start: float
    end: float


def view_panes(state: State, low: ImVec2, size: ImVec2) -> list[ViewPane]:
    """The panes of a picture at `low`, from left to right: one for each compared document, or the whole."""
    states, width = in_order(state), max(round(size.x), 1)
    found = panes(state.comparison, len(states), width)
    part = size.x / width
    return [
        ViewPane(
            each,
            ImVec2(low.x + pane.left * part, low.y),
            ImVec2(pane.width * part, size.y),
            low.x + pane.start * part,
            low.x + pane.end * part,
        )
        for each, pane in zip(states, found, strict=True)
    ]


def pane_under(found: Sequence[ViewPane], state: State, x: float) -> ViewPane:
    """The pane at the column `x` of the screen; where several are, or none, that of the document in view."""
    here = [pane for pane in found if pane.start <= x < pane.end]
    own = next(pane for pane in found if pane.state is state)
    return here[0] if len(here) == 1 else own


def slider(state: State, low: ImVec2, size: ImVec2) -> None:
    """Draw the grip of the slider's line, which moves with the mouse; a double click centres it."""
    if state.partner is None or state.comparison.mode is not CompareMode.SLIDER:
        return
    reach = GRIP * imgui.get_font_size()
    x, y = low.x + state.comparison.split * size.x, low.y + size.y / 2
    imgui.set_cursor_screen_pos(ImVec2(max(x - reach, low.x), low.y))
    imgui.invisible_button("slider", ImVec2(2 * reach, max(size.y, 1.0)))
    held = imgui.is_item_active()
    if held or imgui.is_item_hovered():
        imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
    if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
        state.comparison = replace(state.comparison, split=0.5)
    elif held and imgui.get_io().mouse_delta.x:
        split = (imgui.get_io().mouse_pos.x - low.x) / max(size.x, 1.0)
        state.comparison = replace(state.comparison, split=max(0.0, min(1.0, split)))
    draw, radius = imgui.get_window_draw_list(), 2.2 * reach
    draw.add_circle_filled(ImVec2(x, y), radius, color32(GROUND, 0.85))
    draw.add_circle(ImVec2(x, y), radius, color32(ACCENT), 0, 1.5)
    extent = imgui.calc_text_size(ARROWS)
    draw.add_text(ImVec2(x - extent.x / 2, y - extent.y / 2), color32(ACCENT if held else TEXT), ARROWS)


def captions_lines(state: State) -> int:
    """The number of lines above the status line that captions take in the picture."""
    if state.partner is None:
        return 0
    return 2 if state.comparison.mode is CompareMode.DIFFERENCE else 1


def captions(state: State, found: Sequence[ViewPane], high: ImVec2) -> None:
    """Draw the name and the size of each compared document in its pane, above the lower edge `high`."""
    if len(found) < 2:
        return
    pad, line = imgui.get_style().window_padding, imgui.get_text_line_height()
    y = high.y - line - imgui.get_frame_height() - 3 * pad.y
    paths = [each.state.document.path for each in found if each.state.document is not None]
    side = state.comparison.mode is CompareMode.SIDE
    first, last = found[0].low.x, found[-1].low.x + found[-1].size.x
    middle = (first + last) / 2
    for number, (pane, name) in enumerate(zip(found, short_names(paths), strict=True)):
        start, end = (pane.start, pane.end) if side else ((first, middle), (middle, last))[number]
        color = ACCENT if pane.state is state else TEXT
        _caption(pane.state, printable(name), (start + pad.x, end - pad.x), y, number > 0 and not side, color)
    if state.comparison.mode is CompareMode.DIFFERENCE:
        share = state.view_info.differing
        text = "counting what differs …" if share is None else difference_text(share, share)
        wide = imgui.calc_text_size(text).x + 2 * GAP
        box = middle - wide / 2, y - line - pad.y, wide, line
        label(imgui.get_window_draw_list(), text, box, TEXT)


def _caption(
    state: State, name: str, between: tuple[float, float], y: float, right: bool, color: Color
) -> None:
    """Draw a name, and behind it the numbers if there is room for both."""
    room, draw, line = (
        between[1] - between[0] - 2 * GAP,
        imgui.get_window_draw_list(),
        imgui.get_text_line_height(),
    )
    name = fitted(name, room)
    named, numbers = imgui.calc_text_size(name).x + 2 * GAP, _numbers(state)
    counted = imgui.calc_text_size(numbers).x + 2 * GAP
    if named > room + 2 * GAP:
        return
    if named + counted > room:
        numbers, counted = "", 0.0
    x = between[1] - named - counted if right else between[0]
    label(draw, name, (x, y, named, line), color)
    if numbers:
        label(draw, numbers, (x + named, y, counted, line), FAINT)


def _numbers(state: State) -> str:
    """The vertices, triangles and bones of the model."""
    if state.model is None:
        return ""
    size = model_size(state.model)
    return f"{size.vertices:,} vertices   {size.triangles:,} triangles   {size.bones:,} bones".replace(
        ",", " "
    )


def compare_button(state: State, post: Post, side: float) -> None:
    """Draw the button of the comparison: its menu has the ways to compare, and the other open models."""
    on = state.compared is not None
    if imgui.button(f"{COLUMNS}###compare", ImVec2(side * 1.15, side)):
        imgui.open_popup("comparing")
    hint("Compare with another open model")
    if not imgui.begin_popup("comparing"):
        return
    for action in MODES:
        checked = action.checked is not None and action.checked(state)
        if action.enabled(state) and imgui.menu_item_simple(action.title, "", checked):
            action.run(state, post)
    others = state.comparable
    if on and len(others) > 1:
        imgui.separator_text("With")
        for number, name in enumerate(short_names([each.path for each in others])):
            chosen = others[number] is state.compared
            if imgui.menu_item_simple(f"{label_text(name)}###{number}", "", chosen):
                state.compare(state.comparison.mode, others[number])
    imgui.end_popup()
