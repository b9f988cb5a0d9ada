"""Rules for loops: tracks whose last value differs from their first."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.clips.clip import clips
from viewer.check.rule import Found, Rule, rounded
from viewer.scene.animation import Animation, Track
from viewer.scene.bone_names import words_of
from viewer.scene.finding import Severity
from viewer.scene.maths import angles, lengths

CLOSED = 0.9
"""A clip is a loop if this share of its tracks returns to the start."""
JUMP = {"position": 0.02, "rotation": 0.05, "scale": 0.05}
"""How far the last value of a track may differ from its first value in a loop: rotations in radians,
positions as a fraction of the track's range or of its first position.
"""

PLAYED_ONCE = 1
"""The flag of an M2 sequence that does not play in a loop."""
LOOPED = frozenset(
    ("walk", "run", "idle", "stand", "swim", "fly", "hover", "sneak", "crawl", "trot", "gallop")
)
LOOPED |= {"站立", "休闲", "待机", "行走", "走路", "跑步"}
"""Words in the names of clips that play in a loop."""
PASSING = frozenset(("start", "begin", "end", "stop", "to", "die", "death", "jump", "attack"))
"""Words in the names of clips that play once, whatever else their names say."""

SEEN = 0.005
"""The smallest visible difference of positions, as a fraction of the skeleton's size."""


def loop_jump(context: CheckContext) -> Iterator[Found]:
    """Report the tracks of a loop whose last value differs from their first value. A clip is a loop if nearly
    all of its tracks end with their first value. If its flags or its name say that it is one, the rotations
    that differ by more than a usual step are reported, however many they are. Positions are not: the root of
    a walk may end elsewhere.
    """
    for clip in clips(context):
        moved = zip(clip.tracks, clip.moving, strict=True)
        moving = [track for track, moves in moved if moves and track.period is None]
        off = [track for track in moving if not _closes(track, context.reach)]
        if len(moving) - len(off) < CLOSED * len(moving):
            turned = [track for track in off if track.path == "rotation"] if _loops(clip.animation) else []
            off = [track for track in turned if _gap(track) > _usual_step(track)]
        if off:
            worst = max(off, key=_gap)
            what = f"an end that differs from their start, {_gap_text(worst)}"
            yield clip.found_in(off, what, len(off[0].times) - 1)


def _loops(animation: Animation) -> bool:
    """Whether a clip is meant to play in a loop: by its flags, or by a word in its name if it has none."""
    if "flags" in animation.facts:
        return not int(animation.facts["flags"]) & PLAYED_ONCE
    words = words_of(animation.name)
    return bool(words & LOOPED) and not words & PASSING


def _gap(track: Track) -> float:
    """The difference between the first and the last value of a track: in radians for rotations, else a
    distance.
    """
    return float(_differences(track, track.values[:1], track.values[-1:])[0])


def _usual_step(track: Track) -> float:
    """The median of the steps in which a track changes, or the first or the last step if it is larger; in the
    unit of `_gap`.
    """
    steps = _differences(track, track.values[:-1], track.values[1:])
    changes = steps[steps > 0]
    return float(max(np.median(changes) if len(changes) else 0, steps[0], steps[-1]))


def _differences(track: Track, first: Array, second: Array) -> Array:
    """[K]: the differences of two arrays [K, C] of values of a track."""
    if track.path == "rotation":
        return np.radians(angles(first, second))
    return lengths(second.astype(np.float64) - first)


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
        "The tracks of a loop do not return to their start",
        loop_jump,
        {"": "When the clip plays in a loop, these bones jump at its end."},
        "Copy the first key of these tracks to the end of the clip.",
        "clip 'Walk': 1 of 90 channels have an end that differs from their start, Head by 12° (Head "
        "rotation)",
    ),
)
