"""Compared documents in the picture: their panes, the slider, the captions and the legend of distances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, ImVec4, imgui
from msgspec import Struct
from msgspec.structs import replace

from viewer.actions import ACTIONS
from viewer.errors import printable
from viewer.scene.choices import CompareMode
from viewer.scene.comparison import difference_text, panes
from viewer.scene.model import model_size
from viewer.scene.names import short_names
from viewer.scene.vertex_distances import DISTANCE_COLORS, UNMATCHED, UNMATCHED_NAME, UNMOVED, UNMOVED_NAME
from viewer.session.comparison import in_order, pane_names
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.texts import fitted, grouped, label_text
from viewer.ui.kit.theme import ACCENT, FAINT, GROUND, TEXT, Color, color32
from viewer.ui.kit.widgets import hint
from viewer.ui.view.overlays import GAP, GROUND_ALPHA, label

if TYPE_CHECKING:
    from viewer.scene.vertex_distances import ColorLegend, VertexDistances

BAR = 8.0
"""Width of the colour ramp in letter heights."""
PAD = 6.0
"""Space in points around and between colours and texts."""
COLORED = (CompareMode.DISTANCE, CompareMode.MOTION)
"""The modes of comparison with a legend of colours."""
STRIPES = 3
"""The number of stripes in the square for vertices without a counterpart."""
Swatch = Callable[[ImVec2, ImVec2], None]
LegendItem = tuple[Swatch | None, float, str]
"""An entry of the legend: a function that draws the colours between two points, the width of the colours, and
the text beside them.
"""


def distance_legend(legend: ColorLegend | None, middle: float, y: float, room: float) -> None:
    """Draw the entries of the legend that fit into `room` points, centred at x = `middle` and below `y`.

    `legend` is None until the distances are computed.
    """
    line, draw = imgui.get_text_line_height(), imgui.get_window_draw_list()
    if legend is None:
        text = "Measuring the distances …"
        wide = imgui.calc_text_size(text).x + 2 * GAP
        label(draw, text, (middle - wide / 2, y, wide, line), TEXT)
        return
    entries = _entries(legend, line)
    while entries and sum(map(_legend_width, entries)) > room:
        entries.pop()
    x = middle - sum(map(_legend_width, entries)) / 2
    low, high = ImVec2(x, y), ImVec2(2 * middle - x, y + line)
    draw.add_rect_filled(low, high, color32(GROUND, GROUND_ALPHA), 3.0)
    for entry in entries:
        swatch, wide, text = entry
        left = x + PAD
        if swatch is not None:
            swatch(ImVec2(left, y + line * 0.15), ImVec2(left + wide, y + line * 0.85))
            left += wide + PAD
        draw.add_text(ImVec2(left, y), color32(TEXT), text)
        x += _legend_width(entry)


def _entries(legend: ColorLegend, line: float) -> list[LegendItem]:
    square = line * 0.7
    scale: Sequence[LegendItem] = (
        (None, 0.0, "0"),
        (_ramp, BAR * line, legend.largest),
    )
    unmatched: Sequence[LegendItem] = ((_stripes, square, UNMATCHED_NAME),)
    return [
        *(scale if legend.largest else ()),
        (_unmoved, square, UNMOVED_NAME),
        *(unmatched if legend.has_unmatched else ()),
    ]


def _legend_width(entry: LegendItem) -> float:
    swatch, wide, text = entry
    return imgui.calc_text_size(text).x + 2 * PAD + (wide + PAD if swatch else 0.0)


def _ramp(low: ImVec2, high: ImVec2) -> None:
    draw, step = imgui.get_window_draw_list(), (high.x - low.x) / (len(DISTANCE_COLORS) - 1)
    colors = [color32(color) for color in DISTANCE_COLORS]
    for number, (first, second) in enumerate(pairwise(colors)):
        left, right = low.x + number * step, low.x + (number + 1) * step
        draw.add_rect_filled_multi_color(
            ImVec2(left, low.y), ImVec2(right, high.y), first, second, second, first
        )


def _unmoved(low: ImVec2, high: ImVec2) -> None:
    imgui.get_window_draw_list().add_rect_filled(low, high, color32(UNMOVED))


def _stripes(low: ImVec2, high: ImVec2) -> None:
    draw, side = imgui.get_window_draw_list(), high.x - low.x
    first, second = (color32(color) for color in UNMATCHED)
    draw.add_rect_filled(low, high, first)
    draw.push_clip_rect(low, high, True)
    for number in range(STRIPES):
        x = low.x + (2 * number + 1) * side / STRIPES
        draw.add_line(ImVec2(x, low.y), ImVec2(x - side, high.y), second, side / STRIPES)
    draw.pop_clip_rect()


COLUMNS, ARROWS = "\uf0db", "\uf337"
GRIP = 0.35
"""Half the width of the strip in which the mouse grips the slider, in letter heights."""
MODES = [action for action in ACTIONS if action.menu == ("View", "Compare") and action.checked]


class ViewPane(Struct, frozen=True, eq=False):
    """A document in the picture.

    The upper left corner of its image is at `low`. The part of the image from x = `start` to `end` is
    visible. All positions are in points of the screen.
    """

    state: State
    low: ImVec2
    size: ImVec2
    start: float
    end: float


def view_panes(state: State, low: ImVec2, size: ImVec2) -> list[ViewPane]:
    """Return the panes of a picture of `size` at `low`, from left to right.

    A comparison has one pane for each compared document; otherwise there is a single pane.
    """
    states, width = in_order(state), max(round(size.x), 1)
    found = panes(state.documents.comparison, len(states), width)
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
    """Return the pane at the screen position `x`.

    If several panes or no panes are there, return the pane of the document in view.
    """
    here = [pane for pane in found if pane.start <= x < pane.end]
    own = next(pane for pane in found if pane.state is state)
    return here[0] if len(here) == 1 else own


def slider(state: State, low: ImVec2, size: ImVec2) -> None:
    """Draw the grip of the slider, and let the mouse drag it. A double click centres it."""
    if state.partner is None or state.documents.comparison.mode is not CompareMode.SLIDER:
        return
    reach = GRIP * imgui.get_font_size()
    x, y = low.x + state.documents.comparison.split * size.x, low.y + size.y / 2
    imgui.set_cursor_screen_pos(ImVec2(max(x - reach, low.x), low.y))
    imgui.invisible_button("slider", ImVec2(2 * reach, max(size.y, 1.0)))
    held = imgui.is_item_active()
    if held or imgui.is_item_hovered():
        imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
    if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
        state.documents.comparison = replace(state.documents.comparison, split=0.5)
    elif held and imgui.get_io().mouse_delta.x:
        split = (imgui.get_io().mouse_pos.x - low.x) / max(size.x, 1.0)
        state.documents.comparison = replace(state.documents.comparison, split=max(0.0, min(1.0, split)))
    draw, radius = imgui.get_window_draw_list(), 2.2 * reach
    draw.add_circle_filled(ImVec2(x, y), radius, color32(GROUND, 0.85))
    draw.add_circle(ImVec2(x, y), radius, color32(ACCENT), 0, 1.5)
    extent = imgui.calc_text_size(ARROWS)
    draw.add_text(ImVec2(x - extent.x / 2, y - extent.y / 2), color32(ACCENT if held else TEXT), ARROWS)


def captions_lines(state: State) -> int:
    """The number of lines of captions above the status line."""
    if state.partner is None:
        return 0
    return 2 if state.documents.comparison.mode in (CompareMode.DIFFERENCE, *COLORED) else 1


def captions(state: State, found: Sequence[ViewPane], high: ImVec2) -> None:
    """Draw the name and the size of each compared document in its pane, above the lower edge at `high`.

    If the size of one document does not fit, only names are drawn in all panes.
    """
    if len(found) < 2:
        return
    pad, line = imgui.get_style().window_padding, imgui.get_text_line_height()
    y = high.y - line - imgui.get_frame_height() - 3 * pad.y
    first, last = found[0].low.x, found[-1].low.x + found[-1].size.x
    middle = (first + last) / 2
    side = state.documents.comparison.side_by_side
    edges = [(each.start, each.end) for each in found] if side else [(first, middle), (middle, last)]
    room = min(end - start for start, end in edges) - 2 * pad.x
    names = pane_names([each.state for each in found])
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
    if state.documents.comparison.mode is CompareMode.DIFFERENCE:
        share = state.view_info.differing
        text = "Counting the differing pixels …" if share is None else difference_text(share, share)
        _caption([text], middle - _width(text) / 2, y - line - pad.y, TEXT)
    if state.documents.comparison.mode in COLORED:
        distance_legend(_legend(state), middle, y - line - pad.y, last - first - 2 * pad.x)


def _caption(parts: Sequence[str], x: float, y: float, color: Color) -> None:
    """Draw texts side by side: the first text in `color`, the other texts faint."""
    draw, line = imgui.get_window_draw_list(), imgui.get_text_line_height()
    for number, text in enumerate(parts):
        label(draw, text, (x, y, _width(text), line), FAINT if number else color)
        x += _width(text)


def _width(text: str) -> float:
    """The width of a label in points."""
    return imgui.calc_text_size(text).x + 2 * GAP


def _legend(state: State) -> ColorLegend | None:
    """The legend of the colours; None if they are not computed yet."""
    result, comparison = state.comparison_result, state.documents.comparison
    if comparison.mode is CompareMode.MOTION:
        motion = result.motion if result else None
        return None if motion is None else motion.legend(comparison.by_distance)
    distances = _distances(state)
    return None if distances is None else distances.legend


def _distances(state: State) -> VertexDistances | None:
    """The distances between the models; None if they are not shown or not computed yet."""
    found = state.comparison_result
    return found.distances if found and state.documents.comparison.mode is CompareMode.DISTANCE else None


def _details(state: State, found: Sequence[ViewPane]) -> list[str]:
    """The text about the model in the caption of each pane: its distances or its size."""
    distances = _distances(state)
    if distances is not None and len(found) == len(distances.models):
        return [each.text for each in distances.models]
    return [_numbers(pane.state) for pane in found]


def _numbers(state: State) -> str:
    """The numbers of vertices, triangles and bones of the model; empty if there is no model."""
    if state.model is None:
        return ""
    size = model_size(state.model)
    counts = size.vertices, size.triangles, size.bones
    vertices, triangles, bones = map(grouped, counts)
    return f"{vertices} vertices   {triangles} triangles   {bones} bones"


def compare_button(state: State, post: Post, ink: ImVec4, side: float) -> None:
    """Draw the button of the comparison, `side` points high, with an icon in the colour `ink`.

    Its menu lists the modes of comparison and the open models to compare with.
    """
    imgui.push_style_color(imgui.Col_.text, ink)
    clicked = imgui.button(f"{COLUMNS}###compare", ImVec2(side * 1.15, side))
    imgui.pop_style_color()
    if clicked:
        imgui.open_popup("comparing")
    hint("Compare with another open model")
    if not imgui.begin_popup("comparing"):
        return
    for action in MODES:
        checked = bool(action.checked and action.checked(state))
        if action.enabled(state) and imgui.menu_item_simple(action.title, "", checked):
            action.run(state, post)
    others = state.documents.comparable
    if state.documents.compared is not None and len(others) > 1:
        imgui.separator_text("With")
        paths = [each.path for each in (*others, *filter(None, (state.document,)))]
        for number, name in enumerate(short_names(paths)[: len(others)]):
            chosen = others[number] is state.documents.compared
            if imgui.menu_item_simple(f"{label_text(name)}###{number}", "", chosen):
                state.compare(state.documents.comparison.mode, others[number])
    imgui.end_popup()
