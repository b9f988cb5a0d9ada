"""The view state of the timeline and the curves. The playlist decides what plays."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Rows = Literal["animated", "all", "selected"]

CLOSEST = 1e-3
MARGIN = 0.02


class TimelineView(Struct):
    """The visible part of the timeline.

    `view` is the visible range in seconds (None: the whole clip). `follow`: the view moves with the time.
    `frames`: times are shown as frames. `rows` are the listed bones. `layer` is the index in the playlist of
    the animation whose keys are shown, `fade` the seconds of a cross-fade.
    """

    view: tuple[float, float] | None = None
    follow: bool = True
    frames: bool = False
    rows: Rows = "animated"
    layer: int = 0
    fade: float = 0.3

    def visible_range(self, duration: float) -> tuple[float, float]:
        """The visible range in seconds of a clip of `duration`: never empty, at first with a small margin."""
        if self.view is not None:
            return self.view
        length = max(duration, CLOSEST)
        return -MARGIN * length, (1 + MARGIN) * length

    def zoom(self, at: float, factor: float, duration: float) -> None:
        """Change the visible range by `factor`; `at` keeps its position."""
        start, end = self.visible_range(duration)
        least, most = CLOSEST / (end - start), 20 * max(duration, CLOSEST) / (end - start)
        factor = max(least, min(factor, max(most, least)))
        self.view = (at + (start - at) * factor, at + (end - at) * factor)

    def pan(self, seconds: float, duration: float) -> None:
        """Move the view by `seconds`; a part of the clip stays visible."""
        start, end = self.visible_range(duration)
        inside = 0.1 * (end - start)
        seconds = max(-end + inside, min(seconds, max(duration, CLOSEST) - start - inside))
        self.view = (start + seconds, end + seconds)

    def keep_in_sight(self, before: float, at: float, duration: float) -> None:
        """With `follow`: turn to the page of `at` if the time `before` was on the present page."""
        start, end = self.visible_range(duration)
        if self.follow and self.view is not None and start <= before <= end and not start <= at <= end:
            self.view = (at - MARGIN * (end - start), at + (1 - MARGIN) * (end - start))

    def fit(self) -> None:
        """Show the whole clip."""
        self.view = None
