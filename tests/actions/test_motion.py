"""Ghosts and trails: their actions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import opened_with_two_clips
from viewer.actions import ACTIONS_BY_NAME
from viewer.scene.choices import NO_GHOSTS, Ghosts
from viewer.scene.items import BoneItem
from viewer.session.state import State


@pytest.fixture
def state(tmp_path: Path) -> State:
    return opened_with_two_clips(tmp_path)


def run(state: State, name: str) -> None:
    """Run an action that is enabled."""
    assert ACTIONS_BY_NAME[name].enabled(state)
    ACTIONS_BY_NAME[name].run(state, [].append)


def test_a_trail_is_that_of_the_selected_bone(state: State) -> None:
    assert ACTIONS_BY_NAME["trail"].refusal(state) == "No bone or attachment is selected"
    state.view.selection.pick(BoneItem(0))
    run(state, "trail")
    assert state.view.trails == {BoneItem(0)}
    run(state, "trail")
    assert state.view.trails == frozenset() and not ACTIONS_BY_NAME["clear_trails"].enabled(state)
    run(state, "trail")
    run(state, "clear_trails")
    assert state.view.trails == frozenset()


def test_ghosts_are_switched_on_and_off(state: State) -> None:
    run(state, "ghosts")
    assert state.options.ghosts == Ghosts(3)
    run(state, "ghosts")
    assert state.options.ghosts == NO_GHOSTS


def test_another_number_keeps_the_spacing(state: State) -> None:
    state.options.ghosts = Ghosts(1, 0.5)
    run(state, "ghosts_5")
    assert state.options.ghosts == Ghosts(5, 0.5)
    run(state, "ghosts_keys")
    assert state.options.ghosts.keys and ACTIONS_BY_NAME["ghosts_keys"].checked is not None
    run(state, "ghosts_0")
    assert not state.options.ghosts


def test_both_are_undone(state: State) -> None:
    state.undo.watch(0.0)
    state.view.selection.pick(BoneItem(0))
    for name in ("trail", "ghosts"):
        run(state, name)
        for _ in range(60):
            state.undo.watch(0.1)
    assert state.undo.undo() and not state.options.ghosts and state.view.trails
    assert state.undo.undo() and not state.view.trails
