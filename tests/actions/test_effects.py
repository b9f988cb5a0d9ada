"""Emitters and ribbons shown or not, alone, frozen, and with other rates and sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.actions import effects as do
from viewer.actions import visibility
from viewer.paths import folder
from viewer.scene.display import EffectOptions, effect_of
from viewer.scene.items import BoneItem, EffectItem, EmitterItem, Item, ParticleItem, RibbonItem
from viewer.session.state import State
from viewer.storage.documents import open_document

pytestmark = pytest.mark.usefixtures("wow")

FIRE: EffectItem = EmitterItem(0)
SMOKE: EffectItem = EmitterItem(1)
TRAIL: EffectItem = RibbonItem(0)
PUFF = folder("assets") / "m2" / "Creature" / "Puff" / "Puff.m2"


@pytest.fixture
def state() -> State:
    state = State()
    state.put(open_document(Path(PUFF)))
    state.playback.choose(state.playback.idle())
    return state


def post(request: object) -> None:
    raise AssertionError(request)


def drawn(state: State) -> set[Item]:
    return {item for item in (FIRE, SMOKE, TRAIL) if state.view.effects.draws(item)}


def test_muted_is_not_drawn_and_comes_back(state: State) -> None:
    do.mute(state, FIRE, True)
    assert drawn(state) == {SMOKE, TRAIL} and do.muted(state, FIRE)
    do.mute(state, FIRE, False)
    assert drawn(state) == {FIRE, SMOKE, TRAIL} and not do.effects_altered(state)


def test_solo_ones_are_alone_together(state: State) -> None:
    do.solo(state, FIRE)
    do.solo(state, TRAIL)
    assert drawn(state) == {FIRE, TRAIL}
    do.solo(state, FIRE)
    do.solo(state, TRAIL)
    assert drawn(state) == {FIRE, SMOKE, TRAIL}


def test_showing_one_that_others_keep_away_ends_their_being_alone(state: State) -> None:
    do.solo(state, FIRE)
    assert do.muted(state, SMOKE)
    do.mute(state, SMOKE, False)
    assert drawn(state) == {FIRE, SMOKE, TRAIL}


def test_frozen_ones_stay_at_the_time_of_the_clip(state: State) -> None:
    state.view.clock.seek(1.25)
    do.freeze(state, SMOKE)
    state.view.clock.seek(3.0)
    assert (state.view.effects.time(SMOKE, 3.0), state.view.effects.time(FIRE, 3.0)) == (1.25, 3.0)
    do.freeze(state, SMOKE)
    assert state.view.effects.time(SMOKE, 3.0) == 3.0


def test_multipliers_reset(state: State) -> None:
    do.set_rate(state, FIRE, 2.0)
    do.set_size(state, FIRE, 0.5)
    assert (state.view.effects.rate(FIRE), state.view.effects.size(FIRE)) == (2.0, 0.5)
    do.set_rate(state, FIRE, 1.0)
    assert FIRE not in state.view.effects.rates
    do.reset(state, FIRE)
    assert state.view.effects == EffectOptions()


def test_the_selected_emitter_is_frozen_and_reset(state: State) -> None:
    do.freeze_selected(state, post)
    do.reset_selected(state, post)
    assert state.view.effects == EffectOptions(), "no emitter is selected"
    state.view.selection.pick(SMOKE)
    state.view.clock.seek(1.25)
    do.freeze_selected(state, post)
    assert state.view.effects == EffectOptions(frozen={SMOKE: 1.25})
    do.reset_selected(state, post)
    assert state.view.effects == EffectOptions()


def test_the_whole_can_be_reset_and_switched(state: State) -> None:
    do.toggle_shown(state, post)
    do.toggle_cold(state, post)
    do.next_seed(state, post)
    assert state.view.effects == EffectOptions(shown=False, cold=True, seed=1)
    do.reset_all(state, post)
    assert not do.effects_altered(state)


def test_hide_isolate_and_show_all_mean_the_selected_emitter(state: State) -> None:
    state.view.selection.pick(SMOKE)
    assert visibility.can_hide(state)
    visibility.hide(state, post)
    assert drawn(state) == {FIRE, TRAIL} and not visibility.can_hide(state)
    visibility.isolate(state, post)
    assert drawn(state) == {SMOKE}
    visibility.show_all(state, post)
    assert drawn(state) == {FIRE, SMOKE, TRAIL}


def test_a_particle_belongs_to_its_emitter() -> None:
    assert effect_of(ParticleItem(1, 77)) == SMOKE
    assert effect_of(BoneItem(1)) is None


def test_changes_are_undone(state: State) -> None:
    for _ in range(60):
        state.undo.watch(1 / 60)
    do.solo(state, FIRE)
    do.set_rate(state, FIRE, 3.0)
    for _ in range(60):
        state.undo.watch(1 / 60)
    assert state.undo.undo() and state.view.effects == EffectOptions()
    assert state.undo.redo() and state.view.effects.rate(FIRE) == 3.0


def test_emitters_and_ribbons_have_bytes(state: State) -> None:
    document = state.document
    assert document is not None
    spans = [document.origin.span(item) for item in (FIRE, SMOKE, TRAIL)]
    assert [span.size for span in spans if span] == [504, 504, 220]
