"""The times and the values of tracks, field by field."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import m2_files
from tests.check.m2_folder import write_model
from viewer.families.wow.rules.files import M2Files
from viewer.storage.documents import open_document


def lengths(path: Path) -> dict[str, tuple[int, int]]:
    """The numbers of times and values of every track that has some."""
    files = M2Files.of(open_document(path))
    assert files is not None
    return {
        times.track(row): (int(times.counts[row]), int(values.counts[row]))
        for times, values in files.tracks
        for row in range(len(times.counts))
        if times.counts[row]
    }


@pytest.mark.parametrize("generation", m2_files.GENERATIONS[:2])
def test_tracks_of_one_timeline(tmp_path: Path, generation: m2_files.VersionTraits) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(generation))
    found = lengths(path)
    assert found["bones[0].translation"] == (3, 3) and found["transparency[0].weight"] == (1, 1)
    assert found["particles[0].speed"] == (1, 1) and not any(name.startswith("events") for name in found)


def test_tracks_of_sequences(tmp_path: Path) -> None:
    found = lengths(write_model(tmp_path))
    assert found["bones[0].translation"] == (4, 4)
    assert found["bones[0].translation[0]"] == (1, 1) and found["bones[2].rotation[0]"] == (2, 2)
    assert found["bones[1].translation[3]"] == (2, 2)  # its keys are in a file of their own
