"""The camera holds particles at every moment, and comes as near to them as it can."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.quads import display_options
from tests.render.effects.test_particles import swinging
from tests.view.test_clip_points import view_of
from viewer.app.viewport import bare
from viewer.arrays import Array
from viewer.export.picture.frames import pictures
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.display import EffectOptions
from viewer.scene.emitter import Curve, Emitter, Ramp
from viewer.scene.items import EmitterItem
from viewer.scene.model import Model
from viewer.view.clip_points import clip_points
from viewer.view.effect_points import (
    DIRECTIONS,
    SAMPLED_EMITTERS,
    effect_fullness,
    effect_points,
    outermost,
)
from viewer.view.framing import enclose, posed_bounds
from viewer.view.view_snapshot import ViewSnapshot

SIZE = (120, 90)
SKELETON, SWING = swinging()
REST = replace(SWING, tracks=(), duration=1.0)
LOCAL = ("model space",)


def emitter(kind: str = "plane", flags: tuple[str, ...] = (), **given: Any) -> Emitter:
    """White particles on the first bone; numbers that are no fields of an emitter are its tracks."""
    numbers = {"rate": 60.0, "lifespan": 1.0, "speed": 2.0}
    fields = {"blending": "alpha", "scales": Ramp(np.zeros(1), np.full((1, 2), given.pop("size", 0.1)))}
    for name, value in given.items():
        (fields if name in Emitter.__struct_fields__ else numbers)[name] = value
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    return Emitter(kind, 0, (0.0, 0.0, 0.0), 0, 0, flags, curves=lambda _: curves, **fields)


def model(*emitters: Emitter) -> Model:
    return Model("made", skeleton=SKELETON, emitters=emitters)


def view(*emitters: Emitter, **more: Any) -> ViewSnapshot:
    made = view_of(model(*emitters), more.pop("animation", REST), effects=EffectOptions(**more))
    return replace(made, options=bare(display_options(samples=0)))


@pytest.fixture
def covered(ctx: Any) -> Iterator[Callable[..., Array]]:
    """[H, W]: the pixels that are covered at any 1/23 s of the clip, as the window places the camera."""
    renderer = Renderer(ctx)

    def run(seen: ViewSnapshot) -> Array:
        assert seen.model is not None
        camera = enclose(Orbit(), clip_points(seen), SIZE)
        times = np.arange(int(seen.playback.duration * 23) + 1) / 23
        mesh = renderer.upload(seen.model)
        drawn = np.zeros(SIZE[::-1], bool)
        try:
            shots = [(float(time), camera) for time in times]
            for picture in pictures(renderer, [mesh], [seen], shots, posed_bounds(seen.model), SIZE):
                drawn |= picture.pixels[..., 3] > 8
        finally:
            mesh.release()
        return drawn

    yield run
    renderer.release()


CASES = {
    "fountain": emitter(speed=6.0, gravity=9.0, vertical_range=0.4, horizontal_range=3.2),
    "fire": emitter(flags=LOCAL, length=0.8, width=0.8, speed_variation=0.5, lifespan_variation=0.3),
    "smoke": emitter(
        drag=1.5, vertical_range=0.5, horizontal_range=3.2, scales=Ramp(np.arange(2.0), np.eye(2) * 0.5)
    ),
    "ball": emitter("sphere", length=0.5, width=1.0, vertical_range=1.6, horizontal_range=3.2),
    "spline": emitter(
        "spline", width=1.0, speed=0.3, spline=np.array(((0, 0, 0), (1, 0, 0), (1, 2, 0), (3, 2, 1.0)))
    ),
    "fades": emitter(speed=5.0, alphas=Ramp(np.array((0, 0.3, 0.5, 1)), np.array([[1.0], [1], [0], [0]]))),
    "streaks": emitter(speed=3.0, tail=True, head=False, tail_length=0.5, size=0.2, gravity=4.0),
    "wind": emitter(wind=(6.0, 2.0, 0.0), wind_time=0.7, vertical_range=0.3),
    "few": emitter(rate=3.0, size=0.6, speed=1.0, vertical_range=0.5),
}


@pytest.mark.usefixtures("any_numbers")
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("animation", [REST, SWING])
def test_every_frame_is_inside_and_the_picture_is_filled(
    covered: Callable[..., Array], name: str, animation: Any
) -> None:
    drawn = covered(view(CASES[name], animation=animation))
    rows, columns = np.nonzero(drawn.any(axis=1))[0], np.nonzero(drawn.any(axis=0))[0]
    assert not (drawn[[0, -1]].any() or drawn[:, [0, -1]].any())
    spans = (np.ptp(rows) + 1) / SIZE[1], (np.ptp(columns) + 1) / SIZE[0]
    assert 0.7 <= max(spans) <= 0.96


def extent(seen: ViewSnapshot, times: Array | None = None) -> Array:
    times = np.linspace(0.0, 1.0, 8) if times is None else times
    points = effect_points(seen, times, [seen.pose(float(time)) for time in times])
    return points if not len(points) else np.stack((points.min(axis=0), points.max(axis=0)))


def test_only_emitters_that_are_shown_count() -> None:
    near, far = emitter(speed=1.0), emitter(speed=50.0)
    assert extent(view(near, far))[1, 2] > 40
    assert extent(view(near, far, muted=frozenset((EmitterItem(1),))))[1, 2] < 3
    assert not len(extent(view(near, shown=True, muted=frozenset((EmitterItem(0),)))))


def test_what_the_user_changed_counts() -> None:
    assert extent(view(emitter(speed=0.0), sizes={EmitterItem(0): 20.0}))[1, 0] == pytest.approx(
        2.0, rel=0.05
    )
    assert not len(extent(view(emitter(), rates={EmitterItem(0): 0.0})))
    frozen = view(emitter(speed=10.0), cold=True, frozen={EmitterItem(0): 0.1})
    assert extent(frozen)[1, 2] < 1.2


@pytest.mark.parametrize("none", [{"rate": 0.0}, {"lifespan": 0.0}])
def test_an_emitter_without_particles_is_never_full(none: dict[str, float]) -> None:
    times = np.linspace(0, 1, 5)
    assert not effect_fullness(view(emitter(**none)), times, np.eye(3)[:2]).any()
    assert effect_fullness(view(emitter(**none), emitter()), times, np.eye(3)[:2]).max() == 1


def test_of_a_short_loop_later_rounds_count_too() -> None:
    slow = emitter(rate=2.0, lifespan=2.0, vertical_range=3.0)
    short = replace(REST, duration=0.1)
    times = np.linspace(0.0, 0.1, 4)
    assert np.ptp(extent(view(slow, animation=short), times), axis=0).max() > 3


def test_particles_too_small_to_be_seen_are_no_reason_to_step_back() -> None:
    assert not len(extent(view(emitter(speed=500.0, size=0.01))))


def test_of_very_many_emitters_only_the_first_are_sampled() -> None:
    seen = view(*[emitter(rate=0.0)] * SAMPLED_EMITTERS, emitter(speed=50.0))
    np.testing.assert_allclose(extent(seen), 0.0, atol=1e-9)


def test_the_outermost_points_are_those_of_all_balls() -> None:
    points, radii = np.array(((0.0, 0, 0), (4, 0, 0), (1, 0, 0))), np.array((1.0, 0.5, 0.1))
    found = outermost(points, radii)
    assert len(found) == len(DIRECTIONS)
    assert found[:, 0].min() == pytest.approx(-1.0, abs=0.05)
    assert found[:, 0].max() == pytest.approx(4.5, abs=0.05)
