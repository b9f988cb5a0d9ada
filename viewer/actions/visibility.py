"""Actions on the selected item: hide, isolate and frame it, clear the selection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from viewer.actions.action import Action, has_document, holds, otherwise
from viewer.actions.effects import mute, solo
from viewer.scene.display import effect_of
from viewer.scene.model import hidden_by_default, is_free, show_alone
from viewer.session.requests import FitView, Post
from viewer.session.state import State
from viewer.view.item_geometries import geometries_of


def chosen_geometries(state: State) -> list[int]:
    """Return the numbers of the geometries of the selected items. These are the items of the selected group,
    if it has the picked item or no item is picked.
    """
    selection = state.view.selection
    group = selection.group if selection.picked is None or selection.picked in selection.group else ()
    items = group or (state.focus,)
    return [*dict.fromkeys(number for item in items for number in geometries_of(state.model, item))]


@otherwise("No part is selected")
def can_isolate(state: State) -> bool:
    """Whether an item with geometries, an emitter or a ribbon is selected."""
    return bool(chosen_geometries(state)) or effect_of(state.focus) is not None


@otherwise("No visible part is selected")
def can_hide(state: State) -> bool:
    """Whether a part of the selected item is not hidden yet."""
    effect = effect_of(state.focus)
    shown = set(chosen_geometries(state)) - state.view.hidden
    return bool(shown) or (effect is not None and effect not in state.view.effects.muted)


@otherwise("Nothing is hidden")
def has_hidden(state: State) -> bool:
    """Whether geometries, emitters or ribbons are hidden."""
    effects = state.view.effects
    hidden = state.view.hidden - (hidden_by_default(state.model) - state.view.put_away)
    return bool(hidden or effects.muted or effects.solo)


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
    if state.view.hidden.issuperset(numbers):
        state.view.hidden.difference_update(numbers)
    else:
        put_away(state, numbers)


def put_away(state: State, numbers: Iterable[int]) -> None:
    """Hide these geometries, and remember which of them were shown."""
    view = state.view
    view.put_away = (view.put_away & view.hidden) | (set(numbers) - view.hidden)
    view.hidden.update(numbers)


def hide(state: State, post: Post) -> None:
    """Hide the geometries of the selected item, or the selected emitter or ribbon."""
    effect = effect_of(state.focus)
    if effect is not None:
        mute(state, effect, True)
    put_away(state, chosen_geometries(state))


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
        state.view.show_variant(state.model, geoset)


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
    numbers = chosen_geometries(state)
    if not numbers or state.model is None:
        return
    others = set(range(len(state.model.geometries))) - set(numbers)
    if state.view.hidden == others:
        usual_variants(state, post)
    else:
        put_away(state, others)
        state.view.hidden.difference_update(numbers)


def show_all(state: State, post: Post) -> None:
    """Show what was hidden. Of a group of variants, the variant that was shown before comes back; two
    variants are never shown together, and variants that the model hides stay hidden.
    """
    view, model = state.view, state.model
    usual = hidden_by_default(model)
    geometries = model.geometries if model is not None else ()
    for number, geometry in enumerate(geometries):
        if number in view.put_away:
            view.hidden.discard(number)
            if model is not None and geometry.geoset:
                show_alone(model, geometry.geoset, view.hidden)
    for number in range(len(geometries)):
        if model is not None and number not in usual and is_free(model, number, view.hidden):
            view.hidden.discard(number)
    view.put_away.clear()
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
