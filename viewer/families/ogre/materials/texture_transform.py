"""Evaluate the texture transform of a texture unit: scale, scroll and rotation, constant or over time.

Source: OGRE's `TextureUnitState::recalcTextureMatrix`, `ControllerManager` and
`OgrePredefinedControllers.cpp`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from msgspec import Struct

from viewer.arrays import Color

WAVES: dict[str, Callable[[float], float]] = {
    "sine": lambda at: math.sin(2 * math.pi * at),
    "triangle": lambda at: 4 * at if at < 0.25 else 2 - 4 * at if at < 0.75 else 4 * at - 4,
    "square": lambda at: 1.0 if at <= 0.5 else -1.0,
    "sawtooth": lambda at: 2 * at - 1,
    "inverse_sawtooth": lambda at: 1 - 2 * at,
    "pwm": lambda at: 1.0 if at <= 0.5 else -1.0,
}
"""Waveforms: functions from a phase of 0 to 1 to a value of -1 to 1. The duty cycle of `pwm` is 0.5, because
scripts cannot set it.
"""

TARGETS = ("scroll_x", "scroll_y", "rotate", "scale_x", "scale_y")


class Wave(Struct, frozen=True):
    """A `wave_xform`: a wave from `base` to `base + amplitude` that sets `target`, one of `TARGETS`."""

    target: str
    shape: str
    base: float
    frequency: float
    phase: float
    amplitude: float

    def at(self, time: float) -> float:
        """Return the value at `time` seconds."""
        output = WAVES[self.shape]((self.phase + time * self.frequency) % 1.0)
        return self.base + (output + 1) / 2 * self.amplitude


class TextureTransform(Struct, frozen=True):
    """A texture transform. `scroll` and `scale` are pairs for u and v. `rotation` is in turns. Speeds are in
    textures a second or turns a second. A scale of 2 shows the texture twice as large, around its middle.
    """

    scroll: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)
    rotation: float = 0.0
    scroll_speed: tuple[float, float] = (0.0, 0.0)
    rotation_speed: float = 0.0
    waves: tuple[Wave, ...] = ()

    @property
    def moves(self) -> bool:
        """Whether the transform changes over time."""
        return bool(any(self.scroll_speed) or self.rotation_speed or self.waves)

    def __call__(self, time: float) -> tuple[Color, Color]:
        """Return `u_offset` and `v_offset` of a `scene.material.Material` at `time` seconds.

        An animated value replaces the constant value, as in the engine.
        """
        (u, v), (wide, high), turns = self.scroll, self.scale, self.rotation
        u = -self.scroll_speed[0] * time % 1.0 if self.scroll_speed[0] else u
        v = -self.scroll_speed[1] * time % 1.0 if self.scroll_speed[1] else v
        turns = -self.rotation_speed * time % 1.0 if self.rotation_speed else turns
        values = {"scroll_x": u, "scroll_y": v, "rotate": turns, "scale_x": wide, "scale_y": high}
        for wave in self.waves:
            value = wave.at(time)
            values[wave.target] = _scale(value) if wave.target.startswith("scale") else value
        u, v, turns, wide, high = (values[target] for target in TARGETS)
        return _rows((u, v), (wide, high), turns)


def _scale(value: float) -> float:
    """The scale factor for a wave's value: 1 + value, or -1 / value if the value is negative."""
    return 1 + value if value >= 0 else -1 / value


def _rows(scroll: tuple[float, float], scale: tuple[float, float], turns: float) -> tuple[Color, Color]:
    """The rows of the matrix that scales around the middle, then moves, then rotates around the middle."""
    wide, high = (1 / size if size else 0.0 for size in scale)
    u, v = 0.5 - 0.5 * wide + scroll[0], 0.5 - 0.5 * high + scroll[1]
    cos, sin = math.cos(2 * math.pi * turns), math.sin(2 * math.pi * turns)
    return (
        (cos * wide, -sin * high, 0.0, cos * (u - 0.5) - sin * (v - 0.5) + 0.5),
        (sin * wide, cos * high, 0.0, sin * (u - 0.5) + cos * (v - 0.5) + 0.5),
    )
