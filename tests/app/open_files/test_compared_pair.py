"""When the comparison of two chosen files starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import model_bytes
from viewer.app.open_files.compared_pair import ComparedPair
from viewer.scene.choices import CompareMode
from viewer.session.state import State
from viewer.storage.documents import open_document


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """Three models."""
    made = [tmp_path / f"{name}.mdl" for name in ("One", "Other", "Third")]
    for path in made:
        path.write_bytes(model_bytes())
    return [*map(str, made)]


def test_the_comparison_waits_until_both_files_are_loaded(paths: list[str]) -> None:
    state = State()
    pair = ComparedPair(state)
    pair.begin(paths[0], paths[1])
    for path in (paths[2], paths[0]):
        state.put(open_document(path))
    pair.step([paths[1]])
    assert state.documents.compared is None
    state.put(open_document(paths[1]))
    pair.step([paths[2]])
    assert state.documents.comparison.mode is CompareMode.SIDE
    assert state.document is state.documents.at(paths[1])
    assert state.documents.compared is state.documents.at(paths[0])


def test_a_file_that_could_not_be_opened_ends_the_wait(paths: list[str]) -> None:
    state = State()
    pair = ComparedPair(state)
    pair.begin(paths[0], paths[1])
    state.put(open_document(paths[0]))
    pair.step([])
    state.put(open_document(paths[1]))
    pair.step([])
    assert state.documents.compared is None
