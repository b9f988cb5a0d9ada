"""Thumbnails are drawn with a renderer that the process keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import left_in
from tests.synthetic import write_pair
from viewer.library.thumbnails.thumbnail import NothingShownError, draw_thumbnail, first_sight
from viewer.render.standalone import standalone_renderer
from viewer.session.state import State
from viewer.storage.documents import open_document

SIZE = (32, 32)


@pytest.fixture
def state(tmp_path: Path) -> State:
    state = State()
    state.put(open_document(write_pair(tmp_path)))
    first_sight(state)
    return state


def test_a_picture_leaves_no_more_than_the_programs(state: State) -> None:
    draw_thumbnail(state, SIZE)
    with standalone_renderer() as renderer:
        before = len(left_in(renderer.ctx))
    draw_thumbnail(state, SIZE)
    with standalone_renderer() as again:
        assert again is renderer
        assert len(left_in(again.ctx)) == before


def test_nothing_to_see_is_said(state: State) -> None:
    state.view.hidden = {0}
    with pytest.raises(NothingShownError, match="hidden"):
        draw_thumbnail(state, SIZE)
