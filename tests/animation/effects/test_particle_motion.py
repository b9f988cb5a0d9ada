"""Particles of many births at once are those of the reference, which the shader has to equal too."""

from __future__ import annotations

import numpy as np
import pytest

from tests.animation.effects.particle_reference import Case, particles
from tests.render.effects.test_particles import CASES, SEED, emitter_of, swinging
from viewer.animation.effects.bone_path import bone_motion, path, turned_offset
from viewer.animation.effects.emission import emission
from viewer.animation.effects.particle_motion import DRAWS, Births, lives, travelled
from viewer.animation.effects.random_hash import seed_of, uniforms
from viewer.animation.pose import Layer

TIME = 9.77


@pytest.mark.parametrize("name", CASES)
def test_they_are_those_of_the_reference(name: str) -> None:
    case = CASES[name]
    expected = particles(case, TIME, seed_of(SEED, 0))
    position, velocity, life, ages = travelled_at(case, [each["number"] for each in expected])
    np.testing.assert_allclose(ages, [each["age"] for each in expected], atol=1.1e-4)
    np.testing.assert_allclose(life, [each["life"] for each in expected], rtol=1e-4)
    for ours, known in zip(np.stack((position, velocity), axis=1), expected, strict=True):
        wanted = np.stack((known["position"], known["velocity"]))
        assert np.abs(ours - wanted).max() < 1e-3 * max(np.abs(wanted).max(), 1.0)


def travelled_at(case: Case, numbers: list[int]) -> tuple[np.ndarray, ...]:
    """Positions, velocities, lifespans and ages of some births at `TIME`."""
    skeleton, clip = swinging()
    emitter, seed = emitter_of(case), seed_of(SEED, 0)
    schedule = emission(emitter, clip, True, 1.0, seed)
    above = bone_motion(skeleton, 0, (Layer(clip, TIME),))
    fast = "burst" in emitter.flags
    way = path(above, turned_offset(emitter), emitter.follow, None, fast, (TIME, schedule.longest))
    times, values = schedule.birth(np.array(numbers))
    births = Births(times, values, uniforms(seed, np.array(numbers), DRAWS))
    position, velocity = travelled(emitter, births, way, TIME - times[:, None])
    return position[:, 0], velocity[:, 0], lives(emitter, births), TIME - times


def test_what_dies_in_the_middle_is_nowhere() -> None:
    case = CASES["kill"]
    living = {each["number"] for each in particles(case, TIME, seed_of(SEED, 0))}
    dead = [number for number in range(min(living), max(living)) if number not in living]
    assert dead and np.isnan(travelled_at(case, dead)[0]).all()


def test_a_spline_without_points_starts_in_the_origin() -> None:
    case = Case("spline", CASES["spline-model"].tracks, flags=("model space",))
    position = travelled_at(case, [190])[0]
    assert np.isfinite(position).all()
