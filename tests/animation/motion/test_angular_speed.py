"""How fast bones turn: the columns of a heat map."""

from __future__ import annotations

import numpy as np
import pytest

from tests.animation.motion.turned_keys import clip_of, spun
from viewer.animation.motion.angular_speed import turn_map


def test_a_bone_that_turns_evenly_has_one_speed_in_all_columns() -> None:
    turning = turn_map(clip_of(a=spun(np.arange(11) * 9.0), b=spun(np.zeros(11))), 7)
    assert turning.bones == ("a", "b")
    assert turning.edges[[0, -1]].tolist() == pytest.approx([0, 1])
    assert turning.speeds[0] == pytest.approx(np.full(7, 90), rel=1e-4)
    assert turning.jumps[0] == pytest.approx(np.full(7, 9), rel=1e-4)
    assert not turning.speeds[1].any()


def test_a_single_fast_step_is_seen_in_a_map_with_few_columns() -> None:
    angles = np.zeros(101)
    angles[55:] = 40
    turning = turn_map(clip_of(a=spun(angles)), 10)
    assert turning.jumps[0] == pytest.approx([0, 0, 0, 0, 0, 40, 0, 0, 0, 0], abs=1e-3)
    assert turning.speeds[0, 5] == pytest.approx(4000, rel=1e-3)


def test_a_step_longer_than_a_column_fills_all_columns() -> None:
    turning = turn_map(clip_of(a=spun(np.array([0, 0, 60.0]))), 8)
    assert turning.speeds[0] == pytest.approx([0, 0, 0, 0, 120, 120, 120, 120], rel=1e-4)


def test_opposite_signs_of_one_rotation_are_no_turn() -> None:
    rotations = spun(np.arange(11) * 9.0)
    rotations[::2] *= -1
    assert turn_map(clip_of(a=rotations), 5).jumps == pytest.approx(np.full((1, 5), 9), rel=1e-4)


@pytest.mark.parametrize("count", [0, 1])
def test_a_clip_without_steps_has_an_empty_map(count: int) -> None:
    assert not turn_map(clip_of(a=spun(np.zeros(count))), 4).speeds.any()


def test_times_that_are_not_finite_are_left_out() -> None:
    rotations = spun(np.arange(11) * 9.0)
    times = np.linspace(0, 1, 11)
    times[4] = np.nan
    assert turn_map(clip_of(times=times, a=rotations), 5).speeds == pytest.approx(
        np.full((1, 5), 90), rel=1e-4
    )
