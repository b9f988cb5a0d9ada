"""The page of the Differences panel about motion: how far each bone is from its partner, now and at most, and
the curve of a bone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from imgui_bundle import ImVec2, imgui, implot

from viewer.actions import ACTIONS_BY_NAME
from viewer.animation.motion.clip_difference import BoneDifference, ClipDifference
from viewer.arrays import Array
from viewer.errors import printable
from viewer.scene.choices import TimeTie
from viewer.scene.items import BoneItem
from viewer.session.comparison import in_order
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.texts import fitted_row
from viewer.ui.kit.theme import ACCENT, rgba
from viewer.ui.kit.tree_rows import Branch, Row
from viewer.ui.kit.tree_table import Column, TableRows, TreeTable
from viewer.ui.kit.widgets import Memo, faint, hint, mono, nothing, toggle

PLOT = int(
    implot.Flags_.no_title | implot.Flags_.no_legend | implot.Flags_.no_mouse_text | implot.Flags_.no_menus
)
HEIGHT = 8.0
"""Height in letters of the curve above the list."""
WIDE, SHARE = 50.0, 0.45
"""In panels wider than WIDE letters, the list has this share of the width, and the curve is beside it."""
ROOM = 0.15
"""Free space above a curve, as a share of its height."""
CHOICES = (
    ("compare_seconds", "Seconds"),
    ("compare_share", "Share"),
    ("compare_untied", "Not tied"),
    ("compare_angles", "Angles"),
    ("compare_distances", "Distances"),
)


class MotionRow(NamedTuple):
    """A bone of the list: its largest difference, and its angle and distance at this moment."""

    peak: BoneDifference
    angle: float
    distance: float
    by_distance: bool
    tied: bool

    @property
    def now(self) -> float:
        """The shown amount at this moment."""
        return self.distance if self.by_distance else self.angle

    @property
    def most(self) -> float:
        """The largest shown amount."""
        return self.peak.distance if self.by_distance else self.peak.angle

    def text(self, amount: float) -> str:
        """An amount with its unit."""
        return f"{amount:.4g}" if self.by_distance else f"{amount:.1f}°"

    @property
    def most_text(self) -> str:
        """The largest amount and its time in seconds of the left side."""
        if not self.tied:
            return "–"
        time = self.peak.distance_time if self.by_distance else self.peak.time
        return f"{self.text(self.most)} at {time:.3f} s"


COLUMNS: tuple[Column[MotionRow], ...] = (
    Column("bone", searched=True),
    Column("now", width=4.5, mono=True, right=True, text=lambda row: row.text(row.now)),
    Column("largest", width=9.5, mono=True, right=True, text=lambda row: row.most_text),
)


class MotionList:
    """The page. A click on a bone selects it and goes to its largest difference; an arrow key only selects
    it. A click in the curve sets the time.

    While a clip plays, the bones stay in the order of their largest differences.
    """

    def __init__(self) -> None:
        self._table = TreeTable[MotionRow]("motion", COLUMNS, headers=True)
        self._values = Memo()

    def __call__(self, state: State, post: Post, focus: bool) -> None:
        """Draw the page. `focus` gives its filter the keyboard focus."""
        self._bar(state, post)
        result = state.comparison_result
        motion = result.motion if result is not None else None
        if motion is None:
            nothing((result.error if result else "") or "Comparing the clips …")
            return
        if not motion.names:
            nothing("The models have no bones of the same name.")
            return
        tied = state.documents.comparison.tie is not TimeTie.NONE
        room, letter = imgui.get_content_region_avail(), imgui.get_font_size()
        beside = tied and room.x > WIDE * letter
        if tied and not beside:
            self._curve(state, motion, HEIGHT * letter)
        if imgui.begin_child("bones", ImVec2(room.x * SHARE if beside else 0, 0)):
            self._list(state, motion, tied, focus)
        imgui.end_child()
        if beside:
            imgui.same_line()
            if imgui.begin_child("curve"):
                self._curve(state, motion, -1)
            imgui.end_child()

    def _list(self, state: State, motion: ClipDifference, tied: bool, focus: bool) -> None:
        """Draw the filter and the bones."""
        self._table.filter_line(focus)
        rows = self._rows(state, motion, tied)
        if rows:
            self._table(Branch(rows, lambda _: ()), _MotionRows(state))
        else:
            nothing("No bone has this name." if self._table.filter else "No bone moves differently.")

    def _bar(self, state: State, post: Post) -> None:
        """Draw the choices of the side, the tie of the times, and the measure."""
        if state.partner is not None and state.partner.document is state.document:
            for number, side in enumerate(("Left", "Right")):
                if toggle(side, state.view.is_right == bool(number)) and state.view.is_right != bool(number):
                    ACTIONS_BY_NAME["compare_switch"].run(state, post)
                hint("The panels are about this side: choose its clips in Animations")
                imgui.same_line()
        padding = 2 * imgui.get_style().frame_padding.x
        for name, title in CHOICES:
            action = ACTIONS_BY_NAME[name]
            if imgui.get_content_region_avail().x < imgui.calc_text_size(title).x + padding:
                imgui.new_line()
            if toggle(title, bool(action.checked and action.checked(state))):
                action.run(state, post)
            hint(action.title)
            imgui.same_line()
        imgui.new_line()

    def _rows(self, state: State, motion: ClipDifference, tied: bool) -> Sequence[MotionRow]:
        """The bones that differ now or at another time, and that the filter fits."""
        first, second = (each.playback.posed() for each in in_order(state))
        if first is None or second is None:
            return ()
        by_distance, clock = state.documents.comparison.by_distance, state.view.clock
        angles, distances = (amounts.tolist() for amounts in motion.at(first, second))
        columns = {bone: column for column, bone in enumerate(motion.pairs.first.tolist())}
        rows = [
            MotionRow(peak, angles[column], distances[column], by_distance, tied)
            for peak in motion.peaks
            if self._table.filter.fits(peak.name)
            for column in (columns[peak.bone],)
        ]
        rows = [row for row in rows if row.most > 0 or row.now > 0]
        rows.sort(key=lambda row: -(row.most if clock.playing else row.now))
        return rows

    def _curve(self, state: State, motion: ClipDifference, height: float) -> None:
        """Draw the curve of the selected bone, `height` points high (-1: the rest of the window). Without a
        bone, it is that of the largest difference of all bones.
        """
        right = in_order(state)[1] is state
        comparison, bone = state.documents.comparison, state.view.bone
        times = motion.other_times if right else motion.times
        bones = motion.pairs.second if right else motion.pairs.first
        values = motion.distances if comparison.by_distance else motion.angles
        column = next((number for number, each in enumerate(bones.tolist()) if each == bone), None)
        faint("The largest difference of all bones" if column is None else printable(motion.names[column]))
        curve: Array = self._values.get(
            (motion, comparison.by_distance, column), lambda: _curve(values, column)
        )
        implot.push_style_color(implot.Col_.frame_bg, 0)
        implot.push_style_var(implot.StyleVar_.plot_min_size, ImVec2(1, 1))
        with mono():
            if implot.begin_plot("##motion", ImVec2(-1, height), PLOT):
                implot.setup_axes("", "", 0, int(implot.AxisFlags_.no_label))
                implot.setup_axis_format(implot.ImAxis_.y1, "%5.3g" if comparison.by_distance else "%4.0f°")
                implot.setup_axis_format(implot.ImAxis_.x1, "%.3g s")
                top = float(curve.max(initial=0)) * (1 + ROOM) or 1.0
                implot.setup_axis_limits(implot.ImAxis_.x1, times[0], times[-1], implot.Cond_.always)
                implot.setup_axis_limits(implot.ImAxis_.y1, 0.0, top, implot.Cond_.always)
                spec = implot.Spec(line_color=rgba(ACCENT), line_weight=1.5)
                implot.plot_line("difference", times, curve, spec)
                self._playhead(state)
                implot.end_plot()
        implot.pop_style_var()
        implot.pop_style_color()

    def _playhead(self, state: State) -> None:
        """Draw a line at the current time, and go to the time under a click."""
        clock = state.view.clock
        shown = clock.shown(state.playback.duration)
        implot.drag_line_x(0, shown, rgba(ACCENT, 0.6), 1.5, 0, False, False, False)
        if implot.is_plot_hovered() and imgui.is_mouse_down(0):
            clock.hold()
            clock.seek(implot.get_plot_mouse_pos().x)


def _curve(values: Array, column: int | None) -> Array:
    """[T] f64: the values of a bone, from [T, N]; without a bone, the largest of all bones. A value that is
    not finite is 0.
    """
    chosen = values.max(axis=1) if column is None else values[:, column]
    return np.where(np.isfinite(chosen), chosen, 0.0).astype(np.float64)


class _MotionRows(TableRows[MotionRow]):
    """The rows of the list."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._right = in_order(state)[1] is state

    def headers(self) -> None:
        """Draw the headings."""
        imgui.table_headers_row()

    def line(self, row: Row[MotionRow]) -> tuple[float, str]:
        """The name of the bone."""
        return fitted_row(0, printable(row.node.peak.name), "")

    def is_chosen(self, row: Row[MotionRow], at_cursor: bool) -> bool:
        """Whether the bone is selected."""
        return self._state.view.bone == self._bone(row.node)

    def on_line(self, row: Row[MotionRow]) -> None:
        """Mark the bone under the pointer in the picture."""
        if imgui.is_item_hovered():
            self._state.view.selection.point(BoneItem(self._bone(row.node)))

    def has_menu(self, row: Row[MotionRow]) -> bool:
        """No row has a menu."""
        return False

    def choose(self, row: Row[MotionRow], by_key: bool) -> None:
        """Select the bone; a click also goes to its largest difference."""
        view, peak = self._state.view, row.node.peak
        view.bone = self._bone(row.node)
        view.selection.pick(BoneItem(view.bone))
        if by_key or not row.node.tied:
            return
        view.clock.pause()
        view.clock.seek(self._time(row.node, peak))

    def open(self, row: Row[MotionRow]) -> None:
        """Go to the largest difference."""
        self.choose(row, by_key=False)

    def _bone(self, row: MotionRow) -> int:
        return row.peak.other if self._right else row.peak.bone

    def _time(self, row: MotionRow, peak: BoneDifference) -> float:
        return peak.other_time if self._right else peak.time
