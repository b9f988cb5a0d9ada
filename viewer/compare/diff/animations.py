"""Compares animations: finds added, removed, renamed and changed animations, and the deviations of their
bones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from viewer.arrays import Array
from viewer.compare.diff.deviation import rounded
from viewer.compare.diff.pair import DocumentPair, NumberedClip
from viewer.compare.diff.tracks import POSITION, ROTATION, Deviation, TrackSide, deviation, same_keys
from viewer.compare.diff.values import changed_values
from viewer.errors import ViewerError, counted
from viewer.scene.animation import Animation, Composition, Event, Track
from viewer.scene.difference import Change, Difference, DifferenceGroup
from viewer.scene.items import AnimationItem, BoneItem, Item
from viewer.scene.maths import distinct
from viewer.scene.names import path_key
from viewer.scene.skeleton import Skeleton

ANIMATIONS = DifferenceGroup.ANIMATIONS
VERBS = {ROTATION: "turned by", POSITION: "moved by"}
SHOWN_TIMES, KEPT_TIMES = 4, 256
"""Limits of the list of times at which keys differ: the number of times in a text, and in a difference."""
SHOWN_EVENTS = 6
PLAIN = ("tags", "link_scale")
VERTEX_TRACKS = ("morph_tracks", "shape_tracks")


def animation_differences(pair: DocumentPair) -> Iterator[Difference]:
    """Find the differences of animations. Clips whose files are missing are not compared."""
    first, second = pair.clips
    renamed = list(_renamed(pair))
    pairs = [*pair.clip_pairs, *renamed]
    matched = [{each[side][0] for each in pairs} for side in (0, 1)]
    if pair.related:
        yield from _without_counterpart(pair, matched)
    elif first or second:
        pair.notes.append(f"compared {counted(len(pairs), 'animation')} of the same name")
    for one, other in renamed:
        yield _difference(one, other, f"now {other[1].name}", Change.RENAMED)
    for one, other in pairs:
        try:
            yield from _changed(pair, one, other)
        except ViewerError as error:
            pair.notes.append(f"animation {one[1].name} is not compared: {error}")


def _without_counterpart(pair: DocumentPair, matched: list[set[int]]) -> Iterator[Difference]:
    """Find removed and added clips. If the skeleton file of one document is missing, clips in the skeleton
    file of the other document are left out.
    """
    missing = pair.lacks("skeleton", ".skel")
    sides = (pair.one, Change.REMOVED), (pair.other, Change.ADDED)
    for side, (document, change) in enumerate(sides):
        for row, clip in pair.own_clips[side]:
            if row in matched[side]:
                continue
            if missing and clip.source and path_key(clip.source) != path_key(document.path):
                pair.notes.append(f"animations of skeletons are not compared: {missing} was not found")
                continue
            items: tuple[Item, ...] = (AnimationItem(row),)
            both = (items, ()) if side == 0 else ((), items)
            yield Difference(ANIMATIONS, change, clip.name, f"{clip.duration:.4g} s", 0.0, "", (), *both)


def _renamed(pair: DocumentPair) -> Iterator[tuple[NumberedClip, NumberedClip]]:
    """Find renamed clips: pairs of clips with different names that move the same bones and have the same
    length.
    """
    if not pair.related:
        return
    known = [{each[side][0] for each in pair.clip_pairs} for side in (0, 1)]
    free: dict[tuple[float, tuple[str, ...], int], NumberedClip] = {}
    for row, clip in pair.own_clips[1]:
        if row not in known[1]:
            free.setdefault(_shape(clip), (row, clip))
    for row, clip in pair.own_clips[0]:
        if row not in known[0] and _shape(clip) in free:
            yield (row, clip), free.pop(_shape(clip))


def _shape(clip: Animation) -> tuple[float, tuple[str, ...], int]:
    """The length, the targets and the number of keys of a clip, by which a renamed clip is recognised."""
    try:
        return round(clip.duration, 4), clip.targets, clip.keyframes
    except ViewerError:
        return -1.0, (), id(clip)


def _changed(pair: DocumentPair, one: NumberedClip, other: NumberedClip) -> Iterator[Difference]:
    """Find the differences between two clips."""
    first, second = one[1], other[1]
    if first.name != second.name and isinstance(pair.one.content, Animation):
        yield _difference(one, other, f"now {second.name}", Change.RENAMED)
    if first.missing_file is not None or second.missing_file is not None:
        if first.missing_file != second.missing_file:
            pair.notes.append(f"animation {first.name} is not compared: its file was not found")
        return
    if abs(first.duration - second.duration) > pair.tolerance.time:
        yield _difference(one, other, f"length {first.duration:.6g} → {second.duration:.6g} s")
    if pair.related:
        texts = [
            *changed_values(first.facts, second.facts, pair.tolerance),
            *changed_values(first, second, pair.tolerance, only=PLAIN),
            *changed_values(first.bounds, second.bounds, pair.tolerance, "bounds"),
            *changed_values(first.notes, second.notes, pair.tolerance, "unplayed tracks"),
            *_events(first.events, second.events),
            *changed_values(first, second, pair.tolerance, only=VERTEX_TRACKS),
        ]
        for text in texts:
            yield _difference(one, other, text)
    yield from _bones(pair, one, other)


def _events(one: Sequence[Event], other: Sequence[Event]) -> Iterator[str]:
    """Describe the events that only one of two clips has."""
    counts = [Counter((each.name, round(each.time, 4)) for each in events) for events in (one, other)]
    for word, more in (("removed", counts[0] - counts[1]), ("added", counts[1] - counts[0])):
        shown = [f"{name} at {time:.4g} s" for name, time in islice(more.elements(), SHOWN_EVENTS)]
        if shown:
            rest = " …" if more.total() > len(shown) else ""
            yield f"{counted(more.total(), 'event')} {word}: {', '.join(shown)}{rest}"


def _difference(
    one: NumberedClip,
    other: NumberedClip,
    text: str,
    change: Change = Change.CHANGED,
    amount: float = 0.0,
    unit: str = "",
    times: tuple[float, ...] = (),
    bones: tuple[tuple[Item, ...], tuple[Item, ...]] = ((), ()),
    minor: bool = False,
) -> Difference:
    items = (AnimationItem(one[0]), *bones[0]), (AnimationItem(other[0]), *bones[1])
    return Difference(
        ANIMATIONS, change, one[1].name, text, amount, unit, times, items[0], items[1], minor=minor
    )


ClipSide = tuple[Composition, Skeleton | None, int | None]
Channels = dict[str, dict[str, Track]]


def _channels(clip: Animation) -> Channels:
    """The tracks of a clip by bone and channel. If a channel has several tracks, the last track is used."""
    found: Channels = {}
    for track in clip.tracks:
        found.setdefault(track.target, {})[track.path] = track
    return found


def _bones(pair: DocumentPair, one: NumberedClip, other: NumberedClip) -> Iterator[Difference]:
    """Find the bones that two clips move differently. Then, for all other bones, find changed numbers of
    keys.
    """
    first, second = _channels(one[1]), _channels(other[1])
    names = _now(pair)
    fewer = [0, 0]
    for target in dict.fromkeys((*first, *(names[1].get(name, name) for name in second))):
        partner = names[0].get(target, target)
        channels = first.get(target, {}), second.get(partner, {})
        difference = _bone(pair, one, other, (target, partner), channels)
        if difference is not None:
            yield difference
            continue
        for side, tracks in enumerate(channels):
            fewer[side] += max((len(track.times) for track in tracks.values()), default=0)
    if fewer[0] != fewer[1]:
        text = f"{fewer[0]:,} → {fewer[1]:,} keys with the same motion"
        yield _difference(one, other, text, minor=True)


def _now(pair: DocumentPair) -> tuple[dict[str, str], dict[str, str]]:
    """Two mappings for renamed bones: the new names by old name, and the old names by new name."""
    if pair.skeletons is None:
        return {}, {}
    first, second = pair.skeletons
    now = {first.names[bone]: second.names[pair.bones.pairs[bone]] for bone in pair.bones.renamed}
    return now, {new: old for old, new in now.items()}


def _bone(
    pair: DocumentPair,
    one: NumberedClip,
    other: NumberedClip,
    names: tuple[str, str],
    channels: tuple[dict[str, Track], dict[str, Track]],
) -> Difference | None:
    """Find the difference in the motion of a bone; None if the motion is the same."""
    sides = [_side(pair, number, clip[1], names[number]) for number, clip in enumerate((one, other))]
    found: list[Deviation] = []
    texts: list[str] = []
    for path in dict.fromkeys((*channels[0], *channels[1])):
        tracks = channels[0].get(path), channels[1].get(path)
        if same_keys(*tracks) and not pair.axes.text and one[1].composition is other[1].composition:
            continue
        made = [TrackSide(track, *side) for track, side in zip(tracks, sides, strict=True)]
        measured = deviation(path, made[0], made[1], pair.axes, pair.tolerance)
        if measured is None:
            texts.append(f"no more {path} keys" if tracks[1] is None else f"new {path} keys")
        elif measured.counts:
            found.append(measured)
        texts += _timing(*tracks)
    if not found and not texts:
        return None
    return _bone_difference(one, other, names[0], found, texts, sides)


def _timing(one: Track | None, other: Track | None) -> list[str]:
    """Describe how two tracks with keys differ in their playback, such as steps and loops."""
    if one is None or other is None:
        return []
    texts = (
        []
        if one.stepped == other.stepped
        else [f"{one.path} {'no longer' if one.stepped else 'now'} stepped"]
    )
    if one.period != other.period:
        texts.append(f"{one.path} loop length {_seconds(one.period)} → {_seconds(other.period)}")
    return texts


def _seconds(period: float | None) -> str:
    return "the clip" if period is None else f"{period:.4g} s"


def _side(pair: DocumentPair, number: int, clip: Animation, name: str) -> ClipSide:
    """Return three facts about a clip: its composition, its skeleton (None: unknown), and the index of the
    bone `name` in that skeleton.
    """
    skeleton = (pair.first, pair.second)[number].skeleton
    if skeleton is None or name not in pair.bone_numbers[number]:
        return clip.composition, None, None
    return clip.composition, skeleton, pair.bone_numbers[number][name]


def _bone_difference(
    one: NumberedClip,
    other: NumberedClip,
    name: str,
    deviations: list[Deviation],
    texts: list[str],
    sides: list[ClipSide],
) -> Difference:
    parts = []
    for each in deviations:
        sign = "°" if each.path == ROTATION else ""
        verb = VERBS.get(each.path, "scaled by")
        parts.append(f"{verb} up to {rounded(each.most)}{sign} at {each.at:.4g} s")
    times = _times(deviations)
    if len(times):
        parts.append(f"differs at {_times_text(times)} of {_all_times(deviations)} keys")
    worst = max(deviations, key=lambda each: (each.path == ROTATION, each.most), default=None)
    bones = tuple((BoneItem(side[2]),) if side[2] is not None else () for side in sides)
    return _difference(
        one,
        other,
        f"{name}: {', '.join((*parts, *texts))}",
        amount=worst.most if worst is not None else 0.0,
        unit="" if worst is None else "degrees" if worst.path == ROTATION else "units",
        times=tuple(times[:KEPT_TIMES].tolist()),
        bones=(bones[0], bones[1]),
    )


def _times(deviations: list[Deviation]) -> Array:
    """[T]: the times at which a channel differs, ascending."""
    parts = [each.times[each.amounts > each.limit] for each in deviations]
    return distinct(np.round(np.concatenate([np.empty(0), *parts]), 6))


def _all_times(deviations: list[Deviation]) -> int:
    return max(len(each.times) for each in deviations)


def _times_text(times: Array) -> str:
    shown = ", ".join(f"{time:.4g}" for time in times[:SHOWN_TIMES].tolist())
    return f"{shown}{' …' if len(times) > SHOWN_TIMES else ''} s, {len(times)}"
