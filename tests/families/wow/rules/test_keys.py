"""The rule for files of keys that do not fit their model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests import m2_files
from tests.check.m2_folder import KEY_FILE, KEYS, PLACES, told, write_model


def keys(*times: int) -> bytes:
    return np.array(times, "<u4").tobytes() + PLACES.tobytes()


UNFIT = "the times of {} of 2 tracks do not fit: the first "
MISFITS = [
    (
        KEYS[:20],
        "3 of 4 ranges of keys end outside the file; the farthest ends at 0x40, and the file at 0x14",
        1,
        "values",
        20,
    ),
    (keys(0, 1200) * 2, UNFIT.format(2) + "end at 1200 ms, but the sequence at 1000 ms", 0, "times", 0),
    (keys(0, 1000) + keys(900, 100), UNFIT.format(1) + "fall", 1, "times", 32),
    (keys(900, 100) + keys(0, 1000), UNFIT.format(1) + "fall", 0, "times", 0),
]


@pytest.mark.parametrize(
    ("data", "text", "bone", "column", "offset"), MISFITS, ids=["cut", "late", "second", "first"]
)
def test_keys_that_do_not_fit(
    tmp_path: Path, data: bytes, text: str, bone: int, column: str, offset: int
) -> None:
    model, path = write_model(tmp_path), tmp_path / KEY_FILE
    path.write_bytes(data)
    (found,) = told(model, "m2/keys")
    assert (found.text, found.file, found.offset) == (text, str(path), offset)
    assert found.path == f"bones[{bone}]/translation/{column}"
    assert told(path, "m2/keys") == (found,)


@pytest.mark.parametrize("data", [KEYS, m2_files.chunk("AFM2", KEYS)], ids=["plain", "chunk"])
def test_keys_that_fit(tmp_path: Path, data: bytes) -> None:
    model = write_model(tmp_path)
    (tmp_path / KEY_FILE).write_bytes(data)
    assert told(model, "m2/keys") == told(tmp_path / KEY_FILE, "m2/keys") == ()


@pytest.mark.parametrize("generation", m2_files.GENERATIONS)
def test_tracks_with_fewer_values_than_times(tmp_path: Path, generation: m2_files.VersionTraits) -> None:
    bones = m2_files.bones(generation)
    track = bones[0]["translation"]
    last = [*track.values[:-1], track.values[-1][:-1]] if generation.nested else track.values[:-1]
    bones[0]["translation"] = replace(track, values=last)
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(generation, bones=bones))
    (found,) = told(path, "m2/unequal-track")
    name = "bones[0].translation[1]" if generation.nested else "bones[0].translation"
    assert found.text.startswith(f"{name} has ") and found.offset
    path.write_bytes(m2_files.model(generation))
    assert told(path, "m2/unequal-track") == ()


def test_more_unequal_tracks_are_counted(tmp_path: Path) -> None:
    bones = m2_files.bones(m2_files.CLASSIC)
    track = bones[0]["translation"]
    bones[0]["translation"] = bones[3]["translation"] = replace(track, values=track.values[:-1])
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(bones=bones))
    (found,) = told(path, "m2/unequal-track")
    assert found.text == "bones[0].translation has 3 times and 2 values, and 1 more tracks of this field"


def test_a_file_that_no_track_uses_fits(tmp_path: Path) -> None:
    path = write_model(tmp_path, bones=m2_files.bones(m2_files.WRATH))
    assert told(path, "m2/keys") == ()
