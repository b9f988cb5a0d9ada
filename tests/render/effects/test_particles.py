"""Captured particles against the reference in `tests/animation/particle_reference.py`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import moderngl
import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.effects.particle_reference import Case, euler, particles
from viewer.animation.effects.random_hash import seed_of
from viewer.animation.pose import Layer, pose
from viewer.arrays import Array
from viewer.render.effects.particle_capture import capture_particles
from viewer.render.renderer import Renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.animation import Animation, Composition, Track
from viewer.scene.display import EffectOptions, ModelDisplay
from viewer.scene.emitter import Curve, Emitter
from viewer.scene.items import EmitterItem
from viewer.scene.model import Model
from viewer.scene.skeleton import Skeleton

Capture = Callable[..., Array]

PIVOT = np.array((0.5, -0.25, 1.0))
OFFSET = (0.6, 0.1, 1.2)
SEED = 7


def turned(angle: float) -> tuple[float, float, float, float]:
    """Around a slanted axis, xyzw."""
    axis = np.array((1, 2, 2)) / 3 * math.sin(angle / 2)
    return float(axis[0]), float(axis[1]), float(axis[2]), math.cos(angle / 2)


KEYS = np.array((0.0, 0.7, 1.3, 2.0))
MOVES = np.array(((0, 0, 0), (1, 0.5, 0), (1, -1, 2), (0, 0, 0)), float)
ANGLES = np.array((0.0, 2.0, 4.0, 2 * math.pi))


def swinging() -> tuple[Skeleton, Animation]:
    """One bone that moves and turns once in two seconds."""
    skeleton = Skeleton(
        ("bone",),
        np.array((-1,), np.int32),
        PIVOT[None],
        np.array(((0.0, 0.0, 0.0, 1.0),)),
        np.ones((1, 3)),
        np.concatenate((np.eye(3), -PIVOT[:, None]), axis=1)[None],
        pivots=PIVOT[None],
    )
    tracks = (
        Track("bone", "position", KEYS, MOVES),
        Track("bone", "rotation", KEYS, np.array([turned(float(angle)) for angle in ANGLES])),
    )
    return skeleton, Animation("swing", 2.0, tracks, ("bone",), composition=Composition.PIVOT)


@cache
def exact_frame(time: float) -> Array:
    """The bone's matrix by hand: T(pivot + move) · R · T(-pivot)."""
    own = time % 2.0
    axis, angle = np.array((1, 2, 2)) / 3, float(np.interp(own, KEYS, ANGLES))
    cross = np.array(((0, -axis[2], axis[1]), (axis[2], 0, -axis[0]), (-axis[1], axis[0], 0)))
    turn = np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
    move = np.array([np.interp(own, KEYS, column) for column in MOVES.T])
    return np.concatenate((turn, (PIVOT + move - turn @ PIVOT)[:, None]), axis=1)


def emitter_of(case: Case, **more: Any) -> Emitter:
    """A case as an emitter on the first bone."""
    curves = {
        name: Curve(np.array(times, float), np.array(values, float), stepped)
        for name, (times, values, stepped) in case.tracks.items()
    }
    return Emitter(
        case.type,
        0,
        case.position,
        0,
        4,
        flags=case.flags,
        curves=lambda animation: curves,
        spline=case.spline,
        **case.numbers,
        **more,
    )


def model_of(case: Case, moving: bool) -> tuple[Model, tuple[Animation, ...]]:
    """What the program makes of a case."""
    skeleton, clip = swinging()
    still = replace(clip, tracks=(), duration=case.duration)
    return Model("made", skeleton=skeleton, emitters=(emitter_of(case),)), (clip if moving else still,)


def captured(renderer: Renderer, case: Case, times: Any, moving: bool, **how: Any) -> list[Array]:
    """The live particles of the only emitter of a case at some times, in one go."""
    looped, period = how.pop("looped", True), how.pop("period", None)
    model, (clip,) = model_of(case, moving)
    if period is not None:
        moves, turns = clip.tracks
        clip = replace(clip, tracks=(moves, replace(turns, period=period)))
    assert model.skeleton is not None
    mesh, effects = renderer.upload(model), EffectOptions(**{"seed": SEED, **how})
    found = []
    try:
        for time in times:
            layers = (Layer(clip, time, looped=looped),)
            effect_time = EffectTime(time, layers, pose(model.skeleton, layers), effects=effects)
            found.append(capture_particles(mesh, effect_time, ModelDisplay())[0].copy())
    finally:
        mesh.release()
    return found


@pytest.fixture
def capture(ctx: Any) -> Iterator[Capture]:
    """`captured` for one context; a single time gives a single array."""
    renderer = Renderer(ctx)

    def run(case: Case, *times: float, moving: bool = False, **how: Any) -> Any:
        found = captured(renderer, case, times, moving, **how)
        return found[0] if len(times) == 1 else found

    yield run
    renderer.release()


def constant(**values: float) -> dict[str, Any]:
    return {name: ((0.0,), (value,), False) for name, value in values.items()}


BASE = constant(
    lifespan=2.5,
    rate=20,
    speed=3,
    speed_variation=0.3,
    vertical_range=0.8,
    horizontal_range=3,
    gravity=2,
    length=1.5,
    width=0.7,
)
CURVED = np.array(
    ((0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 1, 1), (3, 1, 2), (3, 2, 2), (4, 3, 1)),
    float,
)


LATE = {**constant(rate=19.7), "enabled": ((0.0, 0.053), (0.0, 1.0), True)}
"""No birth where the speed of the bone jumps."""


def cases() -> Iterator[tuple[str, Case]]:
    """Every kind in both spaces, and each thing that changes a way."""
    local = ("model space",)
    for kind in ("plane", "sphere", "spline"):
        for flags in (local, ()):
            name = f"{kind}-{'model' if flags else 'world'}"
            yield name, Case(kind, BASE, flags=flags, spline=CURVED)
            inward = {**BASE, **constant(z_source=-1.5, speed=-2.0)}
            yield f"{name}-source", Case(kind, inward, flags=flags, spline=CURVED)
    for drag in (-2.0, -0.3, 1e-4, 0.4, 2.0, 25.0):
        numbers = {"drag": drag, "lifespan_variation": 0.7}
        yield f"drag {drag}", Case("sphere", BASE, numbers, local)
    windy = {"wind": (3.0, -1.0, 0.5), "wind_time": 0.8, "drag": 1.5}
    yield "wind", Case("plane", BASE, windy)
    yield "burst", Case("plane", {**BASE, **LATE}, {"burst": 0.5}, ("burst",))
    yield "ground", Case("plane", BASE, {}, ("on the ground",))
    follow = {"follow": ((0.5, 0.1), (3.0, 0.9))}
    yield "follow", Case("plane", {**BASE, **constant(rate=5)}, follow, ("follows",))
    inward = {**BASE, **constant(speed=-1.0, length=1.0, width=2.0, gravity=0.0, speed_variation=0.1)}
    yield "kill", Case("sphere", inward, {}, ("dies in the middle",))
    yield "up", Case("sphere", BASE, {}, ("up only",))
    moving = {
        **BASE,
        "rate": ((0.3, 0.9, 1.7), (5.0, 41.0, 3.0), False),
        "enabled": ((0.0, 0.5, 0.81), (1.0, 0.0, 1.0), True),
        "speed": ((0.0, 2.0), (1.0, 4.0), False),
        "gravity": ((0.0, 1.0), (4.0, -1.0), True),
    }
    yield "animated", Case("plane", moving)


CASES = {name: replace(case, position=OFFSET, frame=exact_frame) for name, case in cases()}
TIMES = (0.03, 9.77)


@pytest.fixture(scope="module")
def everything() -> dict[str, list[Array]]:
    """All cases at all moments, with programs that are built once."""
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    renderer = Renderer(context)
    found = {name: captured(renderer, case, TIMES, True) for name, case in CASES.items()}
    renderer.release()
    context.release()
    return found


def differences(ours: Array, expected: list[Any]) -> float:
    """The largest error of a position or velocity, as a part of how far the particle is and goes."""
    worst = 0.0
    for row, known in zip(ours, expected, strict=True):
        for name in ("position", "velocity"):
            scale = max(np.linalg.norm(known["position"]), np.linalg.norm(known["velocity"]), 1.0)
            worst = max(worst, float(np.linalg.norm(row[name] - known[name]) / scale))
    return worst


@pytest.mark.parametrize("name", CASES)
def test_particles_are_those_of_the_reference(everything: dict[str, list[Array]], name: str) -> None:
    for time, ours in zip(TIMES, everything[name], strict=True):
        expected = particles(CASES[name], time, seed_of(SEED, 0))
        assert len(expected) > 5
        assert [row["number"].astype(np.int64) for row in ours] == [each["number"] for each in expected]
        np.testing.assert_allclose(ours["age"], [each["age"] for each in expected], atol=1.1e-4)
        np.testing.assert_allclose(ours["life"], [each["life"] for each in expected], rtol=1e-4)
        assert differences(ours, expected) < 1e-3


@pytest.mark.parametrize("drag", [-1.0, 0.0, 0.7, 10.0])
def test_particles_are_those_of_small_steps(capture: Capture, drag: float) -> None:
    tracks = {**BASE, **constant(rate=2.0)}
    case = Case("plane", tracks, {"drag": drag, "wind": (1.0, 2.0, 0.0), "wind_time": 0.5})
    expected = particles(case, 5.1, seed_of(SEED, 0), move=euler)
    assert differences(capture(case, 5.1), expected) < 2e-3


def test_any_order_of_times_gives_the_same_bits(capture: Capture) -> None:
    case = Case("sphere", BASE, {"drag": 0.3}, position=OFFSET)
    times = [0.0, 0.4, 1.9999, 2.0, 7.3, 360000.1, 360003.9]
    forward = capture(case, *times, moving=True)
    backward = capture(case, *times[::-1], moving=True)[::-1]
    mixed = [4, 0, 6, 2, 5, 1, 3]
    shuffled = capture(case, *(times[i] for i in mixed), moving=True)
    for number, rows in enumerate(forward):
        assert rows.tobytes() == backward[number].tobytes() == shuffled[mixed.index(number)].tobytes()


def test_loops_that_never_meet_give_the_same_bits_in_any_order(capture: Capture) -> None:
    case = Case("plane", BASE, position=OFFSET)
    times = [100.2, 29.99, 30.01, 100.2, 360000.4, 29.99]
    found = capture(case, *times, moving=True, period=0.731)
    assert found[0].tobytes() == found[3].tobytes() and found[1].tobytes() == found[5].tobytes()
    _, before, after = np.intersect1d(found[1]["number"], found[2]["number"], return_indices=True)
    moved = found[2]["position"][after] - found[1]["position"][before]
    np.testing.assert_allclose(moved, found[1]["velocity"][before] * 0.02, atol=5e-3)


def test_after_a_hundred_hours_ages_are_as_exact(capture: Capture) -> None:
    whole = ((0.3, 0.9, 1.7), (5.0, 45.0, 5.0), False)  # 38 births in each of 180,000 loops
    case = Case("plane", {**BASE, "rate": whole})
    early, late = capture(case, 0.77), capture(case, 360000.0 + 0.77)
    assert late["number"][-1] == early["number"][-1] + 38 * 180000
    np.testing.assert_allclose(late["age"], early["age"], atol=1e-5)


def test_nothing_pops_at_the_end_of_a_loop(capture: Capture) -> None:
    tracks = {**BASE, **constant(rate=17.3)}
    case = Case("plane", tracks, position=OFFSET)
    before, after = capture(case, 2.0 - 1e-4, 2.0 + 1e-4, moving=True)
    shared, ours, theirs = np.intersect1d(before["number"], after["number"], return_indices=True)
    assert len(shared) >= max(len(before), len(after)) - 1
    np.testing.assert_allclose(before["position"][ours], after["position"][theirs], atol=5e-3)
    np.testing.assert_allclose(after["age"][theirs] - before["age"][ours], 2e-4, atol=1e-5)


def test_cold_emitters_begin_with_nothing(capture: Capture) -> None:
    case = Case("plane", BASE)
    start, later = capture(case, -0.5, 1.01, cold=True)
    assert len(start) == 0
    assert later["number"].tolist() == list(range(21))
    assert len(capture(case, 0.01)) == 50


def test_a_clip_that_stops_goes_on_with_its_last_rate(capture: Capture) -> None:
    tracks = {**BASE, "rate": ((0.0, 2.0), (10.0, 40.0), False), "lifespan": ((0.0,), (1.0,), False)}
    case = Case("plane", tracks)
    assert len(capture(case, 30.0, looped=False)) in (40, 41)
    assert len(capture(case, -5.0, looped=False)) in (10, 11)
    ages = capture(case, 30.0, looped=False)["age"]
    np.testing.assert_allclose(-np.diff(ages), 1 / 40, atol=1e-5)


def test_another_seed_is_another_fire(capture: Capture) -> None:
    case = Case("plane", BASE)
    one, other = capture(case, 1.0), capture(case, 1.0, seed=8)
    np.testing.assert_array_equal(one["number"], other["number"])
    assert np.abs(one["position"] - other["position"]).max() > 0.1


def test_solo_and_muted_emitters(capture: Capture) -> None:
    case = Case("plane", BASE)
    assert len(capture(case, 1.0, solo=frozenset({EmitterItem(1)}))) == 0
    assert len(capture(case, 1.0, muted=frozenset({EmitterItem(0)}))) == 0
    assert len(capture(case, 1.0, shown=False)) == 0
    assert len(capture(case, 1.0, solo=frozenset({EmitterItem(0)}))) > 0


def test_frozen_and_multiplied(capture: Capture) -> None:
    case = Case("plane", BASE)
    still = capture(case, 1.0, frozen={EmitterItem(0): 0.5})
    assert still.tobytes() == capture(case, 0.5).tobytes()
    assert len(capture(case, 1.01, rates={EmitterItem(0): 2.0})) == pytest.approx(100, abs=2)
    larger = capture(case, 1.0, sizes={EmitterItem(0): 3.0})
    np.testing.assert_allclose(larger["size"], 3 * capture(case, 1.0)["size"], rtol=1e-6)
