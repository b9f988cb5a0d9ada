"""The keys of clips: counted without tracks, and kept while there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import m2_files
from tests.m2_files import GENERATIONS
from viewer.formats.m2.load import load_model
from viewer.formats.m2.record import VersionTraits
from viewer.scene.document import Document


def opened(generation: VersionTraits) -> Document:
    return load_model(Path("/nowhere/x.m2"), m2_files.model(generation))


@pytest.mark.parametrize("generation", GENERATIONS, ids=lambda each: str(each.version))
def test_targets_and_keys_are_counted_as_the_tracks_have_them(generation: VersionTraits) -> None:
    document = opened(generation)
    assert document.model is not None and document.model.skeleton is not None
    for clip in document.animations:
        moved = {track.target for track in clip.tracks}
        assert clip.targets == tuple(name for name in document.model.skeleton.names if name in moved)
        assert clip.keyframes == sum(len(track.times) for track in clip.tracks)


def test_tracks_are_the_same_until_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.formats.m2.clip_keys.KEPT", 1)
    first, second = opened(GENERATIONS[0]).animations
    kept = first.tracks
    assert first.tracks is kept
    assert len(second.tracks) and first.tracks is not kept
    assert [track.target for track in first.tracks] == [track.target for track in kept]
