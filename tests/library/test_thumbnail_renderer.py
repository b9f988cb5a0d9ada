"""The context of a process that draws thumbnails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import left_in
from tests.synthetic import write_pair
from viewer.formats import open_document
from viewer.library.thumbnail import first_sight
from viewer.library.thumbnail_renderer import NothingShownError, ThumbnailRenderer
from viewer.session.state import State


def opened(path: Path) -> State:
    state = State()
    state.put(open_document(path))
    first_sight(state)
    return state


def test_a_picture_leaves_no_more_than_the_programs(tmp_path: Path) -> None:
    renderer = ThumbnailRenderer()
    try:
        state = opened(write_pair(tmp_path))
        renderer.draw(state, (32, 32))
        before = len(left_in(renderer.ctx))
        renderer.draw(state, (32, 32))
        assert len(left_in(renderer.ctx)) == before
    finally:
        renderer.close()


def test_nothing_to_see_is_said(tmp_path: Path) -> None:
    renderer = ThumbnailRenderer()
    state = opened(write_pair(tmp_path))
    state.view.hidden = {0}
    try:
        with pytest.raises(NothingShownError, match="hidden"):
            renderer.draw(state, (32, 32))
    finally:
        renderer.close()
