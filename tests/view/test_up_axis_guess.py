"""A skeleton whose named bones leave no doubt that it stands along +Z is stood up, and no other."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

import tests.wow  # noqa: F401
from tests.view.test_clip_points import clip, view_of
from viewer.arrays import Array
from viewer.families.urho3d.model import TO_WORLD as URHO3D
from viewer.families.wow.m2.mesh.skeleton import TO_WORLD as M2
from viewer.scene.choices import UpAxis
from viewer.scene.model import Model
from viewer.scene.skeleton import Skeleton
from viewer.view.up_axis_guess import first_up
from viewer.view.view_snapshot import ViewSnapshot

Body = dict[str, tuple[str, tuple[float, float, float]]]
"""By name: the parent of a bone, and its position (to the side, ahead, upwards)."""

MAN: Body = {
    "Bip01": ("", (0.0, 0.0, 1.0)),
    "Bip01_Head": ("Bip01", (0.0, 0.1, 1.7)),
    "Bip01_L_Thigh": ("Bip01", (0.1, 0.0, 0.9)),
    "Bip01_L_Foot": ("Bip01_L_Thigh", (0.1, 0.0, 0.1)),
    "Bip01_L_Toe0": ("Bip01_L_Foot", (0.1, 0.2, 0.0)),
    "Bip01_R_Foot": ("Bip01", (-0.1, 0.0, 0.1)),
}
RAT: Body = {
    "IK-Head": ("", (0.0, 9.0, 9.0)),
    "Hip": ("", (0.0, 0.0, 0.2)),
    "Head": ("Hip", (0.0, 0.35, 0.3)),
    "FrontLeg.L": ("Hip", (0.1, 0.3, 0.15)),
    "FrontLeg.L.001": ("FrontLeg.L", (0.1, 0.3, 0.01)),
    "BackLeg.R": ("Hip", (0.1, -0.1, 0.15)),
    "BackLeg.R.001": ("BackLeg.R", (0.1, -0.1, 0.01)),
}
LIZARD: Body = {
    "hip": ("", (0.0, 0.0, 0.2)),
    "head": ("hip", (0.0, 2.0, 0.2)),
    "lfoot": ("hip", (0.3, 0.0, 0.0)),
    "rfoot": ("hip", (-0.3, 0.0, 0.0)),
}
BIRD: Body = {
    "body": ("", (0.0, 0.0, 0.0)),
    "head": ("body", (0.0, 0.5, 0.1)),
    "wing.L": ("body", (0.5, 0.1, 0.0)),
    "foot.L": ("body", (0.1, -0.4, -0.1)),
}


def skeleton(body: Body, z_up: bool = True) -> Skeleton:
    """The body in the axes of a file: along +Z looking along -Y, or along +Y looking along +Z."""
    names = tuple(body)
    parents = np.array([names.index(parent) if parent else -1 for parent, _ in body.values()])
    side, ahead, upwards = np.array([each for _, each in body.values()]).T
    places = np.stack((side, -ahead, upwards) if z_up else (side, upwards, ahead), axis=1)
    positions = places - np.where(parents[:, None] >= 0, places[parents], 0.0)
    turns = np.tile((0.0, 0.0, 0.0, 1.0), (len(names), 1))
    return Skeleton(names, parents, positions, turns, np.ones((len(names), 3)))


def view(made: Skeleton, to_world: Array | None = None) -> ViewSnapshot:
    return view_of(Model("m", skeleton=made, to_world=np.eye(4) if to_world is None else to_world), None)


@pytest.mark.parametrize("to_world", [np.eye(4), URHO3D])
@pytest.mark.parametrize("body", [MAN, RAT])
def test_a_head_above_the_feet_along_z_stands_the_model_up(body: Body, to_world: Array) -> None:
    assert first_up(view(skeleton(body), to_world)) is UpAxis.Z


@pytest.mark.parametrize("body", [MAN, RAT, LIZARD, BIRD])
def test_a_body_that_stands_along_y_stays(body: Body) -> None:
    assert first_up(view(skeleton(body, z_up=False))) is UpAxis.FILE


def test_a_model_of_a_format_with_z_up_is_not_turned_twice() -> None:
    assert first_up(view(skeleton(MAN), M2)) is UpAxis.FILE


def moved(body: Body, **places: tuple[float, float, float]) -> Body:
    return {name: (parent, places.get(name, place)) for name, (parent, place) in body.items()}


@pytest.mark.parametrize(
    "body",
    [
        moved(MAN, Bip01_Head=(0.0, 1.2, 1.7)),  # as far ahead of the feet as it is above them
        moved(MAN, Bip01_L_Foot=(0.1, 0.0, 1.2)),  # a foot near the head
        moved(MAN, Bip01=(0.0, 0.0, 0.1)),  # lies: the legs begin no higher than the feet
        {name: each for name, each in MAN.items() if "Head" not in name},
        {name: each for name, each in MAN.items() if "oot" not in name and "Toe" not in name},
        {name.replace("Head", "Forehead"): each for name, each in MAN.items()},
        {name.replace("Foot", "Footsteps").replace("Toe", "Tool"): each for name, each in MAN.items()},
        {**MAN, "Wing": ("Bip01", (0.5, 0.0, 1.2))},
        {"head": ("", (0.0, 0.0, 1.7)), "foot": ("", (0.0, 0.0, 0.0))},
        {"head": ("", (0.0, 0.0, np.nan)), "foot": ("head", (0.0, 0.0, 0.0))},
    ],
)
def test_in_doubt_the_model_stays_as_the_file_says(body: Body) -> None:
    broken = {name: (parent if parent in body else "", place) for name, (parent, place) in body.items()}
    assert first_up(view(skeleton(broken))) is UpAxis.FILE


def test_a_model_without_bones_stays() -> None:
    assert first_up(view_of(Model("m"), None)) is UpAxis.FILE


def test_the_choice_of_the_user_is_kept() -> None:
    chosen = view(skeleton(MAN))
    for up in UpAxis:
        chosen.display.up = up
        assert first_up(chosen) is up


def test_a_clip_that_stands_along_y_leaves_a_doubt() -> None:
    model = Model("m", skeleton=skeleton(MAN))
    for turn, up in ((-90.0, UpAxis.FILE), (0.0, UpAxis.Z)):
        half = np.radians(turn) / 2
        plays = clip(1.0, rotation=np.array([(np.sin(half), 0.0, 0.0, np.cos(half))] * 2))
        tracks = tuple(replace(each, target="Bip01") for each in plays.tracks)
        plays = replace(plays, tracks=tracks, targets=("Bip01",))
        assert first_up(view_of(model, plays)) is up
