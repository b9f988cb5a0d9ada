"""The ruler of the timeline: time scale, numbers, events, playback range, and the shaded times without
keyframes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from viewer.animation.key_times import SAME_TIME, KeyTimes
from viewer.errors import printable
from viewer.scene.animation import Event
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT, FAINT, GROUND, LINE, RAISED, WARNING, color32

STEPS = (1, 2, 5)
BLACK = (0.0, 0.0, 0.0)


class TimeScale(Struct, frozen=True):
    """Maps the seconds from `start` to `end` to `width` pixels, which begin at `left`."""

    start: float
    end: float
    left: float
    width: float

    @property
    def density(self) -> float:
        """Pixels per second."""
        return self.width / (self.end - self.start)

    def x(self, time: float) -> float:
        """The x in pixels of a time."""
        return self.left + (time - self.start) * self.density

    def time(self, x: float) -> float:
        """The time at a pixel."""
        return self.start + (x - self.left) / self.density

    def ticks(self, unit: float, room: float) -> Iterator[tuple[float, bool]]:
        """Yield a pair for each visible tick: its time, and whether a number is drawn at the tick.

        Ticks are at round multiples of `unit` seconds. Numbers are at least `room` pixels apart; ticks
        between them have no number.
        """
        major = _round_up(room / self.density / unit)
        minor = major / (4 if _leads_with_two(major) else 5)
        minor = max(minor, 1.0) if unit < 1 and major >= 1 else minor
        ratio = round(major / minor)
        first = math.ceil(self.start / (minor * unit))
        for number in range(first, math.floor(self.end / (minor * unit)) + 1):
            yield number * minor * unit, number % ratio == 0


def _round_up(value: float) -> float:
    """Round up to 1, 2 or 5 × a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next((step * power for step in STEPS if step * power >= value * (1 - 1e-9)), 10 * power)


def _leads_with_two(value: float) -> bool:
    return f"{value:e}"[0] == "2"


def label(time: float, fps: float, frames: bool, step: float = 1e-3) -> str:
    """Format a time.

    With `frames`, it is a frame number; otherwise it is in seconds, with as many digits as steps of `step`
    seconds need.
    """
    if frames:
        return f"{time * fps:.6g}"
    return f"{time:.{max(0, min(6, math.ceil(-math.log10(step) - 1e-9)))}f}"


ROOM = 5.0
"""Least distance between two numbers in letter heights."""


class TimelineBands(Struct, frozen=True):
    """The positions of the timeline's parts on the screen: the upper edge of each part, and the lower edge of
    the last part.
    """

    ruler: float
    events: float
    summary: float
    rows: float
    bottom: float


def draw_ruler(state: State, scale: TimeScale, bands: TimelineBands) -> None:
    """Draw the numbers of the ruler, and tick lines down to the lower edge."""
    draw, size = imgui.get_window_draw_list(), imgui.get_font_size()
    unit = 1 / state.view.clock.fps if state.view.timeline.frames else 1.0
    ticks = list(scale.ticks(unit, ROOM * size))
    major = [time for time, written in ticks if written]
    step = major[1] - major[0] if len(major) > 1 else scale.end - scale.start
    right = scale.left + scale.width
    draw.add_rect_filled(ImVec2(scale.left, bands.ruler), ImVec2(right, bands.events), color32(RAISED))
    fine, coarse, ink = color32(LINE, 0.35), color32(LINE), color32(FAINT)
    for time, written in ticks:
        x = round(scale.x(time)) + 0.5
        top = bands.ruler + size if written else bands.events - 4
        draw.add_line(ImVec2(x, top), ImVec2(x, bands.bottom), coarse if written else fine)
        if written:
            text = label(time, state.view.clock.fps, state.view.timeline.frames, step)
            draw.add_text(ImVec2(x + 3, bands.ruler + 1), ink, text)


def ends_of(keys: KeyTimes) -> tuple[float, float] | None:
    """The times of the first and the last keyframe, None if there are no keyframes."""
    return (float(keys.all[0]), float(keys.all[-1])) if len(keys.all) else None


def gap_text(state: State, ends: tuple[float, float] | None, at: float) -> str:
    """The tooltip for a time before the first or after the last keyframe; empty for a time between these
    keyframes.
    """
    if (
        ends is None
        or not 0 <= at <= state.playback.duration
        or ends[0] - SAME_TIME <= at <= ends[1] + SAME_TIME
    ):
        return ""
    if at < ends[0]:
        return f"The first key is at {ends[0]:.3f} s"
    then = (
        "then the pose blends back to the first key"
        if state.playback.looped
        else "then the pose stays at the last key"
    )
    return f"The last key is at {ends[1]:.3f} s, the clip ends at {state.playback.duration:.3f} s; {then}"


def draw_ends(state: State, scale: TimeScale, bands: TimelineBands, ends: tuple[float, float] | None) -> None:
    """Shade the times outside the playback range, and tint the times before and after all keyframes."""
    draw = imgui.get_window_draw_list()
    start, end = state.view.clock.range or (0.0, state.playback.duration)
    left, right = scale.left, scale.left + scale.width
    shade = color32(BLACK, 0.35)  # it is dark in both themes: the playback range is the bright part
    for a, b in ((left, scale.x(start)), (scale.x(end), right)):
        a, b = max(a, left), min(b, right)
        if b > a:
            draw.add_rect_filled(ImVec2(a, bands.events), ImVec2(b, bands.bottom), shade)
    for a, b in ((0.0, ends[0]), (ends[1], state.playback.duration)) if ends else ():
        low, high = max(scale.x(a), left), min(scale.x(b), right)
        if high > low and b - a > SAME_TIME:
            draw.add_rect_filled(ImVec2(low, bands.events - 4), ImVec2(high, bands.events), color32(WARNING))
            draw.add_rect_filled(ImVec2(low, bands.events), ImVec2(high, bands.bottom), color32(WARNING, 0.1))


def draw_range(state: State, scale: TimeScale, bands: TimelineBands) -> None:
    """Draw the two handles of the playback range and the bar between them."""
    draw, size = imgui.get_window_draw_list(), imgui.get_font_size() * 0.45
    start, end = state.view.clock.range or (0.0, state.playback.duration)
    ink = color32(ACCENT if state.playback.trimmed else FAINT)
    a, b, y = scale.x(start), scale.x(end), bands.events
    draw.add_line(ImVec2(a, y - 1), ImVec2(b, y - 1), ink, 2.0)
    draw.add_triangle_filled(ImVec2(a, y), ImVec2(a, y - size * 1.6), ImVec2(a + size, y), ink)
    draw.add_triangle_filled(ImVec2(b, y), ImVec2(b, y - size * 1.6), ImVec2(b - size, y), ink)


def draw_events(scale: TimeScale, bands: TimelineBands, events: Sequence[Event]) -> None:
    """Draw a flag for each event, at most one per pixel, and its name if it fits."""
    draw, size = imgui.get_window_draw_list(), imgui.get_font_size()
    ink, faint = color32(WARNING), color32(WARNING, 0.35)
    used = last = -1e9
    for event in events:
        x = scale.x(event.time)
        if not scale.left - 1 <= x <= scale.left + scale.width or abs(x - last) < 1:
            continue
        last = x
        draw.add_line(ImVec2(x, bands.events), ImVec2(x, bands.bottom), faint)
        y = (bands.events + bands.summary) / 2
        draw.add_triangle_filled(
            ImVec2(x, y - size * 0.35), ImVec2(x + size * 0.45, y), ImVec2(x, y + size * 0.35), ink
        )
        if x > used:
            name = printable(event.name)
            draw.add_text(ImVec2(x + size * 0.6, bands.events + 1), ink, name)
            used = x + size + imgui.calc_text_size(name).x


def draw_playhead(state: State, scale: TimeScale, bands: TimelineBands, at: float) -> None:
    """Draw a line at the current time `at`, with the number of the time or frame on top."""
    x = round(scale.x(at)) + 0.5
    if not scale.left - 1 <= x <= scale.left + scale.width + 1:
        return
    draw, ink = imgui.get_window_draw_list(), color32(ACCENT)
    draw.add_line(ImVec2(x, bands.ruler), ImVec2(x, bands.bottom), ink, 1.5)
    text = label(at, state.view.clock.fps, state.view.timeline.frames)
    wide = imgui.calc_text_size(text).x + 8
    left = min(max(x - wide / 2, scale.left), scale.left + scale.width - wide)
    low, high = ImVec2(left, bands.ruler), ImVec2(left + wide, bands.ruler + imgui.get_font_size() + 2)
    draw.add_rect_filled(low, high, ink, 3)
    draw.add_text(ImVec2(left + 4, bands.ruler + 1), color32(GROUND), text)
