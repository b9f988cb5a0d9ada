"""A bone that moves, and ribbons that hang on it, without a file."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.synthetic import QUAD, QUAD_INDICES, model_of, skeleton_of, vertex_buffer
from viewer.animation.pose import Layer
from viewer.scene.animation import Animation, Composition, Track
from viewer.scene.emitter import Curve, Ribbon
from viewer.scene.material import Material
from viewer.scene.model import Model

SECONDS = 2.0
PLAIN = Material("plain", cull="none", unlit=True, vertex_color=True, blend="add", depth_write=False)


def moving(to: tuple[float, float, float] = (2.0, 0.0, 0.0), seconds: float = SECONDS) -> Animation:
    """The bone goes in a straight line from the origin, and jumps back at the end."""
    times = np.array((0.0, seconds))
    track = Track("bone 0", "position", times, np.array(((0.0, 0.0, 0.0), to)))
    return Animation("move", seconds, (track,), ("bone 0",), composition=Composition.PIVOT)


def layers(time: float, looped: bool = True, animation: Animation | None = None) -> tuple[Layer, ...]:
    return (Layer(animation or MOVING, time, looped=looped),)


def curve(*keys: tuple[float, Any], stepped: bool = False, period: float | None = None) -> Curve:
    times, values = zip(*keys, strict=True)
    return Curve(np.array(times, float), np.array(values, float), stepped, period)


def ribbon(rate: float = 10.0, lifetime: float = 1.0, **given: Any) -> Ribbon:
    """A ribbon half a unit to both sides; `curves` are added to those."""
    usual = {"above": curve((0, 0.5)), "below": curve((0, 0.5))}
    curves = {**usual, **given.pop("curves", {})}
    given = {"layers": (PLAIN,), "position": (0.0, 0.0, 0.0), **given}
    return Ribbon(
        bone=0,
        textures=(),
        materials=(),
        rate=rate,
        lifetime=lifetime,
        curves=lambda animation: curves,
        **given,
    )


def model(*ribbons: Ribbon) -> Model:
    """A quad that nobody sees, behind the ribbons."""
    far = vertex_buffer(position=QUAD * np.float32(0.001) - np.array((0, 0, 50), np.float32))
    return model_of(far, indices=QUAD_INDICES, ribbons=ribbons, skeleton=skeleton_of(1))


MOVING = moving()
