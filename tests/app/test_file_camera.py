"""Looking through a camera of the file, and leaving it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.app.conftest import until
from tests.synthetic import write_pair
from viewer.actions import ACTIONS_BY_NAME
from viewer.app.loop import App
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.session.requests import Open


def run(app: App, name: str) -> None:
    assert ACTIONS_BY_NAME[name].enabled(app.state), name
    ACTIONS_BY_NAME[name].run(app.state, app.post)
    for _ in range(2):
        app.frame(1.0)


def eye(app: App) -> np.ndarray:
    """[3]: where the camera is, in the file's axes."""
    camera = app.state.view.camera
    assert isinstance(camera, MatrixCamera)
    view = np.asarray(camera.view)
    return np.asarray(-view[:, :3].T @ view[:, 3])


def test_the_camera_moves_with_time(m2_app: App) -> None:
    run(m2_app, "next_camera")
    assert eye(m2_app) == pytest.approx((5, 0, 1), abs=1e-6)
    m2_app.state.view.clock.seek(0.5)
    m2_app.frame(0.0)
    assert eye(m2_app) == pytest.approx((5, 1, 1), abs=1e-6)


def test_the_key_goes_through_all_cameras_and_back_to_where_one_was(m2_app: App) -> None:
    before = m2_app.state.view.camera
    shown = []
    for _ in range(3):
        run(m2_app, "next_camera")
        shown.append(m2_app.state.view.file_camera_number)
    assert shown == [0, 1, None]
    assert m2_app.state.view.camera is before


def test_a_named_view_leaves_it(m2_app: App) -> None:
    run(m2_app, "next_camera")
    run(m2_app, "front")
    m2_app.frame(0.0)
    assert m2_app.state.view.file_camera_number is None
    assert isinstance(m2_app.state.view.camera, Orbit)


def test_a_click_on_the_axes_leaves_it_for_the_camera_that_was_before(m2_app: App) -> None:
    before = m2_app.state.view.camera
    assert isinstance(before, Orbit)
    run(m2_app, "next_camera")
    m2_app.state.view.see("left")
    m2_app.frame(0.0)
    after = m2_app.state.view.camera
    assert isinstance(after, Orbit)
    assert (after.distance, after.yaw) == (before.distance, 90.0)
    assert m2_app.state.view.file_camera_number is None


def test_it_is_undone_and_redone(m2_app: App) -> None:
    state, before = m2_app.state, m2_app.state.view.camera
    run(m2_app, "next_camera")
    m2_app.state.view.clock.seek(0.5)
    m2_app.frame(1.0)
    assert len(state.view.history.past) == 1, "that the camera moves is no step"
    assert state.undo.undo()
    m2_app.frame(1.0)
    assert state.view.camera == before and state.view.file_camera_number is None
    assert state.undo.redo()
    m2_app.frame(1.0)
    assert eye(m2_app) == pytest.approx((5, 1, 1), abs=1e-6)


def test_undo_of_something_else_keeps_looking_through(m2_app: App) -> None:
    state = m2_app.state
    run(m2_app, "next_camera")
    run(m2_app, "wireframe")
    assert state.undo.undo()
    m2_app.frame(1.0)
    assert (state.view.file_camera_number, state.options.wireframe) == (0, False)
    assert eye(m2_app) == pytest.approx((5, 0, 1), abs=1e-6)


def test_the_orbit_that_takes_over_sees_the_same(m2_app: App) -> None:
    run(m2_app, "next_camera")
    state = m2_app.state
    assert state.playback.file_camera is not None and state.model is not None
    orbit = state.playback.file_camera.orbit(state.model.to_world, 4 / 3)
    world = state.model.to_world[:3, :3] @ (5, 0, 1)
    assert orbit.position == pytest.approx(world, abs=1e-6)
    assert orbit.fov == pytest.approx(state.playback.file_camera.fov)


def test_another_tab_has_its_own_camera_and_this_one_looks_through_again(m2_app: App, tmp_path: Path) -> None:
    state, before = m2_app.state, m2_app.state.view.camera
    run(m2_app, "next_camera")
    (tmp_path / "other").mkdir()
    m2_app.post(Open((str(write_pair(tmp_path / "other")),)))
    until(m2_app, lambda state: len(state.documents.opened) == 2)
    assert state.view.file_camera_number is None and isinstance(state.view.camera, Orbit)
    state.show(0)
    m2_app.frame(0.0)
    assert (state.view.file_camera_number, eye(m2_app)) == (0, pytest.approx((5, 0, 1), abs=1e-6))
    run(m2_app, "free_camera")
    assert state.view.camera is before
