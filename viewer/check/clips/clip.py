"""A clip under check: its tracks, and the bytes of its keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from viewer.arrays import Array
from viewer.binary.span import Span
from viewer.check.check_context import CheckContext, readable
from viewer.check.rule import MOST_ITEMS, Found, Rule, listed
from viewer.errors import counted
from viewer.scene.animation import Animation, Track
from viewer.scene.document import Document
from viewer.scene.finding import Severity
from viewer.scene.items import AnimationItem, ClipItem, Item, KeyItem

FEW_TRACKS, MOST_TRACKS = 20_000, 100_000
"""The limits of checked tracks for small and for large files. A World of Warcraft character has up to 90,000
tracks.
"""
FEW_KEY_BYTES, TIMES_THE_FILE = 16 << 20, 2
"""The limit in bytes of keys in memory: a constant plus a multiple of the file's size. The limit is necessary
because clips of a damaged file may share the same keys.
"""
BYTES_OF_A_TRACK = 16
"""The smallest size in bytes of a track in a file: the references to its times and values."""


class Clip:
    """A clip of the checked file with readable keys.

    `number` is the clip's index in the document, `place` its index in its own file.
    """

    def __init__(self, document: Document, number: int, place: int, animation: Animation) -> None:
        self.number, self.animation = number, animation
        self._document, self._place = document, place

    @cached_property
    def tracks(self) -> Sequence[Track]:
        """The tracks that have keys, in file order."""
        return self.animation.tracks

    @cached_property
    def moving(self) -> Array:
        """[T] bool: the tracks whose values change over time."""
        return np.array([moves(track) for track in self.tracks], bool)

    @cached_property
    def shortest_steps(self) -> Array:
        """[T]: the shortest time between the keys of each track; negative for keys out of order, infinite for
        a single key.
        """
        found: list[float] = []
        times = None
        for track in self.tracks:
            if track.times is times:  # the channels of a bone may share their times
                found.append(found[-1])
                continue
            times = track.times
            found.append(float(np.diff(times).min()) if len(times) > 1 else np.inf)
        return np.array(found)

    def found(self, text: str, items: Iterable[Item] = ()) -> Found:
        """Make a finding about this clip. Its offset is the offset of the first item that has bytes."""
        return self.found_in_all(f"clip {self.animation.name!r}: {text}", items)

    def found_in_all(self, text: str, items: Iterable[Item] = ()) -> Found:
        """Make a finding about several clips; this clip is the first of them."""
        parts = tuple(items)[:MOST_ITEMS]
        span = next((found for item in parts if (found := self._document.origin.span(item))), self._span)
        return Found(text, (*parts, AnimationItem(self.number)), file=self.animation.source, span=span)

    def found_in(self, tracks: Sequence[Track], what: str, key: int | None = None) -> Found:
        """Make a finding about some tracks of this clip. `key` is the index of a key of the first track."""
        text = f"{channels_have(len(tracks), len(self.tracks), what)} ({track_names(tracks)})"
        return self.found(text, self.items(tracks, key))

    def items(self, tracks: Sequence[Track], key: int | None = None) -> Iterator[Item]:
        """Yield the item of key number `key` of the first track, then the items of the tracks. Tracks without
        an item in the file are left out.
        """
        named = self._document.origin.tracks.get(self.animation.name, {})
        known = dict.fromkeys(named[track.target] for track in tracks if track.target in named)
        first = next(iter(known), None)
        if first is not None and key is not None:
            yield KeyItem(first, key)
        yield from known

    @property
    def is_whole_file(self) -> bool:
        """Whether the file contains only this clip."""
        return isinstance(self._document.content, Animation)

    @property
    def _span(self) -> Span | None:
        """The bytes of the clip; None if they are scattered over its file."""
        whole = self._document.root if self.is_whole_file else None
        return self._document.origin.span(ClipItem(self._place)) or whole


def clips(context: CheckContext) -> tuple[Clip, ...]:
    """The clips of the checked file with readable keys, up to the limits of tracks and of keys."""
    return context.once(_clips)


def _clips(context: CheckContext) -> tuple[Clip, ...]:
    found: list[Clip] = []
    size = len(context.document.data)
    left = max(min(size // BYTES_OF_A_TRACK, MOST_TRACKS), FEW_TRACKS)
    room = FEW_KEY_BYTES + TIMES_THE_FILE * size
    for place, (number, animation) in enumerate(context.own_clips):
        if not readable(animation):
            continue
        clip = Clip(context.document, number, place, animation)
        left -= len(clip.tracks)
        room -= sum(track.times.nbytes + track.values.nbytes for track in clip.tracks)
        if (left < 0 or room < 0) and found:
            break
        found.append(clip)
    return tuple(found)


def unchecked(context: CheckContext) -> Iterator[Found]:
    """Report clips past the limits of tracks and keys, which are not checked."""
    checked = clips(context)
    last = checked[-1].number if checked else -1
    total = len(context.document.animations)
    own = [number for number, _ in context.own_clips if number > last]
    left = total - len(context.animations) + sum(readable(context.document.animations[n]) for n in own)
    if left:
        yield Found(f"{left:,} of {total:,} clips are not checked: there are too many tracks or keys")


def channels_have(number: int, total: int, what: str) -> str:
    """Format the number of tracks with a property: `2 of 90 channels have {what}`."""
    return f"{number} of {counted(total, 'channel')} {'has' if total == 1 else 'have'} {what}"


def track_names(tracks: Sequence[Track]) -> str:
    """Join the names of the first tracks, by bone and channel: `Hip rotation`."""
    return listed([f"{track.target} {track.path}" for track in tracks])


def moves(track: Track) -> bool:
    """Whether the values of a track differ from each other."""
    values = track.values
    return len(values) > 1 and bool((values != values[0]).any())


RULES = (
    Rule(
        "animation/unchecked",
        Severity.NOTE,
        "A file has more clips than are checked",
        unchecked,
        {"": "No real file is known to have as many clips. Every clip still plays completely."},
        "Check whether the file is damaged.",
        "14,210 of 16,384 clips are not checked: there are too many tracks or keys",
    ),
)
