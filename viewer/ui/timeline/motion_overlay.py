"""The marks of a motion in the timeline: the heat map of the bones, and the contacts of feet."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui, implot

from viewer.animation.motion.heat_map import heat_map, hottest, key_speeds
from viewer.arrays import Array
from viewer.session.motion import MotionResult
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT, GROUND, rgba
from viewer.ui.kit.widgets import Memo
from viewer.ui.timeline.dope_sheet import SEGMENTS, DopeSheetView

HEAT = (0.98, 0.66, 0.22, 1.0), (0.94, 0.26, 0.22, 1.0)
"""The colours of fast and of the fastest rotations. Still bones have the colour of the ground."""
CELL = 5.0
"""The width of a cell of the heat map in points."""


class MotionOverlay:
    """Draws the marks in the plot of the keys, whose x axis is in pixels and whose y axis is in lines."""

    def __init__(self) -> None:
        self._speeds, self._cells = Memo(), Memo()

    def __call__(self, state: State, sheet: DopeSheetView) -> None:
        """Draw the marks that the timeline shows, once the motion of its clip is known."""
        result = state.motion.result
        if result is None or result.clip is not sheet.animation:
            return
        if state.view.timeline.heat and sheet.listed:
            self._heat(sheet, result)
        if state.view.timeline.contacts and result.footwork is not None:
            _contacts(sheet, result)

    def _heat(self, sheet: DopeSheetView, result: MotionResult) -> None:
        """Draw a cell for each row and step of time, in the colour of the highest angular speed."""
        speeds: Array = self._speeds.get(result, lambda: key_speeds(result.keys))
        names = tuple(None if row.keys is None else sheet.keys.targets[row.keys] for row in sheet.listed)
        scale = sheet.scale
        columns = max(int(scale.width / (CELL * imgui.get_font_size() / 15)), 1)
        view = (scale.start, scale.end)

        def cells() -> Array:
            tracks = {name: number for number, name in enumerate(result.keys.targets)}
            rows = [None if name is None else tracks.get(name) for name in names]
            return heat_map(result.keys, speeds, rows, view, columns)

        values: Array = self._cells.get((result, names, view, columns), cells)
        implot.push_colormap(_colors(tuple(rgba(GROUND)), *HEAT))
        low, high = implot.Point(0, len(names) + 0.5), implot.Point(scale.width, 0.5)
        implot.plot_heatmap("##heat", values, 0.0, hottest(speeds), "", low, high)
        implot.pop_colormap()


def _colors(*stops: tuple[float, ...]) -> int:
    """Return the colour map, which is made once for each theme."""
    named = f"heat {hash(stops)}"
    known = implot.get_colormap_index(named)
    return known if known >= 0 else implot.add_colormap(named, np.array(stops, np.float32), False)


def _contacts(sheet: DopeSheetView, result: MotionResult) -> None:
    """Draw a bar in the row of a foot for each contact."""
    assert result.footwork is not None, "there are contacts"
    lines = {row.bone: number + 1.0 for number, row in enumerate(sheet.listed) if row.bone is not None}
    found = [each for each in result.footwork.contacts if each.bone in lines]
    if not found:
        return
    times = np.array([(each.start, each.end) for each in found], np.float64).ravel()
    heights = np.repeat(np.array([lines[each.bone] for each in found]) + 0.33, 2)
    spec = implot.Spec(line_color=rgba(ACCENT, 0.9), line_weight=sheet.line * 0.22, flags=SEGMENTS)
    implot.plot_line("##contacts", (times - sheet.scale.start) * sheet.scale.density, heights, spec)
