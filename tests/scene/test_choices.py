"""The light on the model, as the window and the command line choose it."""

from __future__ import annotations

import pytest

from viewer.scene.choices import LIGHT_DIRECTIONS, Lighting, LightKind

HEADLAMP = Lighting(LightKind.HEADLAMP)


def test_a_light_turns_from_its_default_direction() -> None:
    yaw, pitch = LIGHT_DIRECTIONS[LightKind.STUDIO]
    assert Lighting().turned(10, 5).direction == (yaw + 10, pitch + 5)


def test_a_light_turns_all_around_but_not_over_the_top() -> None:
    assert HEADLAMP.turned(200, 120).direction == (-160, 90)
    assert HEADLAMP.turned(0, -120).direction == (0, -90)


@pytest.mark.parametrize("kind", [LightKind.FILE, LightKind.UNLIT])
def test_lights_without_a_direction_do_not_turn(kind: LightKind) -> None:
    assert Lighting(kind).turned(10, 10) == Lighting(kind)


def test_the_text_of_a_light_is_that_of_the_command_line() -> None:
    assert Lighting().text == "studio"
    assert Lighting(LightKind.HEADLAMP, (30.2, -45.0)).text == "headlamp:30,-45"
    assert str(Lighting()) == "studio"
    assert str(Lighting(LightKind.HEADLAMP, (30.25, -45.0))) == "headlamp:30.25,-45.0"
