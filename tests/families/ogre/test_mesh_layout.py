"""Mesh files packed by hand from the facts, and what our writer makes of them."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from tests.ogre_files import POSITIONS, TRIANGLES, rich_mesh
from viewer.binary import Cursor, Struct, unexplained
from viewer.families.ogre.extras_layout import EXTREMES
from viewer.families.ogre.geometry_layout import COORDINATES, DATA, GEOMETRY, VERTEX_BUFFER
from viewer.families.ogre.mesh_layout import (
    BOUNDS,
    EDGE_GROUP,
    EDGE_LIST,
    EDGE_LISTS,
    MESH,
    MESH_FILE,
    SUBMESH,
)
from viewer.families.ogre.versions import MeshVersion


def chunk(id: int, body: bytes, order: str = "<", length: int = 0) -> bytes:
    return struct.pack(f"{order}HI", id, length or len(body) + 6) + body


def read(data: bytes, order: str = "<") -> Struct:
    return MESH_FILE.read(Cursor(data, order=order))  # type: ignore[arg-type]


FIRST = (
    b"\x00\x10[MeshSerializer_v1.00]\n"
    + struct.pack("<HI", 0x3000, 0)
    + struct.pack("<HI", 0x4000, 0)
    + b"skin\n\x00"
    + struct.pack("<H", 1)
    + struct.pack("<3H", 0, 2, 1)
    + struct.pack("<HI", 0x5000, 0)
    + struct.pack("<H", 3)
    + struct.pack("<9f", *range(9))
    + chunk(0x5100, struct.pack("<9f", *(0, 0, 1) * 3))
    + chunk(0x5300, struct.pack("<H6f", 2, 0, 0, 0.5, 0.25, 1, 1))
)
"""v1.00 has no bool in the mesh, u16 vertex and face counts, and no flag for wide indices."""


def test_the_first_version_is_read_to_its_last_byte() -> None:
    record = read(FIRST)
    submesh = record.chunks.first(MESH).chunks.first(SUBMESH)
    assert submesh.material == "skin"
    assert submesh.indices.tolist() == [0, 2, 1]
    geometry = submesh.own.first(GEOMETRY)
    assert geometry.positions.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert geometry.chunks.first(COORDINATES).values[1].tolist() == [0.5, 0.25]
    assert record.marks[-1] == len(FIRST)
    assert unexplained(record.span()) == 0


def by_hand(order: str) -> bytes:
    def pack(code: str, *values: float) -> bytes:
        return struct.pack(order + code, *values)

    declaration = b"".join(
        chunk(0x5110, pack("5H", *element), order) for element in ((0, 2, 1, 0, 0), (0, 9, 3, 12, 0))
    )
    vertices = b"".join(pack("3f", *position) + bytes((1, 2, 3, 4)) for position in POSITIONS)
    buffer = pack("2H", 0, 16) + chunk(0x5210, vertices, order)
    geometry = pack("I", 4) + chunk(0x5100, declaration, order) + chunk(0x5200, buffer, order)
    submesh = b"stone\n\0" + pack("I", 6) + b"\0" + pack("6H", *TRIANGLES) + chunk(0x5000, geometry, order)
    mesh = b"\0" + chunk(0x4000, submesh, order)
    return pack("H", 0x1000) + b"[MeshSerializer_v1.100]\n" + chunk(0x3000, mesh, order)


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_declared_geometry_in_either_byte_order(order: str) -> None:
    record = read(by_hand(order), order)
    geometry = record.chunks.first(MESH).chunks.first(SUBMESH).own.first(GEOMETRY)
    vertices = geometry.chunks.first(VERTEX_BUFFER).chunks.first(DATA).vertices
    assert vertices["position"].tolist() == POSITIONS.tolist()
    assert vertices["joints"][0].tolist() == [1, 2, 3, 4]
    assert vertices.dtype.itemsize == 16


def test_a_data_chunk_that_declares_twice_its_bytes_is_read_by_count() -> None:
    data = bytearray(by_hand("<"))
    at = data.index(struct.pack("<H", 0x5210))
    struct.pack_into("<I", data, at + 2, 6 + 128)
    assert read(bytes(data)).marks[-1] == len(data)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("version", list(MeshVersion))
def test_what_is_written_is_read_and_written_again(version: MeshVersion, order: str) -> None:
    data = rich_mesh(version, order)  # type: ignore[arg-type]
    cursor = Cursor(data, order=order)  # type: ignore[arg-type]
    record = MESH_FILE.read(cursor)
    assert cursor.left == 0
    assert not cursor.remarks
    assert unexplained(record.span()) == 0
    assert MESH_FILE.pack(record, order) == data  # type: ignore[arg-type]


def test_the_indices_are_wide_where_the_flag_says_so() -> None:
    body = b"m\n\x01" + struct.pack("<I", 3) + b"\x01" + np.arange(3, dtype="<u4").tobytes()
    data = b"\x00\x10[MeshSerializer_v1.8]\n" + chunk(0x3000, b"\0" + chunk(0x4000, body))
    (submesh,) = read(data).chunks.first(MESH).chunks.all(SUBMESH)
    assert submesh.indices.dtype.itemsize == 4


@pytest.mark.parametrize("version", ["1.30", "1.40", "1.100"])
def test_edge_lists_are_read_by_their_fields(version: str) -> None:
    closed = b"" if version == "1.30" else b"\1"
    stretch = b"" if version == "1.30" else struct.pack("<2I", 0, 1)
    triangle = struct.pack("<8I4f", 0, 0, 0, 1, 2, 0, 1, 2, 0, 0, 1, 0)
    edge = struct.pack("<6I", 0, 0, 0, 1, 0, 1) + b"\1"
    group = chunk(0xB110, struct.pack("<I", 0) + stretch + struct.pack("<I", 2) + edge * 2)
    own = chunk(0xB100, b"\0\0\0" + closed + struct.pack("<2I", 1, 1) + triangle + group)
    manual = chunk(0xB100, b"\1\0\1")
    mesh = b"\0" + chunk(0xB000, own + manual, length=9) + chunk(0x9000, bytes(28))
    record = read(b"\x00\x10[MeshSerializer_v" + version.encode() + b"]\n" + chunk(0x3000, mesh))
    chunks = record.chunks.first(MESH).chunks
    first, second = chunks.first(EDGE_LISTS).chunks.all(EDGE_LIST)
    assert first.triangles["vertices"].tolist() == [[0, 1, 2]]
    assert first.chunks.first(EDGE_GROUP).edges["degenerate"].tolist() == [1, 1]
    assert second.manual and second.get("triangles") is None
    assert chunks.first(BOUNDS) is not None, "a wrong length leads nobody astray"
    assert unexplained(record.span()) == 0


@pytest.mark.parametrize("count", [0, 2])
def test_extremes_have_as_many_points_as_their_length_says(count: int) -> None:
    points = [[float(number), 1.0, 2.0] for number in range(count)]
    packed = chunk(0xE000, struct.pack("<H", 3) + np.array(points, "<f4").tobytes())
    cursor = Cursor(packed)
    extremes = EXTREMES.read(cursor, Struct())
    assert not cursor.remarks
    assert extremes.submesh == 3 and extremes.points.reshape(-1, 3).tolist() == points
    assert EXTREMES.pack(extremes) == packed
