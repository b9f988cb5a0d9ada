"""The times after which tracks repeat, the nodes of a bake, and curves at many times."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.animation.sampling import KeyTiming
from viewer.animation.track_sampling import JUST, BakeInterval, bake_interval, curve_values, nodes
from viewer.budget import BUDGET
from viewer.scene.emitter import Curve


def timing(*times: float, stepped: bool = False, period: float | None = None) -> KeyTiming:
    return KeyTiming(np.array(times), stepped, period)


def test_loops_meet_after_their_least_common_multiple() -> None:
    assert bake_interval([timing(0, 1), timing(0, 0.4, period=0.6)], 1.0, True) == BakeInterval(3.0)


def test_what_never_changes_has_a_short_loop() -> None:
    assert bake_interval([timing(0), timing(3, period=7.0)], 5.0, True) == BakeInterval()


def test_loops_that_do_not_meet_soon_are_cut_at_the_end_of_a_clip() -> None:
    found = bake_interval([timing(0, 1), timing(0, 1, period=1.999)], 1.001, True)
    assert not found.exact and found.seconds == pytest.approx(119 * 1.001)


def test_a_clip_that_stops_holds_its_ends() -> None:
    assert bake_interval([timing(0, 1)], 2.0, False) == BakeInterval(2.0, False)


def test_a_jump_is_two_nodes() -> None:
    times, probes = nodes([timing(0.25, 0.5, stepped=True)], BakeInterval(1.0, False), 1.0)
    np.testing.assert_allclose(times, (0, 0, 0.25, 0.25, 0.5, 0.5, 1))
    np.testing.assert_allclose(probes, (-JUST, JUST, 0.25 - JUST, 0.25 + JUST, 0.5 - JUST, 0.5 + JUST, 1))


def test_nodes_cover_every_turn_of_a_loop_of_its_own() -> None:
    times, _ = nodes([timing(0.1, 0.2, period=0.5)], BakeInterval(1.0), 1.0)
    assert {0.1, 0.2, 0.6, 0.7} <= set(np.round(times, 9))
    assert list(np.round(times, 9)).count(0.5) == 2


def test_the_grid_bounds_the_gaps() -> None:
    times, _ = nodes([], BakeInterval(2.0), 1.0, 0.1)
    assert np.diff(times).max() <= 0.1 + 1e-9


def test_too_many_keys_give_way_to_even_nodes() -> None:
    times, _ = nodes([KeyTiming(np.linspace(0, 1, 5000), False, None)], BakeInterval(1.0), 1.0)
    assert len(times) == BUDGET.curve_nodes


def test_a_curve_holds_its_ends_and_follows_its_own_loop() -> None:
    ends = Curve(np.array((0.2, 0.4)), np.array((1.0, 3.0)))
    np.testing.assert_allclose(curve_values(ends, np.array((0.0, 0.3, 0.9, 1.3)), 1.0, True), (1, 2, 3, 2))
    own = Curve(np.array((0.0, 0.5)), np.array((0.0, 5.0)), period=0.5)
    np.testing.assert_allclose(curve_values(own, np.array((0.1, 0.6, 10.25)), 1.0, False), (1, 1, 2.5))


def test_tracks_of_a_few_milliseconds_repeat_together() -> None:
    timings = [timing(0.0, period, period=period) for period in (0.001, 0.003)]
    assert bake_interval(timings, 0.0, True) == BakeInterval(0.003)
