"""Which animations play."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import opened_with_two_clips
from viewer.actions import animations
from viewer.scene.items import AnimationItem, BoneItem
from viewer.session.state import State
from viewer.view.playlist import PlaylistEntry


@pytest.fixture
def state(tmp_path: Path) -> State:
    """Plays the first of two clips; the second is selected."""
    state = opened_with_two_clips(tmp_path)
    state.playback.choose(state.playback.animations[0])
    state.view.selection.pick(AnimationItem(1))
    return state


def test_a_layer_is_added_without_a_jump(state: State) -> None:
    state.view.clock.seek(0.4)
    animations.add_layer(True)(state, [].append)
    assert [each.additive for each in state.view.playlist] == [False, True]
    longest = max(each.duration for each in state.playback.animations)
    assert state.view.clock.time == 0.4 and state.playback.duration == longest
    assert state.view.clock.range == (0.0, longest)


def test_a_fade_is_over_after_its_time(state: State) -> None:
    state.view.timeline.fade = 0.5
    animations.cross_fade(state, [].append)
    state.view.clock.playing = True
    state.view.clock.advance(0.25)
    state.purge()
    assert [layer.weight for layer in state.playback.layers()] == pytest.approx([0.5, 0.5])
    state.view.clock.advance(0.3)
    state.purge()
    assert state.view.playlist == (PlaylistEntry(state.playback.animations[1]),)


def test_what_is_added_is_a_selected_animation(state: State) -> None:
    assert animations.can_add_selected(state)
    animations.play_picked(state)
    assert not animations.can_add_selected(state), "no clip is mixed with itself"
    state.view.selection.pick(BoneItem(0))
    assert animations.picked_animation(state) is None and not animations.can_add_selected(state)
    animations.add_layer(False)(state, [].append)
    assert len(state.view.playlist) == 1


def test_nothing_is_added_to_the_rest_pose(state: State) -> None:
    animations.show_rest_pose(state, [].append)
    assert state.view.playlist == () and not animations.can_add_selected(state)
