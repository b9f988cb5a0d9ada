"""What the actions do with the selected item."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import write_pair
from viewer.actions.visibility import (
    can_hide,
    deselect,
    frame,
    has_hidden,
    hide,
    isolate,
    reset_morphs,
    show_all,
)
from viewer.formats import open_document
from viewer.scene.items import BoneItem, GeometryItem
from viewer.scene.model import Geometry, Model
from viewer.session.requests import FitView
from viewer.session.state import State


@pytest.fixture
def state(tmp_path: Path) -> State:
    """The little post."""
    made = State()
    made.put(open_document(write_pair(tmp_path)))
    return made


def ignore(request: object) -> None:
    """Nobody listens."""


def test_hide_and_show_all(state: State) -> None:
    assert not can_hide(state)
    state.view.selection.pick(GeometryItem(0))
    assert not has_hidden(state)
    hide(state, ignore)
    assert state.view.hidden == {0} and has_hidden(state)
    show_all(state, ignore)
    assert state.view.hidden == set() and not has_hidden(state)


def test_alone_and_back(state: State) -> None:
    document = state.document
    assert document is not None
    document.content = Model("three", geometries=tuple(Geometry(name, ()) for name in "abc"))
    state.view.selection.pick(GeometryItem(1))
    isolate(state, ignore)
    assert state.view.hidden == {0, 2}
    isolate(state, ignore)
    assert state.view.hidden == set()


def test_frame_asks_for_what_is_selected(state: State) -> None:
    posted: list[object] = []
    frame(state, posted.append)
    state.view.selection.pick(BoneItem(1))
    frame(state, posted.append)
    assert posted == [FitView(), FitView(selected=True)]


def test_deselect_and_reset(state: State) -> None:
    state.view.selection.pick(BoneItem(1))
    state.view.selection.group = (BoneItem(0), BoneItem(1))
    state.purge()
    assert state.view.bone == 1
    deselect(state, ignore)
    state.purge()
    assert state.view.selection.group == ()
    assert state.view.selection.picked is None and state.view.bone is None
    state.view.morphs[0] = 1.0
    reset_morphs(state, ignore)
    assert state.view.morphs == {}


def test_the_pose_stays_the_same_object_until_time_goes_on(state: State) -> None:
    state.playback.choose(state.playback.animations[0])
    first = state.playback.posed()
    assert state.playback.posed() is first
    state.view.clock.seek(0.25)
    assert state.playback.posed() is not first
