"""Light actions: the light on materials, its direction, and the shadow on the ground."""

from __future__ import annotations

from viewer.actions.action import (
    Action,
    Condition,
    Operation,
    always,
    equals,
    has,
    holds,
    otherwise,
    posts,
    sets,
    switches,
)
from viewer.scene.choices import ROOM, Lighting, LightKind, Shading
from viewer.scene.picture_options import PICTURE_OPTIONS
from viewer.session.requests import OpenEnvironment, Post
from viewer.session.state import State

MENU, TONES = ("View", "Light"), ("View", "Tone")
BLUR = 0.3
"""Blur of the environment that an action draws behind the model."""
STEP, WEAKEST, STRONGEST = 1.25, 0.05, 20.0
"""Factor of a step of the environment's strength, and the limits of the strength."""
MOST_EXPOSURE = 8.0
"""Largest number of stops that actions brighten or darken all light by."""


has_lights = has("lights")
in_environment = otherwise("The light is no environment")(equals("options.light", LightKind.ENVIRONMENT))


def choose_light(state: State, kind: LightKind) -> None:
    """Light the model with this light, from its default direction. The shading changes to Materials, because
    no other shading shows the light.
    """
    state.options.lighting, state.options.shading = Lighting(kind), Shading.LIT


def choose_environment(state: State, name: str) -> None:
    """Light the model with the environment of this name: `room`, or the path of a picture."""
    choose_light(state, LightKind.ENVIRONMENT)
    state.options.environment = name


def _room(state: State, post: Post) -> None:
    """Light the model with the built-in environment."""
    choose_environment(state, ROOM)


def _shows_room(state: State) -> bool:
    """Whether the built-in environment lights the model."""
    return state.options.light is LightKind.ENVIRONMENT and state.options.environment == ROOM


def _behind(state: State, post: Post) -> None:
    """Draw the environment behind the model and light the model with it, or draw the background again."""
    if _is_behind(state):
        state.options.environment_background = None
        return
    choose_light(state, LightKind.ENVIRONMENT)
    state.options.environment_background = BLUR


def _is_behind(state: State) -> bool:
    """Whether the environment is drawn behind the model."""
    shown = state.options.light is LightKind.ENVIRONMENT
    return shown and state.options.environment_background is not None


def _strengthen(factor: float) -> Operation:
    """Return the operation that multiplies the strength of the environment."""

    def run(state: State, post: Post) -> None:
        """Change the strength."""
        strength = state.options.environment_strength * factor
        state.options.environment_strength = min(max(round(strength, 3), WEAKEST), STRONGEST)
        state.interface.note(f"Light: {state.options.environment_strength:g} times as strong as usual")

    return run


def _expose(stops: float) -> Operation:
    """Return the operation that brightens all light by a number of stops."""

    def run(state: State, post: Post) -> None:
        """Change the exposure."""
        state.options.exposure = min(max(state.options.exposure + stops, -MOST_EXPOSURE), MOST_EXPOSURE)
        state.interface.note(f"Exposure: {state.options.exposure:+g} stops")

    return run


def _reset(state: State, post: Post) -> None:
    """Give the light its default direction."""
    state.options.light_direction, state.options.environment_turn = None, 0.0


@otherwise("The light has its default direction")
def is_turned(state: State) -> bool:
    """Whether the light has another direction than its default."""
    if state.options.light is LightKind.ENVIRONMENT:
        return state.options.environment_turn != 0.0
    return state.options.light_direction is not None


def next_light(state: State, post: Post) -> None:
    """Switch to the next light. The lights of the file are skipped if the file has none."""
    kinds = [kind for kind in LightKind if kind is not LightKind.FILE or has_lights(state)]
    now = state.options.light if state.options.light in kinds else LightKind.STUDIO
    choose_light(state, kinds[(kinds.index(now) + 1) % len(kinds)])


def _light(kind: LightKind, enabled: Condition = always) -> Action:
    """Make the action that chooses a light."""

    def run(state: State, post: Post) -> None:
        """Choose the light."""
        choose_light(state, kind)

    title, chosen = PICTURE_OPTIONS["light"].label(kind), equals("options.light", kind)
    return Action(f"light_{kind.value}", title, (), MENU, run, enabled, chosen)


LIGHT = (
    _light(LightKind.STUDIO),
    _light(LightKind.HEADLAMP),
    _light(LightKind.FILE, has_lights),
    _light(LightKind.ENVIRONMENT),
    _light(LightKind.UNLIT),
    Action("next_light", "Next light", ("Alt+L",), MENU, next_light, words="lamp"),
    Action(
        "light_reset",
        "Default direction",
        (),
        MENU,
        _reset,
        is_turned,
    ),
    *switches("Light"),
)
ENVIRONMENT = (
    Action("open_environment", "Open environment…", (), MENU, posts(OpenEnvironment()), words="hdr ibl sky"),
    Action("environment_room", "Built-in room", (), MENU, _room, always, _shows_room),
    Action("environment_behind", "Environment as background", (), MENU, _behind, always, _is_behind),
    Action("environment_stronger", "Stronger environment", (), MENU, _strengthen(STEP), in_environment),
    Action("environment_weaker", "Weaker environment", (), MENU, _strengthen(1 / STEP), in_environment),
)
EXPOSURE = (
    Action("exposure_more", "Brighter", (), TONES, _expose(0.5), words="exposure stops"),
    Action("exposure_less", "Darker", (), TONES, _expose(-0.5), words="exposure stops"),
    Action(
        "exposure_reset",
        "Default exposure",
        (),
        TONES,
        sets("options.exposure", 0.0),
        otherwise("The exposure is the default")(holds("options.exposure")),
    ),
)
