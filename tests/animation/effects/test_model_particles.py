"""Particles that are models: turned by the tumble alone, posed by their age."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.animation.effects.particle_reference import draw
from tests.render.effects.test_particles import swinging
from viewer.animation.effects.model_particles import CACHED_POSES, phases, poses, turns
from viewer.animation.pose import Layer, pose
from viewer.scene.emitter import Emitter
from viewer.scene.maths import quaternion_product

NUMBERS = np.array((-3, 0, 5, 123456789))
AGES = np.array((0.1, 0.7, 1.3, 2.0))


def emitter(*flags: str, **more: Any) -> Emitter:
    return Emitter("plane", 0, (0, 0, 0), 0, 4, flags=flags, **more)


def test_without_tumble_nothing_turns() -> None:
    found = turns(emitter(spin=(3.0, 1.0)), 7, NUMBERS, AGES)
    np.testing.assert_array_equal(found, np.broadcast_to(np.eye(3), (4, 3, 3)))


def stepped(speeds: np.ndarray, age: float) -> np.ndarray:
    """The client's own steps: a small turn around the axis of the speeds, again and again."""
    steps, size = 1000, float(np.linalg.norm(speeds))
    half = size * age / steps / 2
    small = np.append(np.sin(half) / size * speeds, np.cos(half))
    turn = np.array((0.0, 0.0, 0.0, 1.0))
    for _ in range(steps):
        turn = quaternion_product(turn[None], small[None])[0]
    x, y, z, w = turn
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
    )


@pytest.mark.parametrize("flags", [(), ("tumbles",)])
def test_turns_are_those_of_small_steps(flags: tuple[str, ...]) -> None:
    least, most = (0.5, -1.0, 0.0), (2.0, 1.0, 3.0)
    found = turns(emitter(*flags, tumble=(least, most)), 7, NUMBERS, AGES)
    for row, number, age in zip(found, NUMBERS.tolist(), AGES.tolist(), strict=True):
        parts = [draw(7, number, 11 + axis) for axis in range(3)]
        signs = [-1 if flags and draw(7, number, 14 + axis) < 0.5 else 1 for axis in range(3)]
        speeds = (np.array(least) + (np.array(most) - least) * parts) * signs
        np.testing.assert_allclose(row, stepped(speeds, age), atol=1e-6)


def test_numbers_that_are_none_turn_nothing() -> None:
    found = turns(emitter(tumble=((np.nan,) * 3, (np.nan, np.inf, 0.0))), 7, NUMBERS, AGES)
    assert np.isfinite(found).all()


def test_poses_cover_the_clip() -> None:
    skeleton, clip = swinging()
    found = poses(skeleton, clip)
    assert len(found) == 61 and len(found) <= CACHED_POSES
    for place, time in ((0, 0.0), (30, 1.0), (60, 1.999999)):
        np.testing.assert_allclose(found[place], pose(skeleton, (Layer(clip, time),)).skin, atol=1e-4)


def test_a_model_without_a_clip_has_one_pose() -> None:
    assert len(poses(swinging()[0], None)) == 1


def test_phases_begin_again_with_the_clip() -> None:
    first, second, part = phases(np.array((0.0, 0.25, 1.999, 2.5)), 5, 2.0)
    assert first.tolist() == [0, 0, 3, 1] and second.tolist() == [1, 1, 4, 2]
    np.testing.assert_allclose(part, (0.0, 0.5, 0.998, 0.0), atol=1e-9)
