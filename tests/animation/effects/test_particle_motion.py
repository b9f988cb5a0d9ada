"""Particles of many births at once are those of the reference, which the shader has to equal too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.effects.particle_reference import Case, particles
from tests.render.effects.test_particles import CASES, SEED, emitter_of, swinging
from viewer.animation.effects.bone_path import bone_motion, path, turned_offset
from viewer.animation.effects.emission import emission
from viewer.animation.effects.particle_motion import (
    AGES,
    BIRTHS,
    DRAWS,
    SAMPLES,
    Births,
    even_points,
    lives,
    particle_sample,
    travelled,
)
from viewer.animation.effects.random_hash import seed_of, uniforms
from viewer.animation.pose import Layer
from viewer.arrays import Array
from viewer.scene.emitter import Curve, Emitter, Ramp

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


def ramp(*values: Any) -> Ramp:
    return Ramp(np.linspace(0.0, 1.0, len(values)), np.array(values, float).reshape(len(values), -1))


def rising(rate: float = 20.0, **given: Any) -> Emitter:
    """Particles of half size 0.1 that rise by 2 in a second."""
    numbers = {"rate": rate, "lifespan": 1.0, "speed": 2.0}
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    parts = {"scales": ramp((0.1, 0.1)), "flags": ("model space",), "curves": lambda _: curves, **given}
    return Emitter("plane", -1, (0.0, 0.0, 0.0), 0, 0, **parts)


def sample(
    emitter: Emitter, span: tuple[float, float] = (0.0, 1.0), cold: bool = False
) -> tuple[Array, Array]:
    return particle_sample(
        emitter, emission(emitter, None), 1, path(None, turned_offset(emitter)), span, cold
    )


def test_they_reach_from_their_birth_to_their_death() -> None:
    points, radii = sample(rising())
    np.testing.assert_allclose((points[:, 2].min(), points[:, 2].max()), (0.0, 2.0), atol=1e-6)
    np.testing.assert_allclose(radii, 0.1)


def test_a_cold_start_shows_only_the_young() -> None:
    assert sample(rising(), (0.0, 0.25), cold=True)[0][:, 2].max() <= 0.5
    assert sample(rising(), (0.0, 0.25))[0][:, 2].max() == pytest.approx(2.0)


def test_there_is_nothing_without_births() -> None:
    assert not len(sample(rising(rate=0.0))[0])
    assert not len(sample(rising(), (0.0, -5.0), cold=True)[0])


def test_very_many_are_sampled_over_all_of_the_time() -> None:
    points, _ = sample(rising(rate=1e6), (0.0, 100.0))
    assert len(points) <= BIRTHS * AGES and points[:, 2].max() == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("given", "highest"),
    [
        ({"alphas": ramp(1, 1, 0, 0, 0)}, 1.0),
        ({"alphas": ramp(1, 0, 0), "blending": "replace"}, 2.0),
        ({"colors": ramp((1, 0, 0), (1, 1, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)), "blending": "add"}, 1.0),
        ({"colors": ramp((0, 0, 0)), "blending": "alpha"}, 2.0),
        ({"scales": ramp((1, 0), (1, 0), (0, 0), (0, 0), (0, 0))}, 1.0),
    ],
)
def test_what_is_not_seen_does_not_count(given: dict[str, Any], highest: float) -> None:
    points, _ = sample(rising(**{"blending": "addalpha", **given}))
    assert highest - 0.5 <= points[:, 2].max() <= highest + 1e-6


def test_sizes_grow_by_their_variation_and_while_they_twinkle() -> None:
    grown = sample(rising(scale_variation=(0.5, 0.0)))[1]
    assert 0.05 <= grown.min() < 0.06 and 0.14 < grown.max() <= 0.15
    assert sample(rising(twinkle=(1.0, 1.0, 0.5, 3.0)))[1].max() == pytest.approx(0.3)
    uneven = rising(scale_variation=(0.0, 0.5), flags=("model space", "uneven size"))
    assert sample(uneven)[1].max() > 0.14


@pytest.mark.usefixtures("any_numbers")
def test_tails_end_behind_them() -> None:
    points, radii = sample(rising(tail=True, head=False, tail_length=0.5))
    heights = np.stack((points[:, 2] - radii, points[:, 2] + radii))
    np.testing.assert_allclose((heights.min(), heights.max()), (-1.0, 2.0), atol=1e-6)
    both = sample(rising(tail=True, tail_length=0.5))[0]
    assert both[:, 2].max() == pytest.approx(2.0)
    grown = replace(rising(tail=True, tail_length=0.5), flags=("model space", "tail grows"))
    assert sample(grown)[0][:, 2].min() == pytest.approx(0.0)


def test_numbers_beyond_sense_are_left_out() -> None:
    curves = {"rate": 5.0, "lifespan": np.nan, "speed": np.inf, "gravity": -np.inf}
    wild = rising(drag=np.nan, scale_variation=(np.inf, np.nan), wind=(np.nan, 0.0, 0.0), wind_time=np.inf)
    wild = replace(
        wild,
        lifespan_variation=1e30,
        curves=lambda _: {name: Curve(np.zeros(1), np.array((value,))) for name, value in curves.items()},
    )
    points, radii = sample(wild)
    assert np.isfinite(points).all() and np.isfinite(radii).all()


QUARTER = 0.5522847498
"""Control points at this distance make a piece that is nearly a quarter of a circle."""
CIRCLE = np.array(
    (
        (1, 0, 0),
        (1, QUARTER, 0),
        (QUARTER, 1, 0),
        (0, 1, 0),
        (-QUARTER, 1, 0),
        (-1, QUARTER, 0),
        (-1, 0, 0),
    )
)


def test_steps_are_even_and_lie_on_the_curve() -> None:
    points, _ = even_points(CIRCLE)
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    np.testing.assert_allclose(steps, np.pi / (SAMPLES - 1), rtol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 1, atol=1e-3)


def test_directions_run_along_it() -> None:
    points, ways = even_points(CIRCLE)
    np.testing.assert_allclose(np.linalg.norm(ways, axis=1), 1, atol=1e-9)
    inner = slice(1, -1)
    np.testing.assert_allclose((ways * points).sum(axis=1)[inner], 0, atol=2e-3)


def test_the_ends_are_the_first_and_last_point() -> None:
    points, _ = even_points(CIRCLE)
    np.testing.assert_allclose(points[[0, -1]], CIRCLE[[0, -1]], atol=1e-9)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_too_few_points_make_straight_lines(count: int) -> None:
    corners = np.array(((0, 0, 0), (2, 0, 0), (2, 2, 0)), float)[:count]
    points, _ = even_points(corners)
    np.testing.assert_allclose(points[0], corners[0])
    np.testing.assert_allclose(points[-1], corners[-1])


def test_points_that_coincide_have_a_direction_all_the_same() -> None:
    points, ways = even_points(np.zeros((4, 3)))
    assert not points.any() and (np.linalg.norm(ways, axis=1) == 1).all()


def test_no_points_make_nothing() -> None:
    points, ways = even_points(np.empty((0, 3)))
    assert len(points) == len(ways) == 0


def test_points_that_are_no_numbers_stay_finite() -> None:
    points, ways = even_points(np.array(((np.nan, 0, 0), (np.inf, 0, 0), (1e30, 0, 0), (1, 0, 0))))
    assert np.isfinite(points).all() and np.isfinite(ways).all()
