"""Meshes as models: attributes of every kind, what is odd in them."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.ogre_files import (
    COORDINATES,
    NEWEST,
    NORMALS,
    POSITIONS,
    TRIANGLES,
    assigned,
    column,
    declared_geometry,
    mesh_bytes,
    model_of,
    opened,
    rich_mesh,
    simple,
    submesh,
)
from tests.ogre_skeletons import rich_skeleton
from viewer.binary import Struct, stream
from viewer.families.ogre import mesh_layout as mesh
from viewer.families.ogre.geometry_layout import DATA, GEOMETRY, VERTEX_BUFFER
from viewer.families.ogre.versions import MeshVersion
from viewer.scene.model import Primitive


@pytest.mark.parametrize(
    ("version", "v"), [(MeshVersion.V1_10, 0.0), (MeshVersion.V1_20, 1.0), (NEWEST, 1.0)]
)
def test_v_points_down(tmp_path: Path, version: MeshVersion, v: float) -> None:
    model = model_of(opened(tmp_path, rich_mesh(version)))
    assert column(model, "uv0")[0].tolist() == [0, v]
    assert column(model, "position").tolist() == POSITIONS.tolist()


def test_vertices_and_indices_are_those_of_the_file(tmp_path: Path) -> None:
    document = opened(tmp_path, rich_mesh(NEWEST))
    stored, model = np.frombuffer(document.data, np.uint8), model_of(document)
    assert all(
        np.shares_memory(buffer.data, stored) for buffer in model.vertex_buffers if buffer.element("uv0")
    )
    assert all(np.shares_memory(buffer.data, stored) for buffer in model.index_buffers)


def test_a_vertex_buffer_of_0_bytes_a_vertex_is_empty(tmp_path: Path) -> None:
    shape = declared_geometry()
    empty = Struct(bind=1, stride=0, chunks=stream((DATA, Struct(vertices=np.empty(0, np.dtype([]))))))
    shape.chunks = stream(*((piece.kind, piece.value) for piece in shape.chunks), (VERTEX_BUFFER, empty))
    whole = ((mesh.SUBMESH, submesh(shape)), (mesh.SUBMESH, submesh(declared_geometry())))
    document = opened(tmp_path, mesh_bytes(NEWEST, *whole))
    model = model_of(document)
    assert [geometry.lods[0].count for geometry in model.geometries] == [len(TRIANGLES)] * 2
    assert column(model, "position").tolist() == POSITIONS.tolist()
    assert document.report.complete


def test_a_closed_file_is_freed_at_once(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(rich_skeleton())
    document = opened(tmp_path, rich_mesh(NEWEST))
    assert document.attached and document.root.children and document.attached[0].root.children
    held = [weakref.ref(buffer.data) for buffer in model_of(document).index_buffers]
    held += [weakref.ref(animation) for animation in document.animations]
    gc.disable()
    try:
        del document
        assert [reference() for reference in held] == [None] * len(held)
    finally:
        gc.enable()


def elements(kind: int, semantic: int = 5) -> tuple[tuple[int, ...], ...]:
    """A position and one more element of a type."""
    return (0, 2, 1, 0, 0), (0, kind, semantic, 12, 0)


@pytest.mark.parametrize(("kind", "order"), [(4, (2, 1, 0, 3)), (10, (2, 1, 0, 3)), (11, (0, 1, 2, 3))])
@pytest.mark.parametrize("bytes_of", ["<", ">"])
def test_colours_come_out_as_rgba(tmp_path: Path, kind: int, order: tuple[int, ...], bytes_of: Any) -> None:
    stored = np.frombuffer(bytes((10, 20, 30, 40)), "<u4")
    shape = declared_geometry({"position": POSITIONS, "color0": np.repeat(stored, 4)}, elements(kind), 16)
    data = mesh_bytes(NEWEST, (mesh.SUBMESH, submesh(shape)), order=bytes_of)
    model = model_of(opened(tmp_path, data))
    assert column(model, "color0")[0].tolist() == [(10, 20, 30, 40)[place] for place in order]


def test_packed_normals_are_unpacked(tmp_path: Path) -> None:
    packed = np.array([511 | (-511 & 0x3FF) << 10, 256 << 20, 0, -512 & 0x3FF], np.uint32)
    shape = declared_geometry({"position": POSITIONS, "normal": packed}, elements(35, 4), 16)
    model = model_of(opened(tmp_path, mesh_bytes(NEWEST, (mesh.SUBMESH, submesh(shape)))))
    expected = [(1, -1, 0), (0, 0, 256 / 511), (0, 0, 0), (-1, 0, 0)]
    np.testing.assert_allclose(column(model, "normal"), expected, atol=1e-6)


def test_half_floats_lie_as_they_are(tmp_path: Path) -> None:
    shape = declared_geometry(
        {"position": np.append(POSITIONS, np.ones((4, 1)), axis=1)}, ((0, 39, 1, 0, 0),), 8
    )
    model = model_of(opened(tmp_path, mesh_bytes(NEWEST, (mesh.SUBMESH, submesh(shape)))))
    assert column(model, "position").dtype == np.float16
    assert column(model, "position")[:, :3].tolist() == POSITIONS.tolist()


def test_doubles_become_floats(tmp_path: Path) -> None:
    shape = declared_geometry({"position": POSITIONS}, ((0, 14, 1, 0, 0),), 24)
    model = model_of(opened(tmp_path, mesh_bytes(NEWEST, (mesh.SUBMESH, submesh(shape)))))
    assert column(model, "position").dtype == np.float32
    assert column(model, "position").tolist() == POSITIONS.tolist()


def test_stored_blend_elements_are_not_taken(tmp_path: Path) -> None:
    columns = {"position": POSITIONS, "joints": np.full((4, 4), 9)}
    shape = declared_geometry(columns, ((0, 2, 1, 0, 0), (0, 9, 3, 12, 0)), 16)
    model = model_of(opened(tmp_path, mesh_bytes(NEWEST, (mesh.SUBMESH, submesh(shape, assigned())))))
    assert column(model, "joints")[:, 0].tolist() == [0, 0, 1, 1]
    assert column(model, "stored joints")[0].tolist() == [9, 9, 9, 9]


def test_submeshes_share_geometry_and_its_bones(tmp_path: Path) -> None:
    shared = (mesh.SUBMESH, submesh(None))
    parts = ((GEOMETRY, declared_geometry()), shared, shared, assigned(mesh.SHARED_ASSIGNMENTS))
    model = model_of(opened(tmp_path, mesh_bytes(NEWEST, *parts)))
    first, second = model.geometries
    assert first.lods[0].streams == second.lods[0].streams
    assert first.bone_map is not None and second.bone_map is not None


def test_a_mesh_without_indices_draws_its_vertices(tmp_path: Path) -> None:
    points = (mesh.OPERATION, Struct(operation=1))
    empty = submesh(declared_geometry(), points, indices=TRIANGLES[:0])
    (lod,) = model_of(opened(tmp_path, mesh_bytes(NEWEST, (mesh.SUBMESH, empty)))).geometries[0].lods
    assert (lod.indices, lod.count, lod.primitive) == (None, 4, Primitive.POINTS)


@pytest.mark.parametrize(
    ("operation", "word"), [(7, "patch of 1"), (9, "patch of 3"), (68, "adjacency"), (0, "unknown")]
)
def test_what_cannot_be_drawn_is_refused_alone(tmp_path: Path, operation: int, word: str) -> None:
    odd = submesh(declared_geometry(), (mesh.OPERATION, Struct(operation=operation)))
    data = mesh_bytes(NEWEST, (mesh.SUBMESH, odd), (mesh.SUBMESH, submesh(declared_geometry())))
    document = opened(tmp_path, data)
    (error,) = document.report.errors
    assert word in error.why
    assert [len(geometry.lods) for geometry in model_of(document).geometries] == [0, 1]


def test_indices_past_the_vertices_are_dropped(tmp_path: Path) -> None:
    stray = submesh(declared_geometry(), indices=np.array((0, 1, 2, 0, 1, 9), np.uint16))
    document = opened(tmp_path, mesh_bytes(NEWEST, (mesh.SUBMESH, stray)))
    assert model_of(document).geometries[0].lods[0].count == 3
    assert any("only 4 exist" in text for text in document.report.warnings)


def test_bounds_that_are_none_are_left(tmp_path: Path) -> None:
    bounds = Struct(min=(np.nan, 0, 0), max=(1, 1, 1), radius=1)
    document = opened(tmp_path, simple((mesh.BOUNDS, bounds)))
    assert model_of(document).bounds is None
    assert any("bounds" in text for text in document.report.notes)


@pytest.mark.parametrize(
    ("low", "high", "valid"), [(0, 1, True), (1, 1, True), (1, 0, False), (0, np.inf, False)]
)
def test_bounds_are_a_box_that_may_be_flat(tmp_path: Path, low: float, high: float, valid: bool) -> None:
    bounds = Struct(min=(0, 0, low), max=(1, 1, high), radius=1)
    found = model_of(opened(tmp_path, simple((mesh.BOUNDS, bounds)))).bounds
    assert (found is not None) is valid


def test_wrong_lengths_of_chunks_are_one_note(tmp_path: Path) -> None:
    wrong = [submesh(declared_geometry()) for _ in range(3)]
    for each in wrong:
        each.__dict__["declared"] = 99
    bounds = Struct(min=(0, 0, 0), max=(1, 1, 1), radius=1, declared=7)
    chunks = [*((mesh.SUBMESH, each) for each in wrong), (mesh.BOUNDS, bounds)]
    report = opened(tmp_path, mesh_bytes(NEWEST, *chunks)).report
    (note,) = [text for text in report.notes if "declares" in text]
    assert note.endswith("and 3 more")
    assert not any("declares" in text for text in report.warnings)


@pytest.mark.parametrize("flat", [False, True])
def test_triangles_without_area_are_told(tmp_path: Path, flat: bool) -> None:
    columns = {"position": POSITIONS * np.float32(not flat), "normal": NORMALS, "uv0": COORDINATES}
    data = mesh_bytes(NEWEST, (mesh.SUBMESH, submesh(declared_geometry(columns))))
    told = [message.text for message in opened(tmp_path, data).report.messages]
    assert any("triangles have no area" in text for text in told) is flat


@pytest.mark.parametrize(
    ("operation", "primitive"),
    [
        (1, Primitive.POINTS),
        (2, Primitive.LINES),
        (3, Primitive.LINE_STRIP),
        (4, Primitive.TRIANGLES),
        (5, Primitive.TRIANGLE_STRIP),
        (6, Primitive.TRIANGLE_FAN),
    ],
)
def test_operations(tmp_path: Path, operation: int, primitive: Primitive) -> None:
    drawn = submesh(declared_geometry(), (mesh.OPERATION, Struct(operation=operation)))
    (lod,) = model_of(opened(tmp_path, mesh_bytes(NEWEST, (mesh.SUBMESH, drawn)))).geometries[0].lods
    assert lod.primitive is primitive
