"""Whatever is done to a model: a document or a FormatError, in bounded time and memory."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from tests import m2_files
from tests.damage import SCALE, allowed, check, damaged, open_bytes, peak
from tests.m2_files import CLASSIC, CRUSADE, WRATH, model_file, skeleton_file
from tests.opened import opened_file
from viewer.animation.pose import Layer, pose
from viewer.arrays import damaged_numbers
from viewer.budget import BUDGET
from viewer.families.wow.m2.clips import tracks
from viewer.families.wow.m2.effects import curves
from viewer.families.wow.m2.layout.fields import TrackField
from viewer.families.wow.m2.layout.particles import PARTICLE
from viewer.families.wow.m2.layout.writer import WrittenTrack
from viewer.families.wow.m2.load import load_model
from viewer.scene.document import Document
from viewer.scene.material import ClipTime

SKIN = m2_files.skin()
CHUNKED = m2_files.model(WRATH)
SEEDS = {
    "classic.m2": m2_files.model(CLASSIC),
    "crusade.m2": m2_files.model(CRUSADE),
    "wrath.m2": m2_files.model(WRATH),
    "chunked.m2": b"MD21" + len(CHUNKED).to_bytes(4, "little") + CHUNKED + b"TXID\4\0\0\0\1\0\0\0",
    "wrath00.skin": SKIN,
    "made.skel": skeleton_file(),
    "wrath0060-00.anim": bytes(256),
    "rigged.m2": model_file(b"SKID\4\0\0\0\1\0\0\0"),
}
OTHERS = {"wrath00.skin": SKIN, "wrath.m2": CHUNKED, "rigged.skel": SEEDS["made.skel"]}


@given(damaged(SEEDS, header=0x150))
@settings(max_examples=300)
def test_damage_gives_a_document_or_a_format_error(case: tuple[str, bytes]) -> None:
    name, data = case
    document = open_bytes(name, data, OTHERS)
    if document is None:
        return
    check(document, len(data), OTHERS)
    play(document)


@damaged_numbers()
def play(document: Document) -> None:
    """Pose every sequence, as somebody would who looks at the file."""
    if document.model is None or document.model.skeleton is None:
        return
    for animation in document.animations:
        assert len(animation.events) >= 0
        pose(document.model.skeleton, [Layer(animation, 0.3)], np.eye(3))
        for camera in document.model.cameras:
            assert np.isfinite(camera.at(ClipTime(0.3, animation, 0.3)).position).all()


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_every_cut_is_survived(name: str) -> None:
    data = SEEDS[name]
    for length in range(8, len(data), 11):
        document = open_bytes(name, data[:length], OTHERS)
        assert document is not None
        assert document.root.size == length


def test_a_mesh_survives_the_loss_of_everything_behind_it() -> None:
    header = bytearray(SEEDS["classic.m2"])
    for at in range(0x104, 0x144, 8):
        header[at : at + 8] = struct.pack("<II", 3, 0xFFFFFF00)
    document = open_bytes("classic.m2", bytes(header), OTHERS)
    assert document is not None and document.model is not None
    assert len(document.model.geometries) == 2
    (error,) = (each for each in document.report.errors if each.path == "attachments")
    assert all(each in error.why for each in ("attachments", "lights", "particles"))


def open_and_play(data: bytes) -> None:
    document = load_model(opened_file(Path("/nowhere/at/all/x.m2"), data))
    for animation in document.animations[:1]:
        assert animation.keyframes >= 0


def hostile(at: int, stride: int) -> bytes:
    """A model that is one table of as many records as there is room for, all of them alike."""
    data = bytearray(m2_files.model(CLASSIC))
    begin = len(data)
    data += np.resize(np.frombuffer(bytes(data[:64]), np.uint8), 4_000_000 // SCALE).tobytes()
    data[at : at + 8] = struct.pack("<II", (len(data) - begin) // stride, begin)
    return bytes(data)


HOSTILE = {
    "sequences": hostile(0x1C, 68),
    "bones": hostile(0x34, 108),
    "views": hostile(0x4C, 44),
    "textures": hostile(0x5C, 16),
    "materials": hostile(0x84, 4),
    "events": hostile(0x114, 44),
    "particles": hostile(0x13C, 504),
}


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("case", sorted(HOSTILE))
def test_memory_stays_in_proportion(case: str) -> None:
    data = HOSTILE[case]
    assert peak(lambda: open_and_play(data)) < allowed(data)


def shared_events(size: int) -> bytes:
    """A model whose events all happen at all times that the file has."""
    events = [{"id": b"$HIT", "fired": WrittenTrack([0])} for _ in range(1000)]
    data = m2_files.model(CLASSIC, events=events)
    data += bytes(max(size - len(data), 0))
    begin, stride = struct.unpack_from("<I", data, 0x118)[0], 44
    shared = bytearray(data)
    for at in range(begin + stride - 8, begin + 1000 * stride, stride):
        struct.pack_into("<II", shared, at, len(data) // 4, 0)
    return bytes(shared)


def shared_keys(sequences: int, bones: int) -> bytes:
    """A model all of whose tracks have the same hundred keys in every sequence."""
    track = WrittenTrack(np.arange(100), np.zeros((100, 4)))
    rows = [{"parent": -1}] * bones
    clips = [{"start": 0, "end": 1000}] * sequences
    kinds = ("events", "attachments", "lights", "cameras", "particles", "ribbons")
    changes = dict.fromkeys(kinds, ()) | {"transforms": [{"rotation": track}]}
    data = bytearray(m2_files.model(CLASSIC, sequences=clips, bones=rows, **changes))
    turn = struct.unpack_from("<I", data, 0x78)[0] + 28
    stored, begin = data[turn : turn + 28], struct.unpack_from("<I", data, 0x38)[0]
    for bone in range(begin, begin + 108 * bones, 108):
        for track_at in (bone + 12, bone + 40, bone + 68):
            data[track_at : track_at + 28] = stored
    return bytes(data)


def test_events_that_share_their_times_stay_in_proportion() -> None:
    data = shared_events(47_000)

    def work() -> None:
        document = load_model(opened_file(Path("/nowhere/at/all/x.m2"), data))
        assert sum(len(each.events) for each in document.animations) <= BUDGET.events
        assert "events declared" in document.report.errors[0].why

    work()
    assert peak(work) < allowed(data)


def test_keys_that_all_tracks_share_stay_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.families.wow.m2.clips.clip_keys.KEPT", (16 << 20) // SCALE)
    monkeypatch.setattr("viewer.animation.rig.KEPT", (24 << 20) // SCALE)
    data = shared_keys(40, 20)

    def work() -> None:
        document = load_model(opened_file(Path("/nowhere/at/all/x.m2"), data))
        assert [each.keyframes for each in document.animations] == [100 * 3 * 20] * 40
        assert sum(len(each.tracks) for each in document.animations) == 40 * 3 * 20
        play(document)

    open_and_play(shared_keys(1, 1))
    assert peak(work) < allowed(data)


def test_sequences_are_limited_by_the_number_of_bones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.families.wow.m2.clips.sequences.BUDGET", replace(BUDGET, sequence_pairs=62))
    document = load_model(opened_file(Path("/nowhere/at/all/x.m2"), shared_keys(4, 20)))
    (error,) = document.report.errors
    assert (len(document.animations), error.path) == (3, "sequences")
    assert error.why == "4 sequences of 20 bones, at most 3 are read"


def test_lights_that_share_their_keys_stay_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracks, "SHARED_BYTES", tracks.SHARED_BYTES // SCALE)
    times, count = np.arange(400), 500
    fields = ("ambient", "ambient_intensity", "diffuse", "diffuse_intensity", "attenuation_start")
    shared = {name: WrittenTrack(times, np.ones((400, 3))) for name in fields[::2]}
    shared |= {name: WrittenTrack(times, np.ones(400)) for name in fields[1::2]}
    data = alike(m2_files.model(CLASSIC, lights=[shared, *[{}] * count]), 0x120, 212)
    open_and_play(m2_files.model(CLASSIC))
    assert peak(lambda: open_and_play(data)) < allowed(data)


def test_batches_that_share_a_track_stay_in_proportion() -> None:
    keys, count = 4000, 100
    colored = WrittenTrack(np.arange(keys), np.ones((keys, 3)))
    shown = m2_files.view()
    batch = shown["batches"][0] | {"color": 0}
    shown["batches"] = [batch | {"transparency": number} for number in range(count)]
    data = m2_files.model(
        CLASSIC,
        views=[shown],
        colors=[{"rgb": colored}],
        transparency=[{"weight": WrittenTrack([0], [1])}] * count,
        transparency_lookup=list(range(count)),
    )
    open_and_play(m2_files.model(CLASSIC))
    assert peak(lambda: open_and_play(data)) < allowed(data)


def alike(data: bytes, table: int, stride: int) -> bytes:
    """The file with the first record of a table in place of all others."""
    made = bytearray(data)
    count, begin = struct.unpack_from("<II", data, table - 4)
    for at in range(begin + stride, begin + count * stride, stride):
        made[at : at + stride] = made[begin : begin + stride]
    return bytes(made)


@pytest.mark.usefixtures("small_limits")
def test_emitters_that_share_their_keys_stay_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracks, "SHARED_BYTES", tracks.SHARED_BYTES // SCALE)
    monkeypatch.setattr(curves, "ROWS_AT_ONCE", curves.ROWS_AT_ONCE // SCALE)
    constant = WrittenTrack(np.arange(12), np.ones(12))
    count, names = 8192 // SCALE, [part.name for part in PARTICLE.fields if isinstance(part, TrackField)]
    emitters = [dict.fromkeys(names, constant), *[{}] * (count - 1)]
    data = alike(m2_files.model(CLASSIC, particles=emitters), 0x140, 504)

    def work() -> None:
        document = load_model(opened_file(Path("/nowhere/at/all/x.m2"), data))
        assert document.model is not None
        first = document.model.emitters[0].curves(document.animations[0])
        last = document.model.emitters[-1].curves(document.animations[0])
        assert [len(each) for each in (document.model.emitters, first, last)] == [count, 11, 11]

    open_and_play(m2_files.model(CLASSIC))
    assert peak(work) < allowed(data)
