"""Compared documents in the picture: where each one is, what the slider does, and their captions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, ImVec4, imgui
from msgspec import Struct
from msgspec.structs import replace

from viewer.actions import ACTIONS
from viewer.errors import printable
from viewer.scene.comparison import CompareMode, difference_text, panes
from viewer.scene.model_size import model_size
from viewer.scene.names import short_names
from viewer.session.comparison import in_order, placed_name
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.fitted_text import fitted
from viewer.ui.kit.theme import ACCENT, FAINT, GROUND, TEXT, Color, color32
from viewer.ui.kit.visible import label_text
from viewer.ui.kit.widgets import hint
from viewer.ui.view.overlays import GAP, label

if TYPE_CHECKING:
    from viewer.scene.vertex_distances import VertexDistances

COLUMNS, ARROWS = "\uf0db", "\uf337"
GRIP = 0.35
"""Half the width of the part of the slider that the mouse takes hold of, in letter heights."""
MODES = [action for action in ACTIONS if action.menu == ("View", "Compare") and action.checked]


class ViewPane(Struct, frozen=True, eq=False):
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
    return 2 if state.comparison.mode in (CompareMode.DIFFERENCE, CompareMode.DISTANCE) else 1


def captions(state: State, found: Sequence[ViewPane], high: ImVec2) -> None:
    """Draw the name and the size of each compared document in its pane, above the lower edge `high`: only
    the names if there is no room for both sizes."""
    if len(found) < 2:
        return
    pad, line = imgui.get_style().window_padding, imgui.get_text_line_height()
    y = high.y - line - imgui.get_frame_height() - 3 * pad.y
    first, last = found[0].low.x, found[-1].low.x + found[-1].size.x
    middle = (first + last) / 2
    side = state.comparison.side_by_side
    edges = [(each.start, each.end) for each in found] if side else [(first, middle), (middle, last)]
    room = min(end - start for start, end in edges) - 2 * pad.x
    names = short_names([each.state.document.path for each in found if each.state.document is not None])
    names = [placed_name(name, pane.state) for name, pane in zip(names, found, strict=True)]
    texts = [
        [fitted(printable(name), room - 2 * GAP), numbers]
        for name, numbers in zip(names, _details(state, found), strict=True)
    ]
    shown = 2 if all(sum(map(_width, each)) <= room for each in texts) else 1
    for number, (pane, parts, (start, end)) in enumerate(zip(found, texts, edges, strict=True)):
        wide = sum(map(_width, parts[:shown]))
        x = end - pad.x - wide if number and not side else start + pad.x
        color = ACCENT if pane.state is state else TEXT
        if wide <= room:
            _caption(parts[:shown], x, y, color)
    if state.comparison.mode is CompareMode.DIFFERENCE:
        share = state.view_info.differing
        text = "counting what differs …" if share is None else difference_text(share, share)
        _caption([text], middle - _width(text) / 2, y - line - pad.y, TEXT)
    if state.comparison.mode is CompareMode.DISTANCE:
        from viewer.ui.view.distance_legend import distance_legend  # few sessions compare

        distance_legend(_distances(state), middle, y - line - pad.y, last - first - 2 * pad.x)


def _caption(parts: Sequence[str], x: float, y: float, color: Color) -> None:
    """Draw texts beside each other, the first in `color`."""
    draw, line = imgui.get_window_draw_list(), imgui.get_text_line_height()
    for number, text in enumerate(parts):
        label(draw, text, (x, y, _width(text), line), FAINT if number else color)
        x += _width(text)


def _width(text: str) -> float:
    """The width of a label in points."""
    return imgui.calc_text_size(text).x + 2 * GAP


def _distances(state: State) -> VertexDistances | None:
    """The distances between the models if their colours are shown."""
    found = state.comparison_result
    return found.distances if found and state.comparison.mode is CompareMode.DISTANCE else None


def _details(state: State, found: Sequence[ViewPane]) -> list[str]:
    """What the caption of each pane says of its model."""
    distances = _distances(state)
    if distances is not None and len(found) == len(distances.models):
        return [each.text for each in distances.models]
    return [_numbers(pane.state) for pane in found]


def _numbers(state: State) -> str:
    """The vertices, triangles and bones of the model."""
    if state.model is None:
        return ""
    size = model_size(state.model)
    return f"{size.vertices:,} vertices   {size.triangles:,} triangles   {size.bones:,} bones".replace(
        ",", " "
    )


def compare_button(state: State, post: Post, ink: ImVec4, side: float) -> None:
    """Draw the button of the comparison, `side` points high, with an icon in the colour `ink`: its menu has
    the ways to compare, and the other open models."""
    imgui.push_style_color(imgui.Col_.text, ink)
    clicked = imgui.button(f"{COLUMNS}###compare", ImVec2(side * 1.15, side))
    imgui.pop_style_color()
    if clicked:
        imgui.open_popup("comparing")
    hint("Compare with another open model")
    if not imgui.begin_popup("comparing"):
        return
    for action in MODES:
        if imgui.menu_item_simple(action.title, "", bool(action.checked and action.checked(state))):
            action.run(state, post)
    others = state.comparable
    if state.compared is not None and len(others) > 1:
        imgui.separator_text("With")
        for number, name in enumerate(short_names([each.path for each in others])):
            chosen = others[number] is state.compared
            if imgui.menu_item_simple(f"{label_text(name)}###{number}", "", chosen):
                state.compare(state.comparison.mode, others[number])
    imgui.end_popup()
