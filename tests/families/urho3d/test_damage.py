"""Whatever is done to a file: a document or a FormatError, in bounded time and memory."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.damage import SCALE, allowed, check, damaged, open_bytes, peak
from tests.opened import opened_file
from tests.synthetic import animation_bytes, model_bytes
from viewer.families.urho3d.load import load_animation, load_model

SEEDS = {
    "UMD2.mdl": model_bytes(),
    "UMD3.mdl": model_bytes("UMD3"),
    "UANI.ani": animation_bytes(),
    "UAN2.ani": animation_bytes(magic="UAN2", version=2, variant_tracks=[]),
}


@given(damaged(SEEDS))
@settings(max_examples=300)
def test_damage_gives_a_document_or_a_format_error(case: tuple[str, bytes]) -> None:
    name, data = case
    document = open_bytes(name, data)
    if document is None:
        return
    check(document, len(data))


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_every_cut_is_survived(name: str) -> None:
    data = SEEDS[name]
    load = load_model if name.endswith("mdl") else load_animation
    for length in range(4, len(data)):
        document = load(opened_file(Path("/nowhere/at/all") / name, data[:length]))
        assert document.root.size == length


U32 = struct.Struct("<I").pack
MILLION = 1_000_000 // SCALE
HOSTILE = {
    "a million tiny geometries": ("x.mdl", b"UMD2" + U32(0) * 2 + U32(MILLION) + bytes(8 * MILLION)),
    "a million tiny bone maps": (
        "x.mdl",
        b"UMD2" + U32(0) * 2 + U32(1) + U32(2 * MILLION) + bytes(8 * MILLION),
    ),
    "a million morphs": ("x.mdl", b"UMD2" + U32(0) * 3 + U32(MILLION) + bytes(8 * MILLION)),
    "a morph of a million targets": (
        "x.mdl",
        b"UMD2" + U32(0) * 3 + U32(1) + b"m\0" + U32(MILLION // 2) + bytes(8 * MILLION),
    ),
    "a million tracks": ("x.ani", b"UANI\0" + bytes(4) + U32(MILLION) + bytes(8 * MILLION)),
    "a million vertex elements": ("x.mdl", b"UMD2" + U32(1) + U32(0) + U32(MILLION) + bytes(4 * MILLION)),
    "counts past the end": ("x.mdl", b"UMD2" + b"\xff" * 64),
    "vertices of no size": ("x.mdl", b"UMD2" + U32(1) + U32(0xFFFFFFFF) + U32(0) * 3 + bytes(64)),
}


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("case", sorted(HOSTILE))
def test_memory_stays_in_proportion(case: str) -> None:
    name, data = HOSTILE[case]
    load = load_model if name.endswith("mdl") else load_animation
    assert peak(lambda: load(opened_file(Path("/nowhere/at/all") / name, data))) < allowed(data)
