"""Models of OGRE-Next meshes: levels, passes, bones, bounds, and what breaks."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import ogre_files as legacy_files
from tests.ogre_files import COORDINATES, NORMALS, POSITIONS, TRIANGLES, column, model_of, opened
from tests.ogre_next_files import (
    COLUMNS,
    FLOATS,
    WEIGHTS,
    array,
    bounds,
    distances,
    geometry,
    mesh_bytes,
    rich_mesh,
    square,
    submesh,
)
from tests.ogre_skeletons import rich_skeleton
from viewer.binary import Struct, stream
from viewer.families.ogre import geometry_layout as classic_geometry
from viewer.families.ogre import mesh_layout
from viewer.families.ogre.versions import HEADER_ID, NEXT_LEGACY, NEXT_R0, NEXT_R1
from viewer.scene.document import Document
from viewer.scene.model import Model, Primitive
from viewer.storage.documents import open_document


def texts(document: Document) -> str:
    return "\n".join((*document.report.warnings, *(each.text for each in document.report.messages)))


def test_submeshes_are_geometries_with_the_names_of_the_table(tmp_path: Path) -> None:
    model = model_of(opened(tmp_path, rich_mesh()))
    assert [geometry.name for geometry in model.geometries] == ["submesh 0", "plain"]
    assert [len(geometry.lods) for geometry in model.geometries] == [2, 2]
    assert [lod.distance for lod in model.geometries[0].lods] == [0, 100]
    assert model.lod_rule == "ogre"
    assert model.bounds is not None
    assert model.bounds.tolist() == [[0, 0, 0], [1, 1, 0]]


def test_only_the_first_pass_is_drawn(tmp_path: Path) -> None:
    document = opened(tmp_path, rich_mesh())
    model = model_of(document)
    assert {buffer.stride for buffer in model.vertex_buffers} == {
        48,
        32,
    }  # those of pass 1 have 28 and 12 bytes


def test_a_level_uses_the_vertices_of_an_earlier_one(tmp_path: Path) -> None:
    lods = model_of(opened(tmp_path, rich_mesh())).geometries[1].lods
    assert lods[0].streams == lods[1].streams
    assert [lod.count for lod in lods] == [6, 3]


def test_a_level_may_have_vertices_of_its_own(tmp_path: Path) -> None:
    far = geometry({"position": POSITIONS[:3], "normal": NORMALS[:3], "uv0": COORDINATES[:3]})
    data = mesh_bytes(submesh(array(own=geometry()), array(TRIANGLES[:3], own=far)), more=(distances(0, 9),))
    lods = model_of(opened(tmp_path, data)).geometries[0].lods
    assert lods[0].streams != lods[1].streams


@pytest.mark.parametrize("text", [NEXT_R0, NEXT_R1])
def test_versions_that_nobody_saw_say_so(tmp_path: Path, text: str) -> None:
    document = opened(tmp_path, mesh_bytes(square(), text=text))
    assert len(model_of(document).geometries[0].lods) == 1
    assert f"no real file of version {text} was seen" in texts(document)


def test_another_version_is_read_as_the_newest(tmp_path: Path) -> None:
    document = opened(tmp_path, mesh_bytes(square(), text="[MeshSerializer_v2.2]"))
    assert document.format == "OGRE-Next mesh"
    assert "version [MeshSerializer_v2.2] is unknown" in texts(document)
    assert len(model_of(document).geometries[0].lods) == 1


def test_both_byte_orders_give_the_same_model(tmp_path: Path) -> None:
    one = model_of(opened(tmp_path, rich_mesh("<"), "little.mesh"))
    other = model_of(opened(tmp_path, rich_mesh(">"), "big.mesh"))
    assert all(
        np.array_equal(mine.data, theirs.data)
        for mine, theirs in zip(one.vertex_buffers, other.vertex_buffers, strict=True)
    )


def test_operations_are_primitives(tmp_path: Path) -> None:
    data = mesh_bytes(submesh(array(TRIANGLES[:2], own=geometry(), operation=2)))
    assert model_of(opened(tmp_path, data)).geometries[0].lods[0].primitive is Primitive.LINES


def test_levels_without_stated_distances_are_chosen_by_hand(tmp_path: Path) -> None:
    document = opened(tmp_path, mesh_bytes(submesh(array(own=geometry()), array(TRIANGLES[:3], level=0))))
    assert model_of(document).lod_rule == ""
    assert "2 levels of detail have 0 distances: choose them by hand" in texts(document)


def skinned(joints: list[int], **fields: object) -> bytes:
    columns = COLUMNS | {
        "weights": np.array([(1, 0, 0)] * 4, np.float32),
        "joints": np.array([joints] * 4, np.uint8),
    }
    return mesh_bytes(submesh(array(own=geometry(columns, (*FLOATS, *WEIGHTS))), **fields))  # type: ignore[arg-type]


def test_joints_are_bones_by_the_map_of_their_submesh(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(rich_skeleton())
    document = opened(tmp_path, rich_mesh())
    assert model_of(document).geometries[0].bone_map.tolist() == [0, 1]  # type: ignore[union-attr]
    assert model_of(document).geometries[1].bone_map is None
    assert model_of(document).skeleton is not None


def test_joints_without_weight_may_be_anything(tmp_path: Path) -> None:
    assert "joint" not in texts(opened(tmp_path, skinned([1, 0, 0, 77], bones=(3, 5))))


def test_a_joint_outside_the_map_is_a_warning(tmp_path: Path) -> None:
    document = opened(tmp_path, skinned([4, 0, 0, 0], bones=(3, 5)))
    assert "vertices use joint 4, but the bone map has 2 entries" in texts(document)


def test_without_a_map_joints_are_handles(tmp_path: Path) -> None:
    document = opened(tmp_path, skinned([2, 0, 0, 9]))
    assert model_of(document).geometries[0].bone_map.tolist() == [0, 1, 2]  # type: ignore[union-attr]
    assert "submesh 0 has no bone map" in texts(document)


def test_joints_beyond_all_handles_cost_no_memory(tmp_path: Path) -> None:
    columns = COLUMNS | {"joints": np.array([(2**32 - 1, 0, 0, 0)] * 4, np.uint32)}
    data = mesh_bytes(submesh(array(own=geometry(columns, (*FLOATS, (27, 3))))))
    assert len(model_of(opened(tmp_path, data)).geometries[0].bone_map) == 0x10000  # type: ignore[arg-type]


def test_a_level_of_a_later_level_is_a_warning(tmp_path: Path) -> None:
    document = opened(tmp_path, mesh_bytes(submesh(array(own=geometry()), array(TRIANGLES[:3], level=7))))
    assert "submesh 0, level 1 uses the vertices of level 7, which has none" in texts(document)
    assert len(model_of(document).geometries[0].lods) == 1


def test_a_level_without_vertices_is_a_warning(tmp_path: Path) -> None:
    document = opened(tmp_path, mesh_bytes(submesh(array(own=geometry()), array(TRIANGLES[:3]))))
    assert "submesh 0, level 1 has no vertices and is left out" in texts(document)


def test_a_missing_pass_is_a_warning(tmp_path: Path) -> None:
    document = opened(tmp_path, mesh_bytes(square(), passes=2))
    assert "submesh 0: 1 vertex array instead of 2 (2 × 1 levels)" in texts(document)
    assert len(model_of(document).geometries[0].lods) == 1


def test_another_number_of_passes_is_a_warning(tmp_path: Path) -> None:
    assert "the mesh has 9 passes, not 1 or 2" in texts(opened(tmp_path, mesh_bytes(square(), passes=9)))


def test_indices_of_missing_vertices_cost_their_triangles(tmp_path: Path) -> None:
    stray = np.array((0, 1, 2, 2, 1, 9), np.uint16)
    document = opened(tmp_path, mesh_bytes(submesh(array(stray, own=geometry()))))
    assert model_of(document).geometries[0].lods[0].count == 3
    assert "1 primitives use missing vertices: only 4 exist" in texts(document)


def test_bounds_that_are_no_box_are_left_out(tmp_path: Path) -> None:
    document = opened(tmp_path, mesh_bytes(square(), more=(bounds(half=(-1, 0, 0)),)))
    assert model_of(document).bounds is None


def test_an_unknown_chunk_costs_only_itself(tmp_path: Path) -> None:
    data = bytearray(mesh_bytes(square(), more=(bounds(),)))
    at = data.index(b"\x00\x90")
    data[at:at] = b"\x99\x99\x0a\0\0\0abcd"
    model = model_of(opened(tmp_path, bytes(data)))
    assert model.bounds is not None


ENCLOSING = (b"\x00\x30", b"\x00\x40", b"\x00\x43", b"\x30\x43")
"""The chunks around a declaration."""


def with_change(data: bytes, changed: str) -> bytes:
    """The file with a wrong first declaration or vertex buffer."""
    raw = bytearray(data)
    declaration, buffer = raw.index(b"\x31\x43"), raw.index(b"\x32\x43")
    if changed == "short stride":
        raw[buffer + 7] = 8
    elif changed == "unknown type":
        raw[declaration + 7] = 5
    else:
        repeated = raw[declaration:buffer]
        for id in ENCLOSING:
            at = raw.index(id) + 2
            struct.pack_into("<I", raw, at, struct.unpack_from("<I", raw, at)[0] + len(repeated))
        raw[declaration:declaration] = repeated
    return bytes(raw)


@pytest.mark.parametrize("changed", ["unknown type", "second declaration", "short stride"])
def test_a_wrong_declaration_costs_only_its_level(tmp_path: Path, changed: str) -> None:
    data = with_change(mesh_bytes(square(), square(), more=(bounds(),)), changed)
    document = opened(tmp_path, data)
    assert len(document.report.errors) == 1
    assert len(model_of(document).geometries[-1].lods) == 1
    assert model_of(document).bounds is not None


EXPECTED = {
    "cryham+ogre3ter-demo/Media/models/palm2-lod8.mesh": (
        [743],
        [(3096, 2682, 2322, 1947, 1632, 1296, 942, 621, 279)],
    ),
    "cryham+ogre3ter-demo/Media/models/rock_B02.mesh": ([320], [(1500, 1278, 1050, 822, 594, 372, 144)]),
    "cryham+ogre3ter-demo/Media/vehicles/ES_glass.mesh": ([267], [(1002,)]),
    "cryham+ogre3ter-demo/Media/vehicles/ES_wheel.mesh": ([1024], [(4110, 3342, 2559, 1728, 897)]),
    "edherbert+SimpleTerrain/media/Barrel2.mesh": ([132], [(384,)]),
    "edherbert+SimpleTerrain/media/ogrehead2.mesh": (
        [58, 1642, 200, 342],
        [(246,), (9534, 7116, 5310, 3948, 2946, 2193), (1200,), (2028,)],
    ),
    "knn217+OgreNext_GameProject/OGRE_NEXT_MESH/Cube.003.mesh": ([251], [(468,)]),
}
"""Vertices of each submesh, and the first indices of its levels, as an independent reader counted them."""
BOXES = {
    "palm2-lod8": ((0.01637, 2.94839, 0.08388), (1.33029, 2.94761, 1.32496)),
    "rock_B02": ((-0.54018, -0.04955, -0.02349), (3.31081, 2.09824, 4.05367)),
    "ES_glass": ((-0.07570, -0.30945, 0), (2.15255, 0.42686, 0.81152)),
    "ES_wheel": ((-0.00366, 0, 0), (0.13058, 0.31184, 0.31184)),
    "Barrel2": ((0, 0, 0), (2.66, 3.07, 2.66)),
    "ogrehead2": ((0, 0.00005, 0), (28.9367, 27.00825, 24.8511)),
    "Cube.003": ((0, 0, 2), (3, 1, 2)),
}


def real(corpus: Path, name: str) -> tuple[Document, Model]:
    document = open_document(corpus / "ogre" / "v2" / name)
    return document, model_of(document)


@pytest.mark.parametrize("name", EXPECTED)
def test_real_meshes_have_the_counted_vertices_and_levels(corpus: Path, name: str) -> None:
    document, model = real(corpus, name)
    vertices, levels = EXPECTED[name]
    first = [geometry.lods[0] for geometry in model.geometries]
    assert [model.vertex_buffers[lod.streams[0]].count for lod in first] == vertices
    for found, expected in zip(model.geometries, levels, strict=True):
        assert tuple(lod.count for lod in found.lods)[: len(expected)] == expected
    assert document.report.complete
    assert not document.report.errors


@pytest.mark.parametrize("name", EXPECTED)
def test_real_bounds_are_centre_and_half_size(corpus: Path, name: str) -> None:
    model = real(corpus, name)[1]
    center, half = map(np.array, BOXES[model.name])
    assert np.allclose(model.bounds, (center - half, center + half), atol=2e-5)  # type: ignore[arg-type]


def test_the_real_skinned_mesh_has_its_bones(corpus: Path) -> None:
    document, model = real(corpus, "knn217+OgreNext_GameProject/OGRE_NEXT_MESH/Cube.003.mesh")
    assert model.skeleton is not None
    assert len(model.skeleton.names) == 14
    assert model.geometries[0].bone_map.tolist() == list(range(2, 14))  # type: ignore[union-attr]
    assert [animation.name for animation in document.animations] == ["ArmatureAction", "NewActioni"]


def legacy(passes: int, *chunks: tuple[Any, Any]) -> bytes:
    """A file of v2.1 LEGACYV1 with one submesh, whose second pass has other indices."""
    own = legacy_files.submesh(legacy_files.declared_geometry())
    second = stream((classic_geometry.GEOMETRY, legacy_files.declared_geometry())) if passes > 1 else None
    indices = np.arange(3, dtype=np.uint32)
    own.__dict__.update(shadow_count=3, shadow_wide=1, shadow_indices=indices, shadow_own=second)
    whole = Struct(pass_count=passes, chunks=stream((mesh_layout.SUBMESH, own), *chunks))
    record = Struct(header=HEADER_ID, version=NEXT_LEGACY, chunks=stream((mesh_layout.MESH, whole)))
    return mesh_layout.MESH_FILE.pack(record)


@pytest.mark.parametrize("passes", [1, 2])
def test_the_older_grammar_of_ogre_next_is_read(tmp_path: Path, passes: int) -> None:
    box = mesh_layout.BOUNDS, Struct(min=(0, 0, 0), max=(1, 1, 0), radius=1)
    document = opened(tmp_path, legacy(passes, box))
    model = model_of(document)
    assert document.format == "OGRE mesh"
    assert document.report.complete
    assert [lod.count for lod in model.geometries[0].lods] == [6]
    assert len(model.vertex_buffers) == 1
    assert model.bounds is not None
    assert "no real file of version [MeshSerializer_v2.1 R0 LEGACYV1] was seen" in texts(document)


def test_the_older_grammar_has_its_levels_for_each_pass(tmp_path: Path) -> None:
    one = legacy_files.level(legacy_files.NEWEST, 100.0)
    levels = legacy_files.lods(legacy_files.NEWEST, one, one)
    levels[1].__dict__["level_count"] = 2
    (lods,) = [each.lods for each in model_of(opened(tmp_path, legacy(2, levels))).geometries]
    assert [(lod.distance, lod.count) for lod in lods] == [(0, 6), (100, 3)]


def test_the_older_grammar_has_the_types_of_ogre_next(tmp_path: Path) -> None:
    """35 are two half floats, not a packed direction."""
    halves = (0, 37, 7, 12, 0)
    own = legacy_files.declared_geometry(
        {"position": POSITIONS, "uv0": COORDINATES}, ((0, 2, 1, 0, 0), halves), 16
    )
    data = legacy_files.mesh_bytes(legacy_files.NEWEST, (mesh_layout.SUBMESH, legacy_files.submesh(own)))
    data = data.replace(b"[MeshSerializer_v1.100]", NEXT_LEGACY.encode())
    data = data.replace(struct.pack("<5H", *halves), struct.pack("<5H", 0, 35, *halves[2:]))
    assert column(model_of(opened(tmp_path, data)), "uv0").dtype == np.float16
