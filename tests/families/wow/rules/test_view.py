"""The rules for views that do not fit their model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import m2_files
from tests.check.m2_folder import told, write_model


def changed(table: str, row: int, **fields: Any) -> dict[str, Any]:
    """The view's table with other fields in a row."""
    rows = m2_files.view()[table]
    rows[row] = rows[row] | fields
    return {table: rows}


MISFITS = [
    (
        {"vertices": [3, 4, 5, 0, 1, 60]},
        "1 of 6 vertices are not in the model, which has 6 vertices",
        "vertices[5]",
    ),
    ({"vertices": [3, 4, 5, 0, 1, 6]}, "1 of 6 vertices are not in the model", "vertices[5]"),
    ({"indices": [0, 1, 2, 3, 6, 6]}, "2 indices are not among the 6 vertices of the view", "indices[4]"),
    ({"indices": [0, 1, 2, 3, 4, 60]}, "1 indices are not among the 6 vertices of the view", "indices[5]"),
    ({"joints": [(0, 0, 0, 0)] * 5}, "6 vertices have 5 rows of bones", "joints[0]"),
    (changed("submeshes", 1, vertex_count=4), "vertices 3 to 7 of submesh 1: 6 of the view", "submeshes[1]"),
    (changed("submeshes", 1, level=1), "indices 65539 to 65542 of submesh 1: 6 of the view", "submeshes[1]"),
    (changed("submeshes", 0, bone_start=2), "bones 2 to 4 of submesh 0: 3 bone_combos", "submeshes[0]"),
    (changed("batches", 2, submesh=2), "submesh 2 to 3 of batch 2: there are 2 submeshes", "batches[2]"),
    (changed("batches", 0, material=1), "material 1 to 2 of batch 0: there are 1 materials", "batches[0]"),
    (changed("batches", 0, color=0), "color 0 to 1 of batch 0: there are 0 colors", "batches[0]"),
    (
        changed("batches", 1, texture=1, texture_count=2),
        "texture 1 to 3 of batch 1: there are 2",
        "batches[1]",
    ),
    (changed("batches", 1, transparency=4), "transparency 4 to 5 of batch 1: there are 1", "batches[1]"),
]


@pytest.mark.parametrize(("view", "text", "path"), MISFITS, ids=[text[:20] for _, text, _ in MISFITS])
def test_a_number_outside(tmp_path: Path, view: dict[str, Any], text: str, path: str) -> None:
    model = write_model(tmp_path, view)
    (found,) = told(model, "m2/view")
    assert found.text.startswith(f"Made00.skin: {text}") and found.path == path
    assert found.file == str(tmp_path / "Made00.skin") and found.offset
    assert found in told(tmp_path / "Made00.skin", "m2/view")


def test_more_rows_are_counted(tmp_path: Path) -> None:
    rows = [each | {"material": 3} for each in m2_files.view()["batches"]]
    (found,) = told(write_model(tmp_path, {"batches": rows}), "m2/view")
    assert found.text == "Made00.skin: material 3 to 4 of batch 0: there are 1 materials, and 2 more"


def test_a_reader_does_not_tell_it_again(tmp_path: Path) -> None:
    assert told(write_model(tmp_path, {"vertices": [3, 4, 5, 0, 1, 60]}), "file") == ()


def test_a_view_inside_an_older_model(tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(views=[m2_files.view() | {"indices": [0, 1, 2, 3, 4, 60]}]))
    (found,) = told(path, "m2/view")
    assert found.text.startswith("view 0: 1 indices") and found.file == str(path)
    data = path.read_bytes()
    assert found.path == "views[0].indices[5]"
    assert found.offset is not None and data[found.offset] == 60


def test_the_bones_of_a_view_of_another_model(tmp_path: Path) -> None:
    (found,) = told(write_model(tmp_path, {"joints": [(0, 0, 0, 0)] * 6}), "m2/view-bones")
    text = "3 of 6 influences lead to other bones than those of the model's vertices"
    assert found.text == f"Made00.skin: {text}" and found.path == "joints[3]"


def test_bones_that_fit(tmp_path: Path) -> None:
    assert told(write_model(tmp_path), "m2/view-bones") == ()


@pytest.mark.parametrize(("count", "told_of"), [(256, 1), (257, 0)])
def test_bytes_distinguish_256_bones(tmp_path: Path, count: int, told_of: int) -> None:
    """The bones of the vertices of a larger model are only those of the bone windows."""
    bones = m2_files.bones(m2_files.WRATH)
    bones += [{"parent": 0} for _ in range(count - len(bones))]
    model = write_model(tmp_path, {"joints": [(0, 0, 0, 0)] * 6}, bones=bones)
    assert len(told(model, "m2/view-bones")) == told_of


def test_bones_behind_the_table_of_windows(tmp_path: Path) -> None:
    joints = [*m2_files.view()["joints"][:5], (2, 0, 0, 0)]
    (found,) = told(write_model(tmp_path, {"joints": joints}), "m2/view-bones")
    assert found.text.startswith("Made00.skin: 1 of 6 influences") and found.path == "joints[5]"
