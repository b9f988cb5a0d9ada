"""Each rule for the vertex arrays of OGRE-Next meshes fires on a file made to break it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.ogre_files import TRIANGLES
from tests.ogre_next_files import COLUMNS, FLOATS, WEIGHTS, array, geometry, mesh_bytes, submesh
from viewer.check.checking import check
from viewer.check.rules import rule_named
from viewer.storage.documents import open_document

OTHER = np.array((2, 1, 3), np.uint16)


def texts(rule: str, folder: Path, data: bytes) -> list[str]:
    (folder / "a.mesh").write_bytes(data)
    return [each.text for each in check(open_document(folder / "a.mesh"), [rule_named(rule)])]


def two_passes(*shadow_levels: np.ndarray) -> bytes:  # type: ignore[type-arg]
    """Two levels in each of two passes; `shadow_levels` are the indices of those that cast shadows."""
    drawn = array(own=geometry()), array(OTHER, level=0)
    first, second = shadow_levels
    casting = array(first, own=geometry()), array(second, level=0)
    return mesh_bytes(submesh(*drawn, *casting, levels=2), passes=2)


def test_a_shadow_level_that_repeats_the_level_before_is_told(tmp_path: Path) -> None:
    assert texts("mesh/shadow-level", tmp_path, two_passes(TRIANGLES, TRIANGLES[:3])) == [
        "submesh 0: level 1 of the shadow pass repeats the beginning of the level before"
    ]
    assert texts("mesh/shadow-level", tmp_path, two_passes(TRIANGLES, OTHER)) == []


@pytest.mark.parametrize(
    ("joints", "told"), [((1, 0, 0, 77), True), ((1, 0, 0, 0), False), ((7, 0, 0, 0), False)]
)
def test_a_joint_without_weight_outside_the_map_is_told(
    tmp_path: Path, joints: tuple[int, ...], told: bool
) -> None:
    columns = COLUMNS | {
        "weights": np.array([(1, 0, 0)] * 4, np.float32),
        "joints": np.array([joints] * 4, np.uint8),
    }
    data = mesh_bytes(submesh(array(own=geometry(columns, (*FLOATS, *WEIGHTS))), bones=(0, 1)))
    where = "first #0: joint 77; the map has 2 entries"
    text = f"4 of 4 vertices of submesh 0 have joints without weight that are not in the bone map ({where})"
    assert texts("mesh/unused-joint", tmp_path, data) == ([text] if told else [])


def test_a_level_without_vertices_is_told(tmp_path: Path) -> None:
    data = mesh_bytes(submesh(array(own=geometry()), array(TRIANGLES[:3])))
    assert texts("mesh/empty-level", tmp_path, data) == ["submesh 0, level 1 has no vertices and is left out"]
    assert texts("mesh/empty-level", tmp_path, mesh_bytes(submesh(array(own=geometry())))) == []


def test_the_real_skinned_mesh_has_joints_without_weight(corpus: Path) -> None:
    name = "ogre/v2/knn217+OgreNext_GameProject/OGRE_NEXT_MESH/Cube.003.mesh"
    (found,) = check(open_document(corpus / name), [rule_named("mesh/unused-joint")])
    assert "vertices of Material have joints without weight" in found.text
