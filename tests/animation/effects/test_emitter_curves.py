"""Tracks over the sequence and ramps over life, as panels show them."""

from __future__ import annotations

import numpy as np

from tests.ribbons import curve, moving
from viewer.animation.effects.emission import STEPS, over_life, over_time
from viewer.scene.emitter import Emitter, Phases, Ramp


def emitter(**given: object) -> Emitter:
    return Emitter("plane", 0, (0.0, 0.0, 0.0), 0, 0, **given)  # type: ignore[arg-type]


def test_a_track_over_the_sequence() -> None:
    values = over_time(curve((0, 1), (1, 3)), np.array((0.0, 0.5, 1.5)), moving(), False)
    np.testing.assert_allclose(values, ((1,), (2,), (3,)))


def test_a_track_of_its_own_loop_needs_no_animation() -> None:
    values = over_time(curve((0, 1), (1, 3), period=1.0), np.array((0.5, 1.25)), None, True)
    np.testing.assert_allclose(values, ((2,), (1.5,)))


def test_ramps_over_life() -> None:
    ends = np.array((0.0, 1.0))
    found = over_life(emitter(alphas=Ramp(ends, np.array(((0.0,), (1.0,))))))
    assert list(found) == ["alpha"] and len(found["alpha"]) == STEPS
    np.testing.assert_allclose(found["alpha"][:, 0], np.linspace(0, 1, STEPS))


def test_cells_run_through_their_phases_as_often_as_they_say() -> None:
    ends = np.array((0.0, 0.5, 0.5, 1.0))
    cells = Ramp(ends, np.array(((0.0,), (4.0,), (8.0,), (12.0,))))
    found = over_life(emitter(head_cells=cells, phases=Phases(0.5, 2, 1)))["head cell"][:, 0]
    assert found.min() == 0 and found.max() == 11
    quarter = STEPS // 4
    np.testing.assert_allclose(found[: quarter - 1], found[quarter : 2 * quarter - 1])
    assert (np.diff(found[2 * quarter + 1 :]) >= 0).all()


def test_one_picture_for_all_of_life_is_no_curve() -> None:
    assert not over_life(emitter(head_cells=Ramp(np.array((0.0, 1.0)), np.array(((3.0,), (3.0,))))))


def test_the_second_phase_repeats_its_cells_too() -> None:
    cells = Ramp(np.array((0.0, 0.5, 1.0)), np.array(((0.0,), (4.0,), (12.0,))))
    found = over_life(emitter(head_cells=cells, phases=Phases(0.5, 1, 2)))["head cell"][:, 0]
    half, quarter = STEPS // 2, STEPS // 4
    np.testing.assert_allclose(found[half : half + quarter], found[half + quarter : half + 2 * quarter])
    assert (found[half], found[half + quarter - 1]) == (4, 11)
