"""Geometries that were added or removed, and their levels and triangles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.compared_files import compared, lines
from tests.synthetic import model_bytes, model_record, post
from viewer.binary import Struct
from viewer.scene.items import GeometryItem

_, INDICES = post()


def with_indices(indices: Any, **lods: Any) -> bytes:
    """The post with other indices, and other fields of its levels."""
    record = model_record()
    made = record.geometries[0].lods.copy()
    made["count"][0] = len(indices)
    for name, value in lods.items():
        made[name] = value
    return model_bytes(
        index_buffers=[Struct(index_count=len(indices), index_size=2, indices=indices)],
        geometries=[Struct(bone_map=np.array([0, 1], "<u4"), lods=made)],
    )


def with_geometries(*counts: int) -> bytes:
    """Geometries that draw the first indices of the post."""
    geometries = []
    for count in counts:
        lods = model_record().geometries[0].lods[:1].copy()
        lods["count"] = count
        geometries.append(Struct(bone_map=np.array([0, 1], "<u4"), lods=lods))
    return model_bytes(geometries=geometries, centers=np.zeros((len(counts), 3), "<f4"))


def test_a_geometry_is_added(tmp_path: Path) -> None:
    found = compared(tmp_path, with_geometries(96), with_geometries(96, 48))
    assert lines(found) == ["geometries added geometry 1: 16 triangles"]
    assert found.found[0].other_items == (GeometryItem(1),)


def test_of_geometries_without_names_the_smaller_one_is_missing(tmp_path: Path) -> None:
    found = compared(tmp_path, with_geometries(48, 96), with_geometries(96))
    assert lines(found) == ["geometries removed geometry 0: 16 triangles"]


def test_triangles_in_another_order_draw_the_same(tmp_path: Path) -> None:
    reordered = np.roll(INDICES.reshape(-1, 3)[::-1], 1, axis=1).ravel()
    found = compared(tmp_path, with_indices(INDICES, count=96), with_indices(reordered, count=96))
    assert "geometries changed geometry 0: level 0: another order of the triangles" in lines(found)
    assert found.minor and found.summary.startswith("same picture and motion, different: ")


def test_triangles_that_face_the_other_way_are_told(tmp_path: Path) -> None:
    turned = INDICES.reshape(-1, 3)[:, ::-1].ravel()
    found = compared(tmp_path, with_indices(INDICES, count=96), with_indices(turned, count=96))
    assert (
        lines(found)[0]
        == "geometries changed geometry 0: level 0: 32 triangles with reversed winding (of 32)"
    )


def test_triangles_are_removed_and_added(tmp_path: Path) -> None:
    other = INDICES.copy()
    other[:3] = 0, 2, 4
    found = compared(tmp_path, with_indices(INDICES, count=96), with_indices(other, count=96))
    told = "geometries changed geometry 0: level 0: 1 triangle removed and 1 triangle added (of 32)"
    assert told in lines(found)


def test_a_level_of_detail_begins_elsewhere(tmp_path: Path) -> None:
    one, other = (with_indices(INDICES, distance=(0, far)) for far in (10, 25))
    assert lines(compared(tmp_path, one, other)) == [
        "geometries changed geometry 0: level 1: distance 10 → 25"
    ]


def test_a_level_of_detail_is_missing(tmp_path: Path) -> None:
    lods = model_record().geometries[0].lods[:1]
    other = model_bytes(geometries=[Struct(bone_map=np.array([0, 1], "<u4"), lods=lods)])
    assert lines(compared(tmp_path, model_bytes(), other)) == [
        "geometries changed geometry 0: levels of detail: 2 → 1"
    ]


def test_another_primitive_type_is_told(tmp_path: Path) -> None:
    one, other = (with_indices(INDICES, primitive=(kind, 0)) for kind in (0, 1))
    assert "geometries changed geometry 0: level 0: triangles → lines" in lines(
        compared(tmp_path, one, other)
    )


def test_another_center_changes_the_order_alone(tmp_path: Path) -> None:
    found = compared(tmp_path, model_bytes(), model_bytes(centers=np.array([[0, 0.75, 0]], "<f4")))
    assert lines(found) == ["geometries changed geometry 0: its center moved by 0.25"] and found.minor
