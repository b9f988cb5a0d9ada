"""The keys of clips: counted without tracks, and kept while there is room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import m2_files
from tests.conftest import ROOT, SHARED
from tests.m2_files import GENERATIONS
from tests.opened import opened_file
from viewer.binary.tables import REF, RecordTables
from viewer.errors import Report
from viewer.families.wow.m2.clips.clip_keys import PATHS
from viewer.families.wow.m2.clips.key_references import external
from viewer.families.wow.m2.clips.sequences import key_sequences
from viewer.families.wow.m2.clips.tracks import HALF
from viewer.families.wow.m2.layout.fields import RANGE, U32, TrackField, VersionTraits
from viewer.families.wow.m2.layout.records import BONE, PACKED_QUATERNION
from viewer.families.wow.m2.layout.tables import read_records
from viewer.families.wow.m2.load import load_model
from viewer.families.wow.m2.names import bone_names
from viewer.scene.document import Document


def opened(generation: VersionTraits) -> Document:
    return load_model(opened_file(Path("/nowhere/at/all/x.m2"), m2_files.model(generation)))


@pytest.mark.parametrize("generation", GENERATIONS, ids=lambda each: str(each.version))
def test_targets_and_keys_are_counted_as_the_tracks_have_them(generation: VersionTraits) -> None:
    document = opened(generation)
    assert document.model is not None and document.model.skeleton is not None
    for clip in document.animations:
        moved = {track.target for track in clip.tracks}
        assert clip.targets == tuple(name for name in document.model.skeleton.names if name in moved)
        assert clip.keyframes == sum(len(track.times) for track in clip.tracks)


def test_tracks_are_the_same_until_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.families.wow.m2.clips.clip_keys.KEPT", 1)
    first, second = opened(GENERATIONS[0]).animations
    kept = first.tracks
    assert first.tracks is kept
    assert len(second.tracks) and first.tracks is not kept
    assert [track.target for track in first.tracks] == [track.target for track in kept]


REAL = [*(ROOT / "assets/m2").rglob("*.m2"), *(SHARED / "corpus/m2").rglob("*.[mM]2")]


def stored_keys(records: RecordTables, track: Any, dtype: Any, number: int) -> tuple[Any, Any]:
    """Times in ms and values of one track in a sequence, as the format says it."""
    places, own = [track["times"], track["values"]], track["global_sequence"] < 0
    if records.generation.nested:
        tables = [records.items(each, REF) for each in places]
        if not all(map(len, tables)):
            return np.empty(0), np.empty(0)
        places = [rows[number if own and number < len(rows) else 0] for rows in tables]
    keys = [records.items(each, kind) for each, kind in zip(places, (U32, dtype), strict=True)]
    first, last = 0, min(map(len, keys)) - 1
    ranges = () if records.generation.nested else records.items(track["ranges"], RANGE)
    if own and last > 0 and number < len(ranges):
        first, last = min(ranges[number]["first"], last), min(ranges[number]["last"], last)
    times, values = (each[first : last + 1] for each in keys)
    return times.astype(float), values / HALF - 1.0 if dtype == PACKED_QUATERNION else values


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_tracks_are_those_that_are_read_one_by_one(path: Path) -> None:
    data = path.read_bytes()
    document, records = load_model(opened_file(path, data)), read_records(data, 0, len(data), Report())
    names = bone_names(records.tables["bones"]["key_bone"].tolist())
    sequences, different = records.tables["sequences"], []
    for clip, number in zip(document.animations[:4], key_sequences(sequences).tolist(), strict=False):
        if external(records)[number]:
            continue
        start = 0 if records.generation.nested else int(sequences[number]["start"])
        found = {(track.target, track.path): track for track in clip.tracks}
        for part in BONE.present(records.generation):
            tracks = records.tables["bones"][part.name] if isinstance(part, TrackField) else ()
            for bone, track in enumerate(tracks):
                times, values = stored_keys(records, track, part.dtype, number)
                made = found.pop((names[bone], PATHS.get(part.name, "")), None)
                begin = start if track["global_sequence"] < 0 else 0
                same = not len(times) if made is None else np.array_equal(made.times, (times - begin) / 1000)
                if made is not None:
                    same = same and np.array_equal(made.values, values.astype(np.float32))
                different += [] if same else [(number, bone, part.name)]
        different += [*found]
    assert different == []
