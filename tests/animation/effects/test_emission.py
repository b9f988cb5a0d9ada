"""The schedule of births against sums in small steps and against what can be worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from viewer.animation.effects.emission import VALUES, Emission, emission
from viewer.budget import BUDGET
from viewer.scene.animation import Animation
from viewer.scene.emitter import Curve, Emitter


def keys(times: Any, values: Any, **rest: Any) -> Curve:
    return Curve(np.array(times, float), np.array(values, float), **rest)


def constant(value: float) -> Curve:
    return keys([0], [value])


def emitter(curves: Mapping[str, Curve], **rest: Any) -> Emitter:
    return Emitter("plane", 0, (0, 0, 0), 0, 4, curves=lambda animation: curves, **rest)


def baked(duration: float = 2.0, looped: bool = True, **curves: Curve) -> Emission:
    curves = {"lifespan": constant(1.5), **curves}
    return emission(emitter(curves), Animation("clip", duration, ()), looped)


ANIMATED = {
    "rate": keys([0.3, 0.9, 1.7], [4, 40, 0]),
    "enabled": keys([0, 0.5, 0.8], [1, 0, 1], stepped=True, period=1.2),
}


def test_a_constant_rate_gives_birth_at_even_times() -> None:
    times, _ = baked(rate=constant(8.0)).birth(np.arange(-20, 2000, 7))
    np.testing.assert_allclose(times, np.arange(-20, 2000, 7) / 8, atol=1e-9)


def test_the_integral_is_the_sum_of_small_steps() -> None:
    found = baked(**ANIMATED)
    assert found.stretch.seconds == 6.0
    step = 1e-4
    times = np.arange(0, 13, step) + step / 2
    rate = np.interp(np.mod(times, 2.0), ANIMATED["rate"].times, ANIMATED["rate"].values)
    own = np.mod(times, 1.2)
    on = (own < 0.5) | (own >= 0.8)
    summed = np.cumsum(rate * on) * step
    at = np.arange(999, len(times), 1000)
    np.testing.assert_allclose([found.total(float(times[i] + step / 2)) for i in at], summed[at], atol=2e-2)


@pytest.mark.parametrize("looped", [True, False])
def test_births_are_where_the_integral_reaches_their_number(looped: bool) -> None:
    found = baked(looped=looped, rate=keys([0.3, 0.9, 1.7], [4, 40, 2]))
    numbers = np.arange(-30, 300)
    times, _ = found.birth(numbers)
    np.testing.assert_allclose(found.totals(times), numbers, atol=1e-8)
    assert (np.diff(times) > 0).all()


def test_single_times_and_many_agree() -> None:
    for looped in (True, False):
        found = baked(looped=looped, **ANIMATED)
        times = np.linspace(-5, 9, 300)
        np.testing.assert_allclose([found.total(float(t)) for t in times], found.totals(times), atol=1e-9)


def test_nothing_is_born_while_disabled() -> None:
    found = baked(rate=constant(10), enabled=keys([0, 0.5], [1, 0], stepped=True))
    times, _ = found.birth(np.arange(60))
    assert (np.mod(times, 2.0) < 0.5).all()
    assert found.total(2.0) == pytest.approx(5.0)


def test_a_number_reached_in_a_pause_is_born_after_it() -> None:
    found = baked(rate=constant(10), enabled=keys([0, 0.5, 1.0], [1, 0, 1], stepped=True))
    assert found.birth(np.array([5]))[0] == pytest.approx(1.0)


def test_parameters_are_those_of_the_birth() -> None:
    found = baked(rate=constant(8), speed=keys([0, 2], [0, 16]), gravity=keys([0, 1], [1, 2], stepped=True))
    times, values = found.birth(np.arange(32))
    own = np.mod(times, 2.0)
    inside = own < 2.0 - 1e-3
    np.testing.assert_allclose(values[inside, VALUES.index("speed")], own[inside] * 8, atol=1e-4)
    expected = np.where(own < 1, 1, 2)
    np.testing.assert_array_equal(values[:, VALUES.index("gravity")], expected)


@pytest.mark.parametrize("time", [0.0, 0.7, 1.5, 3.6, 100.4])
@pytest.mark.parametrize("cold", [True, False])
def test_the_candidates_are_all_that_may_be_alive(time: float, cold: bool) -> None:
    found = baked(**ANIMATED)
    numbers = np.arange(-400, 4000)
    ages = time - found.birth(numbers)[0]
    alive = numbers[(ages >= 0) & (ages <= found.longest) & ((numbers >= 0) | (not cold))]
    born, count = found.at(time), found.candidates(time, cold)
    considered = born.newest - np.arange(count)
    assert set(alive) <= set(considered)
    assert count <= len(alive) + 2 and found.most >= len(alive)


def test_the_newest_birth_is_at_its_place_in_the_stretch() -> None:
    found = baked(**ANIMATED)
    for time in (0.1, 5.9, 6.1, 360000.25):
        born = found.at(time)
        assert 0 <= born.part < 1
        assert born.base + born.part == pytest.approx(found.total(born.time), abs=1e-5)
        assert born.newest == np.floor(found.total(time))


def test_the_schedule_joins_at_the_end_of_a_loop() -> None:
    found = baked(rate=constant(3.3))
    before, after = found.total(2.0 - 1e-9), found.total(2.0 + 1e-9)
    assert after - before == pytest.approx(0, abs=1e-6)


def test_ends_hold_where_the_clip_stops() -> None:
    found = baked(looped=False, rate=keys([0, 2], [2, 6]))
    assert found.total(-1.0) == pytest.approx(-2.0)
    assert found.total(2.0) == pytest.approx(8.0)
    assert found.total(12.0) == pytest.approx(68.0)
    assert found.totals(np.array((-1.0, 2.0, 12.0))) == pytest.approx((-2.0, 8.0, 68.0))


def test_a_multiplied_rate_is_another_schedule() -> None:
    made = emitter({"rate": constant(5), "lifespan": constant(1)})
    assert emission(made, None, rate=3.0).total(2.0) == pytest.approx(30.0)
    assert emission(made, None, rate=0.0).candidates(5.0, False) <= 1


def test_a_varied_rate_keeps_its_mean_and_its_seed() -> None:
    made = emitter({"rate": constant(20), "lifespan": constant(1)}, rate_variation=10.0)
    one, two, other = (emission(made, None, seed=seed) for seed in (1, 1, 2))
    assert one.total(7.3) == two.total(7.3) != other.total(7.3)
    assert one.total(100.0) == pytest.approx(2000, rel=0.1)
    assert np.ptp(one.rates) > 10


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, -5.0, 1e30])
def test_numbers_that_make_no_sense_are_brought_down(value: float) -> None:
    names = ("rate", "enabled", *VALUES)
    found = emission(emitter({name: constant(value) for name in names}), None)
    for array in (found.births, found.rates, found.values):
        assert np.isfinite(array).all()
    assert found.rates.max() <= BUDGET.births_per_second and found.longest <= BUDGET.lifespan
    assert found.candidates(1.0, False) >= 0


def test_without_tracks_nothing_is_born() -> None:
    found = emission(emitter({}), None)
    assert found.a_loop == 0 and found.at(5.0).newest == 0
    assert np.isnan(found.birth(np.arange(3))[0]).all()
