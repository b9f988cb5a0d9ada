"""The overlay of emitters: shapes, ways, past births, a ribbon's edges, the selected particle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.ribbons import layers, model, ribbon
from viewer.animation.pose import Layer, pose
from viewer.arrays import Array
from viewer.paths import folder
from viewer.render.effects.emission_marks import emission_segments, shape_lines, way_lines
from viewer.render.effects.particle_capture import live_particles
from viewer.render.renderer import Renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.display import DisplayOptions
from viewer.scene.emitter import Emitter
from viewer.scene.items import BoneItem, EmitterItem, Item, ParticleItem, RibbonItem
from viewer.storage.documents import open_document

PUFF = folder("assets") / "m2" / "Creature" / "Puff" / "Puff.m2"
TIME = 1.5
SMOKE, FIRE = 1, 0
ANY_ALIVE = ParticleItem(SMOKE, -(10**9))
"""Stands for the first particle that is alive."""


def emitter(kind: str, *flags: str, **given: Any) -> Emitter:
    return Emitter(kind, 0, (0.0, 0.0, 0.0), 0, 0, flags, **given)


def values(**given: float) -> dict[str, float]:
    names = ("speed", "vertical_range", "length", "width", "z_source")
    return {**dict.fromkeys(names, 0.0), **given}


def test_a_plane_is_as_long_and_wide_as_it_says() -> None:
    lines = shape_lines(emitter("plane"), values(length=2.0, width=4.0))
    assert np.ptp(lines.reshape(-1, 3), axis=0).tolist() == [2, 4, 0]


def test_a_sphere_is_two_balls_or_rings() -> None:
    sphere = shape_lines(emitter("sphere"), values(length=1.0, width=2.0, vertical_range=1.0))
    radii = np.linalg.norm(sphere.reshape(-1, 3), axis=1)
    assert set(np.round(radii, 6)) == {1.0, 2.0} and np.ptp(sphere[..., 2]) == pytest.approx(4)
    ring = shape_lines(emitter("sphere"), values(length=1.0, width=2.0))
    assert np.abs(ring[..., 2]).max() < 1e-9


def test_a_spline_shows_the_part_that_is_used() -> None:
    points = np.array(((0.0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)))
    lines = shape_lines(emitter("spline", spline=points), values(length=1.0, width=0.5))
    assert (lines[..., 0].min(), lines[..., 0].max()) == pytest.approx((1.5, 3.0), abs=1e-2)


def test_a_cone_is_as_wide_as_the_range() -> None:
    lines = way_lines(emitter("plane"), values(vertical_range=0.5), 2.0)
    ends = lines[:, 1]
    np.testing.assert_allclose(np.linalg.norm(ends, axis=1), 2.0)
    np.testing.assert_allclose(np.arccos(ends[:, 2] / 2), 0.5)
    assert len(way_lines(emitter("plane"), values(), 2.0)) == 1


def test_particles_flee_their_source() -> None:
    lines = way_lines(emitter("plane"), values(length=2.0, width=2.0, z_source=-1.0), 1.0)
    way = lines[:-1, 1] - lines[:-1, 0]
    np.testing.assert_allclose(np.linalg.norm(way, axis=1), 1.0)
    assert (way[:, 2] > 0).all() and lines[-1].tolist() == [[0, 0, -1], [0, 0, -1]]


@pytest.fixture
def marks(ctx: Any) -> Iterator[Callable[..., list[Array]]]:
    """What is drawn for Puff, or another model."""
    renderer = Renderer(ctx)
    document = open_document(Path(PUFF))
    assert document.model is not None and document.model.skeleton is not None
    stand = (Layer(document.animations[0], TIME),)
    standing = EffectTime(TIME, stand, pose(document.model.skeleton, stand))

    def run(
        picked: Item | None, made: Any = None, effect_time: EffectTime = standing, **display_options: Any
    ) -> list[Array]:
        mesh = renderer.upload(made or document.model)
        try:
            if picked == ANY_ALIVE:
                mesh.particles.emitters[SMOKE].prepare(effect_time)
                run.alive = live_particles(mesh, SMOKE)[0]  # type: ignore[attr-defined]
                picked = ParticleItem(SMOKE, int(run.alive["number"].astype(np.int64)))  # type: ignore[attr-defined]
            return emission_segments(mesh, effect_time, DisplayOptions(**display_options), picked)
        finally:
            mesh.release()

    yield run
    renderer.release()


@pytest.mark.usefixtures("wow")
def test_nothing_is_drawn_unasked(marks: Callable[..., list[Array]]) -> None:
    assert marks(None) == [] and marks(BoneItem(1)) == []


@pytest.mark.usefixtures("wow")
def test_everything_is_drawn_where_the_look_says_so(marks: Callable[..., list[Array]]) -> None:
    alone, everything = marks(EmitterItem(FIRE)), marks(None, emitters=True)
    assert len(everything) > len(alone) > 0
    assert all(np.isfinite(each["start"]).all() for each in everything)


@pytest.mark.usefixtures("wow")
def test_births_in_the_world_lie_along_the_way_of_the_bone(marks: Callable[..., list[Array]]) -> None:
    origins = marks(EmitterItem(SMOKE))[2]["start"]
    away = np.hypot(origins[:, 0], origins[:, 1])
    np.testing.assert_allclose(away, 0.74, atol=0.02)
    assert len(origins) > 10 and np.ptp(origins[:, 0]) > 0.5


@pytest.mark.usefixtures("wow")
def test_the_edges_of_a_ribbon_are_lines_across_it(marks: Callable[..., list[Array]]) -> None:
    births, leading = marks(RibbonItem(0), model(ribbon()), EffectTime(TIME, layers(TIME)))
    assert len(births) == 10 and len(leading) == 1
    assert leading[0]["start"].tolist() == [1.5, 0.5, 0.0] and leading[0]["end"].tolist() == [1.5, -0.5, 0.0]


@pytest.mark.usefixtures("wow")
def test_the_selected_particle_has_a_dot_and_a_way(marks: Callable[..., list[Array]]) -> None:
    (way,), (ring, dot) = marks(ANY_ALIVE)[-2:]
    alive = marks.alive  # type: ignore[attr-defined]
    for each in (way, ring, dot):
        assert each["start"].tolist() == alive["position"].tolist()
    assert dot["end"].tolist() == dot["start"].tolist()
    np.testing.assert_allclose(way["end"] - way["start"], alive["velocity"] * 0.3, atol=1e-6)


@pytest.mark.usefixtures("wow")
def test_a_particle_that_is_dead_has_none(marks: Callable[..., list[Array]]) -> None:
    assert len(marks(ParticleItem(SMOKE, 10**6))) == len(marks(EmitterItem(SMOKE)))
