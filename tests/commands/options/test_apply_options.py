"""What a window starts with."""

from __future__ import annotations

from viewer.commands.options.apply_options import prepare_window
from viewer.commands.options.given_options import Options
from viewer.session.state import State


def test_a_window_without_a_file_shows_later_models_without_their_bones() -> None:
    state = State()
    prepare_window(state, Options(), (640, 400))
    assert not state.options.skeleton
