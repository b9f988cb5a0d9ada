"""A sample of particles for bounds: those that are seen between two times."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from viewer.animation.effects.bone_path import path, turned_offset
from viewer.animation.effects.emission import emission
from viewer.animation.effects.particle_motion import AGES, BIRTHS, particle_sample
from viewer.arrays import Array
from viewer.scene.emitter import Curve, Emitter, Ramp


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
