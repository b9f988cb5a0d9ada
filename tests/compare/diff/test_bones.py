"""Bones that were added, removed, renamed, moved or got another parent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.compared_files import compared, lines
from tests.ogre_skeletons import bone as ogre_bone
from tests.ogre_skeletons import parents, skeleton_bytes, two_bones
from tests.synthetic import bone, model_bytes
from viewer.binary import Struct
from viewer.scene.items import BoneItem

BASE, TIP = bone("base", 0, 0, 0), bone("tip", 0, 0.5, 0.5)


def changed(made: Struct, **fields: Any) -> Struct:
    """A bone with another rest pose or hitbox."""
    pose = made.pose.copy()
    for name in set(fields) & set(pose.dtype.names):
        pose[name] = fields.pop(name)
    whole = {"name": made.name, "parent": made.parent, "pose": pose, "collision": 0}
    return Struct(**(whole | fields))


def bones(folder: Path, *others: Struct, first: tuple[Struct, ...] = (BASE, TIP)) -> list[str]:
    """The lines about two lists of bones."""
    found = compared(folder, model_bytes(bones=list(first)), model_bytes(bones=list(others)))
    return [each for each in lines(found) if each.startswith("bones")]


def test_a_bone_is_added(tmp_path: Path) -> None:
    found = compared(tmp_path, model_bytes(), model_bytes(bones=[BASE, TIP, bone("ear", 1, 0.7, 0.2)]))
    assert lines(found) == ["bones added ear: under tip"]
    assert found.found[0].other_items == (BoneItem(2),) and found.summary == "different: 1 bone"


def test_equal_bones_with_other_handles_differ(tmp_path: Path) -> None:
    made = skeleton_bytes(*two_bones())
    swapped = skeleton_bytes(ogre_bone("root", 1), ogre_bone("tip", 0, (0, 1, 0)), parents((0, 1)))
    assert lines(compared(tmp_path, made, swapped, "x.skeleton")) == [
        "bones changed skeleton: 2 bones have other handles: "
        "a mesh of the other skeleton moves by other bones"
    ]
    assert lines(compared(tmp_path, made, made, "x.skeleton")) == []


def test_a_bone_is_removed(tmp_path: Path) -> None:
    ear = bone("ear", 1, 0.7, 0.2)
    assert bones(tmp_path, BASE, TIP, first=(BASE, TIP, ear)) == ["bones removed ear: under tip"]


def test_bones_in_another_order_are_the_same(tmp_path: Path) -> None:
    ear, nose = bone("ear", 1, 0.7, 0.2), bone("nose", 1, 0.6, 0.1)
    assert bones(tmp_path, BASE, TIP, nose, ear, first=(BASE, TIP, ear, nose)) == []


def test_a_bone_of_another_name_at_the_same_place_was_renamed(tmp_path: Path) -> None:
    assert bones(tmp_path, BASE, bone("top", 0, 0.5, 0.5)) == ["bones renamed tip: now top"]


def test_children_of_a_renamed_bone_are_the_same(tmp_path: Path) -> None:
    before = BASE, TIP, bone("ear", 1, 0.7, 0.2)
    after = BASE, bone("top", 0, 0.5, 0.5), bone("lobe", 1, 0.7, 0.2)
    assert bones(tmp_path, *after, first=before) == [
        "bones renamed tip: now top",
        "bones renamed ear: now lobe",
    ]


def test_a_bone_of_another_name_at_another_place_was_not_renamed(tmp_path: Path) -> None:
    assert bones(tmp_path, BASE, bone("top", 0, 0.5, 0.7)) == [
        "bones removed tip: under base",
        "bones added top: under base",
    ]


def test_a_bone_moved_and_turned_in_the_rest_pose(tmp_path: Path) -> None:
    half = np.sqrt(0.5)
    moved = changed(TIP, position=(0.3, 0.5, 0), rotation=(half, 0, 0, half))
    assert bones(tmp_path, BASE, moved) == ["bones changed tip: moved by 0.3, turned by 90° in the rest pose"]


def test_a_bone_is_scaled_in_the_rest_pose(tmp_path: Path) -> None:
    told = bones(tmp_path, BASE, changed(TIP, scale=(1, 1.5, 1)))
    assert told == ["bones changed tip: scale differs by 0.5 in the rest pose"]


@pytest.mark.parametrize("rotation", [(-1, 0, 0, 0), (2, 0, 0, 0)])
def test_the_same_rotation_in_other_numbers_is_no_difference(
    rotation: tuple[float, ...], tmp_path: Path
) -> None:
    found = compared(tmp_path, model_bytes(), model_bytes(bones=[BASE, changed(TIP, rotation=rotation)]))
    assert found.same and found.summary.startswith("same meaning, ")


def test_a_bone_has_another_parent(tmp_path: Path) -> None:
    before, after = bone("ear", 0, 0.7, 0.7), bone("ear", 1, 0.7, 0.7)
    assert bones(tmp_path, BASE, TIP, after, first=(BASE, TIP, before)) == [
        "bones changed ear: was under base, is under tip"
    ]


def test_the_bind_pose_differs(tmp_path: Path) -> None:
    offset = np.eye(3, 4)
    offset[1, 3] = -0.7
    assert bones(tmp_path, BASE, changed(TIP, offset=offset)) == [
        "bones changed tip: moved by 0.2 in the bind pose"
    ]


def test_the_hitbox_differs(tmp_path: Path) -> None:
    one, other = changed(TIP, collision=1, radius=1.0), changed(TIP, collision=1, radius=1.5)
    assert bones(tmp_path, BASE, other, first=(BASE, one)) == ["bones changed tip: hitbox radius: 1 → 1.5"]


def test_numbers_that_are_not_finite_are_no_error(tmp_path: Path) -> None:
    broken = changed(TIP, position=(np.nan, np.inf, 0), rotation=(np.nan, 0, 0, 0), scale=0)
    (told,) = bones(tmp_path, BASE, broken)
    assert "moved by not finite" in told
