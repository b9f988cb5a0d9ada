"""Levels of detail of every version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.ogre_files import (
    NEWEST,
    TRIANGLES,
    assigned,
    column,
    declared_geometry,
    level,
    lods,
    mesh_bytes,
    model_of,
    opened,
    rich_mesh,
    rows,
    simple,
    submesh,
)
from tests.ogre_skeletons import (
    bone,
    skeleton_bytes,
)
from viewer.binary import Struct
from viewer.families.ogre import extras_layout as extras
from viewer.families.ogre import mesh_layout as mesh
from viewer.families.ogre.versions import MeshVersion


@pytest.mark.parametrize("version", [version for version in MeshVersion if version > MeshVersion.V1_00])
def test_levels_of_every_version(tmp_path: Path, version: MeshVersion) -> None:
    value = 10000.0 if version <= MeshVersion.V1_40 else 100.0
    part = submesh(declared_geometry() if version >= MeshVersion.V1_30 else None)
    if version < MeshVersion.V1_30:
        data = rich_mesh(version).replace(np.float32(100).tobytes(), np.float32(value).tobytes())
    else:
        data = mesh_bytes(version, (mesh.SUBMESH, part), lods(version, level(version, value)))
    model = model_of(opened(tmp_path, data))
    full, low = model.geometries[0].lods
    assert (low.distance, low.count) == (100.0, 3)
    assert full.count == 6
    assert model.lod_rule == "ogre"


def faces(start: int, count: int, buffer: int) -> tuple[Any, Struct]:
    return extras.GENERATED, Struct(
        value=500.0, faces=[Struct(index_count=count, start=start, buffer=buffer)]
    )


def test_a_level_may_draw_from_the_buffer_of_an_earlier_one(tmp_path: Path) -> None:
    levels = lods(NEWEST, level(NEWEST, 100.0, TRIANGLES), faces(3, 3, 1))
    document = opened(tmp_path, simple(levels))
    _, first, second = model_of(document).geometries[0].lods
    assert (second.indices, second.start, second.count) == (first.indices, 3, 3)


@pytest.mark.parametrize(("start", "buffer"), [(0, 2), (0, 7), (5, 1)])
def test_a_level_whose_indices_are_not_there_is_left_out(tmp_path: Path, start: int, buffer: int) -> None:
    levels = lods(NEWEST, level(NEWEST, 100.0, TRIANGLES), faces(start, 3, buffer))
    document = opened(tmp_path, simple(levels))
    assert len(model_of(document).geometries[0].lods) == 2
    assert any("level 2" in text for text in document.report.warnings)


def test_levels_by_pixels_change_by_hand_only(tmp_path: Path) -> None:
    document = opened(tmp_path, simple(lods(NEWEST, level(NEWEST, 9.0), strategy="PixelCount")))
    assert model_of(document).lod_rule == ""
    assert any("by hand" in text for text in document.report.notes)


def manual(value: float, name: str) -> tuple[Any, Struct]:
    return extras.MANUAL, Struct(value=value, mesh=name)


def test_a_level_may_be_another_mesh(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(skeleton_bytes(*(bone(str(n), n) for n in range(8))))
    far = submesh(
        declared_geometry(), (mesh.OWN_ASSIGNMENTS, rows(mesh.OWN_ASSIGNMENTS, (0, 5, 1.0))), material="moss"
    )
    near = submesh(declared_geometry(), assigned())
    (tmp_path / "far.mesh").write_bytes(mesh_bytes(NEWEST, (mesh.SUBMESH, far), (mesh.SUBMESH, far)))
    data = mesh_bytes(
        NEWEST,
        (mesh.SUBMESH, near),
        (mesh.SKELETON_LINK, Struct(file="bones.skeleton")),
        lods(NEWEST, level(NEWEST, 50.0), manual(100.0, "far.mesh"), manual(400.0, "gone.mesh")),
    )
    document = opened(tmp_path, data)
    model = model_of(document)
    first, extra = model.geometries
    assert [lod.distance for lod in first.lods] == [0, 50, 100]
    assert [lod.material for lod in first.lods] == ["", "", "moss"]
    assert [lod.count for lod in extra.lods] == [0, 6], "what only the other file has is drawn in its level"
    assert first.bone_map is None, "joints are bone numbers, for each file has maps of its own"
    low = replace(model, geometries=(replace(first, lods=first.lods[2:]),))
    assert column(low, "joints")[0, 0] == 5
    assert any("gone.mesh" in text for text in document.report.warnings)


def test_levels_of_one_mesh_share_its_buffers(tmp_path: Path) -> None:
    far = submesh(declared_geometry(), material="moss")
    (tmp_path / "far.mesh").write_bytes(mesh_bytes(NEWEST, (mesh.SUBMESH, far)))
    levels = [manual(100.0 * number, "far.mesh") for number in (3, 1, 2)]
    model = model_of(opened(tmp_path, simple(lods(NEWEST, *levels))))
    shown = model.geometries[0].lods
    assert [lod.distance for lod in shown] == [0, 100, 200, 300]
    assert len({(lod.streams, lod.indices) for lod in shown[1:]}) == 1
    assert len(model.index_buffers) == 2, "one of each file"
