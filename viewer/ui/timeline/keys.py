"""The keyframes of tracks: their items, their bytes, their bones, and their marks in the dope sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.binary.span import Span
from viewer.errors import counted
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.items import BoneItem, Item, KeyItem, TrackItem
from viewer.scene.names import file_name
from viewer.scene.skeleton import Skeleton
from viewer.session.state import State


def source(state: State, animation: Animation) -> Document | None:
    """The document from which an animation was read, None if it is unknown."""
    attached = state.document.attached if state.document else ()
    named = (each for each in attached if animation.source == each.path)
    return next(named, None) or state.playback.source(animation)


def track_item(state: State, animation: Animation, target: str) -> TrackItem | None:
    """The item of the track of `target`; None if its bytes are unknown."""
    document = source(state, animation)
    return document.origin.tracks.get(animation.name, {}).get(target) if document else None


def key_item(state: State, animation: Animation, target: str, number: int) -> KeyItem | None:
    """The item of keyframe `number` of `target`; None if its bytes are unknown."""
    track = track_item(state, animation, target)
    item = KeyItem(track, number) if track else None
    return item if span_of(state, animation, item) is not None else None


def span_of(state: State, animation: Animation, item: Item | None) -> Span | None:
    """The span of a track or keyframe; None if its bytes are unknown."""
    document = source(state, animation)
    return document.origin.span(item) if document and item is not None else None


def moved_bones(document: Document, skeleton: Skeleton | None, items: Sequence[Item]) -> Iterator[BoneItem]:
    """Yield the bones of `skeleton` that the tracks and keyframes among `items` move. The tracks are in the
    file of `document`.
    """
    tracks = {item.track if isinstance(item, KeyItem) else item for item in items}
    numbers = {name: number for number, name in enumerate(skeleton.names if skeleton else ())}
    for clip in (
        document.origin.tracks.values() if any(isinstance(each, TrackItem) for each in tracks) else ()
    ):
        for name, track in clip.items():
            if track in tracks and name in numbers:
                yield BoneItem(numbers[name])


def select(state: State, animation: Animation, item: Item | None) -> None:
    """Select a track or keyframe in the file that contains it. With None, do nothing."""
    if item is not None:
        document = source(state, animation)
        state.view.selection.pick(item, None if document is state.document else document)


def file_location(state: State, animation: Animation, item: Item | None) -> str:
    """The location of an item's bytes: `@ 0x3F21C   32 bytes   Walk.ani`; empty if it is unknown."""
    document, span = source(state, animation), span_of(state, animation, item)
    if document is None or span is None:
        return ""
    file = file_name(document.path)
    return f"@ 0x{span.offset:X}   {counted(span.size, 'byte')}   {file}"


DENSE = 8
"""The number of keyframes per pixel column above which only the first keyframe of each column is drawn."""


class KeyMarks(Struct, frozen=True, eq=False, dict=True):
    """The marks of keyframes. Horizontal positions are in pixels from the left edge, vertical positions are
    line numbers, all f64.

    D diamonds are at `xs`, `lines` [D]. Bar i goes from `bar_xs[2i]` to `bar_xs[2i + 1]` in the line
    `bar_lines[2i]`. A bar extends half a gap beyond its first and last keyframe.
    """

    xs: Array
    lines: Array
    bar_xs: Array
    bar_lines: Array


def marks(rows: Sequence[tuple[int, Array]], view: tuple[float, float], width: float, gap: float) -> KeyMarks:
    """Make the marks of `rows`. A row is a line number with the ascending times of its keyframes.

    The range `view` of seconds is `width` pixels wide. Keyframes less than `gap` pixels apart are joined to a
    bar.
    """
    start, end = view
    density = width / (end - start)
    margin = gap / density
    columns = np.linspace(start - margin, end + margin, int(width), endpoint=False)
    seen = [_in_sight(times, start - margin, end + margin, columns) for _, times in rows]
    times = np.concatenate([np.empty(0), *seen])
    bounds = np.cumsum([len(each) for each in seen], dtype=np.intp)
    last = np.append(times[1:] - times[:-1] >= margin, True)[: len(times)]
    last[bounds[bounds > 0] - 1] = True
    ends = np.flatnonzero(last)
    begins = np.append(0, ends + 1)[: len(ends)]
    lines = np.array([line for line, _ in rows], np.float64)[bounds.searchsorted(ends, "right")]
    low, high, alone = (times[begins] - start) * density, (times[ends] - start) * density, begins == ends
    bars = np.stack((low[~alone] - gap / 2, high[~alone] + gap / 2), axis=1)
    return KeyMarks(low[alone], lines[alone], bars.ravel(), lines[~alone].repeat(2))


def _in_sight(times: Array, start: float, end: float, columns: Array) -> Array:
    """Return the times from `start` to `end`. If the times are dense, return only the first time in each
    pixel column.

    `columns` are the times at which the pixel columns begin.
    """
    first, last = times.searchsorted((start, end))
    seen = times[first:last]
    if len(seen) <= DENSE * len(columns):
        return seen
    indices = np.append(seen.searchsorted(columns), len(seen) - 1)
    np.minimum(indices, len(seen) - 1, out=indices)
    return seen[indices[np.append(True, indices[1:] != indices[:-1])]]


def nearest(times: Array, time: float, reach: float) -> int | None:
    """The index of the keyframe nearest to `time`, None if none is within `reach` seconds."""
    if not len(times):
        return None
    at = int(np.searchsorted(times, time))
    around = [number for number in (at - 1, at) if 0 <= number < len(times)]
    best = min(around, key=lambda number: abs(times[number] - time))
    return best if abs(times[best] - time) <= reach else None
