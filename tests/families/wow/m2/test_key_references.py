"""Keys of sequences that lie outside their file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import m2_files
from tests.conftest import ROOT, SHARED
from tests.opened import opened_file
from viewer.binary import references
from viewer.families.wow.m2.clips import key_references
from viewer.families.wow.m2.load import load_model
from viewer.scene.document import Document
from viewer.storage.documents import open_document


def opened(folder: Path, data: bytes, **changes: bytes) -> Document:
    (folder / "Made00.skin").write_bytes(m2_files.skin())
    path = folder / "Made.m2"
    path.write_bytes(data)
    return open_document(path)


def lead_away(data: bytes, document: Document, sequence: int) -> tuple[bytes, int]:
    """The model whose first bone has a key for a sequence behind the end of the file, and the offset of the
    reference to it.
    """
    track = document.root.child("bones").children[0].child("translation")
    target = track.child("times").target
    assert target is not None
    at = target + sequence * 8
    return data[: at + 4] + (1 << 20).to_bytes(4, "little") + data[at + 8 :], at


def test_a_whole_model_has_no_errors(tmp_path: Path) -> None:
    assert opened(tmp_path, m2_files.model(m2_files.WRATH)).report.errors == []


def test_keys_outside_the_file_are_an_error_with_their_place(tmp_path: Path) -> None:
    data = m2_files.model(m2_files.WRATH)
    broken, at = lead_away(data, opened(tmp_path, data), 1)
    document = opened(tmp_path, broken)
    assert [(each.path, each.offset) for each in document.report.errors] == [
        ("bones[0]/translation/times", at)
    ]
    assert "1 key of sequence 1 at 0x100000 lie" in document.report.errors[0].why
    assert document.model is not None and len(document.model.geometries) == 2


def test_keys_in_a_file_of_their_own_are_not_looked_for_in_the_model(tmp_path: Path) -> None:
    bones = m2_files.bones(m2_files.WRATH)
    rows = [([0], [(0, 0, 0)]), ([0], [(2, 0, 0)]), ([0], [(0, 0, 0)]), ([0], [(0, 0, 0)])]
    bones[0]["translation"] = m2_files.keys(m2_files.WRATH, rows)
    data = m2_files.model(m2_files.WRATH, bones=bones)
    broken, _ = lead_away(data, opened(tmp_path, data), 3)
    assert opened(tmp_path, broken).report.errors == []


@pytest.mark.parametrize("kept", [0.4, 0.6])
def test_a_cut_model_is_not_complete(tmp_path: Path, kept: float) -> None:
    data = m2_files.model(m2_files.WRATH)
    assert not opened(tmp_path, data[: int(len(data) * kept)]).report.complete


SAMPLES = {generation.version: m2_files.model(generation) for generation in m2_files.GENERATIONS}
REAL = [*(ROOT / "assets/m2").rglob("*.m2"), *(SHARED / "corpus/m2").rglob("*.[mM]2")]


def errors(data: bytes) -> list[tuple[str, str, int]]:
    found = load_model(opened_file(Path("/nowhere/at/all/x.m2"), data)).report.errors
    return [(each.why, each.path, each.offset) for each in found]


def both_ways(monkeypatch: pytest.MonkeyPatch, data: bytes) -> list[tuple[str, str, int]]:
    """The errors of a model, which are the same if no table is believed to be whole."""
    fast = errors(data)
    with monkeypatch.context() as slow:
        slow.setattr(key_references, "all_inside", lambda *_: False)
        slow.setattr(references, "all_inside", lambda *_: False)
        assert errors(data) == fast
    return fast


@pytest.mark.parametrize("version", sorted(SAMPLES))
def test_each_number_of_a_track_out_of_the_file_is_told_both_ways(
    monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    data = SAMPLES[version]
    begin, size = 0x130, len(data)
    told = 0
    for at in range(begin, size - 4, 44):
        broken = data[:at] + (0x7FFFFF00).to_bytes(4, "little") + data[at + 4 :]
        told += len(both_ways(monkeypatch, broken)) > 0
    assert told > 3


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_models_have_the_same_errors_both_ways(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    data = path.read_bytes()
    both_ways(monkeypatch, data)
    both_ways(monkeypatch, data[: len(data) // 2])


@pytest.mark.parametrize("rows", [1, 7, 1 << 14])
def test_the_last_of_many_tracks_is_compared_too(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr(key_references, "ROWS_AT_ONCE", rows)
    track = m2_files.keys(m2_files.WRATH, [([0], [(0, 0, 0)])] * 4)
    bones = [{"parent": -1, "translation": track} for _ in range(9)]
    data = m2_files.model(m2_files.WRATH, bones=bones)
    document = load_model(opened_file(Path("/nowhere/at/all/x.m2"), data))
    target = document.root.child("bones").children[8].child("translation").child("times").target
    assert target is not None and document.report.errors == []
    broken = data[: target + 4] + (1 << 30).to_bytes(4, "little") + data[target + 8 :]
    assert [path for _, path, _ in errors(broken)] == ["bones[8]/translation/times"]
