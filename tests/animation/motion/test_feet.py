"""Which bones are feet: by their names and place, by the rest pose alone, or none."""

from __future__ import annotations

import numpy as np
import pytest

from tests.animation.motion.walker import NAMES, UP, walker
from viewer.animation.motion.feet import given_feet, guessed_feet
from viewer.errors import ResourceError
from viewer.scene.skeleton import Skeleton


def tree(*bones: tuple[str, str, tuple[float, float, float]]) -> Skeleton:
    """A skeleton of (name, parent, position in model space); nothing is turned."""
    names = tuple(name for name, _, _ in bones)
    parents = np.array([names.index(parent) if parent else -1 for _, parent, _ in bones], np.int32)
    places = np.array([place for *_, place in bones], np.float64)
    local = places - np.where(parents[:, None] < 0, 0, places[parents])
    count = len(bones)
    turns = np.tile(np.array([0, 0, 0, 1], np.float32), (count, 1))
    return Skeleton(names, parents, local.astype(np.float32), turns, np.ones((count, 3), np.float32))


def feet(skeleton: Skeleton, up: tuple[float, float, float] = UP) -> list[str]:
    return [skeleton.names[bone] for bone in guessed_feet(skeleton, up).bones]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("L_Foot", "R_Foot"),
        ("Bip01 L Foot", "Bip01 R Foot"),
        ("LeftFoot", "RightFoot"),
        ("foot.L", "foot.R"),
        ("Lfoot", "Rfoot"),
        ("ankle_l", "ankle_r"),
        ("ball_l", "ball_r"),
        ("FrontPaw_L", "FrontPaw_R"),
        ("hoof_01", "hoof_02"),
        ("左足首", "右足首"),
        ("足_L", "足_R"),
    ],
)
def test_feet_are_known_by_words_of_their_names(left: str, right: str) -> None:
    found = guessed_feet(walker(("Root", "Hips", "a", left, "b", right, "Head")), UP)
    assert (found.bones, found.source, found.guessed) == ((3, 5), "names", True)


@pytest.mark.parametrize(
    "name", ["Footsteps", "Toe0Nub", "Barefoots", "FootNub", "IK_Foot", "左足ＩＫ", "Football"]
)
def test_names_that_only_contain_a_word_are_no_feet(name: str) -> None:
    assert feet(walker(("Root", "Hips", "a", name, "b", "x", "Head"))) == []


def test_a_bone_with_the_name_of_a_foot_has_to_lie_low_below_a_chain() -> None:
    body = [("Root", "", (0, 0, 0)), ("Hips", "Root", (0, 1, 0)), ("Head", "Hips", (0, 2, 0))]
    assert feet(tree(*body, ("Eye_Ball", "Head", (0, 1.9, 0)))) == []
    assert feet(tree(*body, ("Ball", "", (1, 0, 0)))) == []
    assert feet(tree(*body, ("Foot", "Hips", (0, 0.1, 0)))) == ["Foot"]


def test_of_a_leg_the_last_bone_with_the_name_of_a_foot_counts() -> None:
    names = ("Root", "", (0.0, 0.0, 0.0)), ("Hips", "Root", (0.0, 1.0, 0.0))
    leg = (
        ("ankle", "Hips", (0.0, 0.1, 0.0)),
        ("foot", "ankle", (0.0, 0.1, 0.0)),
        ("toe", "foot", (0.0, 0.0, 0.1)),
    )
    assert feet(tree(*names, *leg)) == ["foot"]


LEGS = [
    ("a", "", (0.0, 0.9, 0.0)),
    ("top", "a", (0.0, 1.8, 0.0)),
    *(
        each
        for side, x in (("l", 0.1), ("r", -0.1))
        for each in (
            (f"{side}1", "a", (x, 0.85, 0.0)),
            (f"{side}2", f"{side}1", (x, 0.45, 0.0)),
            (f"{side}3", f"{side}2", (x, 0.08, 0.0)),
            (f"{side}4", f"{side}3", (x, 0.0, 0.15)),
        )
    ),
]


def test_without_names_feet_are_the_ankles_of_two_like_legs() -> None:
    skeleton = tree(*LEGS)
    assert feet(skeleton) == ["l3", "r3"] and guessed_feet(skeleton, UP).source == "pose"


def test_hands_that_hang_higher_and_a_weapon_that_hangs_lower_are_no_feet() -> None:
    arms = [
        each
        for side, x in (("L", 0.3), ("R", -0.3))
        for each in (
            (f"{side}1", "top", (x, 1.5, 0.0)),
            (f"{side}2", f"{side}1", (x, 1.2, 0.0)),
            (f"{side}3", f"{side}2", (x, 0.9, 0.0)),
        )
    ]
    assert feet(tree(*LEGS, *arms, ("sword", "R3", (-0.3, -0.05, 0.0)))) == ["l3", "r3"]


def test_a_knee_is_no_foot_although_its_guard_ends_there() -> None:
    cut = [each for each in LEGS if each[0] not in ("l4",)]  # the legs are unlike below the knee
    guards = [(f"{side}g", f"{side}2", (x, 0.45, 0.1)) for side, x in (("l", 0.1), ("r", -0.1))]
    assert feet(tree(*cut, *guards)) == []


def test_a_tail_beside_a_leg_is_no_foot() -> None:
    tail = [
        ("t1", "a", (0.0, 0.8, -0.2)),
        ("t2", "t1", (0.0, 0.55, -0.4)),
        ("t3", "t2", (0.0, 0.2, -0.5)),
        ("t4", "t3", (0.0, 0.0, -0.6)),
    ]
    assert feet(tree(*LEGS, *tail)) == ["l3", "r3"]


def test_a_snake_of_a_hundred_bones_has_no_feet() -> None:
    bones = [
        (f"b{number}", f"b{number - 1}" if number else "", (0.0, 0.0, 0.1 * number)) for number in range(100)
    ]
    assert feet(tree(*bones)) == []


def test_a_hundred_legs_are_too_many_for_a_guess_without_names() -> None:
    legs = [
        each
        for number in range(100)
        for each in (
            (f"{number}a", "body", (0.1, 0.8, 0.1 * number)),
            (f"{number}b", f"{number}a", (0.2, 0.4, 0.1 * number)),
            (f"{number}c", f"{number}b", (0.3, 0.0, 0.1 * number)),
        )
    ]
    assert feet(tree(("body", "", (0.0, 1.0, 5.0)), *legs)) == []


def test_a_skeleton_without_height_or_with_nan_has_no_feet() -> None:
    assert feet(tree(("Foot", "", (0.0, 0.0, 0.0)), ("b", "Foot", (1.0, 0.0, 0.0)))) == []
    assert feet(tree(("a", "", (0.0, np.nan, 0.0)), ("Foot", "a", (1.0, 0.0, 0.0)))) == []


def test_up_is_the_axis_that_is_given() -> None:
    turned = [(name, parent, (x, z, y)) for name, parent, (x, y, z) in LEGS]
    assert feet(tree(*turned)) == [] and feet(tree(*turned), (0.0, 0.0, 1.0)) == ["l3", "r3"]


def test_given_feet_are_found_by_name() -> None:
    found = given_feet(walker(), ("R_Foot", "l_foot", "R_Foot"))
    assert (found.bones, found.guessed) == ((3, 5), False)
    with pytest.raises(ResourceError, match="near: L_Foot"):
        given_feet(walker(), ("Left_Foot",))
    assert NAMES[3] == "L_Foot"
