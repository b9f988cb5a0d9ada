"""The clock. Nothing else turns real time into animation time."""

from __future__ import annotations

import math
from typing import Literal, TypeVar

from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.choices import TimeTie

Seconds = TypeVar("Seconds", float, Array)
Loop = Literal["loop", "once", "pingpong"]

GRID = 1e-6
"""A time counts as the nearest whole frame if the difference is at most this fraction of a frame."""

SLIVER = 1e-6
"""The last moment of a loop is earlier than the loop's end by this fraction of its length, because the end
already shows the beginning.
"""


class Clock(Struct):
    """Playback time. `time` in seconds is never wrapped and may be negative; code that reads the time wraps
    it.

    `range` is the interval (start, end) that plays (None: the whole clip). `loop` decides what happens at the
    end of this interval: start again (`loop`), stop (`once`), or reverse (`pingpong`). A clock without a
    range never stops, because it does not know the clip. A negative `speed` plays backwards. `fps` is the
    frame rate by which frames are counted. With `in_place`, clips play without the horizontal motion of the
    root.
    """

    time: float = 0.0
    speed: float = 1.0
    playing: bool = False
    range: tuple[float, float] | None = None
    loop: Loop = "loop"
    fps: float = 30.0
    in_place: bool = False
    held: bool = False

    def advance(self, dt: float) -> None:
        """Advance by `dt` seconds of real time; nothing else moves a playing clock."""
        held, self.held = self.held, False
        if not self.playing or held:
            return
        self.time += dt * self.speed
        if self.loop == "once" and self.range is not None and self._past(self.range):
            start, end = self.range
            self.time = end if self.speed > 0 else start
            self.playing = False

    def _past(self, stretch: tuple[float, float]) -> bool:
        start, end = stretch
        return self.time >= end if self.speed > 0 else self.speed < 0 and self.time <= start

    def play(self) -> None:
        """Start to play. In the loop mode `once`, a clock at the end of its range first goes back to the
        start.
        """
        if self.loop == "once" and self.range is not None and self._past(self.range):
            start, end = self.range
            self.time = start if self.speed > 0 else end
        self.playing = True

    def hold(self) -> None:
        """Skip the next `advance`. The time bar calls this in every frame while the user drags it."""
        self.held = True

    def pause(self) -> None:
        """Pause at the present time."""
        self.playing = False

    def seek(self, time: float) -> None:
        """Go to `time`, playing or not; ValueError for a time that is not finite."""
        if not math.isfinite(time):
            raise ValueError(f"the time {time} is not a finite number")
        self.time = float(time)

    def show(self, at: float, duration: float) -> None:
        """Seek to the moment of the current loop at which the time bar shows `at`, limited to the range."""
        start, end = self._stretch(duration)
        last = end - SLIVER * (end - start) if self.loop == "loop" else end
        at = max(start, min(at, last))
        way = at - self.shown(duration)
        self.seek(at if self.loop == "once" else self.time + (-way if self.turned(duration) else way))

    def turned(self, duration: float) -> bool:
        """Whether a ping-pong loop is in its backward half."""
        start, end = self._stretch(duration)
        return self.loop == "pingpong" and wrapped(self.time - start, 2 * (end - start)) > end - start

    def trim(self, start: float, end: float) -> None:
        """Limit playback to a range in seconds and move the time into it; ValueError for an empty range."""
        if not (math.isfinite(start) and math.isfinite(end) and start < end):
            raise ValueError(f"the range from {start} to {end} is empty")
        at = self.shown(end)
        self.range = (float(start), float(end))
        self.time = max(start, min(at, end))

    def _stretch(self, duration: float) -> tuple[float, float]:
        return self.range if self.range is not None else (0.0, duration)

    def step(self, frames: int, fps: float, duration: float = 0.0) -> None:
        """Pause, and go `frames` frames of 1 / `fps` seconds forwards (negative: backwards) in a clip of
        `duration` seconds. The time bar then shows a whole frame: from a time between two frames, the first
        step only goes to the next frame in that direction; in a loop the first frame follows the last one.
        With 0 frames, go to the nearest frame. Without a duration and a range, frames count from time 0.
        """
        self.playing = False
        start, end = self._stretch(duration)
        bounded = 0 < end - start < math.inf
        shown = self.shown(duration) if bounded else self.time
        now = shown * fps
        frame = round(now)
        if frames and abs(now - frame) > GRID:
            frame = math.floor(now) if frames > 0 else math.ceil(now)
        frame, rounds = frame + frames, 0
        first = math.ceil(start * fps - GRID)
        if bounded and self.loop == "loop":  # the end of the loop shows its first frame
            count = max(math.ceil(end * fps - GRID) - first, 1)
            rounds, frame = (frame - first) // count, first + (frame - first) % count
        elif bounded:
            frame = max(first, min(frame, math.floor(end * fps + GRID)))
        if self.turned(duration):
            self.time = self.time + shown - frame / fps
        else:
            self.time = self.time - shown + rounds * (end - start) + frame / fps

    def shown(self, duration: float) -> float:
        """The time that the time bar shows. It lies within the range, or within 0..`duration` if there is no
        range.
        """
        start, end = self._stretch(duration)
        return start + within(self.time - start, end - start, self.loop)


Span = tuple[float, float]
"""The first and the last second of a range."""


class TimeMap(Struct, frozen=True):
    """Converts times of one clock to times of another: `factor` · time + `offset`, in seconds. Times are not
    wrapped.
    """

    factor: float = 1.0
    offset: float = 0.0

    def of(self, time: Seconds) -> Seconds:
        """Convert a time or an array of times."""
        return self.factor * time + self.offset


SAME_TIME = TimeMap()


def tied(tie: TimeTie, span: Span, other: Span) -> TimeMap:
    """Return the map from a time of a clip played over `span` to a time of a clip played over `other`.

    Tied by seconds, the times are the same; without a tie too, as both clocks run alike. Tied by share, both
    clips have passed the same share of their spans; a span without length stays at its start.
    """
    length, other_length = span[1] - span[0], other[1] - other[0]
    if tie is not TimeTie.SHARE:
        return SAME_TIME
    if length <= 0 or other_length <= 0:
        return TimeMap(0.0, other[0])
    factor = other_length / length
    return TimeMap(factor, other[0] - factor * span[0])


def within(time: float, duration: float, loop: Loop) -> float:
    """Return `time` wrapped, clamped or mirrored into 0..`duration`, as the loop mode `loop` says. Return 0
    if `duration` is not positive and finite.
    """
    return {"loop": wrapped, "once": clamped, "pingpong": mirrored}[loop](time, duration)


def wrapped(time: float, duration: float) -> float:
    """Wrap `time` into [0, duration), for a clip that starts again at its end. 0 for a clip without
    length.
    """
    if not 0 < duration < math.inf:
        return 0.0
    rest = time % duration
    return rest if rest < duration else 0.0  # `rest` is `duration` if rounded: -1e-20 % 1.0 is 1.0


def clamped(time: float, duration: float) -> float:
    """Limit `time` to [0, duration], for a clip that stops at its end. 0 for a clip without length."""
    return min(max(time, 0.0), duration) if 0 < duration < math.inf else 0.0


def mirrored(time: float, duration: float) -> float:
    """Mirror `time` into [0, duration], for a clip that reverses at its ends. 0 for a clip without length."""
    there = wrapped(time, 2 * duration)
    return max(min(there, 2 * duration - there), 0.0)
