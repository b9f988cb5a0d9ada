"""Build animations from sequences. Keys are read when an animation plays, from the model or `.anim` files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.binary.tables import RecordTables
from viewer.budget import BUDGET
from viewer.errors import MISSING_PART, FormatError, NeededFile, Report, counted
from viewer.families.wow.m2.clips.clip_keys import ClipReader
from viewer.families.wow.m2.clips.events import EventTimes, event_times
from viewer.families.wow.m2.clips.key_references import external
from viewer.families.wow.m2.clips.tracks import SequenceSpan
from viewer.families.wow.m2.layout.tables import chunks_of
from viewer.families.wow.m2.model_files import ModelFiles
from viewer.families.wow.m2.names import animation_name
from viewer.families.wow.m2.probe import KEY_CHUNKS
from viewer.scene.animation import Animation, Composition, LazyAnimation
from viewer.scene.material import ClipTime
from viewer.scene.skeleton import Skeleton
from viewer.storage.foreign_formats import stand_in
from viewer.storage.search import FoundResource, Missing, needed
from viewer.storage.source import Source

ALIAS, BLENDED = 0x40, 0x80
ANIM_LIMIT = 256 << 20
KIND = "animation"
REPORTED, LISTED = 10, 256
"""Number of missing files reported one by one, and number of further files listed in a summary."""
FACTS = {"id": "id", "variation": "variation", "flags": "flags", "speed": "speed", "blend_time": "blend"}
"""Fields of a sequence record, and their names among the facts of an animation."""


class Sequences(Struct, eq=False):
    """The sequences of a model. `numbers`: the sequence number of each animation. `targets` [S]: for each
    sequence, the number of the sequence that has its keys. `outside` [S]: whether a sequence's keys are in a
    separate file. `files` are the separate files by sequence number, `needs` their records for the report.
    """

    records: RecordTables
    folder: Source
    stem: str
    report: Report
    targets: Array
    outside: Array
    files: dict[int, FoundResource | Missing]
    needs: dict[int, NeededFile]
    numbers: dict[Animation, int] = field(default_factory=dict)
    _stretches: dict[int, SequenceSpan] = field(default_factory=dict)

    def at(self, clip_time: ClipTime) -> SequenceSpan:
        """Return the sequence that plays at a time; the first sequence if no animation of this model
        plays.
        """
        number = 0 if clip_time.animation is None else self.numbers.get(clip_time.animation, 0)
        return self.stretch(number)

    def stretch(self, number: int) -> SequenceSpan:
        """Return the data of sequence `number` that tracks need, and cache it. If the sequence has a separate
        file, this file is read too.
        """
        if number not in self._stretches:
            self._stretches[number] = self._make(number)
        return self._stretches[number]

    def _make(self, number: int) -> SequenceSpan:
        sequences = self.records.tables["sequences"]
        if number >= len(sequences):
            return SequenceSpan(number)
        at = int(self.targets[number])
        if not self.records.generation.nested:
            return SequenceSpan(at, int(sequences[at]["start"]))
        return SequenceSpan(at, 0, _outside(self, at) if self.outside[at] else None)

    def events(self, lengths: Array) -> EventTimes:
        """Return the events of the first S sequences, which last `lengths` [S] ms."""
        sequences = self.records.tables["sequences"]
        started = "start" in (sequences.dtype.names or ())
        rows = self.targets[: len(lengths)]
        starts = sequences["start"][rows] if started else np.zeros_like(lengths)
        return event_times(self.records, starts.astype(np.int64), lengths.astype(np.int64), rows)

    def missing_file(self, number: int) -> NeededFile | None:
        """Return the file of a sequence's keys if it is missing or only a pointer or a web page, else
        None.
        """
        file = self.needs.get(int(self.targets[number]))
        return file if file is not None and file.state != "found" else None


def clips_of(around: ModelFiles, records: RecordTables) -> Sequences:
    """Return the sequences of a model. Missing `.anim` files are reported by name."""
    sequences, outside, stem = records.tables["sequences"], external(records), around.path.stem
    keys = {number: _key(sequences[number]) for number in np.flatnonzero(outside).tolist()}
    numbers = around.numbers.keys
    found = {key: around.part(_file(stem, key), numbers.get(key, 0)) for key in set(keys.values())}
    needs = {key: _needed(around, key, each) for key, each in found.items()}
    clips = Sequences(
        records,
        around.folder,
        stem,
        around.report,
        key_sequences(sequences),
        outside,
        files={number: found[key] for number, key in keys.items()},
        needs={number: needs[key] for number, key in keys.items()},
    )
    _report_missing(clips)
    return clips


def build_animations(clips: Sequences, skeleton: Skeleton | None) -> tuple[Animation, ...]:
    """Return an animation for each sequence, in file order; none if there is no skeleton."""
    if skeleton is None:
        return ()
    sequences = _limited(clips, len(skeleton))
    boxes = sequences["bounds"].reshape(-1, 2, 3).astype(np.float64)
    milliseconds = _milliseconds(sequences)
    usable, lengths = _usable(boxes).tolist(), (milliseconds / 1000).tolist()
    keys = ClipReader(clips.records, skeleton, clips.events(milliseconds), clips.stretch)
    # Read column by column, because reading record by record takes ten times as long.
    columns = {name: sequences[part].tolist() for part, name in FACTS.items()}
    for number, seconds in enumerate(lengths):
        facts = {name: column[number] for name, column in columns.items()}
        made = LazyAnimation(
            name=animation_name(facts["id"], facts["variation"]),
            duration=seconds,
            tracks=(),
            opener=partial(keys.clip, number, seconds),
            composition=Composition.PIVOT,
            facts=facts,
            source=file.path if isinstance(file := clips.files.get(number), FoundResource) else "",
            missing_file=clips.missing_file(number),
            bounds=boxes[number] if usable[number] else None,
            tags=tuple(_tags(clips, number, facts["flags"])),
        )
        clips.numbers[made] = number
    return tuple(clips.numbers)


def _limited(clips: Sequences, bones: int) -> Array:
    """The sequences up to a limit, because each pair of a sequence with a bone or an event may have keys. If
    sequences are left out, an error names the limit.
    """
    records = clips.records
    sequences = records.tables["sequences"]
    most = BUDGET.sequence_pairs // (bones + len(records.tables["events"]))
    if len(sequences) > most:
        why = f"{len(sequences)} sequences of {counted(bones, 'bone')}, at most {most} are read"
        records.report.fail(FormatError(why, "sequences", records.offset("sequences")))
    return sequences[:most]


def _tags(clips: Sequences, number: int, flags: int) -> Iterator[str]:
    """Yield the tags of a sequence: alias target, file of its keys, blending."""
    at = int(clips.targets[number])
    if at != number:
        target = clips.records.tables["sequences"][at]
        yield f"alias of {animation_name(int(target['id']), int(target['variation']))}"
    elif flags & ALIAS:
        yield "alias without a target"
    elif number in clips.files:
        yield "its file is missing" if isinstance(clips.files[number], Missing) else "keys in a separate file"
    if flags & BLENDED:
        yield "blends"


def key_sequences(sequences: Array) -> Array:
    """For each sequence, return the number of the sequence that has its keys, [S]. An alias in a cycle or to
    a missing sequence keeps its own number.
    """
    count = len(sequences)
    numbers = np.arange(count)
    aliases = sequences["flags"] & ALIAS != 0
    known = sequences["alias"] < count
    ahead = np.append(np.where(aliases, np.where(known, sequences["alias"], count), numbers), count)
    for _ in range(count.bit_length()):
        ahead = ahead[ahead]
    found = ahead[:count]
    nowhere = np.append(aliases, True)[found]
    return np.where(nowhere, numbers, found)


def _milliseconds(sequences: Array) -> Array:
    """Duration [S] of each sequence in ms."""
    if "duration" in (sequences.dtype.names or ()):
        return np.asarray(sequences["duration"].astype(np.float64))
    return np.asarray(np.maximum(sequences["end"].astype(np.float64) - sequences["start"], 0))


def usable_box(box: Array) -> Array | None:
    """Return the lowest and the highest corner [2, 3] from six numbers; None if they are all 0, not finite or
    not ordered.
    """
    corners = np.asarray(box, np.float64).reshape(1, 2, 3)
    return corners[0] if _usable(corners)[0] else None


def _usable(boxes: Array) -> Array:
    """Whether each of the boxes [N, 2, 3] is finite, ordered and not all 0, [N] bool."""
    flat = boxes.reshape(-1, 6)
    return np.asarray(
        np.isfinite(flat).all(axis=1) & (boxes[:, 0] <= boxes[:, 1]).all(axis=1) & flat.any(axis=1)
    )


def _key(sequence: Any) -> tuple[int, int]:
    """The id and the variation of a sequence."""
    return int(sequence["id"]), int(sequence["variation"])


def _needed(around: ModelFiles, key: tuple[int, int], found: FoundResource | Missing) -> NeededFile:
    """The record of a file with keys, after a look at its first bytes."""
    name = _file(around.path.stem, key)
    if isinstance(found, Missing):
        return needed(KIND, name, found, offered=around.offered(name, _file("", key)))
    return needed(KIND, name, found, fault=stand_in(found.head))


def _file(stem: str, key: tuple[int, int]) -> str:
    return f"{stem}{key[0]:04}-{key[1]:02}.anim"


def _report_missing(clips: Sequences) -> None:
    """Record the files of sequences, and report the missing ones. Aliases need no file."""
    sequences = clips.records.tables["sequences"]
    own = [number for number in clips.files if not sequences[number]["flags"] & ALIAS]
    for number in own:
        if clips.missing_file(number) is None:
            clips.report.need(clips.needs[number])
    lost = [file for number in own if (file := clips.missing_file(number)) is not None]
    for file in lost[:REPORTED]:
        why = file.error or "is missing beside the model"
        text = f"{file.name} {why}, so its sequence does not move"
        clips.report.warn(text, MISSING_PART, file)
    more = lost[REPORTED:]
    if more:
        text = f"{counted(len(more), 'more .anim file')} missing beside the model"
        clips.report.warn(text, MISSING_PART, *more[:LISTED])


def _outside(clips: Sequences, number: int) -> bytes:
    """The keys in the sequence's separate file; empty if the file is missing or cannot be read, which is
    reported.
    """
    file = clips.files.get(number)
    if not isinstance(file, FoundResource) or clips.missing_file(number) is not None:
        return b""
    try:
        data = file.read(ANIM_LIMIT)
    except FormatError as error:
        clips.report.fail(error)
        return b""
    return keys_in(data)[0]


def keys_in(data: bytes) -> tuple[bytes, int]:
    """Return the bytes with the keys of bones in an `.anim`, and their offset. The bytes are the whole file
    or a chunk.
    """
    if data[:4] not in KEY_CHUNKS:
        return data, 0
    chunks = {chunk.tag: chunk for chunk in chunks_of(data, Report())}
    for tag in ("AFSB", "AFM2"):
        if tag in chunks:
            begin = chunks[tag].offset
            return data[begin : begin + chunks[tag].size], begin
    return b"", len(data)
