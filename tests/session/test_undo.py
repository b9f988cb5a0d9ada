"""Undo of what is seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.synthetic import opened_with_two_clips, write_pair
from viewer.formats import open_document
from viewer.scene.camera import MatrixCamera
from viewer.scene.display import Shading
from viewer.session.state import State
from viewer.session.undo import DEPTH

DT = 1 / 60


@pytest.fixture
def state(tmp_path: Path) -> State:
    state = opened_with_two_clips(tmp_path)
    rest(state)
    return state


def rest(state: State, frames: int = 60) -> None:
    for _ in range(frames):
        state.watch_changes(DT)


def wire(state: State) -> None:
    state.options.wireframe = not state.options.wireframe
    rest(state)


def test_nothing_to_undo_at_first(state: State) -> None:
    assert not state.undo() and not state.redo()


def test_a_change_goes_and_comes_back(state: State) -> None:
    wire(state)
    assert state.undo() and not state.options.wireframe
    assert state.redo() and state.options.wireframe


@pytest.mark.parametrize("what", ["camera", "morph", "hidden", "shading", "pose"])
def test_every_kind_of_change(state: State, what: str) -> None:
    before = (
        state.camera,
        dict(state.view.morphs),
        set(state.view.hidden),
        state.options.shading,
        state.playlist,
    )
    if what == "camera":
        state.camera = state.camera.turned(30, 10)
    elif what == "morph":
        state.view.morphs[0] = 0.5
    elif what == "hidden":
        state.view.hidden.add(0)
    elif what == "shading":
        state.options.shading = Shading.UV
    else:
        state.choose(state.animations[1])
    rest(state)
    assert state.undo()
    after = (
        state.camera,
        dict(state.view.morphs),
        set(state.view.hidden),
        state.options.shading,
        state.playlist,
    )
    assert before == after


def test_a_drag_is_one_step(state: State) -> None:
    before = state.camera
    for _ in range(30):
        state.camera = state.camera.turned(1, 0)
        state.watch_changes(DT, held=True)
    rest(state)
    assert state.undo() and state.camera == before
    assert not state.undo()


def test_a_pause_within_a_drag_does_not_part_it(state: State) -> None:
    before = state.camera
    for _ in range(3):
        state.camera = state.camera.turned(1, 0)
        for _ in range(60):
            state.watch_changes(DT, held=True)
    rest(state)
    assert state.undo() and state.camera == before


def test_changes_with_a_rest_between_are_two_steps(state: State) -> None:
    wire(state)
    state.options.grid = False
    rest(state)
    state.undo()
    assert state.options.wireframe and state.options.grid
    state.undo()
    assert not state.options.wireframe


def test_time_is_no_step(state: State) -> None:
    state.clock.play()
    for _ in range(100):
        state.clock.advance(DT)
        state.watch_changes(DT)
    assert not state.history.past


def test_something_new_after_an_undo_ends_the_redo(state: State) -> None:
    wire(state)
    state.undo()
    state.options.grid = False
    rest(state)
    assert not state.redo()


def test_the_depth_is_limited(state: State) -> None:
    for _ in range(DEPTH + 20):
        state.options.wireframe = not state.options.wireframe
        rest(state, 30)
    assert len(state.history.past) == DEPTH


def test_the_end_of_a_fade_is_no_step(state: State) -> None:
    state.choose(state.animations[0])
    rest(state)
    steps = len(state.history.past)
    from viewer.scene.playlist import faded

    state.mix(faded(state.playlist, state.animations[1], state.clock.time, 0.2))
    rest(state)
    assert len(state.history.past) == steps + 1
    state.clock.seek(state.clock.time + 1.0)
    state.purge()
    rest(state)
    assert len(state.history.past) == steps + 1


def test_the_same_file_read_again_keeps_the_steps(state: State) -> None:
    state.choose(state.animations[1])
    rest(state)
    state.put(open_document(Path(state.documents[0].path)))
    rest(state)
    state.options.grid = False
    rest(state)
    state.undo()
    assert state.undo()
    assert state.playlist == ()
    state.redo()
    assert [chosen.animation for chosen in state.playlist] == [state.animations[1]]


def test_another_document_begins_anew(state: State, tmp_path: Path) -> None:
    wire(state)
    (tmp_path / "other").mkdir()
    state.put(open_document(write_pair(tmp_path / "other")))
    rest(state, 1)
    assert not state.history.past


def test_what_loading_does_is_no_step(state: State) -> None:
    state.camera = state.camera.turned(10, 0)
    state.watch_changes(DT, loading=True)
    assert not state.history.past


def test_a_camera_of_matrices_is_kept(state: State) -> None:
    fixed = MatrixCamera(np.eye(3, 4), np.eye(4))
    state.camera = fixed
    rest(state)
    state.camera = replace(fixed)
    rest(state)
    state.undo()
    assert state.camera is fixed
