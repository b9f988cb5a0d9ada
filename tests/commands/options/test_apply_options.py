"""What a window starts with."""

from __future__ import annotations

from viewer.commands.options.apply_options import apply, prepare_window
from viewer.commands.options.given_options import Options
from viewer.scene.choices import Lighting, LightKind
from viewer.session.state import State


def test_a_window_without_a_file_shows_later_models_without_their_bones() -> None:
    state = State()
    prepare_window(state, Options(), (640, 400))
    assert not state.options.skeleton


def test_the_light_of_the_command_line_replaces_that_of_the_settings() -> None:
    state = State()
    state.options.light = LightKind.UNLIT
    apply(state, Options())
    assert state.options.light is LightKind.UNLIT
    apply(state, Options(shown={"light": Lighting(LightKind.HEADLAMP, (30.0, 0.0))}))
    assert (state.options.light, state.options.light_direction) == (LightKind.HEADLAMP, (30.0, 0.0))
