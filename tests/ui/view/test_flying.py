"""Flying through the picture with fake keys and a fake mouse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.items import BoneItem
from viewer.ui.kit.shortcuts import run_shortcuts
from viewer.ui.view.view_panel import ViewPanel


@pytest.fixture
def pilot(post: Any) -> Iterator[Any]:
    """The post seen from the front at distance 2, while one flies."""
    view = ViewPanel()

    def draw(state: Any, post: Any) -> None:
        run_shortcuts(state, post)
        view(state, post)

    post.show(draw)
    post.state.view.camera = Orbit(yaw=0, pitch=0, distance=2.0)
    post.key("F", "Shift")
    assert post.state.interface.flying
    yield post


def hold(pilot: Any, name: str, frames: int = 6, held: str = "") -> Any:
    """How far the camera went while a key was held."""
    before = pilot.state.view.camera.position
    pilot.host.input.key(name, True, frozenset(filter(None, [held])))
    pilot.frames(frames)
    pilot.host.input.key(name, False)
    pilot.frames(2)
    return pilot.state.view.camera.position - before


@pytest.mark.parametrize(
    ("name", "axis", "sign"),
    [("W", 2, -1), ("S", 2, 1), ("A", 0, -1), ("D", 0, 1), ("E", 1, 1), ("Q", 1, -1)],
)
def test_letters_move_the_camera_along_its_own_axes(pilot: Any, name: str, axis: int, sign: int) -> None:
    moved = hold(pilot, name)
    assert moved[axis] * sign > 0 and np.count_nonzero(np.abs(moved) > 1e-9) == 1
    assert not pilot.state.options.wireframe, "W means nothing else meanwhile"


def test_shift_is_faster(pilot: Any) -> None:
    slow, fast = (np.linalg.norm(hold(pilot, "D", 12, held)) for held in ("", "Shift"))
    assert fast > 2.5 * slow


def test_the_wheel_changes_the_speed_and_not_the_distance(pilot: Any) -> None:
    before = pilot.state.interface.pace
    pilot.move(200, 150)
    pilot.host.input.wheel(0, 2)
    pilot.frames(2)
    assert pilot.state.interface.pace > before and pilot.state.view.camera.distance == 2.0


def test_a_drag_looks_around_from_where_the_camera_is(pilot: Any) -> None:
    before = pilot.state.view.camera
    pilot.drag((200, 150), (260, 170))
    assert pilot.state.view.camera.position == pytest.approx(before.position)
    assert pilot.state.view.camera.axes[2][0] < 0, "a drag to the right looks to the right"


def test_escape_ends_it_and_lets_the_selection_be(pilot: Any) -> None:
    pilot.state.view.selection.pick(BoneItem(1))
    pilot.key("ESCAPE")
    assert not pilot.state.interface.flying and pilot.state.view.selection.picked == BoneItem(1)
    pilot.key("W")
    assert pilot.state.options.wireframe


def test_a_camera_of_matrices_does_not_fly(pilot: Any) -> None:
    pilot.state.view.camera = MatrixCamera(np.eye(4)[:3], np.eye(4))
    pilot.frames(2)
    assert not pilot.state.interface.flying
