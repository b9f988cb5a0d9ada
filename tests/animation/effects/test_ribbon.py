"""Which edges a ribbon has at a moment, and the table that says where they were born."""

from __future__ import annotations

import math

import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.effects.ribbon_reference import Told, births
from tests.ribbons import SECONDS, curve, layers, moving, ribbon
from tests.synthetic import skeleton_of
from viewer.animation.effects.ribbon import bake, edges, pace
from viewer.animation.pose import Layer
from viewer.budget import BUDGET

TIMES = (0.0, 0.05, 0.3, 1.0, 7.77, -3.21, 360000.35)
STILL = np.eye(3, 4)


def told(rate: float, lifetime: float) -> Told:
    return Told(
        lambda _: STILL,
        (0, 0, 0),
        rate,
        lifetime,
        0.0,
        lambda _: 1.0,
        lambda _: 1.0,
        lambda _: np.ones(3),
        lambda _: 1.0,
    )


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize(("rate", "lifetime"), [(10, 1.0), (7.3, 0.4), (30, 1.3), (1, 0.1), (0.5, 3.0)])
def test_count_and_ages_are_exact(time: float, rate: float, lifetime: float) -> None:
    found, expected = edges(ribbon(rate, lifetime), time), births(told(rate, lifetime), time)
    assert found.count == len(expected)
    ages = found.youngest + found.between * np.arange(found.count - 1)
    np.testing.assert_allclose(ages, time - np.array(expected[1:]), atol=1e-9)


def test_a_cold_ribbon_begins_at_time_0() -> None:
    assert [edges(ribbon(), time, cold=True).count for time in (-1.0, 0.0, 0.35, 5.0)] == [1, 2, 5, 11]


def test_the_rate_can_be_multiplied() -> None:
    assert edges(ribbon(), 5.05, factor=2.0).between == pytest.approx(0.05)


@pytest.mark.parametrize("wrong", [0.0, -5.0, math.nan, -math.inf])
def test_without_a_sensible_rate_there_is_only_the_leading_edge(wrong: float) -> None:
    assert edges(ribbon(wrong), 3.0).count == 1


@pytest.mark.parametrize(("rate", "lifetime"), [(1e30, 1.0), (1e30, 1e30), (30, 1e30), (math.inf, math.inf)])
def test_hostile_rates_and_lifetimes_are_capped_and_named(rate: float, lifetime: float) -> None:
    hostile = ribbon(rate, lifetime)
    assert edges(hostile, 1.0).count <= BUDGET.ribbon_edges + 1
    if math.isfinite(rate) and pace(hostile)[0] < rate:
        (line,) = bake(hostile, skeleton_of(1)).approximations
        assert str(BUDGET.ribbon_edges) in line


def test_the_table_follows_the_bone_and_repeats_with_the_clip() -> None:
    table = bake(ribbon(position=(0.0, 0.0, 3.0)), skeleton_of(1), layers(0.0))
    assert table.bake_interval.seconds == SECONDS and table.bake_interval.looped and not table.faces
    places, times = table.texels[::4, :3], table.texels[::4, 3]
    np.testing.assert_allclose(places[:, 0], times, atol=1e-5)
    np.testing.assert_allclose(places[:, 1:], [(0, 3)] * len(places), atol=1e-6)


def test_jumps_of_a_track_are_two_rows_of_the_same_time() -> None:
    seen = curve((0, 1), (0.75, 0), (1.25, 1), stepped=True)
    table = bake(ribbon(curves={"visible": seen}), skeleton_of(1), layers(0.0))
    slots, times = table.texels[1::4, 3], table.texels[::4, 3]
    assert slots[times == 0.75].tolist() == [0, -1] and slots[times == 1.25].tolist() == [-1, 0]


def test_a_track_of_its_own_loop_makes_the_stretch_longer() -> None:
    own = curve((0, 1), (0.75, 0), period=1.5)
    assert bake(ribbon(curves={"alpha": own}), skeleton_of(1), layers(0.0)).bake_interval.seconds == 6.0


def test_a_still_ribbon_needs_few_rows() -> None:
    assert bake(ribbon(), skeleton_of(1)).rows <= 2


def test_a_bone_that_does_not_exist_stands_still() -> None:
    table = bake(replace(ribbon(), bone=9), skeleton_of(1), layers(0.0))
    assert not table.texels[::4, :3].any()


@pytest.mark.usefixtures("any_numbers")
def test_numbers_that_are_none_count_as_0() -> None:
    wrong = ribbon(position=(math.nan, math.inf, 0.0), curves={"above": curve((0, math.nan), (1, math.inf))})
    assert np.isfinite(bake(wrong, skeleton_of(1), layers(0.0)).texels).all()


def test_what_faces_the_camera_says_so() -> None:
    facing = replace(skeleton_of(1), billboards=np.ones(1, np.uint8), pivots=np.zeros((1, 3)))
    table = bake(ribbon(), facing, layers(0.0), np.eye(3))
    assert table.faces and "camera" in table.approximations[0]


def test_clips_of_different_lengths_meet_after_both() -> None:
    both = (*layers(0.0), Layer(moving(seconds=3.0), 0.0, 0.5))
    table = bake(ribbon(), skeleton_of(1), both)
    assert table.bake_interval.seconds == 6.0
    places, times = table.texels[::4, 0], table.texels[::4, 3]
    expected = 0.5 * np.mod(times, 2.0) + 0.5 * np.mod(times, 3.0) * 2 / 3
    inside = np.abs(np.mod(times + 0.5, 1.0) - 0.5) > 1e-3
    np.testing.assert_allclose(places[inside], expected[inside], atol=1e-5)


def test_of_loops_that_never_meet_the_time_around_is_baked() -> None:
    own = ribbon(curves={"alpha": curve((0, 0), (1.999, 1), period=1.999)})
    table = bake(own, skeleton_of(1), layers(0.0), time=1000.7)
    assert not table.bake_interval.exact and table.covers(1000.7) and table.covers(990.0)
    assert not table.covers(0.0) and not table.covers(1020.1)
    assert table.approximations == ()
