"""A model that stands along +Z is stood up in the window, and another axis can be chosen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.app.conftest import until
from tests.synthetic import model_bytes, standing_on_z
from viewer.actions import ACTIONS_BY_NAME
from viewer.app.loop import App
from viewer.scene.camera import Orbit
from viewer.scene.choices import UpAxis
from viewer.session.requests import OpenNeighbour
from viewer.session.state import State
from viewer.view.camera import matrices
from viewer.view.framing import posed_points

Make = Callable[..., App]


def two_men(folder: Path) -> Path:
    for name in ("a.mdl", "b.mdl"):
        (folder / name).write_bytes(model_bytes(bones=standing_on_z()))
    return folder / "a.mdl"


def presented(name: str) -> Callable[[State], Any]:
    return lambda state: state.document and state.document.path.endswith(name) and state.view.presented


def test_it_is_stood_up_with_a_note_with_a_kept_camera_too(make: Make, tmp_path: Path) -> None:
    app = make(two_men(tmp_path))
    state = until(app, presented("a.mdl"))
    assert state.view.up is UpAxis.Z and state.document is not None
    assert any("+Z is up" in each for each in state.document.report.notes)
    app.post(OpenNeighbour(1, keep_camera=True))
    assert until(app, presented("b.mdl")).view.up is UpAxis.Z


def test_the_model_stays_in_the_picture_when_another_axis_is_chosen(make: Make, tmp_path: Path) -> None:
    app = make(two_men(tmp_path))
    state = until(app, presented("a.mdl"))
    for name in ("up_file", "up_z"):
        ACTIONS_BY_NAME[name].run(state, app.post)
        app.frame(0.0)
        assert isinstance(state.view.camera, Orbit) and state.model is not None
        made = matrices(state.view.camera, state.view.to_world(state.model), (64, 48))
        points = posed_points(state.model, state.playback.posed(), placement=state.view.placement)
        clipped = np.hstack((points, np.ones((len(points), 1)))) @ made.world_clip.T
        assert (np.abs(clipped[:, :2]) < clipped[:, 3:]).all(), name
