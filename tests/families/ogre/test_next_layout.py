"""Meshes of OGRE-Next packed by hand from the facts, and what our writer makes of them."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import SHARED
from tests.ogre_files import model_of, opened
from tests.ogre_next_files import array, bounds, distances, geometry, mesh_bytes, rich_mesh, square, submesh
from viewer.binary import Cursor, Struct, read_layout, unexplained
from viewer.families.ogre.next.layout import BUFFER, GEOMETRY, LEVELS, MESH, MESH_FILE, SUBMESH, VERTEX_ARRAY
from viewer.families.ogre.versions import NEXT_R0, NEXT_R1, byte_order

CORPUS = SHARED / "corpus" / "ogre" / "v2"
REAL = sorted(str(path.relative_to(CORPUS)) for path in CORPUS.rglob("*.mesh"))


def chunk(id: int, body: bytes, length: int = 0) -> bytes:
    return struct.pack("<HI", id, length or len(body) + 6) + body


DECLARED = chunk(0x4331, bytes((2, 36, 1, 35, 7)))
VERTICES = np.array([(0, 0, 0, 1, 0, 0), (1, 0, 0, 1, 1, 0), (0, 1, 0, 1, 0, 1)], "<f2").tobytes()
STORED = chunk(0x4332, bytes((0, 12)) + VERTICES)
TRIANGLE = chunk(
    0x4300,
    struct.pack("<IB3H", 3, 0, 0, 1, 2) + chunk(0x4330, struct.pack("<IB", 3, 1) + DECLARED + STORED),
)
BY_HAND = b"\x00\x10[MeshSerializer_v2.1 R2]\n" + chunk(
    0x3000,
    b"distance_sphere\n\x01"
    + chunk(0x4000, b"skin\n" + struct.pack("<BHHB", 2, 4, 9, 1) + TRIANGLE)
    + chunk(0x9000, struct.pack("<7f", 1, 2, 3, 4, 5, 6, 7))
    + chunk(0xA000, b"")
    + chunk(0x3200, bytes(16)),
)
"""Half floats for positions and texture coordinates, a bone map with two bones."""


def read(data: bytes) -> Struct:
    return MESH_FILE.read(Cursor(data, order=byte_order(data)))


def test_a_file_packed_by_hand_is_read_to_its_last_byte() -> None:
    record = read(BY_HAND)
    submesh = record.chunks.first(MESH).chunks.first(SUBMESH)
    assert (submesh.material, submesh.bone_map.tolist(), submesh.level_count) == ("skin", [4, 9], 1)
    array = submesh.arrays.first(VERTEX_ARRAY)
    vertices = array.chunks.first(GEOMETRY).chunks.first(BUFFER).vertices
    assert vertices["position"].tolist() == [[0, 0, 0, 1], [1, 0, 0, 1], [0, 1, 0, 1]]
    assert vertices["uv0"].tolist() == [[0, 0], [1, 0], [0, 1]]
    assert record.marks[-1] == len(BY_HAND)
    assert unexplained(record.span()) == 0


def test_a_file_packed_by_hand_is_written_again() -> None:
    assert MESH_FILE.pack(read(BY_HAND)) == BY_HAND


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("text", ["[MeshSerializer_v2.1 R2]", NEXT_R1, NEXT_R0])
def test_what_is_written_is_read_again(order: str, text: str) -> None:
    data = rich_mesh(order, text)  # type: ignore[arg-type]
    record, cursor = read_layout(MESH_FILE, data, order)  # type: ignore[arg-type]
    assert (cursor.errors, cursor.remarks) == ([], {})
    assert MESH_FILE.pack(record, order) == data  # type: ignore[arg-type]


def test_levels_without_indices_have_no_flag_for_their_size(tmp_path: Path) -> None:
    bare = mesh_bytes(submesh(array(np.empty(0, np.uint16), own=geometry())))
    assert len(bare) == len(mesh_bytes(square())) - 6 * 2 - 1
    assert model_of(opened(tmp_path, bare)).geometries[0].lods[0].indices is None


def test_a_length_without_the_distances_is_a_note(tmp_path: Path) -> None:
    data = mesh_bytes(square(), more=(distances(0, 5), bounds()))
    at, wrong = data.index(b"\x00\x30"), len(chunk(0x8000, b"distance_sphere\n" + bytes(10)))
    declared = struct.unpack_from("<I", data, at + 2)[0]
    changed = bytearray(data)
    struct.pack_into("<I", changed, at + 2, declared - wrong)
    document = opened(tmp_path, bytes(changed))
    assert document.report.complete
    assert any("mesh (chunk 0x3000) declares" in note.text for note in document.report.messages)
    record = read(bytes(changed))
    assert record.chunks.first(MESH).chunks.first(LEVELS).values.tolist() == [0, 5]
    assert MESH_FILE.pack(record) == bytes(changed)


@pytest.mark.parametrize("name", REAL)
def test_real_files_are_written_again_byte_for_byte(corpus: Path, name: str) -> None:
    data = (corpus / "ogre" / "v2" / name).read_bytes()
    record = read(data)
    assert record.marks[-1] == len(data)
    assert MESH_FILE.pack(record) == data
