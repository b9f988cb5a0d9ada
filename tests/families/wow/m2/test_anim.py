"""Lone `.anim` files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import m2_files
from viewer.binary import unexplained
from viewer.families.wow.m2.layout.writer import WrittenTrack
from viewer.scene.animation import Animation
from viewer.session.state import State
from viewer.storage.documents import open_document

TIMES, PLACES = np.array([0, 1000], "<u4").tobytes(), np.array([(0, 0, 0), (0, 4, 0)], "<f4").tobytes()
KEYS = TIMES + PLACES
"""What the first bone's translation has in the file: times at 0, values at 8."""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The small model, whose fourth sequence lies outside; the first bone's tracks point there."""
    bones = m2_files.bones(m2_files.WRATH)
    rows = [[0], [0], [0], [0, 1000]]
    places = [[(0, 0, 0)], [(2, 0, 0)], [(0, 0, 0)], [(0, 0, 0), (0, 4, 0)]]
    bones[0]["translation"] = WrittenTrack(rows, places)
    data = bytearray(m2_files.model(m2_files.WRATH, bones=bones))
    path = tmp_path / "Made.m2"
    path.write_bytes(data)
    (tmp_path / "Made00.skin").write_bytes(m2_files.skin())
    _point(path, data)
    return path


def _point(path: Path, data: bytearray) -> None:
    """Let the fourth row of the track lead to the start of the .anim."""
    root = open_document(path).root
    track = root.child("bones").children[0].child("translation")
    for name, place in (("times", 0), ("values", len(TIMES))):
        target = track.child(name).target
        assert target is not None
        at = target + 3 * 8 + 4
        data[at : at + 4] = place.to_bytes(4, "little")
    path.write_bytes(data)


def lone(model: Path, name: str, data: bytes = KEYS) -> Any:
    path = model.with_name(name)
    path.write_bytes(data)
    return open_document(path)


def test_its_bytes_are_explained_by_the_model_beside_it(model: Path) -> None:
    document = lone(model, "Made0060-00.anim")
    assert (document.format, document.version) == ("WoW M2 keys", "plain")
    assert document.report.errors == [] and unexplained(document.root) == 0
    (bundle,) = document.root.children
    assert [span.name for span in bundle.children] == [
        "bones[0].translation.times[3]",
        "bones[0].translation.values[3]",
    ]


def test_it_is_the_sequence_and_plays_on_its_model(model: Path) -> None:
    document = lone(model, "Made0060-00.anim")
    assert isinstance(document.content, Animation)
    assert document.content.name == "EmoteTalk"
    state = State()
    state.put(open_document(model))
    state.put(document)
    assert [each.name for each in state.playback.animations].count("EmoteTalk") == 1
    state.playback.choose(state.playback.animation("Made0060-00.anim"))
    pose = state.snapshot().pose(0.5)
    assert pose is not None
    assert pose.skin[0][1, 3] == pytest.approx(2)


def test_in_a_chunk_it_is_the_same(model: Path) -> None:
    document = lone(model, "Made0060-00.anim", b"AFM2" + len(KEYS).to_bytes(4, "little") + KEYS)
    assert document.version == "AFM2"
    assert unexplained(document.root) == 0
    track = document.content.tracks[0]
    assert track.values[1].tolist() == [0, 4, 0]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Other0060-00.anim", "Other.m2 is missing beside the file"),
        ("Walking.anim", "is unknown: rename the file"),
        ("Made0061-00.anim", "no sequence 61"),
        ("Made0000-00.anim", "no sequence 0"),
    ],
)
def test_what_it_is_cannot_be_known_otherwise_and_that_is_said(model: Path, name: str, said: str) -> None:
    document = lone(model, name)
    assert document.content is None
    assert any(said in text for text in document.report.warnings)
    assert unexplained(document.root) == len(KEYS)


def test_keys_beyond_the_end_are_left_out(model: Path) -> None:
    document = lone(model, "Made0060-00.anim", KEYS[:10])
    assert isinstance(document.content, Animation)
    assert document.root.size == 10
    assert document.content.tracks is not None


def test_a_broken_model_beside_it_is_told(model: Path) -> None:
    model.write_bytes(b"MD20")
    document = lone(model, "Made0060-00.anim")
    assert document.content is None and not document.report.complete


def test_an_empty_file_is_one(model: Path) -> None:
    assert lone(model, "Made0060-00.anim", b"").root.size == 0
