"""Light actions: the light on materials, its direction, and the shadow on the ground."""

from __future__ import annotations

from viewer.actions.action import Action, Condition, always, equals, has, holds, otherwise, sets, switches
from viewer.scene.choices import Lighting, LightKind, Shading
from viewer.scene.picture_options import PICTURE_OPTIONS
from viewer.session.requests import Post
from viewer.session.state import State

MENU, DIRECTION = ("View", "Light"), "options.light_direction"


has_lights = has("lights")


def choose_light(state: State, kind: LightKind) -> None:
    """Light the model with this light, from its default direction. The shading changes to Materials, because
    no other shading shows the light.
    """
    state.options.lighting, state.options.shading = Lighting(kind), Shading.LIT


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
    _light(LightKind.UNLIT),
    Action("next_light", "Next light", ("Alt+L",), MENU, next_light, words="lamp"),
    Action(
        "light_reset",
        "Default direction",
        (),
        MENU,
        sets(DIRECTION, None),
        otherwise("The light has its default direction")(holds(DIRECTION)),
    ),
    *switches("Light"),
)
