"""The list of feet: the user's for the folder of a model, else a guess."""

from __future__ import annotations

from pathlib import Path

from tests.animation.motion.walker import SPEED
from tests.commands.info.test_judged_clips import write_walker
from viewer.animation.motion.contacts import Footwork
from viewer.animation.motion.feet import Feet
from viewer.animation.motion.ground import Ground
from viewer.scene.animation import Animation
from viewer.session.feet import feet_of, footwork_of, list_feet, listed_feet
from viewer.session.preferences import Preferences
from viewer.session.settings import read, write
from viewer.session.state import State
from viewer.storage.documents import open_document


def opened(path: Path) -> State:
    state = State()
    state.put(open_document(path))
    return state


def feet_in_view(state: State) -> Feet:
    return feet_of(state.playback.current, listed_feet(state))


def footwork_in_view(state: State, clip: Animation) -> Footwork | None:
    return footwork_of(state.playback.current, clip, feet_in_view(state), state.view.ground)


def names(state: State) -> list[str]:
    assert state.skeleton is not None
    return [state.skeleton.names[bone] for bone in feet_in_view(state).bones]


def test_without_a_list_feet_are_guessed(tmp_path: Path) -> None:
    state = opened(write_walker(tmp_path))
    assert names(state) == ["L_Foot", "R_Foot"] and feet_in_view(state).guessed


def test_a_list_is_that_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    here, other = opened(write_walker(tmp_path)), opened(write_walker(tmp_path / "other"))
    for state in (here, other):
        list_feet(state.interface.preferences, str(tmp_path / "Another.mdl"), ["R_Foot", "gone"])
    assert names(here) == ["R_Foot"] and not feet_in_view(here).guessed
    assert names(other) == ["L_Foot", "R_Foot"]


def test_an_empty_list_says_that_no_bone_is_a_foot(tmp_path: Path) -> None:
    state, preferences = opened(write_walker(tmp_path)), Preferences()
    state.interface.preferences = preferences
    list_feet(preferences, str(tmp_path / "Walker.mdl"), [])
    assert names(state) == [] and not feet_in_view(state).guessed
    list_feet(preferences, str(tmp_path / "Walker.mdl"), None)
    assert names(state) == ["L_Foot", "R_Foot"]


def test_a_list_of_other_bones_gives_way_to_the_guess(tmp_path: Path) -> None:
    state = opened(write_walker(tmp_path))
    list_feet(state.interface.preferences, str(tmp_path / "Walker.mdl"), ["Paw"])
    assert names(state) == ["L_Foot", "R_Foot"]


def test_a_list_is_kept_in_the_settings(tmp_path: Path) -> None:
    preferences = Preferences()
    list_feet(preferences, str(tmp_path / "Walker.mdl"), ["R_Foot"])
    write(tmp_path / "settings.json", preferences)
    assert list(read(tmp_path / "settings.json").feet.values()) == [["R_Foot"]]


def test_contacts_in_view_count_the_ground_of_the_view(tmp_path: Path) -> None:
    state = opened(write_walker(tmp_path))
    (clip,) = state.playback.animations
    unknown = footwork_in_view(state, clip)
    state.view.ground = Ground(speed=SPEED)
    found = footwork_in_view(state, clip)
    assert unknown is not None and found is not None and len(found.contacts) == len(unknown.contacts) == 5
    assert unknown.slides[0].speed > 1.3 and found.slides[0].speed < 0.01
    state.view.clock.in_place = True
    assert footwork_in_view(state, clip) is found


def test_a_file_without_bones_has_no_feet() -> None:
    assert feet_in_view(State()).bones == ()
