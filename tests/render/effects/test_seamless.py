"""Particles and ribbons that repeat with a loop, through the real shader."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests import ribbons
from viewer.animation.effects.approximations import seams
from viewer.animation.pose import Layer, pose
from viewer.arrays import Array
from viewer.paths import folder
from viewer.render.bake import bake_ribbons
from viewer.render.effects.particle_capture import capture_particles
from viewer.render.renderer import Renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.animation import Animation
from viewer.scene.display import EffectOptions, ModelDisplay
from viewer.scene.emitter import Curve, Emitter
from viewer.scene.model import Model
from viewer.storage.documents import open_document

LOOP = 4.0
WITHOUT = ["age", "life", "position", "velocity", "color", "size", "angle", "cell", "tail"]
"""The number of a particle is another in every loop."""


def captured(renderer: Renderer, model: Model, times: Any, clip: Any = None, **given: Any) -> list[list[Any]]:
    """At each time the particles of every emitter."""
    mesh, found = renderer.upload(model), []
    for time in times:
        playing = (Layer(clip, time),) if clip else ()
        posed = pose(model.skeleton, playing) if model.skeleton else None
        effect_time = EffectTime(time, playing, posed, effects=EffectOptions(**given))
        found.append(capture_particles(mesh, effect_time, ModelDisplay()))
    mesh.release()
    return found


def same(first: Array, second: Array) -> bool:
    return len(first) == len(second) and all((first[name] == second[name]).all() for name in WITHOUT)


def emitter(rate: float | Curve, lifespan: float = 1.3, **given: Any) -> Emitter:
    numbers = {"lifespan": lifespan, "speed": 1.0, "vertical_range": 1.0, "length": 1.0}
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    curves["rate"] = rate if isinstance(rate, Curve) else Curve(np.zeros(1), np.array((rate,)))
    return Emitter("plane", -1, (0.0, 0.0, 0.0), 0, 4, ("model space",), curves=lambda _: curves, **given)


@pytest.mark.usefixtures("wow")
def test_the_sample_is_the_same_after_a_loop_to_the_bit(renderer: Renderer) -> None:
    document = open_document(folder("assets") / "m2" / "Creature" / "Puff" / "Puff.m2")
    assert document.model is not None
    stand = document.animations[0]
    times = (0.0, LOOP, 1.25, 1.25 + 2 * LOOP)
    first, second, third, fourth = captured(renderer, document.model, times, stand, period=LOOP)
    for before, after in (*zip(first, second, strict=True), *zip(third, fourth, strict=True)):
        assert len(before) > 3 and same(before, after)
    free = captured(renderer, document.model, (0.0, LOOP), stand)
    assert not same(free[0][0], free[1][0]), "its fire burns on"


@pytest.mark.parametrize(
    ("rate", "lifespan"),
    [(7.3, 1.3), (0.3, 9.0), (21.13, 11.0)],
    ids=["part", "hardly one", "longer than it"],
)
def test_births_of_a_loop_become_whole(renderer: Renderer, rate: float, lifespan: float) -> None:
    model = Model("made", emitters=(emitter(rate, lifespan, lifespan_variation=0.2),))
    (first,), (second,) = captured(renderer, model, (0.5, 3.0), period=2.5)
    assert same(first, second)
    assert abs(len(first) - rate * lifespan) <= 1 + lifespan / 2.5


def test_births_before_time_0_repeat_too(renderer: Renderer) -> None:
    model = Model("made", emitters=(emitter(9.0),))
    (first,), (second,) = captured(renderer, model, (-6.75, 3.25), period=2.5)
    assert len(first) > 5 and same(first, second)


def test_a_rate_that_moves_with_the_clip_repeats_with_it(renderer: Renderer) -> None:
    rate = Curve(np.array((0.0, 0.4, 1.0)), np.array((0.0, 31.7, 3.0)))
    clip = Animation("clip", 1.0, ())
    model = Model("made", emitters=(emitter(rate, rate_variation=2.0),))
    (first,), (second,), (third,) = captured(renderer, model, (0.25, 2.25, 4.25), clip, period=2.0)
    assert len(first) > 5 and same(first, second) and same(first, third)
    (next_,) = captured(renderer, model, (1.25,), clip, period=2.0)[0]
    assert not same(first, next_), "two loops of the clip in one"
    assert not list(seams(model, (Layer(clip, 0.0),), 2.0))


def test_what_does_not_repeat_is_told() -> None:
    own = Curve(np.array((0.0, 0.3)), np.array((5.0, 10.0)), period=0.7)
    clip = Animation("clip", 1.0, ())
    model = Model("made", emitters=(emitter(3.0), emitter(own)))
    (line,) = seams(model, (Layer(clip, 0.0),), 2.0)
    assert line == "emitter 1 does not repeat after 2 s, so the loop has a seam"
    assert not list(seams(model, (Layer(clip, 0.0),), 2.1 / 3))
    held = (Layer(clip, 0.0, looped=False),)
    assert len(list(seams(replace(model, emitters=(emitter(Curve(*np.ones((2, 2)))),)), held, 2.0))) == 1


def test_edges_of_ribbons_repeat(renderer: Renderer) -> None:
    made = ribbons.model(ribbons.ribbon(7.0, 3.0))
    mesh = renderer.upload(made)
    first, second = (
        bake_ribbons(mesh, EffectTime(time, ribbons.layers(time), effects=EffectOptions(period=6.0)))[0]
        for time in (0.1, 6.1)
    )
    mesh.release()
    np.testing.assert_allclose(first["top"], second["top"], atol=1e-5)
    assert len(first) == len(second) == 22
