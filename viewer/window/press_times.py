"""The times of mouse presses, as the system notes them: frames may be slow, clicks are not."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

PRESS = 4
"""X's number of the event ButtonPress."""
WHEEL = (4, 5, 6, 7)
"""X's buttons that are notches of the wheel."""
TURN = 1 << 32
"""X counts milliseconds in 32 bits."""


class PressTimes:
    """Notes the times of the presses in a pyglet window. On X they come with the events.

    Elsewhere, and with a pyglet of other inner names, they are the times at which pyglet hands the events on.
    """

    def __init__(self, window: Any) -> None:
        self._noted: deque[float] = deque()
        self._last = self._turns = 0
        handlers = getattr(window, "_view_event_handlers", {})
        if PRESS in handlers:
            handlers[PRESS] = self._noting(handlers[PRESS])

    def next(self) -> float:
        """The time in seconds of the press that pyglet hands on now; asked once for each press."""
        return self._noted.popleft() if self._noted else time.monotonic()

    def _noting(self, handle: Any) -> Any:
        """The handler of X's button presses, which notes their times."""

        def noted(event: Any) -> None:
            if event.xbutton.button not in WHEEL:
                self._noted.append(self._seconds(event.xbutton.time))
            handle(event)

        return noted

    def _seconds(self, milliseconds: int) -> float:
        """The time of X, continued beyond its 32 bits."""
        self._turns += milliseconds < self._last - TURN // 2
        self._last = milliseconds
        return (milliseconds + self._turns * TURN) / 1000
