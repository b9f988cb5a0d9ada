"""The frame times as a small plot over the picture, on request."""

from __future__ import annotations

import numpy as np
from imgui_bundle import ImVec2, imgui

from viewer.session.state import State
from viewer.ui.kit.widgets import BARE, faint, mono
from viewer.ui.layout import Rect

FRAMES = 120
WIDE, HIGH = 16.0, 3.5
"""The width of the plot in letters."""
FLAGS = (
    BARE
    | int(imgui.WindowFlags_.no_focus_on_appearing)
    | int(imgui.WindowFlags_.no_nav)
    | int(imgui.WindowFlags_.no_mouse_inputs)
    | int(imgui.WindowFlags_.always_auto_resize)
)


class FrameStatistics:
    """The plot in the lower right corner of the picture, shown while `state.interface.statistics` is set."""

    def __init__(self) -> None:
        self._times = np.zeros(FRAMES, np.float32)
        self._next = 0

    def __call__(self, state: State, picture: Rect) -> None:
        """Record the duration of the last frame, and draw."""
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
