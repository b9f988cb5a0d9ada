"""Which panel's find field gets the focus."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import write_pair
from viewer.actions.find import FIELDS, find, panel_in_front
from viewer.scene.package import Package
from viewer.session.layouts import VIEW
from viewer.session.state import State
from viewer.storage.documents import open_document


@pytest.fixture
def state(tmp_path: Path) -> State:
    made = State()
    made.put(open_document(write_pair(tmp_path)))
    return made


@pytest.mark.parametrize("panel", FIELDS)
def test_the_panel_with_the_focus_is_in_front(state: State, panel: str) -> None:
    state.interface.focused = panel
    assert panel_in_front(state) == panel


def test_without_a_field_in_focus_the_first_open_panel_is_in_front(state: State) -> None:
    state.interface.focused = "properties"
    assert panel_in_front(state) == "outline"
    state.interface.toggle("outline")
    assert panel_in_front(state) == "animations"


def test_a_page_in_place_of_the_picture_is_in_front(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "viewer.actions.find.PAGES", (type(state.document.content),) if state.document else ()
    )
    assert panel_in_front(state) == VIEW
    state.interface.focused = "problems"
    assert panel_in_front(state) == "problems"
    assert Package is not None


def test_a_panel_is_opened_if_all_are_closed(state: State) -> None:
    state.interface.arrange("view")
    find(state, lambda request: None)
    assert state.interface.shows("outline")
    assert (state.interface.finding, state.interface.front) == ("outline", "outline")


def test_a_request_is_taken_once() -> None:
    interface = State().interface
    interface.finding = "problems"
    assert not interface.find_requested("outline")
    assert interface.find_requested("problems") and not interface.find_requested("problems")
