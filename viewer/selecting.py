"""What the actions do with the selected item: hide it, show it alone, bring it into view, let it go."""

from __future__ import annotations

from dataclasses import replace

from viewer.emitting import effect_of, mute, solo
from viewer.requests import Fit, Post
from viewer.scene.document import Item
from viewer.scene.vertices import drawn_by
from viewer.state import State


def geometry_of(state: State, item: Item | None) -> int | None:
    """The geometry that an item is, or that draws it."""
    model = state.model
    if item is None or model is None:
        return None
    match item:
        case ("geometry" | "lod", int(number), *_) if number < len(model.geometries):
            return number
        case ("vertex", int(buffer), int(vertex)):
            owner = drawn_by(model, buffer, vertex)
            return owner[0] if owner else None
        case ("material", int(number)):
            users = [n for n, each in enumerate(model.geometries) if each.material == number]
            return users[0] if users else None
    return None


def can_hide(state: State) -> bool:
    """Whether a geometry, emitter or ribbon is selected."""
    return geometry_of(state, state.focus) is not None or effect_of(state.focus) is not None


def hide(state: State, post: Post) -> None:
    """Hide the selected geometry, emitter or ribbon."""
    effect, number = effect_of(state.focus), geometry_of(state, state.focus)
    if effect is not None:
        mute(state, effect, True)
    elif number is not None:
        state.look.hidden.add(number)


def isolate(state: State, post: Post) -> None:
    """Show the selected geometry, emitter or ribbon alone; all again where it is alone already."""
    effect, number = effect_of(state.focus), geometry_of(state, state.focus)
    if effect is not None:
        solo(state, effect)
        return
    if number is None or state.model is None:
        return
    others = set(range(len(state.model.geometries))) - {number}
    alone = state.look.hidden == others
    state.look.hidden.clear()
    state.look.hidden.update(() if alone else others)


def show_all(state: State, post: Post) -> None:
    """Show what is hidden."""
    state.look.hidden.clear()
    state.look.effects = replace(state.look.effects, muted=frozenset(), solo=frozenset())


def deselect(state: State, post: Post) -> None:
    """Let the selection go, and the bone whose weights show."""
    state.selection.pick(None)
    state.look.bone = None


def frame(state: State, post: Post) -> None:
    """Bring the selected item into view; all of the model where it has no place."""
    post(Fit(selected=state.selection.picked is not None))


def reset_morphs(state: State, post: Post) -> None:
    """Give all morphs the weights that the file starts with."""
    state.look.morphs.clear()
