"""Rules for the times of keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.clips.clip import clips
from viewer.check.rule import Found, Rule, rounded
from viewer.scene.animation import Composition, Track
from viewer.scene.finding import Severity

LATE = 1e-3
"""How far a key may be after the end of its clip, in seconds, because times are rounded to f32 or
milliseconds.
"""
FRAME = 1 / 20
"""How long a clip may last after its last key, in seconds: one frame at a low frame rate."""


def key_order(context: CheckContext) -> Iterator[Found]:
    """Report tracks whose keys are not sorted by time."""
    return _steps(context, np.less, "keys that are not in the order of time")


def doubled_keys(context: CheckContext) -> Iterator[Found]:
    """Report tracks with two keys at one time."""
    return _steps(context, np.equal, "several keys at one time")


def _steps(context: CheckContext, compare: Callable[[Array, int], Array], what: str) -> Iterator[Found]:
    """Report tracks for which `compare(step, 0)` is True, where `step` is the shortest time between two keys.
    The finding points at the later of these two keys.
    """
    for clip in clips(context):
        off = np.flatnonzero(compare(clip.shortest_steps, 0)).tolist()
        if off:
            key = int(np.argmax(compare(np.diff(clip.tracks[off[0]].times), 0))) + 1
            yield clip.found_in([clip.tracks[at] for at in off], what, key)


def not_finite(context: CheckContext) -> Iterator[Found]:
    """Report tracks with times or values that are not finite."""
    for clip in clips(context):
        off = [track for track in clip.tracks if not _is_finite(track.times, track.values)]
        if off:
            first = off[0]
            wrong = ~(np.isfinite(first.times) & np.isfinite(first.values).all(axis=1))
            yield clip.found_in(off, "keys that are not finite", int(np.argmax(wrong)))


def _is_finite(*columns: Array) -> bool:
    """Whether all numbers are finite. If the sum of a column is finite, all its numbers are finite."""
    return all(np.isfinite(each.sum()) or bool(np.isfinite(each).all()) for each in columns)


def late_keys(context: CheckContext) -> Iterator[Found]:
    """Report keys outside their clip. WoW models are skipped: sequences of old models share one time line,
    and the first key after a sequence holds its end value.
    """
    if context.family == "WoW":
        return
    for clip in clips(context):
        end = clip.animation.duration
        ends = [track for track in clip.tracks if len(track.times) and track.period is None]
        late = [track for track in ends if track.times[-1] > end + LATE]
        off = [track for track in ends if track.times[-1] > end + LATE or track.times[0] < -LATE]
        if off:
            last = max((float(track.times[-1]) for track in late), default=0.0)
            worst = last if late else min(float(track.times[0]) for track in off)
            what = f"keys outside the clip of {rounded(end)} s, the farthest at {rounded(worst)} s"
            yield clip.found_in(off, what, len(off[0].times) - 1 if off[0] in late else 0)


def early_end(context: CheckContext) -> Iterator[Found]:
    """Report clips that last well beyond their last key. In a loop with a key for each frame, the time of the
    last frame belongs to the clip.
    """
    for clip in clips(context):
        whole, blends = clip.animation.duration, clip.animation.composition is Composition.ABSOLUTE
        keyed = [track for track in clip.tracks if len(track.times) > 1 and track.period is None]
        latest = max(keyed, key=lambda track: float(track.times[-1]), default=None)
        if latest is None or (blends and _is_sampled(latest, whole)):
            continue
        if latest.times[-1] < whole - max(FRAME, 0.01 * whole):
            text = (
                f"the last key is at {rounded(latest.times[-1])} s, but the clip ends at {rounded(whole)} s"
            )
            yield clip.found(text, clip.items([latest], len(latest.times) - 1))


def _is_sampled(track: Track, whole: float) -> bool:
    """Whether a track has at least three keys at equal distances, and a clip of `whole` seconds ends at the
    same distance from the last.
    """
    steps = np.diff(np.append(track.times, whole))
    return len(steps) > 2 and bool(np.ptp(steps) <= 0.02 * steps[-1])


RULES = (
    Rule(
        "animation/key-order",
        Severity.ERROR,
        "The keys of a track are not in the order of time",
        key_order,
        {"": "The engine expects keys sorted by time: it never uses some of them, and the bone jumps."},
        "Sort the keys by time in the exporter.",
        "clip 'Walk': 1 of 90 channels have keys that are not in the order of time (Hip rotation)",
    ),
    Rule(
        "animation/doubled-key",
        Severity.NOTE,
        "A track has several keys at one time",
        doubled_keys,
        {"": "The value jumps at this time; if the keys are equal, one of the keys is useless."},
        "Remove one of the keys, unless the jump is intended.",
        "clip 'Walk': 2 of 90 channels have several keys at one time (Hip position, Hip rotation)",
    ),
    Rule(
        "animation/not-finite",
        Severity.ERROR,
        "A key has a number that is not finite",
        not_finite,
        {"": "The bone and all bones below it vanish, or fill the screen, while the key is in effect."},
        "Find the bone in the modelling program: it has no scale, or a constraint that divides by 0.",
        "clip 'Walk': 1 of 90 channels have keys that are not finite (Hip rotation)",
    ),
    Rule(
        "animation/late-key",
        Severity.WARNING,
        "A key lies outside its clip",
        late_keys,
        {"": "The clip ends before the key: the end of the motion is cut off, and a loop twitches."},
        "Set the length of the clip to the time of the last key.",
        "clip 'Walk': 3 of 90 channels have keys outside the clip of 1 s, the farthest at 1.04 s (Hip "
        "rotation)",
    ),
    Rule(
        "animation/early-end",
        Severity.NOTE,
        "The last key is well before the end of the clip",
        early_end,
        {
            "Urho3D": "In the time after the last key, a loop blends to the first key or stands still.",
            "": "The pose does not change after the last key: a loop stands still before it begins again.",
        },
        "Set the length of the clip to the time of the last key, or add keys at the end.",
        "clip 'Walk': the last key is at 0.8 s, but the clip ends at 1 s",
    ),
)
