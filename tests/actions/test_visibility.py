"""What the actions do with the selected item."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import write_pair
from viewer.actions import ACTIONS_BY_NAME
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
from viewer.scene.items import BoneItem, GeometryItem, MaterialItem
from viewer.scene.model import Geometry, Model
from viewer.session.requests import FitView
from viewer.session.state import State
from viewer.storage.documents import open_document


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
    assert can_hide(state)
    hide(state, ignore)
    assert state.view.hidden == {0} and has_hidden(state)
    assert not can_hide(state), "it is hidden already"
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


@pytest.fixture
def dressed(state: State) -> State:
    """Three geometries with two materials; the last geometry is hidden by default."""
    document = state.document
    assert document is not None
    document.content = Model(
        "three",
        geometries=tuple(
            Geometry(name, (), material=material, shown=name != "c")
            for name, material in (("a", 0), ("b", 1), ("c", 0))
        ),
    )
    state.view.hidden.add(2)
    return state


def test_a_material_has_all_its_geometries(dressed: State) -> None:
    dressed.view.hidden.clear()
    dressed.view.selection.pick(MaterialItem(0))
    hide(dressed, ignore)
    assert dressed.view.hidden == {0, 2}
    isolate(dressed, ignore)
    assert dressed.view.hidden == {1}


def test_the_default_visibility_is_offered_if_it_differs(dressed: State) -> None:
    offered = ACTIONS_BY_NAME["usual_variants"].enabled
    assert not offered(dressed)
    dressed.view.hidden.add(0)
    assert offered(dressed)
    ACTIONS_BY_NAME["usual_variants"].run(dressed, ignore)
    assert dressed.view.hidden == {2} and not offered(dressed)


def test_what_is_hidden_can_be_isolated(dressed: State) -> None:
    dressed.view.selection.pick(GeometryItem(2))
    assert not ACTIONS_BY_NAME["hide"].enabled(dressed) and ACTIONS_BY_NAME["isolate"].enabled(dressed)


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
    offered = ACTIONS_BY_NAME["reset_morphs"].enabled
    assert not offered(state)
    state.view.morphs[0] = 1.0
    assert offered(state)
    reset_morphs(state, ignore)
    assert state.view.morphs == {}


def test_the_pose_stays_the_same_object_until_time_goes_on(state: State) -> None:
    state.playback.choose(state.playback.animations[0])
    first = state.playback.posed()
    assert state.playback.posed() is first
    state.view.clock.seek(0.25)
    assert state.playback.posed() is not first
