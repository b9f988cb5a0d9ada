"""Small parts over the picture: the status note, the frame statistics, and the frame shown while files are
dragged over the window.
"""

from __future__ import annotations

import numpy as np
from imgui_bundle import ImVec2, imgui

from viewer.session.interface import Interface
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT, RAISED, TEXT, color32
from viewer.ui.kit.widgets import BARE, faint, mono, take_copied
from viewer.ui.layout import Rect
from viewer.ui.view.overlays import GAP, label
from viewer.ui.view.view_panel import SHOWN

DROP_TEXT = "Drop to open"
THICK, INSET = 3.0, 6.0
"""Thickness of the frame, and its distance from the window's edge, in theme points."""
LARGE = 1.6
"""The size of the text about dropped files, in font sizes."""


def drop_frame(size: tuple[float, float]) -> None:
    """Draw the frame with the text that says what dropping the files does, over a window of `size` points."""
    font, points = imgui.get_font(), imgui.get_font_size()
    unit = points / imgui.get_style().font_size_base
    draw, inset = imgui.get_foreground_draw_list(), INSET * unit
    low, high = ImVec2(inset, inset), ImVec2(size[0] - inset, size[1] - inset)
    draw.add_rect_filled(low, high, color32(ACCENT, 0.08), inset)
    draw.add_rect(low, high, color32(ACCENT), inset, THICK * unit)
    imgui.push_font(font, imgui.get_style().font_size_base * LARGE)
    text = imgui.calc_text_size(DROP_TEXT)
    imgui.pop_font()
    corner = ImVec2((size[0] - text.x) / 2, (size[1] - text.y) / 2)
    pad = points * 0.8
    draw.add_rect_filled(
        ImVec2(corner.x - pad, corner.y - pad / 2),
        ImVec2(corner.x + text.x + pad, corner.y + text.y + pad / 2),
        color32(RAISED, 0.95),
        inset,
    )
    draw.add_text(font, points * LARGE, corner, color32(TEXT), DROP_TEXT)


FRAMES = 120
WIDE, HIGH = 16.0, 3.5
"""Width and height of the plot in letters."""
FLAGS = (
    BARE
    | int(imgui.WindowFlags_.no_focus_on_appearing)
    | int(imgui.WindowFlags_.no_nav)
    | int(imgui.WindowFlags_.no_mouse_inputs)
    | int(imgui.WindowFlags_.always_auto_resize)
)


class FrameStatistics:
    """The plot of frame times over the picture, shown while `state.interface.statistics` is set."""

    def __init__(self) -> None:
        self._times = np.zeros(FRAMES, np.float32)
        self._next = 0

    def __call__(self, state: State, picture: Rect) -> None:
        """Record the duration of the last frame, and draw the plot if it is shown."""
        self._times[self._next % FRAMES] = imgui.get_io().delta_time * 1000
        self._next += 1
        if not state.interface.statistics:
            return
        letter = imgui.get_font_size()
        corner = ImVec2(picture.x + picture.width - letter, picture.y + picture.height - 2 * letter)
        imgui.set_next_window_pos(corner, imgui.Cond_.always, ImVec2(1, 1))
        imgui.set_next_window_bg_alpha(0.8)
        if imgui.begin("statistics", None, FLAGS)[0]:
            self._inside(state, letter)
        imgui.end()

    def _inside(self, state: State, letter: float) -> None:
        known = self._times[: min(self._next, FRAMES)]
        size = ImVec2(WIDE * letter, HIGH * letter)
        imgui.plot_lines(
            "##frames", self._times, self._next % FRAMES, "", 0.0, max(float(known.max()), 17.0), size
        )
        with mono():
            faint(f"mean {known.mean():6.2f} ms   max {known.max():6.2f} ms")
            faint(
                f"{state.view_info.triangles:>10,} triangles  {state.view_info.draws} draws".replace(",", " ")
            )


class StatusNote:
    """Shows the note of the interface for a few seconds."""

    def __init__(self) -> None:
        self._number = 0
        self._since = -SHOWN

    def __call__(self, interface: Interface, rect: Rect) -> None:
        """Draw the note, if there is one, at the lower edge of the picture `rect`."""
        copied = take_copied()
        if copied:
            interface.note(copied)
        now = imgui.get_time()
        if interface.notes != self._number:
            self._number, self._since = interface.notes, now
        if now - self._since >= SHOWN:
            interface.status = ""
        if not interface.status:
            return
        pad, line = imgui.get_style().window_padding, imgui.get_text_line_height()
        width = imgui.calc_text_size(interface.status).x + 2 * GAP
        band = (rect.x + pad.x, rect.y + rect.height - line - pad.y, width, line)
        draw = imgui.get_foreground_draw_list()
        draw.push_clip_rect(ImVec2(rect.x, rect.y), ImVec2(rect.x + rect.width, rect.y + rect.height))
        label(draw, interface.status, band, TEXT, color32(RAISED))  # the note may cover a dialog
        draw.pop_clip_rect()
