"""Actions on the selected item: hide, isolate and frame it, clear the selection."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from viewer.actions.action import Action, has_document, holds, otherwise
from viewer.actions.effects import mute, solo
from viewer.scene.display import effect_of
from viewer.scene.model import hidden_by_default, show_alone
from viewer.session.requests import FitView, Post
from viewer.session.state import State
from viewer.view.item_geometries import geometries_of


@otherwise("No part is selected")
def can_isolate(state: State) -> bool:
    """Whether an item with geometries, an emitter or a ribbon is selected."""
    return bool(geometries_of(state.model, state.focus)) or effect_of(state.focus) is not None


@otherwise("No visible part is selected")
def can_hide(state: State) -> bool:
    """Whether a part of the selected item is not hidden yet."""
    effect = effect_of(state.focus)
    shown = set(geometries_of(state.model, state.focus)) - state.view.hidden
    return bool(shown) or (effect is not None and effect not in state.view.effects.muted)


@otherwise("Nothing is hidden")
def has_hidden(state: State) -> bool:
    """Whether geometries, emitters or ribbons are hidden."""
    effects = state.view.effects
    return bool(state.view.hidden or effects.muted or effects.solo)


@otherwise("All parts are as the model shows them by default")
def differs_from_default(state: State) -> bool:
    """Whether the model has geometries that are hidden by default, and other geometries are hidden now."""
    usual = hidden_by_default(state.model)
    return bool(usual) and state.view.hidden != usual


@otherwise("Nothing is selected")
def has_selection(state: State) -> bool:
    """Whether an item, a group of items or a bone is selected."""
    selection = state.view.selection
    return bool(selection.picked or selection.group) or state.view.bone is not None


def toggle(state: State, numbers: Sequence[int]) -> None:
    """Hide these geometries, or show them if all of them are hidden."""
    shown = state.view.hidden.issuperset(numbers)
    (state.view.hidden.difference_update if shown else state.view.hidden.update)(numbers)


def hide(state: State, post: Post) -> None:
    """Hide the geometries of the selected item, or the selected emitter or ribbon."""
    effect = effect_of(state.focus)
    if effect is not None:
        mute(state, effect, True)
    state.view.hidden.update(geometries_of(state.model, state.focus))


@otherwise("No variant of a geoset group is selected")
def has_variants(state: State) -> bool:
    """Whether the selected geometry is one of the variants of a geoset group."""
    numbers = geometries_of(state.model, state.focus)
    return bool(numbers and state.model and state.model.geometries[numbers[0]].geoset)


def only_variant(state: State, post: Post) -> None:
    """Show the geoset of the selected item, and hide the other variants of its group."""
    numbers = geometries_of(state.model, state.focus)
    geoset = state.model.geometries[numbers[0]].geoset if numbers and state.model else None
    if state.model is not None and geoset:
        show_alone(state.model, geoset, state.view.hidden)


def usual_variants(state: State, post: Post) -> None:
    """Restore the default visibility of geometries."""
    state.view.hidden.clear()
    state.view.hidden.update(hidden_by_default(state.model))


def isolate(state: State, post: Post) -> None:
    """Show only the geometries of the selected item, or the selected emitter or ribbon. A second call
    restores the default visibility.
    """
    effect = effect_of(state.focus)
    if effect is not None:
        solo(state, effect)
    numbers = geometries_of(state.model, state.focus)
    if not numbers or state.model is None:
        return
    others = set(range(len(state.model.geometries))) - set(numbers)
    if state.view.hidden == others:
        usual_variants(state, post)
    else:
        state.view.hidden.clear()
        state.view.hidden.update(others)


def show_all(state: State, post: Post) -> None:
    """Show all hidden items."""
    state.view.hidden.clear()
    state.view.effects = replace(state.view.effects, muted=frozenset(), solo=frozenset())


def deselect(state: State, post: Post) -> None:
    """Clear the selection, the marked group, and no longer show the weights of a bone."""
    state.view.selection.pick(None)
    state.view.selection.group = ()
    state.view.bone = None


def frame(state: State, post: Post) -> None:
    """Fit the selected item into the view. If the item has no position, fit the whole model."""
    post(FitView(selected=state.view.selection.picked is not None))


def reset_morphs(state: State, post: Post) -> None:
    """Reset the weights of all morphs to their values in the file."""
    state.view.morphs.clear()


MENU = ("Select",)

VISIBILITY = (
    Action("frame_selected", "Frame selected", ("F", "Num."), MENU, frame, has_document),
    Action("hide", "Hide selected", ("H",), MENU, hide, can_hide, words="visibility invisible"),
    Action("isolate", "Isolate selected", ("Shift+H",), MENU, isolate, can_isolate, words="solo alone only"),
    Action(
        "only_variant",
        "Show only this variant",
        (),
        MENU,
        only_variant,
        has_variants,
    ),
    Action("usual_variants", "Restore default visibility", (), MENU, usual_variants, differs_from_default),
    Action("show_all", "Show all", ("Alt+H",), MENU, show_all, has_hidden, words="unhide reveal visibility"),
    Action(
        "reset_morphs",
        "Reset morphs",
        (),
        MENU,
        reset_morphs,
        otherwise("No morph was changed")(holds("view.morphs")),
    ),
    Action(
        "deselect",
        "Clear selection",
        ("Escape",),
        ("Edit",),
        deselect,
        has_selection,
        words="unselect nothing none",
    ),
)
