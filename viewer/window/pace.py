"""When the next frame is due: at once while something moves, else not before something happens."""

from __future__ import annotations

from viewer.dataclass import dataclass

LINGER = 0.7
"""Seconds after the last event in which things still settle: tooltips come, answers of the GPU."""
LEAST = 48
"""Frames in which they do so, and in which ImGui takes in what was typed faster than frames are drawn."""
USUAL = 60.0
HEADROOM = 0.9
"""Of a picture's time on the screen: what holds the loop back where the display does not."""


@dataclass(slots=True)
class FramePacer:
    """`rate` is the display's, in pictures a second; what is no rate counts as 60. Times are in seconds."""

    rate: float = USUAL
    _heard: float = 0.0
    _frames: int = 0

    def hear(self, now: float) -> None:
        """Something happened."""
        self._heard, self._frames = now, 0

    def rests(self, now: float, restless: bool) -> bool:
        """Whether the next frame would show what this one shows. Asked once after each frame."""
        self._frames += 1
        return not restless and self._frames > LEAST and now - self._heard > LINGER

    def left(self, elapsed: float) -> float:
        """What is left of a frame `elapsed` seconds after its beginning."""
        rate = self.rate if 20 <= self.rate <= 500 else USUAL
        return max(HEADROOM / rate - elapsed, 0.0)
