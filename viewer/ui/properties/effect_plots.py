"""Plots of emitters and ribbons: parameters over the sequence, and colours over a particle's life."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui, implot

from viewer.arrays import Array
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT, rgba
from viewer.ui.kit.widgets import faint, mono

COLORS = (
    ImVec4(0.90, 0.30, 0.32, 1.0),
    ImVec4(0.32, 0.68, 0.28, 1.0),
    ImVec4(0.26, 0.52, 0.96, 1.0),
)
SINGLE = ImVec4(0.93, 0.70, 0.35, 1.0)
PLOT = int(
    implot.Flags_.no_title
    | implot.Flags_.no_legend
    | implot.Flags_.no_mouse_text
    | implot.Flags_.no_menus
    | implot.Flags_.no_inputs
)
FITTED = int(implot.AxisFlags_.auto_fit | implot.AxisFlags_.range_fit | implot.AxisFlags_.no_label)
HIGH = 6.0
"""Height of a plot in letter heights."""
BAND = 1.1


def plot(name: str, times: Array, values: Array, end: float, at: float | None = None) -> None:
    """Plot `values` [N, C] at `times` [N] from 0 to `end`, below the title `name`.

    A line marks the time `at`.
    """
    faint(name)
    implot.push_style_var(implot.StyleVar_.plot_padding, ImVec2(4, 4))
    implot.push_style_var(implot.StyleVar_.fit_padding, ImVec2(0, 0.15))
    implot.push_style_color(implot.Col_.frame_bg, 0)
    with mono():
        if implot.begin_plot(f"##{name}", ImVec2(-1, imgui.get_font_size() * HIGH), PLOT):
            implot.setup_axes("", "", 0, FITTED)
            implot.setup_axis_limits(implot.ImAxis_.x1, 0.0, max(end, 1e-6), implot.Cond_.always)
            implot.setup_axis_format(implot.ImAxis_.y1, "%7.3g")
            _lines(name, times, values)
            if at is not None:
                spec = implot.Spec(line_color=rgba(ACCENT), line_weight=1.5)
                implot.plot_inf_lines("now", np.array([at]), spec)
            implot.end_plot()
    implot.pop_style_color()
    implot.pop_style_var(2)


def _lines(name: str, times: Array, values: Array) -> None:
    colors: Sequence[ImVec4] = (SINGLE,) if values.shape[1] == 1 else COLORS
    for number, column in enumerate(values.T[: len(colors)]):
        spec = implot.Spec(line_color=colors[number], line_weight=1.5)
        implot.plot_line(f"{name} {number}", np.ascontiguousarray(times), np.ascontiguousarray(column), spec)


def band(colors: Array, alphas: Array) -> None:
    """Draw the colours [N, 3] and alphas [N] of a particle's life as a band over a checkerboard."""
    draw, low = imgui.get_window_draw_list(), imgui.get_cursor_screen_pos()
    width, height = imgui.get_content_region_avail().x, imgui.get_font_size() * BAND
    side = height / 2
    for number in range(int(np.ceil(width / side)) * 2):
        column, row = divmod(number, 2)
        shade = 0.32 if (column + row) % 2 else 0.2
        corner = ImVec2(low.x + column * side, low.y + row * side)
        end = ImVec2(min(corner.x + side, low.x + width), corner.y + side)
        draw.add_rect_filled(corner, end, imgui.get_color_u32(ImVec4(shade, shade, shade, 1.0)))
    steps = np.concatenate((np.clip(colors, 0, 1), np.clip(alphas, 0, 1)[:, None]), axis=1)
    packed = [imgui.get_color_u32(ImVec4(*row)) for row in steps.tolist()]
    edges = np.linspace(low.x, low.x + width, len(packed)).tolist()
    for left, right, first, last in zip(edges, edges[1:], packed, packed[1:], strict=False):
        high = ImVec2(right, low.y + height)
        draw.add_rect_filled_multi_color(ImVec2(left, low.y), high, first, last, last, first)
    imgui.dummy(ImVec2(width, height))


def shown_time(state: State) -> float | None:
    """The current time in a plot over the sequence, None if nothing plays."""
    return state.view.clock.shown(state.playback.duration) if state.view.playlist else None
