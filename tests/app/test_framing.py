"""The camera follows what plays and the size of the picture, until the user moves it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.synthetic import opened_with_two_clips
from viewer.app.framing import ViewFitting, aim
from viewer.render.camera import matrices
from viewer.render.framing import posed_points
from viewer.scene.camera import Orbit
from viewer.session.state import State

SIZE, NONE = (640, 480), (0.0, 0.0, 0.0, 0.0)


@pytest.fixture
def state(tmp_path: Path) -> State:
    """A model that was just presented."""
    made = opened_with_two_clips(tmp_path)
    made.choose(made.animations[0])
    made.view.fitted = made.home = made.camera
    return made


def fitted(state: State, fitting: ViewFitting, size: tuple[int, int] = SIZE) -> Orbit:
    fitting.step(state, size, NONE)
    assert isinstance(state.camera, Orbit)
    return state.camera


def test_another_size_is_fitted_again(state: State) -> None:
    fitting = ViewFitting()
    wide, narrow = fitted(state, fitting), fitted(state, fitting, (100, 480))
    assert narrow.distance > wide.distance and state.home == narrow
    assert fitted(state, fitting) == wide


def test_another_clip_is_fitted_again(state: State) -> None:
    fitting = ViewFitting()
    first = fitted(state, fitting)
    state.choose(None)
    assert fitted(state, fitting) != first


def test_a_camera_that_was_moved_stays(state: State) -> None:
    fitting = ViewFitting()
    moved = state.camera = fitted(state, fitting).turned(5, 0)
    state.choose(None)
    assert fitted(state, fitting, (100, 480)) == moved


def test_fitting_is_nothing_to_be_undone(state: State) -> None:
    fitting = ViewFitting()
    fitted(state, fitting)
    state.watch_changes(1.0)
    fitted(state, fitting, (100, 480))
    state.watch_changes(1.0)
    assert not state.history.past


def test_nothing_lies_under_the_buttons(state: State) -> None:
    state.choose(None)
    aim(state, SIZE, covered=(0.0, 120.0, 0.0, 0.0))
    assert state.model is not None
    made = matrices(state.camera, state.model.to_world, SIZE)
    points = posed_points(state.model, state.posed())
    clipped = np.hstack((points, np.ones((len(points), 1)))) @ made.world_clip.T
    heights = clipped[:, 1] / clipped[:, 3]
    assert heights.max() < 1 - 2 * 120 / 480 and heights.min() > -1
    assert np.ptp(heights) / 2 > 0.6 * 0.75
