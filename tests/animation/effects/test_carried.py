"""Which carried particles there are: a function of time, of bounded size."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from viewer.animation.effects.carried import Carriers, carried_births, carriers, starts
from viewer.animation.effects.emission import Emission, emission
from viewer.budget import BUDGET
from viewer.scene.emitter import Curve, Emitter


def made(rate: float, lifespan: float, **more: float) -> tuple[Emitter, Emission]:
    curves = {
        name: Curve(np.zeros(1), np.array((value,)))
        for name, value in (("rate", rate), ("lifespan", lifespan))
    }
    emitter = replace(Emitter("plane", 0, (0, 0, 0), 0, 4, curves=lambda _: curves), **more)
    return emitter, emission(emitter, None)


def test_carriers_are_kept_as_long_as_what_they_carry_may_live() -> None:
    emitter, schedule = made(10.0, 1.0)
    found = carriers(emitter, schedule, 7, 100.0, False, 0.5)
    assert found.numbers.tolist() == list(range(1000, 984, -1))
    np.testing.assert_allclose(found.ages, np.arange(16) / 10, atol=1e-9)


def test_lives_vary_with_the_number() -> None:
    emitter, schedule = made(10.0, 1.0, lifespan_variation=0.5)
    lives = carriers(emitter, schedule, 7, 100.0, False, 0.0).lives
    assert 0.5 <= lives.min() < 0.8 and 1.2 < lives.max() <= 1.5


def test_births_end_with_the_carrier() -> None:
    found = Carriers(np.array((5,)), np.array((2.0,)), np.array((1.5,)))
    births = carried_births(found, made(10.0, 1.0)[1])
    np.testing.assert_allclose(births.ages, np.arange(1.0, 0.49, -0.1), atol=1e-9)
    assert births.numbers.tolist() == list(range(10, 16))


@pytest.mark.parametrize(("rate", "lifespan"), [(0.0, 1.0), (10.0, 0.0)])
def test_nothing_is_born_without_a_rate_and_nothing_lives_without_a_life(
    rate: float, lifespan: float
) -> None:
    found = Carriers(np.array((5,)), np.array((1.0,)), np.array((1.5,)))
    assert len(carried_births(found, made(rate, lifespan)[1]).ages) == 0


def test_of_too_many_the_newest_of_each_carrier_are_left() -> None:
    found = Carriers(np.arange(3), np.full(3, 5.0), np.full(3, 9.0))
    births = carried_births(found, made(1e6, 3600.0)[1])
    assert np.bincount(births.carriers).tolist() == [BUDGET.carried_particles // 3] * 3
    assert births.ages.max() < 0.01


def test_of_too_many_carriers_the_newest_are_left() -> None:
    emitter, schedule = made(1e6, 3600.0)
    found = carriers(emitter, schedule, 0, 10.0, False, 3600.0)
    assert len(found.numbers) == BUDGET.carriers and found.numbers[0] == 10_000_000


def test_random_numbers_differ_by_carrier_and_by_birth() -> None:
    carrier, number = (each.ravel() for each in np.meshgrid(np.arange(-50, 50), np.arange(100)))
    assert len(np.unique(starts(3, carrier, number))) == len(carrier)
