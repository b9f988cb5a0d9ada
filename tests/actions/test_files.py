"""The actions on tabs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import animation_bytes, model_bytes
from viewer.actions import ACTIONS_BY_NAME
from viewer.scene.items import AnimationItem
from viewer.session.requests import ReopenTab, Request
from viewer.session.state import State
from viewer.storage.documents import open_document


@pytest.fixture
def state(tmp_path: Path) -> State:
    """Three models, of which the last is in view."""
    state = State()
    for name in ("a.mdl", "b.mdl", "c.mdl"):
        (tmp_path / name).write_bytes(model_bytes())
        state.put(open_document(tmp_path / name))
    return state


def run(state: State, name: str) -> list[Request]:
    """What the action posts."""
    posted: list[Request] = []
    assert ACTIONS_BY_NAME[name].enabled(state)
    ACTIONS_BY_NAME[name].run(state, posted.append)
    return posted


def test_the_first_tab_follows_the_last(state: State) -> None:
    shown = []
    for name in ("next_tab", "next_tab", "previous_tab", "previous_tab"):
        run(state, name)
        shown.append(state.documents.current)
    assert shown == [0, 1, 0, 2]


def test_one_tab_has_no_neighbours(state: State) -> None:
    state.close(0)
    state.close(0)
    assert not ACTIONS_BY_NAME["next_tab"].enabled(state)
    assert not ACTIONS_BY_NAME["previous_tab"].enabled(state)


def test_a_tab_is_reopened_after_one_was_closed(state: State) -> None:
    assert not ACTIONS_BY_NAME["reopen_tab"].enabled(state)
    state.close(0)
    assert run(state, "reopen_tab") == [ReopenTab()]


def test_export_proposes_the_selected_clips(state: State) -> None:
    assert state.document is not None
    for name in ("Bend", "Wave"):
        path = Path(state.document.path).with_name(f"{name}.ani")
        path.write_bytes(animation_bytes(name))
        state.put(open_document(path))
    proposed = []
    for number in (0, 1, 1):
        state.view.selection.toggle(AnimationItem(number))
        run(state, "export")
        proposed.append((state.interface.exports, state.interface.exporter.clips))
        state.interface.exports = False
    assert proposed == [(True, "all"), (True, "selected"), (True, "all")]
