"""Particles that lights shine on: those of the studio, or those of the file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.quads import FRONT, WHITE, display_options, middle
from viewer.scene.choices import LightKind, Shading
from viewer.scene.emitter import Curve, Emitter
from viewer.scene.model import Light, Model

LOCAL = ("model space",)
RED, DIM = (1.0, 0.0, 0.0), (0.0, 0.2, 0.0)
STREAKS = {"head": False, "tail": True, "tail_length": 1.0, "wind": (1.0, 0.0, 0.0), "wind_time": 9.0}
BACK = replace(FRONT, yaw=180.0)


def emitter(*flags: str, **given: Any) -> Emitter:
    """White quads in the middle."""
    numbers = {"rate": 40.0, "lifespan": 1.0}
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    parts = {"flags": (*LOCAL, *flags), "curves": lambda _: curves, "blending": "replace", "alpha_mask": 0.0}
    return Emitter("plane", -1, (0.0, 0.0, 0.0), 0, 0, **{**parts, **given})


def lit_by(z: float, *flags: str, **given: Any) -> Model:
    """Quads and a light of the file before (z > 0) or behind them."""
    light = Light("point", -1, (0.0, 0.0, z), RED, DIM, (20.0, 40.0))
    return Model("made", emitters=(emitter(*flags, **given),), lights=(light,))


def test_an_emitter_that_is_not_unlit_is_lit_as_the_mesh_is(shot: Any) -> None:
    plain, lit = (
        middle(shot(Model("made", emitters=(emitter(*flags),)), display_options(Shading.LIT)))
        for flags in (("unlit",), ())
    )
    assert plain == list(WHITE)
    assert min(lit[:3]) > 180 and max(lit[:3]) < 240


def test_the_studio_lights_both_sides_of_a_card(shot: Any) -> None:
    card, lit = Model("made", emitters=(emitter("flat"),)), display_options(Shading.LIT)
    assert middle(shot(card, lit, FRONT)) == middle(shot(card, lit, BACK))
    assert min(middle(shot(card, lit, BACK))[:3]) > 180


def test_where_the_shading_has_no_light_there_is_none(shot: Any) -> None:
    assert middle(shot(Model("made", emitters=(emitter(),)), display_options())) == list(WHITE)


@pytest.mark.parametrize(
    ("model", "camera", "expected"),
    [
        (lit_by(3.0), FRONT, (255, 51, 0)),
        (lit_by(-3.0), FRONT, (0, 51, 0)),
        (lit_by(-3.0), BACK, (255, 51, 0)),
        (lit_by(3.0, "flat"), FRONT, (255, 51, 0)),
        (lit_by(-3.0, "flat"), BACK, (255, 51, 0)),
        (lit_by(3.0, "flat"), BACK, (0, 51, 0)),
        (lit_by(3.0, "unlit"), FRONT, (255, 255, 255)),
        (lit_by(3.0, **STREAKS), FRONT, (255, 51, 0)),
    ],
    ids=[
        "before it",
        "behind it there is only what is ambient",
        "a card turns to the camera",
        "flat",
        "flat, from its other side",
        "flat, the light beyond it",
        "unlit",
        "a tail",
    ],
)
def test_the_lights_of_the_file_shine_on_them(shot: Any, model: Model, camera: Any, expected: Any) -> None:
    pixel = middle(shot(model, display_options(Shading.LIT, light=LightKind.FILE), camera))
    assert np.abs(np.array(pixel[:3]) - expected).max() <= 4
