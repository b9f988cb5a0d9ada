"""Read the keys of a bone, which are stored as a run of chunks or as a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate

import msgspec
import numpy as np

from viewer.arrays import Array
from viewer.binary import Block, ChunkTable, StreamPart, StreamTree, Struct
from viewer.families.ogre.skeleton_layout import KEY_LIST, KEYS, TRACK
from viewer.scene.animation import Track
from viewer.scene.maths import nlerp, quaternion_inverse, quaternion_product

PATHS = {"rotation": "rotation", "translation": "position", "scale": "scale"}
NOTHING = {"rotation": (0.0, 0.0, 0.0, 1.0), "translation": (0.0, 0.0, 0.0), "scale": (1.0, 1.0, 1.0)}
"""Values of the parts that a key lacks."""


class KeyframeRun(msgspec.Struct, frozen=True, eq=False):
    """The keys of a track: `times` [K] seconds, ascending, and the `parts` that the keys have: `rotation`
    [K, 4], `translation` [K, 3], `scale` [K, 3].
    """

    times: Array
    parts: dict[str, Array]

    def channels(self, target: str) -> tuple[Track, ...]:
        """Return the keys as tracks of the bone `target`."""
        return tuple(Track(target, PATHS[part], self.times, values) for part, values in self.parts.items())

    def at(self, time: float) -> dict[str, Array]:
        """Return the parts at `time`, linear between keys. Before all keys the first key holds, after all
        keys the last key.
        """
        after = min(int(np.searchsorted(self.times, time)), len(self.times) - 1)
        before = max(after - 1, 0)
        gap = float(self.times[after]) - float(self.times[before])
        factor = min(max((time - float(self.times[before])) / gap, 0.0), 1.0) if gap > 0 else 1.0
        sampled = {}
        for part, values in self.parts.items():
            first, second = values[before].astype(np.float64), values[after].astype(np.float64)
            linear = first + (second - first) * factor
            sampled[part] = nlerp(first, second, np.array([factor])) if part == "rotation" else linear
        return sampled


class ClipTracks:
    """The tracks with keys of an animation record. If several tracks move one bone, the last track is used.
    `counts` maps bone handles, in file order, to numbers of keys. `doubled` are the handles with several
    tracks. Keys are read on demand.
    """

    def __init__(self, clip: Struct) -> None:
        self._chunks = clip.get("chunks") or StreamTree()
        sizes = [size for part in self._chunks.parts(TRACK) for size in _sizes(part)]
        counts = dict(sizes)
        tracks = Counter(bone for bone, _ in sizes) if len(counts) < len(sizes) else {}
        self.doubled = tuple(bone for bone, count in tracks.items() if count > 1)
        self.counts = (
            {bone: count for bone, count in counts.items() if count} if 0 in counts.values() else counts
        )

    @cached_property
    def _tracks(self) -> dict[int, tuple[StreamPart, int]]:
        """For each bone handle, the part of the stream that has the track, and the index of the track in this
        part.
        """
        parts = self._chunks.parts(TRACK)
        return {bone: (part, index) for part in parts for index, (bone, _) in enumerate(_sizes(part))}

    def keys(self, bone: int) -> KeyframeRun:
        """Read the keys of the bone with this handle, which is one of `counts`."""
        part, index = self._tracks[bone]
        return joined_keys(
            part.blocks(index) if isinstance(part, ChunkTable) else _blocks(part.pieces[0].value)
        )


def _sizes(part: StreamPart) -> Iterable[tuple[int, int]]:
    """For each track that has chunks, the bone handle and the number of keys."""
    if isinstance(part, ChunkTable):
        return zip(part.column("bone"), part.counts, strict=True)
    track = part.pieces[0].value
    return [(track.bone, sum(len(keys) for _, keys in _blocks(track)))] if track.get("chunks") else ()


def _blocks(track: Struct) -> list[Block]:
    """The runs and lists of keys of a track record, each with its range in the track."""
    lists = [keys for each in track.chunks.all(KEY_LIST) if (keys := each.get("keys")) is not None]
    blocks = [block for block in (*track.chunks.all(KEYS), *lists) if len(block)]
    ends = accumulate(map(len, blocks))
    return [(slice(end - len(block), end), block) for end, block in zip(ends, blocks, strict=True)]


def joined_keys(blocks: list[Block]) -> KeyframeRun:
    """Return the keys of all blocks, sorted by time. Keys with equal times keep their order. A block is a
    pair: the indices of its keys in the track, and the keys. There must be a block.
    """
    parts = {part for _, keys in blocks for part in keys.dtype.names or ()}
    times = _joined(blocks, "time", 0.0)
    values = {part: _joined(blocks, part, NOTHING[part]) for part in PATHS if part in parts}
    if len(times) > 1 and (times[1:] < times[:-1]).any():
        order = np.argsort(times, kind="stable")
        times, values = times[order], {part: each[order] for part, each in values.items()}
    return KeyframeRun(times, values)


def _joined(blocks: list[Block], part: str, missing: float | tuple[float, ...]) -> Array:
    """One part of all keys. Keys without this part have the value `missing`."""
    if len(blocks) == 1:
        return np.asarray(blocks[0][1][part])
    joined = np.full((sum(len(keys) for _, keys in blocks), *np.shape(missing)), missing, np.float32)
    for indices, keys in blocks:
        if part in (keys.dtype.names or ()):
            joined[indices] = keys[part]
    return joined


def rebased(keys: KeyframeRun, base: KeyframeRun, time: float) -> KeyframeRun:
    """Return the keys relative to the pose of `base` at `time`.

    Source: OGRE `TransformKeyFrame`, `NodeAnimationTrack::_applyBaseKeyFrame`.
    """
    reference = {part: np.array(value) for part, value in NOTHING.items()} | base.at(time)
    count = len(keys.times)
    full = {part: np.broadcast_to(np.array(value), (count, len(value))) for part, value in NOTHING.items()}
    full |= keys.parts
    divisor = np.where(reference["scale"] == 0, 1, reference["scale"])
    back = np.broadcast_to(quaternion_inverse(reference["rotation"]), (count, 4))
    parts = {
        "rotation": quaternion_product(back, full["rotation"].astype(np.float64)),
        "translation": full["translation"] - reference["translation"],
        "scale": full["scale"] / divisor,
    }
    return KeyframeRun(keys.times, {part: values.astype(np.float32) for part, values in parts.items()})
