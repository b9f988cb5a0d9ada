"""The meaning of the colours of distances, above the captions of compared documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, imgui

from viewer.scene.vertex_distances import RAMP, UNMATCHED, UNMATCHED_NAME, UNMOVED, UNMOVED_NAME
from viewer.ui.kit.theme import GROUND, TEXT, color32
from viewer.ui.view.overlays import GAP, GROUND_ALPHA, label

if TYPE_CHECKING:
    from viewer.scene.vertex_distances import VertexDistances

BAR = 8.0
"""The width of the ramp in letter heights."""
PAD = 6.0
"""The points around and between colours and texts."""
STRIPES = 3
"""The stripes in the square of what has no counterpart."""
Swatch = Callable[[ImVec2, ImVec2], None]
Entry = tuple[Swatch | None, float, str]
"""Draws colours between two points, the width of the colours, and the text behind them."""


def distance_legend(distances: VertexDistances | None, middle: float, y: float, room: float) -> None:
    """Draw as much of the legend as there is `room` for, around the column `middle`, with its upper edge at
    `y`; None: the distances are being measured.
    """
    line, draw = imgui.get_text_line_height(), imgui.get_window_draw_list()
    if distances is None:
        text = "measuring the distances …"
        wide = imgui.calc_text_size(text).x + 2 * GAP
        label(draw, text, (middle - wide / 2, y, wide, line), TEXT)
        return
    entries = _entries(distances, line)
    while entries and sum(map(_width, entries)) > room:
        entries.pop()
    x = middle - sum(map(_width, entries)) / 2
    low, high = ImVec2(x, y), ImVec2(2 * middle - x, y + line)
    draw.add_rect_filled(low, high, color32(GROUND, GROUND_ALPHA), 3.0)
    for entry in entries:
        swatch, wide, text = entry
        left = x + PAD
        if swatch is not None:
            swatch(ImVec2(left, y + line * 0.15), ImVec2(left + wide, y + line * 0.85))
            left += wide + PAD
        draw.add_text(ImVec2(left, y), color32(TEXT), text)
        x += _width(entry)


def _entries(distances: VertexDistances, line: float) -> list[Entry]:
    square = line * 0.7
    scale: Sequence[Entry] = (
        (None, 0.0, "0"),
        (_ramp, BAR * line, f"{distances.largest:.4g} units"),
    )
    unmatched: Sequence[Entry] = ((_stripes, square, UNMATCHED_NAME),)
    return [
        *(scale if distances.largest else ()),
        (_unmoved, square, UNMOVED_NAME),
        *(unmatched if distances.has_unmatched else ()),
    ]


def _width(entry: Entry) -> float:
    swatch, wide, text = entry
    return imgui.calc_text_size(text).x + 2 * PAD + (wide + PAD if swatch else 0.0)


def _ramp(low: ImVec2, high: ImVec2) -> None:
    draw, step = imgui.get_window_draw_list(), (high.x - low.x) / (len(RAMP) - 1)
    colors = [color32(color) for color in RAMP]
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
