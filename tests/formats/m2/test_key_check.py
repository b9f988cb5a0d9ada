"""Keys of sequences that lie outside their file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import m2_files
from viewer.formats import open_document
from viewer.scene.document import Document


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
