"""What `info` says of models that emitters name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.quads import quad
from tests.render.effects.test_particles import swinging
from viewer.animation.effects.approximations import approximations
from viewer.scene.emitter import Curve, Emitter, ModelReference
from viewer.scene.material import Appearance, Material
from viewer.scene.model import Model


def emitter(rate: float = 10.0, lifespan: float = 1.0, **given: Any) -> Emitter:
    numbers = {"rate": rate, "lifespan": lifespan}
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    parts = {"flags": ("unlit",), "curves": lambda _: curves, **given}
    return Emitter("plane", 0, (0, 0, 0), 0, 4, **parts)


def named(model: Model | None, **given: Any) -> ModelReference:
    return ModelReference("a\\X.mdx", "X.m2", model=model, **given)


def lines(made: Emitter) -> tuple[str, ...]:
    return approximations(made, None, None)


def billboard() -> Model:
    skeleton = replace(swinging()[0], billboards=np.ones(1, np.uint8))
    return replace(quad(), skeleton=skeleton)


MOVING = Material("moving", motion=lambda clip_time: Appearance((1, 1, 1, 1)))


@pytest.mark.parametrize(
    ("shape", "line"),
    [
        (
            named(None, trouble="is missing"),
            "each particle is the model a\\X.mdx, which is missing; a quad is drawn instead",
        ),
        (named(Model("x")), "each particle is the model X.mdx, which has no mesh, so nothing is drawn"),
        (named(quad(emitters=(emitter(),))), "the emitters and ribbons of X.mdx itself are not drawn"),
        (
            named(quad(MOVING)),
            "colours and textures of X.mdx change for all particles alike, not by their ages",
        ),
    ],
)
def test_of_a_shape(shape: ModelReference, line: str) -> None:
    assert lines(emitter(shape=shape)) == (line,)


def test_bones_that_face_the_camera_do_unless_each_particle_tumbles() -> None:
    shape = named(billboard())
    assert lines(emitter(shape=shape)) == ()
    turning = emitter(shape=shape, tumble=((0, 0, 0), (0, 0, 3)))
    assert lines(turning) == ("bones of X.mdx that should face the camera turn with the particle instead",)


def test_a_shape_that_is_drawn_as_it_is_needs_no_words() -> None:
    assert lines(emitter(shape=named(quad(Material("plain"))))) == ()


def carried(*emitters: Emitter) -> ModelReference:
    return named(Model("x", emitters=emitters))


@pytest.mark.parametrize(
    ("carries", "line"),
    [
        (
            named(None, trouble="is missing"),
            "each particle carries the emitters of a\\X.mdx, which is missing; no emitter is drawn",
        ),
        (carried(), "each particle carries the emitters of X.mdx, but this model has no emitters"),
        (carried(*[emitter()] * 6), "particles carry only the first 4 of the 6 emitters of X.mdx"),
        (
            carried(emitter(shape=named(None))),
            "models that the emitters of X.mdx refer to are drawn as quads",
        ),
        (
            carried(emitter(flags=("model space",))),
            "particles of X.mdx in model space move with the carrying particles, not with the emitter",
        ),
        (carried(emitter(flags=("follows",))), "particles of X.mdx do not follow the carrying particles"),
        (
            carried(emitter(rate=1e5)),
            "only the newest 16,384 carried particles of the newest 4,096 carriers are drawn",
        ),
    ],
)
def test_of_what_is_carried(carries: ModelReference, line: str) -> None:
    assert lines(emitter(carries=carries)) == (line,)


def test_what_is_carried_as_it_is_needs_no_words() -> None:
    assert lines(emitter(carries=carried(emitter()))) == ()


def test_too_many_models() -> None:
    found = lines(emitter(rate=1000.0, shape=named(quad(Material("plain")))))
    assert found == ("only the newest 256 of 1,001 models are drawn",)


@pytest.mark.parametrize("change", [0.0, 0.25])
def test_a_gravity_that_changes_with_time(change: float) -> None:
    numbers = {"rate": (10.0,), "lifespan": (1.0,), "gravity": (3.0, 3.0 + change)}
    curves = {name: Curve(np.arange(len(each)), np.array(each)) for name, each in numbers.items()}
    line = "gravity changes with time, but each particle keeps the gravity at its birth"
    assert lines(emitter(curves=lambda _: curves)) == ((line,) if change else ())
