"""Read the keys of bones in a sequence. When a clip is listed, only the number of its keys is read. When the
clip plays, the values of the keys are read too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.binary.tables import RecordTables, RowField
from viewer.families.wow.m2.clips.events import EventTimes
from viewer.families.wow.m2.clips.tracks import KeyRanges, SequenceSpan, key_ranges, keys_of
from viewer.families.wow.m2.layout.fields import TrackField
from viewer.families.wow.m2.layout.records import BONE
from viewer.lru import RecentValues
from viewer.scene.animation import Event, Track
from viewer.scene.skeleton import Skeleton

KEPT = 16 << 20
"""Size limit in bytes of each of the two caches: one of clips, one of tracks."""
BYTES_OF_A_CLIP, BYTES_OF_A_TRACK, BYTES_OF_A_KEY, BYTES_OF_AN_EVENT = 400, 600, 24, 160
PATHS = {"translation": "position", "rotation": "rotation", "scale": "scale"}


class SequenceKeys(Struct, frozen=True, eq=False):
    """The keys of sequence `number`; see `ClipKeys`."""

    reader: ClipReader
    number: int
    targets: tuple[str, ...]
    keyframes: int
    events: tuple[Event, ...]

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The tracks with keys, read and cached on first use."""
        return self.reader.tracks(self.number)

    @property
    def size(self) -> int:
        """Approximate size in bytes, without the tracks."""
        return BYTES_OF_A_CLIP + 8 * len(self.targets) + BYTES_OF_AN_EVENT * len(self.events)


class ClipReader(Struct, eq=False):
    """Reads the keys of a model's sequences and caches the keys of the most recent sequences."""

    records: RecordTables
    skeleton: Skeleton
    events: EventTimes
    sequences: Callable[[int], SequenceSpan]
    _clips: RecentValues[int, SequenceKeys] = field(default_factory=lambda: RecentValues(KEPT))
    _tracks: RecentValues[int, tuple[Track, ...]] = field(default_factory=lambda: RecentValues(KEPT))

    def clip(self, number: int, seconds: float) -> SequenceKeys:
        """Return the keys of sequence `number`, whose duration is `seconds`."""
        return self._clips.get(number, lambda: self._counted(number, seconds), lambda keys: keys.size)

    def tracks(self, number: int) -> tuple[Track, ...]:
        """Return the tracks with keys in sequence `number`."""
        return self._tracks.get(number, lambda: tuple(self._made(number)), _size)

    def _counted(self, number: int, seconds: float) -> SequenceKeys:
        counts = np.sum([ranges.counts for *_, ranges in self._ranges(number)], axis=0)
        names = self.skeleton.names
        targets = tuple(names[bone] for bone in np.flatnonzero(counts).tolist())
        events = self.events.of(self.sequences(number), seconds)
        return SequenceKeys(self, number, targets, int(counts.sum()), events)

    def _made(self, number: int) -> Iterator[Track]:
        names, sequence = self.skeleton.names, self.sequences(number)
        for part, tracks, ranges in self._ranges(number):
            for bone, keys in enumerate(keys_of(self.records, tracks, part.dtype, sequence, ranges)):
                if keys is not None:
                    yield Track(names[bone], PATHS[part.name], *keys)

    def _ranges(self, number: int) -> Iterator[tuple[RowField, Array, KeyRanges]]:
        """Yield each track field of bones with its tracks [B] and their key ranges."""
        records, sequence = self.records, self.sequences(number)
        for part in BONE.present(records.generation):
            if isinstance(part, TrackField):
                tracks = records.tables["bones"][part.name]
                yield part, tracks, key_ranges(records, tracks, part.dtype, sequence, 1)


def _size(tracks: tuple[Track, ...]) -> int:
    return sum(BYTES_OF_A_TRACK + BYTES_OF_A_KEY * len(track.times) for track in tracks)
