"""Whatever is done to a file: a document or a FormatError, in bounded time and memory."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from rigscope_iqm.layout import ANIM, EXTENSION, JOINT, MESH, POSE, VERTEX_ARRAY
from rigscope_iqm.load import load_iqm

from tests.damage import SCALE, allowed, check, damaged, open_bytes, peak
from tests.opened import opened_file
from tests.plugin_iqm.samples import alone, data, patched
from viewer.binary import cursor
from viewer.family.gate import pass_gate
from viewer.scene.document import Document

SEEDS = {"whole.iqm": data(), "animations.iqm": alone(), "plain.iqm": data(joints=(), clips=(), bounds=())}
HEADER = 124


def looked_at(document: Document | None, size: int) -> None:
    """Look at all that a document has."""
    if document is not None:
        check(document, size)
        for clip in document.animations:
            for track in clip.tracks:
                assert np.isfinite(track.values).all() and len(track.times) == len(track.values)


@given(damaged(SEEDS, HEADER))
@settings(max_examples=300)
def test_damage_gives_a_document_or_a_format_error(case: tuple[str, bytes]) -> None:
    name, content = case
    looked_at(open_bytes(name, content), len(content))


def loaded(content: bytes) -> Document:
    document = load_iqm(opened_file(Path("/nowhere/at/all/x.iqm"), content))
    pass_gate(document, strict=True)
    return document


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_every_cut_is_survived(name: str) -> None:
    content = SEEDS[name]
    for length in range(16, len(content), 1 if len(content) < 1000 else 7):
        document = loaded(content[:length])
        assert document.root.size == length and document.report.count


@pytest.mark.parametrize("value", [0, 1, 3, 124, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])
def test_every_number_of_the_header_may_be_wrong(value: int) -> None:
    for at in range(16, HEADER, 4):
        looked_at(loaded(patched(SEEDS["whole.iqm"], at, value)), len(SEEDS["whole.iqm"]))


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of objects that any file may have, divided by `SCALE`."""
    monkeypatch.setattr(cursor, "FREE_RECORDS", cursor.FREE_RECORDS // SCALE)


MILLION = 1_000_000 // SCALE


def hostile(rows: int, dtype: np.dtype, name: str, **more: int) -> bytes:
    """A file with many rows of one table, all zeros."""
    content = bytes(HEADER + 4 + rows * dtype.itemsize)
    header = SEEDS["whole.iqm"][:16] + struct.pack("<I", 2) + bytes(HEADER - 20)
    content = header + content[HEADER:]
    for field, value in ({f"num_{name}": rows, f"ofs_{name}": HEADER + 4} | more).items():
        content = patched(content, field, value)
    return content


ROWS = MILLION // 4
ONE = {"num_text": 1, "ofs_text": HEADER}
HOSTILE = {
    "many meshes": hostile(ROWS, MESH, "meshes", **ONE),
    "many vertex arrays of one vertex": hostile(ROWS, VERTEX_ARRAY, "vertexarrays", num_vertexes=1),
    "many joints": hostile(ROWS, JOINT, "joints", **ONE),
    "many poses and clips": hostile(
        ROWS, POSE, "poses", num_anims=ROWS, ofs_anims=HEADER, num_frames=0xFFFFFFFF, **ONE
    ),
    "many clips": hostile(ROWS, ANIM, "anims", num_poses=1, ofs_poses=HEADER),
    "frames without bytes": hostile(1, ANIM, "anims", num_poses=1, ofs_poses=16, num_frames=0xFFFFFFFF),
    "many extensions": hostile(ROWS, EXTENSION, "extensions"),
    "counts past the end": SEEDS["whole.iqm"][:20] + b"\xff" * 104,
}


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("case", sorted(HOSTILE))
def test_memory_stays_in_proportion(case: str) -> None:
    content = HOSTILE[case]
    assert peak(lambda: [len(clip.tracks) for clip in loaded(content).animations]) < allowed(content)
