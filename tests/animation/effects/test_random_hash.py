"""Random numbers that are the same wherever they are asked for."""

from __future__ import annotations

import numpy as np

from tests.animation.effects.particle_reference import draw
from viewer.animation.effects.random_hash import seed_of, uniform


def test_draws_are_those_of_whole_number_arithmetic() -> None:
    numbers = np.array((-5, -1, 0, 1, 77, 2**32 + 3))
    found = uniform(12345, numbers, 4)
    np.testing.assert_array_equal(found, [draw(12345, int(number), 4) for number in numbers])


def test_draws_fill_the_unit_evenly() -> None:
    found = uniform(1, np.arange(100_000), 0)
    counts, _ = np.histogram(found, 50, (0, 1))
    assert counts.min() > 1800 and counts.max() < 2200


def test_neighbours_have_nothing_in_common() -> None:
    one, next_, other = (
        uniform(1, np.arange(first, first + 50_000), what) for first, what in ((0, 0), (1, 0), (0, 1))
    )
    assert abs(np.corrcoef(one, next_)[0, 1]) < 0.02
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.02


def test_each_emitter_has_a_seed_of_its_own() -> None:
    seeds = {seed_of(seed, emitter) for seed in range(20) for emitter in range(20)}
    assert len(seeds) > 390
