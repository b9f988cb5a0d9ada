"""Rules for loops: tracks whose last value differs from their first."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.clips.clip import clips
from viewer.check.rule import Found, Rule, rounded
from viewer.scene.animation import Track
from viewer.scene.finding import Severity

CLOSED = 0.9
"""A clip is a loop if this share of its tracks returns to the start."""
JUMP = {"position": 0.02, "rotation": 0.05, "scale": 0.05}
"""How far the last value of a track may differ from its first value in a loop: rotations in radians,
positions as a fraction of the track's range or of its first position.
"""

SEEN = 0.005
"""The smallest visible difference of positions, as a fraction of the skeleton's size."""


def loop_jump(context: CheckContext) -> Iterator[Found]:
    """Report the tracks of a loop whose last value differs from their first value. A clip is a loop if nearly
    all of its tracks end with their first value.
    """
    for clip in clips(context):
        moved = zip(clip.tracks, clip.moving, strict=True)
        moving = [track for track, moves in moved if moves and track.period is None]
        off = [track for track in moving if not _closes(track, context.reach)]
        if off and len(moving) - len(off) >= CLOSED * len(moving):
            worst = max(off, key=_gap)
            what = f"an end that differs from their start, {_gap_text(worst)}"
            yield clip.found_in(off, what, len(off[0].times) - 1)


def _gap(track: Track) -> float:
    """The difference between the first and the last value of a track: in radians for rotations, else a
    distance.
    """
    first, last = (track.values[end].astype(np.float64) for end in (0, -1))
    if track.path != "rotation":
        return float(np.linalg.norm(last - first))
    lengths = float(np.linalg.norm(first) * np.linalg.norm(last)) or 1.0
    return float(2 * np.arccos(min(abs(float(first @ last)) / lengths, 1.0)))


def _closes(track: Track, reach: float) -> bool:
    """Whether a track ends where it begins; `reach` is the size of the skeleton."""
    limit = JUMP.get(track.path, JUMP["scale"])
    if track.path == "position":
        size = float(np.abs(np.ptp(track.values.astype(np.float64), axis=0)).max())
        limit = max(limit * max(size, _length(track.values[0])), SEEN * reach)
    return not _gap(track) > limit


def _length(vector: Array) -> float:
    return float(np.linalg.norm(vector.astype(np.float64)))


def _gap_text(track: Track) -> str:
    gap = _gap(track)
    size = f"{rounded(np.degrees(gap))}°" if track.path == "rotation" else rounded(gap)
    return f"{track.target} by {size}"


RULES = (
    Rule(
        "animation/loop-jump",
        Severity.NOTE,
        "A few tracks of a loop do not return to their start",
        loop_jump,
        {"": "When the clip plays in a loop, these bones jump at its end."},
        "Copy the first key of these tracks to the end of the clip.",
        "clip 'Walk': 1 of 90 channels have an end that differs from their start, Head by 12° (Head "
        "rotation)",
    ),
)
