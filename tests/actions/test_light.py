"""The light on materials: its actions."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.synthetic import opened_with_two_clips
from viewer.actions import ACTIONS_BY_NAME
from viewer.scene.choices import Lighting, LightKind, Shading
from viewer.scene.model import Light
from viewer.session.state import State


def run(state: State, name: str) -> None:
    """Run an action."""
    ACTIONS_BY_NAME[name].run(state, [].append)


def test_a_light_ends_a_shading_that_shows_no_light() -> None:
    state = State()
    state.options.shading = Shading.NORMALS
    run(state, "light_unlit")
    assert (state.options.shading, state.options.light) == (Shading.LIT, LightKind.UNLIT)


def test_another_light_starts_from_its_default_direction() -> None:
    state = State()
    state.options.lighting = Lighting().turned(10, 10)
    run(state, "light_headlamp")
    assert state.options.lighting == Lighting(LightKind.HEADLAMP)


def test_the_direction_returns_to_its_default() -> None:
    state = State()
    assert not ACTIONS_BY_NAME["light_reset"].enabled(state)
    state.options.lighting = Lighting(LightKind.HEADLAMP).turned(10, 10)
    run(state, "light_reset")
    assert state.options.lighting == Lighting(LightKind.HEADLAMP)


@pytest.mark.parametrize("lights", [0, 1])
def test_the_next_light_is_one_that_the_model_has(tmp_path: Path, lights: int) -> None:
    state = opened_with_two_clips(tmp_path)
    assert state.document is not None and state.model is not None
    state.document.content = replace(state.model, lights=(Light("point", 0, (0.0, 0.0, 0.0)),) * lights)
    seen = []
    for _ in range(4 + lights):
        run(state, "next_light")
        seen.append(state.options.light)
    file = [LightKind.FILE] * lights
    assert seen == [
        LightKind.HEADLAMP,
        *file,
        LightKind.ENVIRONMENT,
        LightKind.UNLIT,
        LightKind.STUDIO,
    ]


def test_an_environment_is_turned_and_turned_back() -> None:
    state = State()
    run(state, "environment_room")
    assert (state.options.light, state.options.environment) == (LightKind.ENVIRONMENT, "room")
    assert not ACTIONS_BY_NAME["light_reset"].enabled(state)
    state.options.environment_turn = 40.0
    run(state, "light_reset")
    assert state.options.environment_turn == 0.0


def test_the_environment_is_stronger_and_weaker() -> None:
    state = State()
    assert not ACTIONS_BY_NAME["environment_stronger"].enabled(state)
    run(state, "light_environment")
    run(state, "environment_stronger")
    assert state.options.environment_strength == 1.25
    for _ in range(40):
        run(state, "environment_weaker")
    assert state.options.environment_strength == 0.05


def test_the_exposure_changes_in_half_stops() -> None:
    state = State()
    run(state, "exposure_more")
    run(state, "exposure_more")
    assert state.options.exposure == 1.0
    run(state, "exposure_reset")
    run(state, "exposure_less")
    assert state.options.exposure == -0.5
