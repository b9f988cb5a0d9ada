"""The first view shows the side that a model faces, by left and right bones and by its feet."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from tests.view.test_clip_points import clip, view_of
from tests.view.test_up_axis_guess import MAN, RAT, Body, moved, skeleton
from viewer.arrays import Array
from viewer.scene.camera import Orbit
from viewer.scene.model import Model
from viewer.view.facing_guess import turned_to_front
from viewer.view.first_view import first_view

BOTH: Body = {
    **{name: each for name, each in MAN.items() if "_R_" not in name},
    "Bip01_R_Thigh": ("Bip01", (-0.1, 0.0, 0.9)),
    "Bip01_R_Foot": ("Bip01_R_Thigh", (-0.1, 0.0, 0.1)),
    "Bip01_R_Toe0": ("Bip01_R_Foot", (-0.1, 0.2, 0.0)),
}
"""A man with both feet, who looks along +Z of a file with +Y up."""
BACKWARDS = {"Bip01_L_Toe0": (0.1, -0.2, 0.0), "Bip01_R_Toe0": (-0.1, -0.2, 0.0)}


def nameless(body: Body) -> Body:
    numbers = {name: f"Joint{number}" for number, name in enumerate(body)}
    return {numbers[name]: (numbers.get(parent, ""), place) for name, (parent, place) in body.items()}


def around_y(degrees: float) -> Array:
    sin, cos = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    return np.array(((cos, 0, sin, 0), (0, 1, 0, 0), (-sin, 0, cos, 0), (0, 0, 0, 1)))


def yaw(body: Body, to_world: Array | None = None) -> float:
    model = Model(
        "m", skeleton=skeleton(body, z_up=False), to_world=np.eye(4) if to_world is None else to_world
    )
    return (turned_to_front(view_of(model, None), Orbit()).yaw - Orbit().yaw) % 360.0


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(("turned", "seen"), [(0, 0), (90, 0), (-90, 270), (180, 180), (-30, 270), (-20, 0)])
def test_the_camera_turns_in_quarters_to_the_front(turned: float, seen: float, named: bool) -> None:
    """A front that the usual direction shows within 60 degrees is not turned."""
    assert yaw(BOTH if named else nameless(BOTH), around_y(turned)) == seen


def test_left_and_right_are_enough() -> None:
    arms: Body = {
        "body": ("", (0, 0, 1)),
        "handLeft": ("body", (0.5, 0, 1)),
        "handRight": ("body", (-0.5, 0, 1)),
    }
    assert yaw(arms, around_y(180)) == 180


@pytest.mark.parametrize("left", ["Lfoot", "foot.l", "Left Foot", "foot_LEFT", "HandL"])
def test_a_left_bone_is_paired_with_the_right_one_by_its_name(left: str) -> None:
    right = left.replace("Left", "Right").replace("LEFT", "RIGHT")
    right = right.replace("L", "R") if right == left else right
    right = right.replace(".l", ".r")
    pair: Body = {left: ("", (0.5, 0, 1)), right: ("", (-0.5, 0, 1))}
    assert yaw(pair, around_y(180)) == 180


@pytest.mark.parametrize(
    "body",
    [
        moved(BOTH, **BACKWARDS),  # the toes contradict left and right
        nameless(moved(BOTH, Bip01_L_Toe0=(0.1, -0.2, 0.0))),  # one foot forward, one back
        nameless(MAN),  # one foot
        nameless(
            moved(BOTH, Bip01_L_Thigh=(0.1, 0.0, 0.1), Bip01_R_Thigh=(-0.1, 0.0, 0.1), Bip01=(0, 0, 0.1))
        ),
        {"left": ("", (np.nan, 0, 0)), "right": ("", (0, 0, 0))},
        {"left": ("", (0, 0, 0)), "right": ("", (0, 0, 0))},
        {"bone": ("", (0, 0, 0))},
    ],
)
def test_in_doubt_the_usual_direction_stays(body: Body) -> None:
    assert yaw(body, around_y(180)) == 0


def test_feet_without_sides_in_their_names_are_feet() -> None:
    assert yaw(nameless(moved(BOTH, **BACKWARDS))) == 180
    assert yaw(RAT) == 0


@pytest.mark.parametrize(("turn", "seen"), [(180.0, 180.0), (0.0, 0.0)])
def test_a_clip_may_turn_the_model(turn: float, seen: float) -> None:
    half = np.radians(turn) / 2
    plays = clip(1.0, rotation=np.array([(0.0, np.sin(half), 0.0, np.cos(half))] * 2))
    tracks = tuple(replace(each, target="Bip01") for each in plays.tracks)
    plays = replace(plays, tracks=tracks, targets=("Bip01",))
    view = view_of(Model("m", skeleton=skeleton(BOTH, z_up=False)), plays)
    assert (first_view(view, Orbit()).orbit.yaw - Orbit().yaw) % 360 == seen


def test_a_model_without_bones_stays() -> None:
    assert turned_to_front(view_of(Model("m"), None), Orbit()) == Orbit()
