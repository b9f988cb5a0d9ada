"""The frame around the window while files hover over it."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.ui.kit.theme import ACCENT, RAISED, TEXT, color32

TOLD = "Drop to open"
THICK, INSET = 3.0, 6.0
"""The thickness of the frame, and its distance from the window's edge, in theme points."""
LARGE = 1.6
"""The size of the text in font sizes."""


def drop_frame(size: tuple[float, float]) -> None:
    """Draw the frame and what a drop does, over a window of `size` points."""
    font, points = imgui.get_font(), imgui.get_font_size()
    unit = points / imgui.get_style().font_size_base
    draw, inset = imgui.get_foreground_draw_list(), INSET * unit
    low, high = ImVec2(inset, inset), ImVec2(size[0] - inset, size[1] - inset)
    draw.add_rect_filled(low, high, color32(ACCENT, 0.08), inset)
    draw.add_rect(low, high, color32(ACCENT), inset, THICK * unit)
    imgui.push_font(font, imgui.get_style().font_size_base * LARGE)
    text = imgui.calc_text_size(TOLD)
    imgui.pop_font()
    corner = ImVec2((size[0] - text.x) / 2, (size[1] - text.y) / 2)
    pad = points * 0.8
    draw.add_rect_filled(
        ImVec2(corner.x - pad, corner.y - pad / 2),
        ImVec2(corner.x + text.x + pad, corner.y + text.y + pad / 2),
        color32(RAISED, 0.95),
        inset,
    )
    draw.add_text(font, points * LARGE, corner, color32(TEXT), TOLD)
