"""The clock: the only place where real time becomes animation time."""

from __future__ import annotations

import math
from typing import Literal

from viewer.dataclass import dataclass

Loop = Literal["loop", "once", "pingpong"]

GRID = 1e-6
"""How near to a whole frame, in frames, a time counts as being on it."""

SLIVER = 1e-6
"""How far before the end of a loop, as a share of it, its last moment is: the end itself is the beginning."""


@dataclass(slots=True)
class Clock:
    """`time` in seconds is never wrapped: whoever shows or samples it wraps. All may be negative.

    `range` is the stretch (start, end) that plays, None for the whole clip. `loop` says what happens at its
    end: begin anew, stop (`once`; only with a range, the clock knows no clip), or turn back (`pingpong`).
    A negative `speed` plays backwards. `fps` is how many frames a second has where frames are counted.
    """

    time: float = 0.0
    speed: float = 1.0
    playing: bool = False
    range: tuple[float, float] | None = None
    loop: Loop = "loop"
    fps: float = 30.0
    held: bool = False

    def advance(self, dt: float) -> None:
        """Let `dt` seconds of real time pass: the one thing that moves a playing clock."""
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
        """Start; one that plays once and stands at its end starts over."""
        if self.loop == "once" and self.range is not None and self._past(self.range):
            start, end = self.range
            self.time = start if self.speed > 0 else end
        self.playing = True

    def hold(self) -> None:
        """Let the next `advance` pass no time: somebody drags the time, and says so in every frame."""
        self.held = True

    def pause(self) -> None:
        """Stop where it is."""
        self.playing = False

    def seek(self, time: float) -> None:
        """Go to `time`, playing or not; a ValueError for what is no finite number."""
        if not math.isfinite(time):
            raise ValueError(f"{time} is no time")
        self.time = float(time)

    def show(self, at: float, duration: float) -> None:
        """Go to where `at` is shown, in the loop that plays now; outside the range: to its nearer end."""
        start, end = self._stretch(duration)
        last = end - SLIVER * (end - start) if self.loop == "loop" else end
        at = max(start, min(at, last))
        way = at - self.shown(duration)
        self.seek(at if self.loop == "once" else self.time + (-way if self.turned(duration) else way))

    def turned(self, duration: float) -> bool:
        """Whether it plays to and fro, and is on its way back."""
        start, end = self._stretch(duration)
        return self.loop == "pingpong" and wrapped(self.time - start, 2 * (end - start)) > end - start

    def trim(self, start: float, end: float) -> None:
        """Play only this stretch, from now on within it; a ValueError for what is none."""
        if not (math.isfinite(start) and math.isfinite(end) and start < end):
            raise ValueError(f"nothing lies between {start} and {end}")
        at = self.shown(end)
        self.range = (float(start), float(end))
        self.time = max(start, min(at, end))

    def _stretch(self, duration: float) -> tuple[float, float]:
        return self.range if self.range is not None else (0.0, duration)

    def step(self, frames: int, fps: float) -> None:
        """Pause, and go `frames` whole frames of 1 / `fps` seconds ahead (negative: back), onto the grid.

        From between two frames the first step goes to the next one in that direction (0: to the nearest).
        """
        self.playing = False
        now = self.time * fps
        nearest = round(now)
        if frames and abs(now - nearest) > GRID:
            nearest = math.floor(now) if frames > 0 else math.ceil(now)
        self.time = (nearest + frames) / fps

    def shown(self, duration: float) -> float:
        """The time within the range, or within 0..`duration` where there is none: for the time bar."""
        start, end = self._stretch(duration)
        return start + within(self.time - start, end - start, self.loop)


def within(time: float, duration: float, loop: Loop) -> float:
    """`time` as it shows in a stretch of `duration` seconds; 0 where that is not positive and finite."""
    return {"loop": wrapped, "once": clamped, "pingpong": mirrored}[loop](time, duration)


def wrapped(time: float, duration: float) -> float:
    """`time` in [0, duration): the clip begins anew. 0 for a clip without length."""
    if not 0 < duration < math.inf:
        return 0.0
    rest = time % duration
    return rest if rest < duration else 0.0  # rounding: -1e-20 % 1.0 is 1.0


def clamped(time: float, duration: float) -> float:
    """`time` in [0, duration]: the clip stops. 0 for a clip without length."""
    return min(max(time, 0.0), duration) if 0 < duration < math.inf else 0.0


def mirrored(time: float, duration: float) -> float:
    """`time` in [0, duration]: the clip turns back at both ends. 0 for a clip without length."""
    there = wrapped(time, 2 * duration)
    return max(min(there, 2 * duration - there), 0.0)
