"""Which clips of other open files are offered for the file in view."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import animation_bytes, model_bytes, write_pair
from tests.table_files import displays
from viewer.session.state import State
from viewer.storage.documents import open_document


def names(state: State) -> list[str]:
    return [each.name for each in state.playback.animations]


@pytest.mark.usefixtures("wow")
def test_a_lone_animation_is_offered_only_for_a_file_with_bones(tmp_path: Path) -> None:
    state = State()
    (tmp_path / "Wave.ani").write_bytes(animation_bytes("Wave", 2.0))
    (tmp_path / "Displays.dbc").write_bytes(displays())
    (tmp_path / "Plain.mdl").write_bytes(model_bytes(bones=[]))
    (tmp_path / "model").mkdir()
    state.put(open_document(tmp_path / "Wave.ani"))
    assert names(state) == ["Wave"], "it is the file in view"
    state.put(open_document(tmp_path / "Displays.dbc"))
    assert names(state) == []
    state.put(open_document(tmp_path / "Plain.mdl"))
    assert state.skeleton is None and names(state) == []
    state.put(open_document(write_pair(tmp_path / "model")))
    assert sorted(names(state)) == ["Bend", "Wave"]
