"""One bone at many times is what the pose says at each of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests import m2_files
from viewer.animation.pose import Layer, pose
from viewer.animation.single_bone import chain
from viewer.animation.track_sampling import JUST, BakeInterval, KeyTiming, bake_interval, curve_values, nodes
from viewer.budget import BUDGET
from viewer.formats.m2.load import load_model
from viewer.scene.emitter import Curve

TIMES = np.array((-0.3, 0.0, 0.2, 0.5, 0.99, 1.3, 2.75, 3600.1))
VIEW = np.array(((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))


@pytest.mark.parametrize("looped", [True, False])
@pytest.mark.parametrize("bone", range(4))
@pytest.mark.parametrize("second", [None, (0.5, False), (1.0, True), (0.25, True)])
def test_the_skin_matrices_are_those_of_the_pose(
    bone: int, looped: bool, second: tuple[float, bool] | None
) -> None:
    document = load_model(Path("made.m2"), m2_files.model(m2_files.CLASSIC))
    assert document.model is not None and document.model.skeleton is not None
    skeleton, (stand, walk) = document.model.skeleton, document.animations

    def layers(time: float) -> list[Layer]:
        found = [Layer(stand, time, looped=looped)]
        return found if second is None else [*found, Layer(walk, time, second[0], second[1], looped)]

    made = chain(skeleton, bone, layers(0.0))
    assert made is not None
    ours = made.skin(TIMES, VIEW)
    expected = [pose(skeleton, layers(float(time)), VIEW).skin[bone] for time in TIMES]
    np.testing.assert_allclose(ours, expected, atol=1e-9)


def test_a_bone_that_does_not_exist_has_no_chain() -> None:
    document = load_model(Path("made.m2"), m2_files.model(m2_files.CLASSIC))
    assert document.model is not None
    assert chain(document.model.skeleton, 4, ()) is None
    assert chain(None, 0, ()) is None


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
