"""Every open document keeps its own view."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.synthetic import model_bytes, opened_with_two_clips, write_pair
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.choices import CompareMode, UpAxis
from viewer.scene.display import EffectOptions
from viewer.scene.items import BoneItem, EmitterItem
from viewer.session.state import State
from viewer.storage.documents import open_document

EFFECTS = EffectOptions(
    muted=frozenset({EmitterItem(0)}), solo=frozenset({EmitterItem(1)}), frozen={EmitterItem(0): 1.0}
)
FACTS = [
    "camera",
    "home",
    "playlist",
    "bone",
    "lod",
    "morphs",
    "hidden",
    "effects",
    "textures",
    "up",
    "file_camera_number",
    "selection.picked",
    "clock.time",
    "clock.range",
    "clock.loop",
    "clock.speed",
    "clock.playing",
    "timeline.view",
]


@pytest.fixture
def state(tmp_path: Path) -> State:
    """Two models; the first one is in view."""
    made = opened_with_two_clips(tmp_path)
    (tmp_path / "other").mkdir()
    made.put(open_document(write_pair(tmp_path / "other")))
    made.show(0)
    return made


def facts(state: State) -> dict[str, Any]:
    """What belongs to the document in view, copied."""
    found = {}
    for name in FACTS:
        value: Any = state.view
        for part in name.split("."):
            value = getattr(value, part)
        found[name] = value.copy() if isinstance(value, dict | set) else value
    return found


def change_everything(state: State) -> None:
    """Another value for each of `FACTS`."""
    view = state.view
    state.playback.choose(state.playback.animations[-1])
    state.view.clock.trim(0.25, 0.75)
    state.view.clock.seek(0.5)
    state.view.clock.play()
    state.view.clock.loop, state.view.clock.speed, state.view.timeline.view = "pingpong", 0.5, (0.1, 0.2)
    state.view.camera, state.view.home = Orbit(yaw=77.0), Orbit(yaw=33.0)
    view.bone, view.lod, view.file_camera_number, view.effects = 1, 0, 1, EFFECTS
    view.morphs[0], view.textures[0] = 0.5, "skin.png"
    view.hidden.add(0)
    view.up = UpAxis.Z
    state.view.selection.pick(BoneItem(1))


def test_another_tab_shows_nothing_of_this_one(state: State) -> None:
    state.show(1)
    fresh = facts(state)
    state.show(0)
    change_everything(state)
    state.show(1)
    assert facts(state) == fresh


def test_a_tab_comes_back_as_it_was_left(state: State) -> None:
    fresh = facts(state)
    change_everything(state)
    left = facts(state)
    assert [name for name in FACTS if left[name] == fresh[name]] == []
    state.show(1)
    state.view.clock.advance(1.0)
    state.purge()
    state.show(0)
    state.purge()
    assert facts(state) == left


def test_a_document_that_is_opened_later_begins_fresh(state: State, tmp_path: Path) -> None:
    fresh = facts(state)
    change_everything(state)
    (tmp_path / "third").mkdir()
    state.put(open_document(write_pair(tmp_path / "third")))
    assert (state.documents.current, facts(state)) == (2, fresh)


def test_only_the_document_in_view_plays(state: State) -> None:
    state.playback.choose(state.playback.animations[0])
    state.view.clock.play()
    state.show(1)
    state.view.clock.advance(0.5)
    assert state.view.clock.time == 0.0
    state.show(0)
    assert state.view.clock.playing and state.view.clock.time == 0.0


def test_display_options_are_those_of_all_documents(state: State) -> None:
    state.options.wireframe = True
    state.show(1)
    assert state.options.wireframe


def test_closing_lets_the_others_keep_their_views(state: State) -> None:
    state.show(1)
    change_everything(state)
    left = facts(state)
    state.close(0)
    assert facts(state) == left


def test_a_closed_document_is_fresh_when_it_is_opened_again(state: State) -> None:
    fresh, path = facts(state), Path(state.documents.opened[0].path)
    change_everything(state)
    state.close(0)
    state.put(open_document(path))
    assert facts(state) == fresh


def test_a_reloaded_document_keeps_its_view_behind_another(state: State) -> None:
    state.view.morphs[0] = 0.5
    state.show(1)
    state.put(open_document(Path(state.documents.opened[0].path)))
    state.show(0)
    assert state.view.morphs == {0: 0.5}


def test_a_neighbour_keeps_camera_and_pace_alone(state: State, tmp_path: Path) -> None:
    change_everything(state)
    camera, old = state.view.camera, state.documents.opened[0]
    (tmp_path / "third").mkdir()
    state.put(open_document(write_pair(tmp_path / "third")))
    state.exchange(old)
    assert [state.documents.current, len(state.documents.opened)] == [
        0,
        2,
    ] and old not in state.documents.opened
    view = state.view
    assert (state.view.camera, view.clock.speed, view.clock.loop) == (camera, 0.5, "pingpong")
    assert (view.hidden, view.morphs, view.textures, view.bone, view.lod) == (set(), {}, {}, None, None)
    assert (view.file_camera_number, view.effects, view.selection.picked) == (None, EffectOptions(), None)


def test_the_others_can_be_seen_like_the_one_in_view(state: State) -> None:
    state.view.camera = Orbit(yaw=77.0)
    state.view.clock.loop = "once"
    state.view.effects = replace(EFFECTS, shown=False)
    state.lead()
    state.show(1)
    assert (state.view.camera, state.view.clock.loop) == (Orbit(yaw=77.0), "once")
    assert state.view.effects == EffectOptions(shown=False)


def test_a_camera_that_is_set_ends_looking_through_one_of_the_file(state: State) -> None:
    own, seen = state.view.camera, MatrixCamera(np.eye(3, 4), np.eye(4))
    state.view.file_camera_number, state.view.matrix_camera = 0, seen
    assert state.view.camera is seen and state.view.orbit is own
    state.view.camera = own.turned(10, 0)
    assert state.view.file_camera_number is None and state.view.camera == own.turned(10, 0)


def rest(state: State, frames: int = 60) -> None:
    """Let frames pass in which nothing happens."""
    for _ in range(frames):
        state.undo.watch(1 / 60)


def test_undo_is_that_of_the_document_in_view(state: State) -> None:
    rest(state)
    state.view.morphs[0] = 0.5
    rest(state)
    state.show(1)
    rest(state)
    assert not state.undo.undo(), "nothing was done to this one"
    state.view.hidden.add(0)
    rest(state)
    state.show(0)
    rest(state)
    assert state.undo.undo() and state.view.morphs == {}
    assert not state.undo.undo()
    state.show(1)
    rest(state)
    assert state.view.hidden == {0}
    assert state.undo.undo() and state.view.hidden == set()


def test_a_display_option_changed_in_another_tab_is_no_step_and_stays(state: State) -> None:
    rest(state)
    state.view.camera = state.view.camera.turned(10, 0)
    rest(state)
    state.show(1)
    rest(state)
    state.options.wireframe = True
    rest(state)
    state.show(0)
    rest(state)
    assert len(state.view.history.past) == 1
    assert state.undo.undo() and state.options.wireframe


def test_redo_belongs_to_the_document_too(state: State) -> None:
    rest(state)
    state.view.morphs[0] = 0.5
    rest(state)
    state.undo.undo()
    state.show(1)
    rest(state)
    assert not state.undo.redo()
    state.show(0)
    rest(state)
    assert state.undo.redo() and state.view.morphs == {0: 0.5}


def test_the_nearest_tab_is_compared_first(state: State, tmp_path: Path) -> None:
    (tmp_path / "third").mkdir()
    state.put(open_document(write_pair(tmp_path / "third")))
    opened = state.documents.opened
    state.show(len(opened) - 1)
    assert state.documents.comparable[0] is opened[-2]


def test_a_model_is_compared_with_the_tab_of_the_same_name_first(tmp_path: Path) -> None:
    state = State()
    for name in ("old/Box.mdl", "Ball.mdl", "new/Box.mdl"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(model_bytes())
        state.put(open_document(str(path)))
    state.show(0)
    state.compare(CompareMode.SIDE)
    assert state.documents.compared is state.documents.opened[2]
