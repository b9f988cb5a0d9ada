"""A chosen axis of the file points upwards in viewer space, whatever the format says."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.arrays import Array
from viewer.formats.m2.mesh.skeleton import TO_WORLD as M2
from viewer.formats.urho3d.model import TO_WORLD as URHO3D
from viewer.scene.choices import UpAxis
from viewer.scene.display import ModelDisplay
from viewer.scene.model import Model
from viewer.scene.placement import points_up, upright

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
