"""Decides when the next frame is due: at once while something moves, else at the next event."""

from __future__ import annotations

from msgspec import Struct

LINGER = 0.7
"""Seconds after the last event in which the window still settles: tooltips appear, the GPU answers."""
LEAST = 48
"""Frames in which the window settles, and in which ImGui takes in text typed faster than frames are drawn."""
USUAL = 60.0
HEADROOM = 0.9
"""Share of a frame's time on the screen that the loop waits where the display does not hold it back."""


class FramePacer(Struct):
    """Paces the frames at the display's `rate` per second; 60 if it is invalid. Times are in seconds."""

    rate: float = USUAL
    _heard: float = 0.0
    _frames: int = 0

    def hear(self, now: float) -> None:
        """Note that an event happened."""
        self._heard, self._frames = now, 0

    def is_idle(self, now: float, differs: bool) -> bool:
        """Whether the next frame waits for an event: it does not differ by itself, and no event is new.
        Called once after each frame.
        """
        self._frames += 1
        return not differs and self._frames > LEAST and now - self._heard > LINGER

    def left(self, elapsed: float) -> float:
        """The time left in a frame `elapsed` seconds after its start."""
        rate = self.rate if 20 <= self.rate <= 500 else USUAL
        return max(HEADROOM / rate - elapsed, 0.0)
