"""The duration and the number of frames of a film of a view."""

from __future__ import annotations

import math
import sys

from viewer.view.view_snapshot import ViewSnapshot

TURN = 4.0
"""Shortest duration of a turntable in seconds."""


def length(view: ViewSnapshot, turntable: bool = False) -> float:
    """Return the duration in seconds of a film that repeats without a jump; 0 if nothing moves.

    This is one loop of the playback range (forth and back for ping-pong). The duration of a turntable is as
    many whole loops as are needed for at least `TURN` seconds.
    """
    playback = view.playback
    start, end = playback.span
    loop = (end - start) * (2 if playback.clock.loop == "pingpong" else 1)
    if not turntable:
        return loop
    if loop <= 0 or not playback.looped:
        return max(TURN, loop)
    return math.ceil(TURN / loop - 1e-6) * loop


def loop_frames(seconds: float, fps: float) -> range:
    """Return the frame numbers of a film of `seconds`, from 0; none if it has no length. The frame at the end
    itself is left out, because it is the first frame of the next loop.
    """
    return range(max(1, round(min(seconds * fps, sys.maxsize)))) if seconds > 0 else range(0)
