"""Where a model stands in viewer space, alone and laid onto another one."""

from __future__ import annotations

import numpy as np
import pytest

import tests.wow  # noqa: F401
from viewer.arrays import Array
from viewer.families.urho3d.model import TO_WORLD as URHO3D
from viewer.families.wow.m2.mesh.skeleton import TO_WORLD as M2
from viewer.scene.choices import UpAxis
from viewer.scene.display import (
    AS_STORED,
    ModelDisplay,
    Placement,
    laid_onto,
    placement_text,
    points_up,
    upright,
)
from viewer.scene.model import Model

OWN = np.eye(4)
LEFT_HANDED = np.diag((-1.0, 1.0, 1.0, 1.0))
MIRRORED_AND_SMALLER = np.diag((100.0, 100.0, -100.0, 1.0))


def test_a_model_alone_stands_as_its_file_says() -> None:
    assert AS_STORED.of(OWN) is OWN
    assert not placement_text(AS_STORED, OWN) and np.array_equal(AS_STORED.change(OWN), np.eye(4))


def test_the_axis_that_is_chosen_points_upwards() -> None:
    np.testing.assert_allclose(Placement(UpAxis.Z).of(OWN)[:3, 2], (0, 1, 0), atol=1e-12)


def test_one_model_of_two_engines_lies_at_one_place() -> None:
    placement = Placement(None, laid_onto(OWN, MIRRORED_AND_SMALLER, LEFT_HANDED))
    point = np.array((0.01, 0.02, -0.03, 1.0))
    np.testing.assert_allclose(placement.of(LEFT_HANDED) @ point, (1, 2, 3, 1))
    assert placement_text(placement, LEFT_HANDED) == "100x, turned"


@pytest.mark.parametrize(
    ("one", "alignment", "text"),
    [
        (LEFT_HANDED, np.diag((2.0, 2.0, 2.0, 1.0)), "2x"),
        (OWN, np.diag((1.0, 1.0, -1.0, 1.0)), "turned"),
        (OWN, LEFT_HANDED, ""),
    ],
)
def test_how_a_model_is_laid_onto_another_one_is_told(one: Array, alignment: Array, text: str) -> None:
    assert placement_text(Placement(None, laid_onto(one, alignment, LEFT_HANDED)), LEFT_HANDED) == text


def test_a_model_that_lies_there_already_is_left_alone() -> None:
    assert laid_onto(LEFT_HANDED, np.eye(4), LEFT_HANDED) == ()


def test_no_model_is_mirrored() -> None:
    placement = Placement(None, laid_onto(OWN, np.diag((3.0, 3.0, 3.0, 1.0)), LEFT_HANDED))
    np.testing.assert_allclose(placement.of(LEFT_HANDED), np.diag((-3.0, 3.0, 3.0, 1.0)))
    assert placement_text(placement, LEFT_HANDED) == "3x"


PLAIN = np.eye(4)
UPSIDE_DOWN = np.diag((1.0, -1.0, -1.0, 1.0))


@pytest.mark.parametrize("to_world", [PLAIN, URHO3D, M2, UPSIDE_DOWN])
@pytest.mark.parametrize(("up", "axis"), [(UpAxis.Y, 1), (UpAxis.Z, 2)])
def test_the_axis_points_upwards_and_nothing_is_mirrored(to_world: Array, up: UpAxis, axis: int) -> None:
    made = upright(to_world, up)
    np.testing.assert_allclose(made[:3, axis], (0, 1, 0), atol=1e-12)
    np.testing.assert_allclose(made @ made.T, np.eye(4), atol=1e-12)
    assert np.linalg.det(made) == pytest.approx(np.linalg.det(to_world))
    assert points_up(made, up)


@pytest.mark.parametrize(
    ("to_world", "up"),
    [(PLAIN, None), (PLAIN, UpAxis.FILE), (PLAIN, UpAxis.Y), (URHO3D, UpAxis.Y), (M2, UpAxis.Z)],
)
def test_what_stands_already_is_not_turned(to_world: Array, up: UpAxis | None) -> None:
    assert upright(to_world, up) is to_world


def test_what_faces_the_ground_of_the_format_faces_the_viewer() -> None:
    """A figure of Blender stands along +Z and looks along -Y."""
    np.testing.assert_allclose(upright(PLAIN, UpAxis.Z)[:3, 1], (0, 0, -1), atol=1e-12)


def test_a_display_brings_its_own_axis_up() -> None:
    model = Model("m", to_world=M2)
    assert ModelDisplay().to_world(model) is M2
    shown = ModelDisplay(up=UpAxis.Y)
    np.testing.assert_allclose(shown.copied().to_world(model), upright(M2, UpAxis.Y))
