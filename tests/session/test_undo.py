"""Undo of what is seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.synthetic import opened_with_two_clips, write_pair
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.choices import LightKind, Shading
from viewer.session.history import DEPTH
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.view.playlist import PlaylistEntry

DT = 1 / 60


@pytest.fixture
def state(tmp_path: Path) -> State:
    state = opened_with_two_clips(tmp_path)
    rest(state)
    return state


def rest(state: State, frames: int = 60) -> None:
    for _ in range(frames):
        state.undo.watch(DT)


def wire(state: State) -> None:
    state.options.wireframe = not state.options.wireframe
    rest(state)


def test_nothing_to_undo_at_first(state: State) -> None:
    assert not state.undo.undo() and not state.undo.redo()


def test_a_change_goes_and_comes_back(state: State) -> None:
    wire(state)
    assert state.undo.undo() and not state.options.wireframe
    assert state.undo.redo() and state.options.wireframe


@pytest.mark.parametrize("what", ["camera", "morph", "hidden", "shading", "pose"])
def test_every_kind_of_change(state: State, what: str) -> None:
    before = (
        state.view.camera,
        dict(state.view.morphs),
        set(state.view.hidden),
        state.options.shading,
        state.view.playlist,
    )
    if what == "camera":
        state.view.camera = state.view.camera.turned(30, 10)
    elif what == "morph":
        state.view.morphs[0] = 0.5
    elif what == "hidden":
        state.view.hidden.add(0)
    elif what == "shading":
        state.options.shading = Shading.UV
    else:
        state.playback.choose(state.playback.animations[1])
    rest(state)
    assert state.undo.undo()
    after = (
        state.view.camera,
        dict(state.view.morphs),
        set(state.view.hidden),
        state.options.shading,
        state.view.playlist,
    )
    assert before == after


def test_a_drag_is_one_step(state: State) -> None:
    before = state.view.camera
    for _ in range(30):
        state.view.camera = state.view.camera.turned(1, 0)
        state.undo.watch(DT, held=True)
    rest(state)
    assert state.undo.undo() and state.view.camera == before
    assert not state.undo.undo()


def test_a_pause_within_a_drag_does_not_part_it(state: State) -> None:
    before = state.view.camera
    for _ in range(3):
        state.view.camera = state.view.camera.turned(1, 0)
        for _ in range(60):
            state.undo.watch(DT, held=True)
    rest(state)
    assert state.undo.undo() and state.view.camera == before


def test_changes_with_a_rest_between_are_two_steps(state: State) -> None:
    wire(state)
    state.options.grid = False
    rest(state)
    state.undo.undo()
    assert state.options.wireframe and state.options.grid
    state.undo.undo()
    assert not state.options.wireframe


def test_time_is_no_step(state: State) -> None:
    state.view.clock.play()
    for _ in range(100):
        state.view.clock.advance(DT)
        state.undo.watch(DT)
    assert not state.view.history.past


def test_something_new_after_an_undo_ends_the_redo(state: State) -> None:
    wire(state)
    state.undo.undo()
    state.options.grid = False
    rest(state)
    assert not state.undo.redo()


def test_the_depth_is_limited(state: State) -> None:
    for _ in range(DEPTH + 20):
        state.options.wireframe = not state.options.wireframe
        rest(state, 30)
    assert len(state.view.history.past) == DEPTH


def test_the_end_of_a_fade_is_no_step(state: State) -> None:
    state.playback.choose(state.playback.animations[0])
    rest(state)
    steps = len(state.view.history.past)
    from viewer.view.playlist import faded

    state.playback.mix(faded(state.view.playlist, state.playback.animations[1], state.view.clock.time, 0.2))
    rest(state)
    assert len(state.view.history.past) == steps + 1
    state.view.clock.seek(state.view.clock.time + 1.0)
    state.purge()
    rest(state)
    assert len(state.view.history.past) == steps + 1


def test_the_same_file_read_again_keeps_the_steps(state: State) -> None:
    state.playback.choose(state.playback.animations[1])
    rest(state)
    state.put(open_document(Path(state.documents.opened[0].path)))
    rest(state)
    state.options.grid = False
    rest(state)
    state.undo.undo()
    assert state.undo.undo()
    assert state.view.playlist == ()
    state.undo.redo()
    assert [chosen.animation for chosen in state.view.playlist] == [state.playback.animations[1]]


def test_another_document_begins_anew(state: State, tmp_path: Path) -> None:
    wire(state)
    (tmp_path / "other").mkdir()
    state.put(open_document(write_pair(tmp_path / "other")))
    rest(state, 1)
    assert not state.view.history.past


def test_what_loading_does_is_no_step(state: State) -> None:
    state.view.camera = state.view.camera.turned(10, 0)
    state.undo.watch(DT, loading=True)
    assert not state.view.history.past


def test_a_camera_of_matrices_is_kept(state: State) -> None:
    fixed = MatrixCamera(np.eye(3, 4), np.eye(4))
    state.view.camera = fixed
    rest(state)
    state.view.camera = replace(fixed)
    rest(state)
    state.undo.undo()
    assert state.view.camera is fixed


def playing(state: State, number: int = 0) -> None:
    """Play an animation, and let the time go on without a step."""
    state.playback.choose(state.playback.animations[number])
    rest(state)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda state: state.view.clock.trim(0.25, 0.5), "set the playback range"),
        (lambda state: state.view.clock.trim(0.25, state.playback.duration), "set the playback range"),
        (lambda state: state.playback.repeat("once"), "play once"),
        (lambda state: state.playback.repeat("pingpong"), "ping-pong"),
        (lambda state: setattr(state.view.clock, "speed", 2.0), "change speed"),
    ],
)
def test_choices_of_playback_are_steps(state: State, change: Callable[[State], None], name: str) -> None:
    def choices() -> tuple[object, ...]:
        return (
            state.playback.trimmed and state.view.clock.range,
            state.view.clock.loop,
            state.view.clock.speed,
        )

    playing(state)
    before = choices()
    change(state)
    after = choices()
    rest(state)
    assert after != before and state.view.history.past[-1].name == name
    assert state.undo.undo() and choices() == before
    assert state.undo.redo() and choices() == after


def test_the_pose_stays_when_a_loop_mode_is_undone(state: State) -> None:
    playing(state)
    state.view.clock.seek(7.25)
    state.playback.repeat("once")
    rest(state)
    state.undo.undo()
    assert state.view.clock.shown(state.playback.duration) == pytest.approx(0.25)


def test_rest_pose_is_undone_with_its_time_and_range(state: State) -> None:
    playing(state, 1)
    state.view.clock.trim(0.5, 1.5)
    rest(state)
    state.view.clock.seek(1.25)
    state.undo.watch(DT)
    state.playback.choose(None)
    rest(state)
    assert state.undo.undo()
    assert state.view.playlist[0].animation is state.playback.animations[1]
    assert (state.view.clock.time, state.view.clock.range) == (1.25, (0.5, 1.5))
    state.undo.redo()
    assert not state.view.playlist and state.view.clock.time == 0.0


def test_other_steps_leave_the_time(state: State) -> None:
    playing(state)
    wire(state)
    state.view.clock.seek(0.75)
    state.undo.undo()
    assert state.view.clock.time == 0.75


def test_the_end_of_a_fade_to_a_shorter_clip_makes_no_step_of_its_range(state: State) -> None:
    from viewer.view.playlist import faded

    playing(state, 1)
    state.view.clock.trim(0.5, 1.5)
    rest(state)
    state.playback.mix(faded(state.view.playlist, state.playback.animations[0], state.view.clock.time, 0.2))
    rest(state)
    steps = len(state.view.history.past)
    state.view.clock.seek(state.view.clock.time + 1.0)
    state.purge()
    rest(state)
    assert not state.playback.trimmed
    assert len(state.view.history.past) == steps


def project(state: State, parallel: bool) -> None:
    """Switch the projection of the orbit camera."""
    assert isinstance(state.view.camera, Orbit)
    state.view.camera = replace(state.view.camera, ortho=parallel)


def named_steps() -> list[tuple[Callable[[State], None], str]]:
    """Changes, and the names of the steps that they make."""
    return [
        (lambda state: state.view.hidden.add(0), "hide geometry"),
        (lambda state: state.playback.choose(state.playback.animations[0]), "play Bend"),
        (lambda state: setattr(state.view, "camera", state.view.camera.turned(30, 10)), "move the camera"),
        (lambda state: project(state, True), "parallel projection"),
        (lambda state: setattr(state.options, "names", True), "show bone names"),
        (lambda state: setattr(state.options, "grid", False), "hide grid"),
        (lambda state: setattr(state.options, "shading", Shading.UV), "change shading"),
        (lambda state: setattr(state.options, "light", LightKind.UNLIT), "change the light"),
        (lambda state: setattr(state.options, "light_direction", (9.0, 9.0)), "turn the light"),
        (lambda state: state.view.morphs.update({0: 0.5}), "change a morph"),
        (
            lambda state: setattr(state.view, "effects", replace(state.view.effects, shown=False)),
            "hide particles",
        ),
    ]


@pytest.mark.parametrize(("change", "name"), named_steps(), ids=[name for _, name in named_steps()])
def test_a_step_has_a_name(state: State, change: Callable[[State], None], name: str) -> None:
    change(state)
    rest(state)
    assert [step.name for step in state.view.history.past] == [name]


def test_the_step_back_to_perspective_has_a_name(state: State) -> None:
    for parallel in (True, False):
        project(state, parallel)
        rest(state)
    names = ["parallel projection", "perspective projection"]
    assert [step.name for step in state.view.history.past] == names


def test_showing_and_exchanging_geometries_have_names(state: State) -> None:
    state.view.hidden.update({0, 1})
    rest(state)
    state.view.hidden.clear()
    rest(state)
    assert [step.name for step in state.view.history.past] == ["hide 2 geometries", "show 2 geometries"]


def test_layers_and_the_rest_pose_have_names(state: State) -> None:
    playing(state)
    state.playback.mix((*state.view.playlist, PlaylistEntry(state.playback.animations[1])))
    rest(state)
    state.playback.mix((state.view.playlist[0], replace(state.view.playlist[1], weight=0.5)))
    rest(state)
    state.playback.mix(state.view.playlist[:1])
    rest(state)
    state.playback.choose(None)
    rest(state)
    names = ["play Bend", "add a layer", "change a layer", "remove a layer", "rest pose"]
    assert [step.name for step in state.view.history.past] == names


def test_what_a_clip_brings_with_it_does_not_name_the_step(state: State) -> None:
    state.playback.choose(state.playback.animations[0])
    state.view.camera = state.view.camera.turned(5, 5)
    rest(state)
    assert state.view.history.past[-1].name == "play Bend"


def test_every_document_has_its_own_steps(state: State, tmp_path: Path) -> None:
    playing(state)
    (tmp_path / "other").mkdir()
    state.put(open_document(write_pair(tmp_path / "other")))
    rest(state)
    state.playback.choose(state.playback.animations[0])
    rest(state)
    state.show(0)
    rest(state)
    assert state.undo.undo() and not state.view.playlist and not state.undo.undo()
    state.show(1)
    assert state.view.playlist and state.undo.undo()


def test_in_place_goes_and_comes_back(state: State) -> None:
    state.view.clock.in_place = True
    rest(state)
    assert state.view.history.past[-1].name == "play in place"
    assert state.undo.undo() and not state.view.clock.in_place
    assert state.undo.redo() and state.view.clock.in_place
