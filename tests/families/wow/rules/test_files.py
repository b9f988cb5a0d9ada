"""What the rules for WoW models share: a sound model has no findings, whichever of its files is checked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests import m2_files
from tests.check.m2_folder import KEY_FILE, KEYS, told, write_model
from viewer.families.wow.rules.files import M2Block, M2Files, Ranges
from viewer.storage.documents import open_document


def files_of(path: Path) -> M2Files | None:
    return M2Files.of(open_document(path))


@pytest.mark.parametrize("name", ["Made.m2", "Made00.skin", KEY_FILE])
def test_a_sound_model_has_no_findings(tmp_path: Path, name: str) -> None:
    write_model(tmp_path)
    assert told(tmp_path / name, "m2", "bytes") == ()


@pytest.mark.parametrize("generation", m2_files.GENERATIONS)
def test_sound_models_of_all_generations(tmp_path: Path, generation: m2_files.VersionTraits) -> None:
    path = tmp_path / "Made.m2"
    lookup = {"sequence_lookup": []}
    path.write_bytes(m2_files.model(generation, **lookup))
    (tmp_path / "Made00.skin").write_bytes(m2_files.skin())
    assert told(path, "m2", "bytes/unclaimed") == ()


def test_bones_in_a_file_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model_file(m2_files.chunk("SKID", m2_files.numbers(7))))
    (tmp_path / "Made.skel").write_bytes(m2_files.skeleton_file())
    (tmp_path / "Made00.skin").write_bytes(m2_files.skin())
    files = files_of(path)
    assert files is not None and len(files.table("bones")) == 4 and len(files.sequences) == 4
    assert files.place("bones", 1) == (str(tmp_path / "Made.skel"), None)
    assert files.rig_path == str(tmp_path / "Made.skel")
    assert files.place("vertices", 0)[0] == str(path)
    assert told(path, "m2/number", "m2/overlap", "m2/view", "m2/alias") == ()


def test_a_model_without_vertices_and_with_bones_in_another_file(tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model_file(m2_files.chunk("SKID", m2_files.numbers(7)), vertices=[]))
    (tmp_path / "Made.skel").write_bytes(m2_files.skeleton_file())
    (tmp_path / "Made00.skin").write_bytes(m2_files.skin())
    files = files_of(path)
    assert files is not None and "weights" in (files.table("vertices").dtype.names or ())
    assert len(told(path, "m2/view")) == 1 and told(path, "m2/view-bones") == ()


def test_the_blocks_are_those_of_the_checked_file(tmp_path: Path) -> None:
    path = write_model(tmp_path)
    names = {
        "Made.m2": ["Made.m2", "Made00.skin", KEY_FILE],
        "Made00.skin": ["Made00.skin"],
        KEY_FILE: [KEY_FILE],
    }
    for name, expected in names.items():
        files = files_of(path.with_name(name))
        assert files is not None and [Path(block.path).name for block in files.blocks] == expected


def test_a_part_without_a_model_is_not_understood(tmp_path: Path) -> None:
    write_model(tmp_path).unlink()
    for name in ("Made00.skin", KEY_FILE):
        assert files_of(tmp_path / name) is None
        assert [each.rule for each in told(tmp_path / name, "m2", "bytes")] == ["m2/unused-file"]


def test_a_file_of_keys_that_no_sequence_has(tmp_path: Path) -> None:
    path = write_model(tmp_path).with_name("Made0061-00.anim")
    path.write_bytes(KEYS)
    (found,) = told(path, "m2")
    assert found.rule == "m2/unused-file" and "no sequence 61, variation 0" in found.text


@pytest.mark.parametrize("name", ["Made.m2", "Made00.skin", KEY_FILE])
def test_bytes_that_no_reference_leads_to(tmp_path: Path, name: str) -> None:
    write_model(tmp_path)
    path = tmp_path / name
    data = path.read_bytes()
    path.write_bytes(data + bytes(20))
    assert told(path, "bytes") == ()
    path.write_bytes(data + b"more bytes")
    for checked in {path, tmp_path / "Made.m2"}:
        (found,) = told(checked, "bytes")
        assert (found.rule, found.text) == ("bytes/unclaimed", "10 bytes belong to no field")
        assert (found.file, found.offset) == (str(path), len(data))


def test_gaps_are_found_without_the_tree(tmp_path: Path) -> None:
    path = write_model(tmp_path)
    path.write_bytes(path.read_bytes() + b"more")
    files = files_of(path)
    assert files is not None
    *padding, last = files.blocks[0].gaps
    assert padding and not any(any(files.data[at : at + size]) for at, size in padding)
    assert last[0] + last[1] == len(files.data)


def test_an_empty_range_divides_no_gap() -> None:
    begins, ends = np.array((20, 30, 40)), np.array((30, 30, 40))
    rest = (np.zeros(3, np.int64) for _ in range(5))
    block = M2Block("a.m2", bytes(100), (0, 100), 20, ["bones"], Ranges(begins, ends, *rest))
    assert block.gaps == [(30, 70)]


def test_ranges_are_named_by_what_refers_to_them(tmp_path: Path) -> None:
    files = files_of(write_model(tmp_path))
    assert files is not None
    block = files.blocks[0]
    names = {block.name(index) for index in range(len(block.ranges.begins))}
    assert {"name", "bones", "bones[2].rotation.times", "bones[2].rotation.times[0]"} <= names


def test_bytes_in_several_places_are_told_together(tmp_path: Path) -> None:
    path = write_model(tmp_path)
    data = bytearray(path.read_bytes())
    files = files_of(path)
    assert files is not None
    first, second = (at for at, _ in files.blocks[0].gaps[:2])
    data[first] = data[second] = 1
    path.write_bytes(data)
    (found,) = told(path, "bytes/unclaimed")
    assert " in 2 places " in found.text and found.offset == first
    assert [item.number for item in found.items] == [first, second]
