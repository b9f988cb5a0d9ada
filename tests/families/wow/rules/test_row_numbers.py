"""The rules for numbers that name rows, and for lookups."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import m2_files
from tests.check.m2_folder import told, write_model
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.storage.documents import open_document


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"texture_lookup": [0, 9]}, "texture_lookup: 1 entry leads outside textures (2 rows): 9"),
        ({"transform_lookup": [-1, 0]}, "transform_lookup: 1 entry leads outside transforms (0 rows): 0"),
        ({"bone_combos": [0, 7, 8]}, "bone_combos: 2 entries lead outside bones (4 rows): 7, 8"),
        (
            {"attachment_lookup": [-1, 0, -2]},
            "attachment_lookup: 1 entry leads outside attachments (1 row): -2",
        ),
        (
            {"attachments": [{"id": 0, "bone": 99}]},
            "attachments.bone: 1 entry leads outside bones (4 rows): 99",
        ),
        (
            {"ribbons": [{"textures": [0]}, {"textures": [1, 5]}]},
            "ribbons.textures: 1 entry leads outside textures (2 rows): 5",
        ),
        (
            {"ribbons": [{"textures": [0], "materials": [9]}]},
            "ribbons.materials: 1 entry leads outside materials (1 row): 9",
        ),
        ({"particles": [{"texture": 3}]}, "particles.texture: 1 entry leads outside textures (2 rows): 3"),
    ],
)
def test_a_row_that_does_not_exist(tmp_path: Path, changes: dict[str, Any], text: str) -> None:
    (found,) = told(write_model(tmp_path, **changes), "m2/number")
    assert found.text == text


def test_it_leads_to_the_number(tmp_path: Path) -> None:
    bones = [{"parent": -1}, {"parent": 5, "pivot": (0, 0, 1)}]
    path = write_model(tmp_path, bones=bones)
    found = next(each for each in told(path, "m2/number") if each.text.startswith("bones.parent"))
    assert found.path == "bones[1]/parent"
    assert found.offset == open_document(path).root.child("bones").children[1].child("parent").offset


def test_more_entries_of_a_lookup_are_counted(tmp_path: Path) -> None:
    (found,) = told(write_model(tmp_path, key_bone_lookup=[2, 2]), "m2/lookup")
    assert found.text.endswith("row 2 of bones, whose key_bone is 6, and 1 more")
    assert found.path == "key_bone_lookup"


def test_a_number_may_name_none(tmp_path: Path) -> None:
    changes = {
        "events": [{"id": b"$CSD", "bone": 0xFFFFFFFF}],
        "camera_lookup": [-1],
        "replaceable_lookup": [-1, 1],
    }
    assert told(write_model(tmp_path, **changes), "m2/number") == ()


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"key_bone_lookup": [*[-1] * 26, 0]}, ""),
        ({"key_bone_lookup": [2]}, "key_bone_lookup[0] leads to row 2 of bones, whose key_bone is 6"),
        ({"attachment_lookup": [-1, 0]}, ""),
        ({"attachment_lookup": [0, 0]}, "attachment_lookup[0] leads to row 0 of attachments, whose id is 1"),
        ({"camera_lookup": [0]}, ""),
        ({"camera_lookup": [-1, 0]}, "camera_lookup[1] leads to row 0 of cameras, whose type is 0"),
    ],
)
def test_a_lookup_leads_to_its_row(tmp_path: Path, changes: dict[str, Any], text: str) -> None:
    assert [each.text for each in told(write_model(tmp_path, **changes), "m2/lookup")] == (
        [text] if text else []
    )


@pytest.mark.parametrize(("version", "told_of"), [(264, 1), (265, 0)])
def test_textures_of_emitters_are_packed_since_cataclysm(tmp_path: Path, version: int, told_of: int) -> None:
    path = tmp_path / "Made.m2"
    generation = VersionTraits(version, True, True)
    path.write_bytes(m2_files.model(generation, particles=[{"type": 1, "bone": 1, "texture": 3}]))
    assert len(told(path, "m2/number")) == told_of
