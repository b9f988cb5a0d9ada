"""Lowers the quality of the 3D view while something moves and frames take too long."""

from __future__ import annotations

from msgspec import Struct

from viewer.arrays import Size
from viewer.scene.camera import Orbit
from viewer.scene.choices import Quality
from viewer.scene.comparison import Comparison
from viewer.session.state import State

SLOW = 0.033
"""A frame is slow if more than this time in seconds has passed since the previous frame."""
SLOW_FRAMES = 3
"""The number of consecutive slow frames after which the quality is lowered."""
REST = 0.12
"""Seconds without movement until the picture has full quality again."""
FRAME = 1 / 60
"""A frame counts as at least this many seconds long, because several events of a drag may arrive at once, and
almost no time passes between their frames.
"""


class Level(Struct, frozen=True):
    """A quality level: with or without multisampling, and a scale of width and height."""

    multisampled: bool
    scale: float

    def samples(self, wanted: int) -> int:
        """The samples per pixel at this level: `wanted`, or 0 without multisampling."""
        return wanted if self.multisampled else 0

    def size(self, full: Size) -> Size:
        """The width and height in pixels at this level."""
        return max(round(full[0] * self.scale), 1), max(round(full[1] * self.scale), 1)


LEVELS = (Level(True, 1.0), Level(False, 1.0), Level(False, 0.75), Level(False, 0.5))
"""The levels, from full to lowest quality."""
FULL = LEVELS[0]


class AdaptiveQuality:
    """Chooses the quality level of each frame of the window.

    If the renderer is `software`, multisampling is off from the first frame of a movement.
    """

    def __init__(self, software: bool) -> None:
        self._start = int(software)
        self._moving_level = self._start
        self._seen: tuple[Orbit | int, Comparison, float] | None = None
        self._still = REST
        self._slow = 0
        self.level = FULL

    @property
    def unsettled(self) -> bool:
        """Whether movement has stopped and a frame with full quality is still to be drawn."""
        return 0 < self._still < REST and self.level != FULL

    def step(self, state: State, dt: float, full: bool = False) -> None:
        """Choose the level of a frame; `dt` is the time in seconds since the previous frame.

        A `full` frame has the highest level, because its picture is saved.
        """
        before, moves = self._still, self._moves(state)
        self._still = 0.0 if moves else min(before + max(dt, FRAME), REST)
        if moves and not before:
            self._measure(dt)
        elif before < REST == self._still:  # the next movement begins at a better level than this one
            self._moving_level = max(self._moving_level - 1, self._start)
        adapts = state.options.quality is Quality.AUTOMATIC and not full
        self.level = LEVELS[self._moving_level] if adapts and self._still < REST else FULL

    def _moves(self, state: State) -> bool:
        """Whether a clip plays or is scrubbed, or the camera or the slider of a comparison has moved."""
        camera, clock = state.view.camera, state.view.clock
        time = clock.time if state.view.playlist else 0.0
        seen = camera if isinstance(camera, Orbit) else id(camera), state.documents.comparison, time
        before, self._seen = self._seen, seen
        plays = clock.playing and bool(state.view.playlist)
        return plays or before not in (None, seen)

    def _measure(self, dt: float) -> None:
        """Lower the level after `SLOW_FRAMES` slow frames."""
        self._slow = self._slow + 1 if dt > SLOW else 0
        if self._slow == SLOW_FRAMES:
            self._moving_level, self._slow = min(self._moving_level + 1, len(LEVELS) - 1), 0
