"""Whatever is done to a file: a document or a FormatError, in bounded time and memory."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests import ogre_next_files
from tests.damage import SCALE, allowed, check, damaged, open_bytes, peak
from tests.ogre_files import rich_mesh
from tests.ogre_skeletons import rich_skeleton
from tests.opened import opened_file
from viewer.families.ogre.load import load_mesh, load_next_mesh, load_skeleton
from viewer.families.ogre.versions import MeshVersion

SEEDS = {
    **{f"{version.name}.mesh": rich_mesh(version) for version in MeshVersion},
    "big.mesh": rich_mesh(MeshVersion.V1_100, ">"),
    "rich.skeleton": rich_skeleton(),
    "big.skeleton": rich_skeleton(">"),
    "next.mesh": ogre_next_files.rich_mesh(),
}
STEPS = {"V1_20.mesh": 11, "V1_100.mesh": 5, "rich.skeleton": 1, "next.mesh": 3}
"""Cuts a file is tried at: of the rest of the versions every thirteenth. Hypothesis cuts at all others."""
OTHERS = {"bones.skeleton": SEEDS["rich.skeleton"]}


@given(damaged(SEEDS))
@settings(max_examples=300)
def test_damage_gives_a_document_or_a_format_error(case: tuple[str, bytes]) -> None:
    name, data = case
    document = open_bytes(name, data, OTHERS)
    if document is None:
        return
    check(document, len(data), OTHERS)
    item = document.origin.item(len(data) // 2)
    place = document.origin.span(item) if item else None
    assert place is None or place.offset <= len(data) // 2 < place.end


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_cuts_are_survived(name: str) -> None:
    data = SEEDS[name]
    load = load_next_mesh if name.startswith("next") else load_mesh
    load = load if name.endswith("mesh") else load_skeleton
    for length in range(2, len(data), STEPS.get(name, 13)):
        document = load(opened_file(Path("/nowhere/at/all") / name, data[:length]))
        assert document.root.size == length


MESH = b"\x00\x10[MeshSerializer_v1.100]\n" + struct.pack("<HI", 0x3000, 0) + b"\0"
SKELETON = b"\x00\x10[Serializer_v1.80]\n"


def chunk(id: int, body: bytes) -> bytes:
    return struct.pack("<HI", id, len(body) + 6) + body


MILLION = 1_000_000 // SCALE
KEYS = MILLION // 33
HOSTILE = {
    "counts past the end": ("x.mesh", MESH + chunk(0x5000, b"\xff" * 64)),
    "submeshes without end": (
        "x.mesh",
        MESH + chunk(0x4000, b"\n\1" + struct.pack("<I", 0) + b"\0") * (MILLION // 12),
    ),
    "empty tracks without end": (
        "x.skeleton",
        SKELETON + chunk(0x4000, b"a\n" + bytes(4) + chunk(0x4100, bytes(2)) * (MILLION // 8)),
    ),
    "runs of one key each": (
        "x.skeleton",
        SKELETON
        + chunk(
            0x4000,
            b"a\n"
            + bytes(4)
            + chunk(0x4100, bytes(2) + (chunk(0x4110, bytes(32)) + chunk(0x4110, bytes(44))) * KEYS),
        ),
    ),
    "unknown chunks without end": ("x.mesh", MESH + chunk(0x7777, b"") * MILLION),
    "bones without end": (
        "x.skeleton",
        SKELETON + (struct.pack("<HI", 0x2000, 36) + b"b\n" + bytes(30)) * (MILLION // 14),
    ),
    "bone assignments of vertices that are not there": (
        "x.mesh",
        MESH + chunk(0x5000, struct.pack("<I", 0xFFFFFFF0)) + chunk(0x7000, struct.pack("<IHf", 7, 0, 1.0)),
    ),
    "morph keys of vertices that are not there": (
        "x.mesh",
        MESH
        + chunk(0x5000, struct.pack("<I", 0xFFFFFFFF))
        + chunk(
            0xD000,
            chunk(
                0xD100, b"a\n" + bytes(4) + chunk(0xD110, struct.pack("<2H", 1, 0) + chunk(0xD111, bytes(5)))
            ),
        ),
    ),
}


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("case", sorted(HOSTILE))
def test_memory_stays_in_proportion(case: str) -> None:
    name, data = HOSTILE[case]
    load = load_next_mesh if name.startswith("next") else load_mesh
    load = load if name.endswith("mesh") else load_skeleton
    assert peak(lambda: load(opened_file(Path("/nowhere/at/all") / name, data))) < allowed(data)
