"""Each rule for bones fires on a skeleton made to break it, and on no sound one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import m2_files, synthetic
from tests import ogre_skeletons as ogre
from tests.checked import bound, chain, findings, skinned, texts
from viewer.check.bones import binding, skeleton
from viewer.check.checking import check_file
from viewer.check.limits import Limits
from viewer.scene.items import BoneItem
from viewer.scene.skeleton import Skeleton

HALVES = ((0.5, 0.5, 0, 0),) * 4


def with_scale(*scale: float) -> Skeleton:
    scales = np.ones((3, 3), np.float32)
    scales[1] = scale
    return chain("hip", "spine", "head", scales=scales)


def rotated(w: float) -> Skeleton:
    return chain("a", "b", rotations=np.array(((0, 0, 0, 1), (0, 0, 0, w)), np.float32))


@pytest.mark.parametrize("rule", [rule.id for rule in (*skeleton.RULES, *binding.RULES)])
def test_a_sound_skeleton_has_no_findings(rule: str) -> None:
    skeleton = chain("a", "b")
    model = skinned(HALVES, skeleton=chain("a", "b", inverse_bind=bound(skeleton), root=0))
    assert texts(rule, model) == []


@pytest.mark.parametrize(
    ("rule", "skeleton", "text"),
    [
        ("duplicate-name", chain("hip", "hand", "hand"), "2 bones are called 'hand': #1, #2"),
        ("empty-name", chain("hip", "", "head"), "1 bone has no name: #1"),
        ("zero-scale", with_scale(0, 0, 0), "1 bone with a scale of 0: spine; the first has 0, 0, 0"),
        (
            "negative-scale",
            with_scale(-1, 1, 1),
            "1 bone with a negative scale: spine; the first has -1, 1, 1",
        ),
        (
            "uneven-scale",
            with_scale(1, 1.5, 1),
            "1 bone with a different scale for each axis: spine; the first has 1, 1.5, 1",
        ),
        (
            "rotation-length",
            rotated(0.5),
            "the rotations of 1 bone are no unit quaternions: b; the rotation of b has length 0.5",
        ),
        (
            "rotation-length",
            rotated(np.nan),
            "the rotations of 1 bone are no unit quaternions: b; the rotation of b has length nan",
        ),
    ],
)
def test_a_broken_skeleton_has_one_finding(rule: str, skeleton: Skeleton, text: str) -> None:
    assert texts(f"skeleton/{rule}", skeleton) == [text]


@pytest.mark.parametrize("rule", ["duplicate-name", "empty-name"])
def test_names_of_a_sound_skeleton(rule: str) -> None:
    assert texts(f"skeleton/{rule}", chain("hip", "hand.L", "hand.R")) == []


def test_all_offenders_are_items() -> None:
    (found,) = findings("skeleton/duplicate-name", chain("hip", "hand", "hand"))
    assert found.items == (BoneItem(1), BoneItem(2))


def test_bones_outside_the_root_are_told() -> None:
    apart = chain("hip", "head", "weapon", parents=np.array((-1, 0, -1), np.int32), root=0)
    assert texts("skeleton/several-roots", apart) == ["2 roots: 1 bone is not below the root hip: weapon"]
    assert texts("skeleton/several-roots", chain("hip", "head", "weapon", root=0)) == []


def test_several_roots_are_right_where_animations_move_all_bones() -> None:
    assert texts("skeleton/several-roots", chain("a", "b", parents=np.array((-1, -1), np.int32))) == []


def bind(moved: float, everything: float = 0.0) -> list[str]:
    skeleton = chain("a", "b", "c")
    inverse = bound(skeleton)
    inverse[:, 0, 3] += everything
    inverse[2, 0, 3] += moved
    joints = ((0, 1, 2, 0),) * 4
    skeleton = chain("a", "b", "c", inverse_bind=inverse)
    return texts("skeleton/inverse-bind", skinned(((0.4, 0.3, 0.3, 0),) * 4, joints, skeleton=skeleton))


def test_an_inverse_bind_that_contradicts_the_rest_pose_is_told() -> None:
    assert bind(0.001) == []
    (text,) = bind(0.5)
    assert text.startswith("the rest pose moves 1 bone away from the bind pose: c; c moves by 0.5,")


def test_a_move_of_the_whole_skeleton_is_no_contradiction() -> None:
    assert bind(0.0, everything=3.0) == []


def many(count: int, **fields: Any) -> Any:
    return skinned(HALVES, skeleton=chain(*(f"bone {number}" for number in range(count))), **fields)


def test_more_bones_than_the_engine_takes_are_told() -> None:
    rule = "skeleton/too-many-bones"
    assert texts(rule, many(64)) == []
    assert texts(rule, many(65)) == ["only uses 65 bones; the limit is 64"]
    assert texts(rule, many(65, geometry={"bone_map": np.arange(64)})) == []
    assert texts(rule, many(256), format="OGRE mesh") == []
    assert texts(rule, many(257), format="OGRE mesh") == ["the skeleton has 257 bones; the limit is 256"]
    assert texts(rule, many(300), format="WoW model") == []


def test_the_limit_of_bones_can_be_chosen() -> None:
    rule, limits = "skeleton/too-many-bones", Limits(bones=30)
    text = "only uses 31 bones; the limit is 30"
    assert (
        texts(rule, many(31), limits=limits)
        == texts(rule, many(31), format="WoW model", limits=limits)
        == [text]
    )
    assert texts(rule, many(70), limits=Limits(bones=70)) == []


def test_bones_that_move_nothing_are_told() -> None:
    names = chain("a", "b", "c", "d", parents=np.array((-1, 0, 1, 0), np.int32))
    joints = ((1, 0, 0, 0),) * 4
    found = texts("skeleton/unused-bone", skinned(((1, 0, 0, 0),) * 4, joints, skeleton=names))
    assert found == ["2 of 4 bones move no vertices: c, d"]


def test_without_a_mesh_no_bone_is_unused() -> None:
    assert texts("skeleton/unused-bone", chain("a", "b")) == []


@pytest.mark.parametrize("name", ["Post.mdl", "Rig.skeleton", "Made.m2"])
def test_a_circle_of_bones_is_told_by_name(tmp_path: Path, name: str) -> None:
    around = ogre.two_bones()[:2], ogre.parents((1, 0), (0, 1))
    rows = m2_files.bones(m2_files.CLASSIC)
    rows[0]["parent"] = 2
    files = {
        "Post.mdl": synthetic.model_bytes(
            bones=[synthetic.bone("a", 1, 0, 0), synthetic.bone("b", 0, 0, 0), synthetic.bone("c", 2, 0, 0)]
        ),
        "Rig.skeleton": ogre.skeleton_bytes(*around[0], around[1]),
        "Made.m2": m2_files.model(bones=rows),
    }
    (tmp_path / name).write_bytes(files[name])
    (found,) = check_file(str(tmp_path / name), select=["skeleton/cycle"])
    assert (
        found.text.startswith("bones in a parent cycle: ") and found.offset and found.path.endswith("bones")
    )
    assert found.effect and check_file(str(tmp_path / name), select=["file/broken"]) == ()
