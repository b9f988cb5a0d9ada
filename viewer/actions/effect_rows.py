"""Particles and ribbons."""

from __future__ import annotations

from viewer.actions import effects as do
from viewer.actions.action import Action
from viewer.session.state import State

MENU = ("View", "Effects")


def _shown(state: State) -> bool:
    return state.look.effects.shown


def _cold(state: State) -> bool:
    return state.look.effects.cold


def _frozen(state: State) -> bool:
    return do.effect_of(state.focus) in state.look.effects.frozen


EFFECTS = (
    Action("effects", "Particles and ribbons", ("P",), MENU, do.toggle_shown, do.has_effects, _shown),
    Action("cold", "Start at time 0", (), MENU, do.toggle_cold, do.has_effects, _cold),
    Action("next_seed", "Other random numbers", (), MENU, do.next_seed, do.has_effects),
    Action("freeze", "Freeze selected", (), MENU, do.freeze_selected, do.chosen, _frozen),
    Action("reset_effect", "Selected as in the file", (), MENU, do.reset_selected, do.chosen),
    Action("reset_effects", "All as in the file", (), MENU, do.reset_all, do.altered),
)
