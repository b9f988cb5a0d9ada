"""Carried particles against the reference in `tests/animation/carried_reference.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.effects.carried_reference import carried
from tests.animation.effects.particle_reference import Case
from tests.render.effects.test_particles import OFFSET, SEED, constant, emitter_of, exact_frame, model_of
from viewer.animation.effects.random_hash import seed_of
from viewer.animation.pose import Layer, pose
from viewer.budget import BUDGET
from viewer.render.effects.particle_capture import capture_carried
from viewer.render.renderer import Renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.animation import Animation
from viewer.scene.display import EffectOptions, ModelDisplay
from viewer.scene.emitter import ModelReference
from viewer.scene.items import EmitterItem
from viewer.scene.model import Model

Capture = Callable[..., Any]

LOCAL = ("model space",)
OWNER = constant(
    lifespan=1.2, rate=3.7, speed=3, speed_variation=0.3, vertical_range=0.8, horizontal_range=3, gravity=2
)
OWN = constant(
    lifespan=0.5, rate=11.3, speed=0.7, vertical_range=2.0, horizontal_range=3, gravity=1, length=0.2
)
SEEDS = (seed_of(SEED, 0), seed_of(seed_of(SEED, 0), 0))


def cases() -> Iterator[tuple[str, Case, Case]]:
    """Both spaces of both, and what changes a way."""
    for flags in (LOCAL, ()):
        for own in (LOCAL, ()):
            name = f"{'model' if flags else 'world'} carries {'model' if own else 'world'}"
            yield name, Case("plane", OWNER, flags=flags), Case("sphere", OWN, flags=own)
    world = Case("plane", OWNER)
    yield "burst", world, Case("plane", OWN, {"burst": 0.5, "drag": 0.8}, ("burst",))
    yield "lives", replace(world, numbers={"lifespan_variation": 0.4}), Case("plane", OWN)
    follow = {"follow": ((0.5, 0.1), (3.0, 0.9))}
    yield "follow", Case("plane", OWNER, follow, ("follows",)), Case("plane", OWN)
    bursts = {**OWN, "rate": ((0.0, 0.3, 0.6), (40.0, 0.0, 7.0), True)}
    yield "own clock", world, Case("plane", bursts)
    yield "drag", Case("sphere", OWNER, {"drag": 2.0}), Case("plane", OWN, {"drag": -0.5})


CASES = {name: (replace(owner, position=OFFSET, frame=exact_frame), own) for name, owner, own in cases()}


def model(owner: Case, *own: Case) -> tuple[Model, Any]:
    """A model whose emitter carries others, and what moves it."""
    made, (clip,) = model_of(owner, True)
    inner = Model("inner", emitters=tuple(emitter_of(each) for each in own))
    named = ModelReference("Inner.mdx", "Inner.m2", model=inner, animation=Animation("Stand", 2.0, ()))
    emitter = emitter_of(owner, carries=named)
    return replace(made, emitters=(emitter,)), clip


@pytest.fixture
def capture(ctx: Any) -> Iterator[Capture]:
    """What is carried at some times; a single time gives a single array."""
    renderer = Renderer(ctx)

    def run(owner: Case, own: Case | tuple[Case, ...], *times: float, **how: Any) -> Any:
        made, clip = model(owner, *(own if isinstance(own, tuple) else (own,)))
        assert made.skeleton is not None
        mesh, effects = renderer.upload(made), EffectOptions(**{"seed": SEED, **how})
        found = []
        try:
            for time in times:
                layers = (Layer(clip, time),)
                effect_time = EffectTime(time, layers, pose(made.skeleton, layers), effects=effects)
                found.append(capture_carried(mesh, effect_time, ModelDisplay()).get(0))
        finally:
            mesh.release()
        return found[0] if len(times) == 1 else found

    yield run
    renderer.release()


@pytest.mark.parametrize("name", CASES)
def test_carried_particles_are_those_of_the_reference(capture: Capture, name: str) -> None:
    owner, own = CASES[name]
    for time, rows in zip((0.31, 9.77), capture(owner, own, 0.31, 9.77), strict=True):
        expected = carried(owner, own, time, SEEDS)
        assert len(expected) > 10
        for column in ("carrier", "number"):
            assert rows[column].astype(np.int64).tolist() == [each[column] for each in expected]
        np.testing.assert_allclose(rows["age"], [each["age"] for each in expected], atol=2e-4)
        for column in ("position", "velocity"):
            np.testing.assert_allclose(rows[column], [each[column] for each in expected], atol=6e-3)


def test_any_order_of_times_gives_the_same_bits(capture: Capture) -> None:
    owner, own = CASES["world carries world"]
    times = [0.4, 1.9999, 7.3, 360000.1]
    forward = capture(owner, own, *times)
    backward = capture(owner, own, *times[::-1])[::-1]
    assert all(len(rows) for rows in forward)
    assert [rows.tobytes() for rows in forward] == [rows.tobytes() for rows in backward]


def test_what_is_born_lives_on_without_its_carrier(capture: Capture) -> None:
    rare = {**OWNER, **constant(rate=0.5, lifespan=0.4)}
    rows = capture(Case("plane", rare), Case("plane", OWN), 2.6, cold=True)
    assert set(rows["carrier"].tolist()) == {1} and len(rows)
    assert rows["age"].min() >= 2.6 - 2.0 - 0.4 - 1e-5


def test_a_cold_start_has_no_carriers_from_before(capture: Capture) -> None:
    rows = capture(Case("plane", OWNER), Case("plane", OWN), 0.2, cold=True)
    assert set(rows["carrier"].tolist()) == {0}
    assert len(capture(Case("plane", OWNER), Case("plane", OWN), -0.2, cold=True)) == 0


def test_another_seed_is_another_way(capture: Capture) -> None:
    owner, own = CASES["world carries world"]
    one, other = capture(owner, own, 1.0), capture(owner, own, 1.0, seed=8)
    assert len(one) == len(other) and np.abs(one["position"] - other["position"]).max() > 0.1


def test_rate_and_size_and_freezing_are_those_of_the_emitter(capture: Capture) -> None:
    owner, own, item = *CASES["world carries world"], EmitterItem(0)
    plain = capture(owner, own, 1.0)
    assert len(capture(owner, own, 1.0, rates={item: 2.0})) == pytest.approx(2 * len(plain), rel=0.2)
    np.testing.assert_allclose(capture(owner, own, 1.0, sizes={item: 3.0})["size"], 3 * plain["size"])
    assert capture(owner, own, 5.0, frozen={item: 1.0}).tobytes() == plain.tobytes()
    assert capture(owner, own, 1.0, muted=frozenset({item})) is None


def test_four_emitters_are_carried(capture: Capture) -> None:
    owner, own = CASES["world carries world"]
    assert np.unique(capture(owner, (own,) * 6, 1.0)["place"]).tolist() == [0, 1, 2, 3]


def test_there_are_never_too_many(capture: Capture) -> None:
    many = {**OWN, **constant(rate=1e6, lifespan=3600)}
    assert 0 < len(capture(Case("plane", OWNER), Case("plane", many), 5.0)) <= BUDGET.carried_particles


@pytest.mark.parametrize("broken", [{"rate": 0.0}, {"lifespan": 0.0}, {"rate": float("nan")}])
def test_what_never_lives_is_not_there(capture: Capture, broken: dict[str, float]) -> None:
    assert len(capture(Case("plane", OWNER), Case("plane", {**OWN, **constant(**broken)}), 1.0)) == 0


def test_what_is_carried_repeats_with_the_loop_of_its_carriers(capture: Capture) -> None:
    owner, own = CASES["lives"]
    loop = model(owner, own)[1].duration
    first, second = capture(owner, own, 0.4, 0.4 + 3 * loop, period=loop)
    assert len(first) == len(second) > 5
    for name in ("age", "position", "velocity"):
        assert np.allclose(first[name], second[name], atol=2e-4), name
    free, later = capture(owner, own, 0.4, 0.4 + 3 * loop)
    assert len(free) != len(later) or not np.allclose(free["position"], later["position"], atol=2e-4)
