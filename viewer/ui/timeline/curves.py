"""The Curves panel: position, rotation and scale of the selected bone over time, with the same values as in
the pose.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui, implot

from viewer.animation.key_times import keys
from viewer.errors import counted, printable
from viewer.scene.animation import Animation, Track, match
from viewer.scene.items import KeyItem, TrackItem
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT, FAINT, GROUND, rgba
from viewer.ui.kit.widgets import Memo, faint, mono, nothing, still, toggle, tooltip
from viewer.ui.timeline.curve import CurvePlot, channels, curve, euler, line
from viewer.ui.timeline.keys import file_location, key_item, nearest, select, track_item
from viewer.ui.timeline.ruler import ROOM, TimeScale, label

PATHS = ("position", "rotation", "scale")
UNITS = {"position": "", "rotation": "°", "scale": "×"}
LENGTHS = {"metres": "m", "yards": "yd"}
"""The short names of units of length; positions in other units have no unit at their axis."""
COLORS = (
    ImVec4(0.90, 0.30, 0.32, 1.0),
    ImVec4(0.32, 0.68, 0.28, 1.0),
    ImVec4(0.26, 0.52, 0.96, 1.0),
    ImVec4(0.72, 0.50, 0.90, 1.0),
)
"""The colours of the components x, y, z (like the axes) and w."""
PLOT = int(
    implot.Flags_.no_title | implot.Flags_.no_legend | implot.Flags_.no_mouse_text | implot.Flags_.no_menus
)
PADDING = 0.12
"""Free space above and below a curve, as a fraction of its height."""
UNLABELLED = int(implot.AxisFlags_.no_tick_labels)
REACH = 6.0
LEAST, LOW, WIDE = 3.4, 6.0, 24.0
"""Sizes of plots in letters: below the height LOW plots of the width WIDE stand side by side, below
the height LEAST narrow ones too.
"""


class CurvesPanel:
    """The panel with a plot for each visible channel."""

    def __init__(self) -> None:
        self._off: set[str] = set()
        """Hidden channels and components."""
        self._angles = True
        self._lines = {path: Memo() for path in PATHS}
        self._channels = Memo()

    def __call__(self, state: State, post: Post) -> None:
        """Draw the curves of the selected bone, or the reason why there are none."""
        animation = state.playback.keyed
        if animation is None:
            nothing(still(state))
            return
        target = self._target(state, animation)
        if target is None:
            nothing(_missing(state, animation))
            return
        found: dict[str, Track] = self._channels.get((animation, target), lambda: channels(animation, target))
        self._header(state, animation, target, found)
        shown = [found[path] for path in PATHS if path in found and path not in self._off]
        if not shown:
            nothing("All channels are hidden.")
            return
        room = imgui.get_content_region_avail()
        gap = imgui.get_style().item_spacing.y
        labels = imgui.get_text_line_height() + 2 * implot.get_style().label_padding.y
        height, letter = (room.y - labels - gap * (len(shown) - 1)) / len(shown), imgui.get_font_size()
        if height < (LOW if room.x > WIDE * letter * len(shown) else LEAST) * letter:
            width = (room.x - gap * (len(shown) - 1)) / len(shown)
            for track in shown:
                self._plot(state, animation, track, ImVec2(width, room.y), True)
                imgui.same_line(0, gap)
            return
        for track in shown:
            last = track is shown[-1]
            size = ImVec2(-1, height + labels * last)
            self._plot(state, animation, track, size, last)

    def _target(self, state: State, animation: Animation) -> str | None:
        """The target of the track to plot: the track of the selected bone, or the selected track or keyframe;
        None if there is none.
        """
        bone, names = state.view.bone, state.skeleton.names if state.skeleton else ()
        if bone is not None:
            bones = match(animation, names).bones
            return next((target for target, number in bones.items() if number == bone), None)
        picked = state.view.selection.picked
        if not isinstance(picked, KeyItem | TrackItem):
            return None
        wanted = picked.track if isinstance(picked, KeyItem) else picked
        return next(
            (each for each in animation.targets if track_item(state, animation, each) == wanted), None
        )

    def _header(self, state: State, animation: Animation, target: str, found: dict[str, Track]) -> None:
        """Draw the switches of channels and components, the choice of angles or quaternions, and a link to
        the track's bytes.
        """
        for path in found:
            if toggle(path.capitalize(), path not in self._off):
                self._off ^= {path}
            imgui.same_line()
        if "rotation" in found and "rotation" not in self._off:
            if imgui.button("Angles" if self._angles else "Quaternion"):
                self._angles = not self._angles
            imgui.same_line()
        quaternion = "rotation" in found and not self._angles
        for number, name in enumerate("xyzw" if quaternion else "xyz"):
            imgui.push_style_color(imgui.Col_.text, rgba(FAINT, 0.5) if name in self._off else COLORS[number])
            if imgui.button(f"{name}##component"):
                self._off ^= {name}
            imgui.pop_style_color()
            imgui.same_line(0, 2)
        imgui.same_line()
        imgui.align_text_to_frame_padding()
        faint(f"{target}   {counted(max(len(track.times) for track in found.values()), 'key')}")
        where = file_location(state, animation, track_item(state, animation, target))
        imgui.same_line()
        with mono():
            if imgui.calc_text_size(where).x <= imgui.get_content_region_avail().x:
                faint(where)
            else:
                imgui.new_line()

    def _plot(self, state: State, animation: Animation, track: Track, size: ImVec2, has_times: bool) -> None:
        """Draw a plot of `size`, which `has_times` at its lower edge or stands above one that has them."""
        duration, timeline = state.playback.duration, state.view.timeline
        start, end = timeline.visible_range(duration)
        low, high = implot.BoxedValue(start), implot.BoxedValue(end)
        implot.push_style_var(implot.StyleVar_.plot_padding, ImVec2(4, 4))
        implot.push_style_color(implot.Col_.frame_bg, 0)
        with mono():  # with this font all labels have the same width, which aligns the plots
            self._framed(state, animation, track, size, (0 if has_times else UNLABELLED, low, high))
        implot.pop_style_color()
        implot.pop_style_var()
        if (low.value, high.value) != (start, end) and high.value > low.value:
            timeline.view = (low.value, high.value)

    def _framed(
        self, state: State, animation: Animation, track: Track, size: ImVec2, axis: tuple[int, Any, Any]
    ) -> None:
        """Draw the plot of a track.

        `axis` holds the flags of the time axis, and the first and last visible second. Zooming and panning in
        the plot change these two values.
        """
        flags, *view = axis
        width = max(int(size.x if size.x > 0 else imgui.get_content_region_avail().x), 2)
        wanted = (
            *(track, (view[0].value, view[1].value), width),
            *(animation.duration, state.playback.looped, self._angles),
        )
        drawn: CurvePlot = self._lines[track.path].get(wanted, lambda: line(*wanted))
        if implot.begin_plot(f"##{track.path}", size, PLOT):
            implot.setup_axes("", "", flags, int(implot.AxisFlags_.no_label))
            implot.setup_axis_format(
                implot.ImAxis_.y1, "%7.3g" + (_unit(state, track.path, self._angles) or " ")
            )
            if not flags & UNLABELLED:
                _time_axis(state, view[0].value, view[1].value, width)
            implot.setup_axis_links(implot.ImAxis_.x1, *view)
            self._inside(state, animation, track, drawn)
            implot.end_plot()

    def _inside(self, state: State, animation: Animation, track: Track, drawn: CurvePlot) -> None:
        """Set the value axis and draw the visible components.

        ImPlot would fit the axis only in the next frame, so that the first has the axis of another bone.
        """
        visible = [number for number in range(drawn.values.shape[1]) if "xyzw"[number] not in self._off]
        values = drawn.values[:, visible]
        values = values[np.isfinite(values)]
        if len(values):
            low, high = float(values.min()), float(values.max())
            free = (high - low) * PADDING or 0.5
            implot.setup_axis_limits(implot.ImAxis_.y1, low - free, high + free, implot.Cond_.always)
        for number in visible:
            _component(drawn, number, f"{'xyzw'[number]} {track.path}", COLORS[number])
        self._playhead(state)
        if implot.is_plot_hovered():
            self._readout(state, animation, track)

    def _playhead(self, state: State) -> None:
        """Draw a line at the current time. The user can drag the line."""
        shown = state.view.clock.shown(state.playback.duration)
        moved, at, _, _, held = implot.drag_line_x(0, shown, rgba(ACCENT), 1.5, 0, False, False, False)
        if held:
            state.view.clock.hold()
        if moved:
            state.view.clock.show(at, state.playback.duration)

    def _readout(self, state: State, animation: Animation, track: Track) -> None:
        """Show time and values at the pointer; on a click, go to the nearest keyframe and select it."""
        mouse = implot.get_plot_mouse_pos()
        found = keys(animation)
        row = found.rows[track.target]
        limits = implot.get_plot_limits().x
        reach = REACH * (limits.max - limits.min) / max(implot.get_plot_size().x, 1)
        near = nearest(found.row(row), mouse.x, reach)
        at = mouse.x if near is None else float(found.row(row)[near])
        if not 0 <= at <= animation.duration:
            return
        number = None if near is None else int(found.numbers[found.starts[row] + near])
        if imgui.is_mouse_released(0) and imgui.get_mouse_drag_delta(0).x == 0:
            state.view.clock.show(at, state.playback.duration)
            if number is not None:
                select(state, animation, key_item(state, animation, track.target, number))
        values = curve(track, np.array([at]), animation.duration, state.playback.looped)
        angles = track.path == "rotation" and self._angles
        shown = (euler(values) if angles else values)[0]
        unit = _unit(state, track.path, self._angles)
        head = f"{label(at, 1, False)} s   frame {round(at * state.view.clock.fps, 2):g}"
        head += "" if number is None else f"   key {number}"
        texts = [f"{name} {value: .5g}{unit}" for name, value in zip("xyzw", shown, strict=False)]
        with mono():
            tooltip("\n".join((head, *texts)))


def _unit(state: State, path: str, angles: bool) -> str:
    """The unit of a channel's values; empty if it has none or an unknown one."""
    if path == "position" and state.model is not None:
        return LENGTHS.get(state.model.unit, "")
    return UNITS[path] if path != "rotation" or angles else ""


def _time_axis(state: State, start: float, end: float, width: int) -> None:
    """Number the time axis of the next plot as the timeline is numbered: in seconds, or in frames."""
    if not state.view.timeline.frames:
        implot.setup_axis_format(implot.ImAxis_.x1, "%g s")
        return
    fps = state.view.clock.fps
    room = imgui.get_font_size() * ROOM
    ticks = [time for time, numbered in TimeScale(start, end, 0.0, width).ticks(1 / fps, room) if numbered]
    texts = [f"{label(time, fps, True)} f" for time in ticks]
    implot.setup_axis_ticks(implot.ImAxis_.x1, ticks, texts)


def _missing(state: State, animation: Animation) -> str:
    """The reason why no curve is shown."""
    if state.view.bone is None or state.skeleton is None:
        return "Select a bone to see its position, rotation and scale over time."
    return printable(f"No track of {animation.name} moves {state.skeleton.names[state.view.bone]}.")


def _component(drawn: CurvePlot, number: int, name: str, color: ImVec4) -> None:
    """Draw the curve of one component, with its keyframes."""
    values = np.ascontiguousarray(drawn.values[:, number])
    implot.plot_line(name, drawn.times, values, implot.Spec(line_color=color, line_weight=1.5))
    if len(drawn.keys):
        spec = implot.Spec(
            marker=int(implot.Marker_.diamond),
            marker_size=imgui.get_font_size() * 0.24,
            marker_fill_color=color,
            marker_line_color=rgba(GROUND),
        )
        implot.plot_scatter(name, drawn.times[drawn.keys], values[drawn.keys], spec)
