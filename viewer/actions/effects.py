"""Actions on emitters and ribbons: mute, solo, freeze, rate, size and seed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from viewer.actions.action import Action, has, holds, otherwise
from viewer.scene.display import EffectOptions, effect_of
from viewer.scene.items import EffectItem
from viewer.session.requests import Post
from viewer.session.state import State


@otherwise("No emitter or ribbon is selected")
def effect_selected(state: State) -> bool:
    """Whether an emitter or ribbon is selected."""
    return effect_of(state.focus) is not None


@otherwise("No emitter or ribbon was changed")
def effects_altered(state: State) -> bool:
    """Whether settings of emitters or ribbons differ from the file."""
    return state.view.effects != EffectOptions()


def selected_frozen(state: State) -> bool:
    """Whether the selected emitter or ribbon is frozen."""
    return effect_of(state.focus) in state.view.effects.frozen


def muted(state: State, item: EffectItem) -> bool:
    """Whether an emitter or ribbon is not drawn, because it is muted, or because other effects are solo."""
    return not replace(state.view.effects, shown=True).draws(item)


def mute(state: State, item: EffectItem, on: bool) -> None:
    """Mute an emitter or ribbon, or unmute it. Unmuting also ends the solo of other effects."""
    effects = state.view.effects
    if on:
        state.view.effects = replace(effects, muted=effects.muted | {item})
    else:
        solo = effects.solo if item in effects.solo else frozenset()
        state.view.effects = replace(effects, muted=effects.muted - {item}, solo=solo)


def solo(state: State, item: EffectItem) -> None:
    """Toggle solo for an emitter or ribbon. If at least one effect is solo, only solo effects are drawn."""
    effects = state.view.effects
    state.view.effects = replace(effects, solo=effects.solo ^ {item}, muted=effects.muted - {item})


def freeze(state: State, item: EffectItem) -> None:
    """Stop or resume the time of an emitter or ribbon."""
    effects = state.view.effects
    time = effects_time(state)
    state.view.effects = replace(effects, frozen=_toggled(effects.frozen, item, time))


def effects_time(state: State) -> float:
    """The time of emitters and ribbons in seconds.

    It is the time of the first layer, because this layer moves their bones.
    """
    playing = state.playback.layers()
    return playing[0].time if playing else state.view.clock.time


def set_rate(state: State, item: EffectItem, factor: float) -> None:
    """Set the factor of the emission rate; 1 is the rate in the file."""
    effects = state.view.effects
    state.view.effects = replace(effects, rates=_with(effects.rates, item, factor))


def set_size(state: State, item: EffectItem, factor: float) -> None:
    """Set the factor of the particle or ribbon size; 1 is the size in the file."""
    effects = state.view.effects
    state.view.effects = replace(effects, sizes=_with(effects.sizes, item, factor))


def set_seed(state: State, seed: int) -> None:
    """Set the seed of the random numbers for all emitters."""
    state.view.effects = replace(state.view.effects, seed=seed)


def reset(state: State, item: EffectItem) -> None:
    """Reset an emitter or ribbon to the file's values."""
    effects = state.view.effects
    state.view.effects = replace(
        effects,
        solo=effects.solo - {item},
        muted=effects.muted - {item},
        frozen=_without(effects.frozen, item),
        rates=_without(effects.rates, item),
        sizes=_without(effects.sizes, item),
    )


def reset_all(state: State, post: Post) -> None:
    """Reset all emitters and ribbons to the file's values."""
    state.view.effects = EffectOptions()


def toggle_shown(state: State, post: Post) -> None:
    """Switch the drawing of particles and ribbons on or off."""
    effects = state.view.effects
    state.view.effects = replace(effects, shown=not effects.shown)


def toggle_cold(state: State, post: Post) -> None:
    """Toggle between emitters that start at time 0 without particles and emitters that have always been
    running.
    """
    effects = state.view.effects
    state.view.effects = replace(effects, cold=not effects.cold)


def next_seed(state: State, post: Post) -> None:
    """Choose another seed of the random numbers."""
    set_seed(state, state.view.effects.seed + 1)


def freeze_selected(state: State, post: Post) -> None:
    """Freeze or resume the selected emitter or ribbon."""
    item = effect_of(state.focus)
    if item is not None:
        freeze(state, item)


def reset_selected(state: State, post: Post) -> None:
    """Reset the selected emitter or ribbon to the file's values."""
    item = effect_of(state.focus)
    if item is not None:
        reset(state, item)


def _toggled(values: Mapping[EffectItem, float], item: EffectItem, value: float) -> dict[EffectItem, float]:
    return _without(values, item) if item in values else {**values, item: value}


def _with(values: Mapping[EffectItem, float], item: EffectItem, factor: float) -> dict[EffectItem, float]:
    return _without(values, item) if factor == 1 else {**values, item: factor}


def _without(values: Mapping[EffectItem, float], item: EffectItem) -> dict[EffectItem, float]:
    return {each: value for each, value in values.items() if each != item}


MENU = ("View", "Effects")

EFFECTS = (
    Action(
        "effects",
        "Particles and ribbons",
        ("P",),
        MENU,
        toggle_shown,
        has("effects"),
        holds("view.effects.shown"),
        words="fx emitters",
    ),
    Action(
        "cold", "Start emitters at time 0", (), MENU, toggle_cold, has("effects"), holds("view.effects.cold")
    ),
    Action("next_seed", "Change random seed", (), MENU, next_seed, has("effects")),
    Action("freeze", "Freeze selected", (), MENU, freeze_selected, effect_selected, selected_frozen),
    Action("reset_effect", "Reset selected", (), MENU, reset_selected, effect_selected),
    Action("reset_effects", "Reset all", (), MENU, reset_all, effects_altered),
)
