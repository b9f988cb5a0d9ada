"""What the actions about time do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import animation_bytes, track, write_pair
from viewer.actions import ACTIONS_BY_NAME, playback
from viewer.actions.action import Operation
from viewer.errors import ResourceError
from viewer.scene.items import BoneItem, KeyItem, TrackItem
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.view.playlist import PlaylistEntry


@pytest.fixture
def state(tmp_path: Path) -> State:
    """The post: `Bend` has keys of `tip` at 0, 0.5 and 1; `Both`, two seconds long, of `base` at 0.25 too."""
    path = write_pair(tmp_path)
    rise = [[0, 0.5, 0]] * 3
    tracks = [track("base", [0, 0.25, 2], position=rise), track("tip", [0, 0.5, 1.5], position=rise)]
    path.with_name("Post_Both.ani").write_bytes(animation_bytes("Both", 2.0, tracks))
    state = State()
    state.put(open_document(path))
    state.playback.choose(state.playback.animation("Bend"))
    return state


def run(state: State, *operations: Operation) -> float:
    """Run them; the time that is shown then."""
    for operation in operations:
        operation(state, [].append)
    return state.view.clock.shown(state.playback.duration)


def test_playing_backwards_and_forwards_again(state: State) -> None:
    state.view.clock.speed = 0.5
    run(state, playback.towards(-1))
    assert (state.view.clock.playing, state.view.clock.speed) == (True, -0.5)
    run(state, playback.towards(1))
    assert (state.view.clock.playing, state.view.clock.speed) == (True, 0.5)
    run(state, playback.towards(1))
    assert not state.view.clock.playing


def test_in_the_rest_pose_nothing_plays_until_play(state: State) -> None:
    state.view.clock.play()
    state.playback.mix(())
    assert state.view.clock.playing and not playback.is_playing(state)
    run(state, playback.toggle_play)
    assert state.view.playlist and playback.is_playing(state)


def test_a_standing_clock_plays_at_its_normal_speed(state: State) -> None:
    state.view.clock.speed = 0.0
    run(state, playback.towards(-1))
    assert state.view.clock.speed == -1.0


def test_speeds_keep_their_direction(state: State) -> None:
    state.view.clock.speed = -1.0
    run(state, playback.speed(1))
    assert state.view.clock.speed == -1.5


def test_steps_are_those_of_the_chosen_rate(state: State) -> None:
    state.view.clock.fps = 10.0
    assert run(state, playback.step(3)) == pytest.approx(0.3)


def test_key_steps_go_around(state: State) -> None:
    seen = [run(state, playback.key(1)) for _ in range(4)]
    assert seen == pytest.approx([0.5, 1.0, 0.0, 0.5], abs=1e-4)
    assert [run(state, playback.key(-1)) for _ in range(2)] == pytest.approx([0.0, 1.0], abs=1e-4)
    assert not state.view.clock.playing


def test_key_steps_are_those_of_the_selected_bone(state: State) -> None:
    state.playback.choose(state.playback.animation("Both"))
    assert run(state, playback.key(1)) == pytest.approx(0.25)
    run(state, playback.first)
    state.view.bone = 1
    assert run(state, playback.key(1)) == pytest.approx(0.5)


def test_key_steps_stay_in_the_range(state: State) -> None:
    state.view.clock.trim(0.25, 0.75)
    assert [run(state, playback.key(1)) for _ in range(2)] == pytest.approx([0.5, 0.5])


def test_first_and_last_are_those_of_the_range(state: State) -> None:
    state.view.clock.trim(0.25, 0.75)
    assert run(state, playback.first) == 0.25
    assert run(state, playback.last) == pytest.approx(0.75 - 1 / 30)


def test_a_trimmed_clip_plays_only_its_range(state: State) -> None:
    state.view.clock.seek(0.25)
    run(state, playback.trim(0))
    state.view.clock.seek(0.75)
    run(state, playback.trim(1))
    assert state.view.clock.range == (0.25, 0.75) and state.playback.trimmed
    state.view.clock.seek(0.8)
    assert state.playback.layers()[0].time == pytest.approx(0.3)
    run(state, playback.untrim)
    assert not state.playback.trimmed and state.playback.layers()[0].time == pytest.approx(0.8)


def test_a_range_that_would_be_empty_moves_its_other_end(state: State) -> None:
    state.view.clock.trim(0.5, 0.75)
    state.view.clock.range = (0.5, 0.75)
    state.view.clock.seek(0.5)
    run(state, playback.trim(1))
    assert state.view.clock.range == (0.0, 0.5)


def test_to_and_fro_keeps_the_time_that_is_shown(state: State) -> None:
    state.view.clock.seek(5.25)
    assert run(state, playback.toggle_pingpong) == pytest.approx(0.25)
    assert state.view.clock.loop == "pingpong"
    assert run(state, playback.toggle_pingpong) == pytest.approx(0.25)


def test_a_step_on_the_way_back_still_goes_ahead_in_the_clip(state: State) -> None:
    state.view.clock.loop = "pingpong"
    state.view.clock.seek(1.5)
    assert run(state, playback.step(1)) == pytest.approx(0.5 + 1 / 30)


def test_mixing_refuses_what_is_no_weight(state: State) -> None:
    with pytest.raises(ResourceError):
        state.playback.mix([PlaylistEntry(state.playback.animations[0], float("nan"))])
    assert len(state.view.playlist) == 1


def test_a_smaller_skeleton_lets_start_bones_go(state: State) -> None:
    state.playback.mix([PlaylistEntry(state.playback.animations[0], start_bone=7)])
    assert state.view.playlist[0].start_bone is None and state.playback.posed() is not None


def test_a_reload_keeps_the_range(state: State) -> None:
    state.view.clock.trim(0.25, 0.75)
    assert state.document is not None
    state.put(open_document(state.document.path))
    assert state.view.clock.range == (0.25, 0.75)


def test_a_selected_key_of_another_file_stays_and_goes_with_it(state: State) -> None:
    source = state.playback.source(state.playback.animation("Bend"))
    assert source is not None and source is not state.document
    state.view.selection.pick(KeyItem(TrackItem(None, 0), 1), source)
    state.purge()
    assert (
        state.view.selection.picked == KeyItem(TrackItem(None, 0), 1)
        and state.view.selection.source is source
    )
    assert state.document is not None
    state.put(open_document(state.document.path))
    state.purge()
    assert state.view.selection.picked is None


def test_another_pick_forgets_the_file_of_the_last(state: State) -> None:
    state.view.selection.pick(
        KeyItem(TrackItem(None, 0), 1), state.playback.source(state.playback.animation("Bend"))
    )
    state.view.selection.picked = BoneItem(1)
    assert state.view.selection.source is None


def test_another_loop_keeps_what_shows(state: State) -> None:
    state.view.clock.seek(5.25)
    modes = []
    for _ in range(3):
        assert run(state, playback.next_loop) == pytest.approx(0.25)
        modes.append(state.view.clock.loop)
    assert modes == ["once", "pingpong", "loop"]


def walking(state: State, folder: Path) -> None:
    """Play a clip that moves the post by 3 along +Z."""
    tracks = [track("base", [0, 1], position=[[0, 0, 0], [0, 0, 3]])]
    (folder / "Walk.ani").write_bytes(animation_bytes("Walk", 1.0, tracks))
    state.put(open_document(folder / "Walk.ani"))
    state.playback.choose(state.playback.animation("Walk"))
    state.view.clock.seek(0.5)


def test_in_place_takes_the_motion_of_the_root_away(state: State, tmp_path: Path) -> None:
    walking(state, tmp_path)
    posed = state.playback.posed()
    assert posed is not None and posed.world[0, 2, 3] == pytest.approx(1.5)
    run(state, ACTIONS_BY_NAME["in_place"].run)
    posed, drawn = state.playback.posed(), state.snapshot().pose(0.5)
    assert posed is not None and posed.world[0, 2, 3] == pytest.approx(0.0)
    assert drawn is not None and drawn.world[0, 2, 3] == pytest.approx(0.0)
    run(state, ACTIONS_BY_NAME["in_place"].run)
    posed = state.playback.posed()
    assert posed is not None and posed.world[0, 2, 3] == pytest.approx(1.5)
