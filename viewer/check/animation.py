"""Rules for clips: their tracks, keys, length and loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.rule import SHOWN, Found, Rule, listed, number
from viewer.check.subject import Subject, readable
from viewer.errors import counted
from viewer.scene.animation import Animation, Track, TrackMatch, match
from viewer.scene.finding import Severity
from viewer.scene.items import AnimationItem

LATE = 1e-3
"""Seconds that a key may differ from the length of its clip: times are stored as f32 or milliseconds."""
FRAME = 1 / 20
"""Seconds that may be missing at the end of a clip: one frame of slow clips."""
CLOSED = 0.9
"""The share of the tracks that return to their start in a clip that is a loop."""
JUMP = {"position": 0.02, "rotation": 0.05, "scale": 0.05}
"""The difference of the ends of a track from which on it jumps: of positions, in parts of how far the track
moves or of the rest positions; of rotations, in radians.
"""

SEEN = 0.005
"""The difference of positions, as a part of the size of the skeleton, that can be seen."""


def nothing_matches(subject: Subject) -> Iterator[Found]:
    """Clips for this skeleton of which no track finds a bone."""
    for index, clip, found in _matched(subject):
        if not found.bones:
            text = f"clip {clip.name!r}: none of {counted(len(clip.targets), 'track')} finds a bone"
            yield Found(f"{text}; {_missing(subject, found)}", (AnimationItem(index),), file=clip.source)


def unmatched_tracks(subject: Subject) -> Iterator[Found]:
    """Tracks whose bones the skeleton does not have, of clips with other tracks that match."""
    for index, clip, found in _matched(subject):
        if found.bones and found.unmatched:
            text = f"clip {clip.name!r}: {found.text}; {_missing(subject, found)}"
            yield Found(text, (AnimationItem(index),), file=clip.source)


def _matched(subject: Subject) -> Iterator[tuple[int, Animation, TrackMatch]]:
    """The clips of the skeleton with their matches. A clip that lies beside it counts if most of its tracks
    match; its own clips and the user's always count.
    """
    if subject.skeleton is None:
        return
    own = {index for index, _ in subject.own_clips}
    for index, clip in enumerate(subject.document.animations):
        if not readable(clip) or not clip.targets:
            continue
        found = match(clip, subject.skeleton.names)
        if index in own or subject.is_given(clip) or 2 * len(found.bones) >= len(clip.targets):
            yield index, clip, found


def _missing(subject: Subject, found: TrackMatch) -> str:
    """The bones that tracks do not find, the first of them with the names that are most like them."""
    assert subject.skeleton is not None, "tracks were matched to its bones"
    names = [_with_nearest(name, subject.skeleton.names) for name in found.unmatched[:SHOWN]]
    return f"no bone for {listed([*names, *found.unmatched[SHOWN:]])}"


def no_tracks(subject: Subject) -> Iterator[Found]:
    """Clips that move nothing. A clip of WoW may do so by intent: it holds the rest pose."""
    if subject.family == "WoW":
        return
    for index, clip in subject.own_clips:
        if readable(clip) and not clip.targets and not clip.moves_vertices and not clip.notes:
            text = f"clip {clip.name!r} of {number(clip.duration)} s has no tracks"
            yield Found(text, (AnimationItem(index),), file=clip.source)


def key_order(subject: Subject) -> Iterator[Found]:
    """Tracks whose keys are not in the order of time, or doubled."""
    for index, clip in _played(subject):
        off = [track for track in clip.tracks if len(track.times) > 1 and (np.diff(track.times) < 0).any()]
        if off:
            yield _of_tracks(clip, index, off, "keys that are not in the order of time")


def doubled_keys(subject: Subject) -> Iterator[Found]:
    """Tracks with two keys at one time."""
    for index, clip in _played(subject):
        off = [track for track in clip.tracks if len(track.times) > 1 and (np.diff(track.times) == 0).any()]
        if off:
            yield _of_tracks(clip, index, off, "several keys at one time")


def late_keys(subject: Subject) -> Iterator[Found]:
    """Keys after the end of the clip or before its start. In WoW the sequences of old models share one time
    line, and the key behind a sequence is what it moves towards.
    """
    if subject.family == "WoW":
        return
    for index, clip in _played(subject):
        ends = [track for track in clip.tracks if len(track.times) and track.period is None]
        off = [track for track in ends if track.times[-1] > clip.duration + LATE or track.times[0] < -LATE]
        if off:
            first = min(float(track.times[0]) for track in off)
            last = max(float(track.times[-1]) for track in off)
            worst = last if last > clip.duration + LATE else first
            what = f"keys outside the clip: at {number(worst)} s of {number(clip.duration)} s"
            yield _of_tracks(clip, index, off, what)


def early_end(subject: Subject) -> Iterator[Found]:
    """Clips whose last key of all is well before their end."""
    for index, clip in _played(subject):
        ends = [float(each.times[-1]) for each in clip.tracks if len(each.times) > 1 and each.period is None]
        if ends and max(ends) < clip.duration - max(FRAME, 0.01 * clip.duration):
            text = (
                f"clip {clip.name!r}: the last key is at {number(max(ends))} s of {number(clip.duration)} s"
            )
            yield Found(text, (AnimationItem(index),), file=clip.source)


def loop_jump(subject: Subject) -> Iterator[Found]:
    """Clips that are loops, because nearly all tracks return to their start, but some do not."""
    for index, clip in _played(subject):
        moving = [track for track in clip.tracks if _moves(track) and track.period is None]
        off = [track for track in moving if not _closes(track, subject.reach)]
        if off and len(moving) - len(off) >= CLOSED * len(moving):
            worst = max(off, key=_gap)
            yield _of_tracks(clip, index, off, f"an end that is not their start, {_gap_text(worst)}")


def constant_tracks(subject: Subject) -> Iterator[Found]:
    """Tracks of many keys with one value."""
    for index, clip in _played(subject):
        off = [track for track in clip.tracks if len(track.values) > 2 and not _moves(track)]
        if off:
            keys = sum(len(track.times) - 1 for track in off)
            yield _of_tracks(clip, index, off, f"one value, so that {counted(keys, 'key')} could be left out")


def _played(subject: Subject) -> Iterator[tuple[int, Animation]]:
    """The clips of this file whose keys can be read."""
    return ((index, clip) for index, clip in subject.own_clips if readable(clip))


def _of_tracks(clip: Animation, index: int, tracks: list[Track], what: str) -> Found:
    channels = Counter(track.path for track in clip.tracks)
    total = sum(channels.values())
    names = [f"{track.target} {track.path}" for track in tracks]
    have = "has" if total == 1 else "have"
    text = f"clip {clip.name!r}: {len(tracks)} of {counted(total, 'channel')} {have} {what} ({listed(names)})"
    return Found(text, (AnimationItem(index),), file=clip.source)


def _moves(track: Track) -> bool:
    """Whether a track has different values."""
    values = track.values
    return len(values) > 1 and bool((values != values[0]).any())


def _gap(track: Track) -> float:
    """The difference of the first and the last value: radians of rotations, else a distance."""
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
    size = f"{number(np.degrees(gap))}°" if track.path == "rotation" else number(gap)
    return f"{track.target} by {size}"


def _with_nearest(name: str, names: tuple[str, ...]) -> str:
    """A name with the bone that is called nearly so."""
    import difflib  # imported here: only unmatched tracks need it

    near = difflib.get_close_matches(name, names, 1, 0.6)
    return f"{name!r} (nearest {near[0]!r})" if near else repr(name)


RULES = (
    Rule(
        "animation/no-match",
        Severity.ERROR,
        "No track of a clip finds a bone of the skeleton",
        nothing_matches,
        {"": "The clip plays and nothing moves."},
        "Rename the bones or the tracks, or use the skeleton that the clip was made for.",
        "clip 'Walk': none of 30 tracks finds a bone; no bone for 'Bip01_Hips' (nearest 'Bip02_Hips')",
    ),
    Rule(
        "animation/unmatched-track",
        Severity.WARNING,
        "A track is for a bone that the skeleton does not have",
        unmatched_tracks,
        {
            "": "The track does nothing.",
        },
        "Rename the bone or the track, or export both from the same skeleton.",
        "clip 'Walk': 30 of 31 tracks matched; no bone for 'Spine01' (nearest 'Spine1')",
    ),
    Rule(
        "animation/no-tracks",
        Severity.WARNING,
        "A clip has no tracks",
        no_tracks,
        {"": "The clip plays and nothing moves."},
        "Check that the exporter was told to write this action, and that bones were selected.",
        "clip 'Idle' of 2 s has no tracks",
    ),
    Rule(
        "animation/key-order",
        Severity.ERROR,
        "The keys of a track are not in the order of time",
        key_order,
        {"": "The engine searches keys in order: some are never used, and the bone jumps."},
        "Sort the keys by time in the exporter.",
        "clip 'Walk': 1 of 90 channels have keys that are not in the order of time (Hip rotation)",
    ),
    Rule(
        "animation/doubled-key",
        Severity.NOTE,
        "A track has several keys at one time",
        doubled_keys,
        {"": "The value jumps there; where both are equal, one is useless."},
        "Remove one of the keys, unless the jump is intended.",
        "clip 'Walk': 2 of 90 channels have several keys at one time (Hip position, Hip rotation)",
    ),
    Rule(
        "animation/late-key",
        Severity.WARNING,
        "A key lies outside its clip",
        late_keys,
        {"": "The clip ends before the key: its end is cut off, and a loop twitches."},
        "Set the length of the clip to the time of the last key.",
        "clip 'Walk': 3 of 90 channels have keys outside the clip: at 1.04 s of 1 s (Hip rotation)",
    ),
    Rule(
        "animation/early-end",
        Severity.NOTE,
        "The last key is well before the end of the clip",
        early_end,
        {
            "Urho3D": "A loop blends from the last key to the first in the time that is left, or halts.",
            "": "The pose stands still in the rest of the time: a loop halts.",
        },
        "Set the length of the clip to the time of the last key, or add keys at the end.",
        "clip 'Walk': the last key is at 0.8 s of 1 s",
    ),
    Rule(
        "animation/loop-jump",
        Severity.NOTE,
        "A few tracks of a loop do not return to their start",
        loop_jump,
        {"": "Played in a loop, these bones jump at its end while the others go on."},
        "Copy the first key of these tracks to the end of the clip.",
        "clip 'Walk': 1 of 90 channels have an end that is not their start, Head by 12° (Head rotation)",
    ),
    Rule(
        "animation/constant-track",
        Severity.NOTE,
        "A track has many keys with one value",
        constant_tracks,
        {"": "The result is that of one key; the others take memory and time."},
        "Let the exporter remove keys that change nothing.",
        "clip 'Walk': 12 of 90 channels have one value, so that 348 keys could be left out (Hip scale)",
    ),
)
