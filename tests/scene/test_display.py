"""What is shown of emitters and ribbons."""

from __future__ import annotations

from viewer.scene.display import EffectOptions, effect_of
from viewer.scene.items import BoneItem, EmitterItem, ParticleItem, RibbonItem

FIRE, SMOKE, TRAIL = EmitterItem(0), EmitterItem(1), RibbonItem(0)


def test_everything_is_drawn_at_first() -> None:
    assert all(EffectOptions().draws(item) for item in (FIRE, SMOKE, TRAIL))


def test_of_solo_ones_only_those() -> None:
    effects = EffectOptions(solo=frozenset({SMOKE}))
    assert [effects.draws(item) for item in (FIRE, SMOKE, TRAIL)] == [False, True, False]


def test_muted_ones_never() -> None:
    effects = EffectOptions(muted=frozenset({FIRE}), solo=frozenset({FIRE}))
    assert not effects.draws(FIRE)


def test_nothing_where_nothing_is_shown() -> None:
    assert not EffectOptions(shown=False).draws(FIRE)


def test_time_rate_and_size_of_each() -> None:
    effects = EffectOptions(frozen={FIRE: 2.0}, rates={FIRE: 3.0}, sizes={SMOKE: 0.5})
    assert (effects.time(FIRE, 9.0), effects.time(SMOKE, 9.0)) == (2.0, 9.0)
    assert (effects.rate(FIRE), effects.rate(SMOKE)) == (3.0, 1.0)
    assert (effects.size(FIRE), effects.size(SMOKE)) == (1.0, 0.5)


def test_a_particle_belongs_to_its_emitter() -> None:
    assert [effect_of(item) for item in (ParticleItem(1, 7), SMOKE, TRAIL)] == [SMOKE, SMOKE, TRAIL]
    assert effect_of(BoneItem(1)) is None and effect_of(None) is None
