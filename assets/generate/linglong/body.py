"""The body: its middle line, at rest and in flight, and its skin. Metres, +Y up, +Z ahead, +X left.

`s` runs along the dragon from the nape (0) to the tip of the tail (1).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from generate.curves import bspline, bump, lerp, smoothstep, unit
from generate.mesh import Surface
from viewer.arrays import Array

Line = Callable[[Array], Array]
"""`s` of any shape to points [..., 3]."""

COIL = (
    (0.000, 0.830, 0.150),
    (0.020, 0.852, 0.020),
    (0.120, 0.820, -0.150),
    (0.300, 0.690, -0.260),
    (0.420, 0.560, -0.120),
    (0.400, 0.500, 0.080),
    (0.270, 0.430, 0.300),
    (0.020, 0.330, 0.400),
    (-0.260, 0.250, 0.330),
    (-0.420, 0.220, 0.080),
    (-0.360, 0.170, -0.220),
    (-0.100, 0.100, -0.420),
    (0.230, 0.080, -0.370),
    (0.430, 0.085, -0.080),
    (0.400, 0.100, 0.240),
    (0.180, 0.110, 0.430),
    (-0.100, 0.160, 0.480),
    (-0.300, 0.300, 0.430),
    (-0.400, 0.440, 0.320),
)
"""The bind pose: around the pearl, the head above it."""

LENGTH = 4.25
RING = 0.80
"""Radius of the ring that it flies when it chases the pearl."""
PEARL = np.array((0.0, 0.52, 0.0))

RADII = (
    (0.0, 0.088),
    (0.05, 0.080),
    (0.16, 0.092),
    (0.36, 0.098),
    (0.62, 0.080),
    (0.85, 0.046),
    (1.0, 0.014),
)


def along(points: Array) -> Line:
    """The spline of [N, 3] points by the share of its length."""
    fine = bspline(points, np.linspace(0, 1, 1025))
    passed = np.concatenate(((0.0,), np.cumsum(np.linalg.norm(np.diff(fine, axis=0), axis=1))))
    share = passed / passed[-1]

    def line(s: Array) -> Array:
        return np.stack([np.interp(s, share, fine[:, axis]) for axis in range(3)], axis=-1)

    return line


def coil(phase: float = 0.0, swing: float = 0.0) -> Line:
    """The bind pose with a wave of `swing` metres that runs down the body, wider towards the tail."""
    rest = along(np.array(COIL))

    def line(s: Array) -> Array:
        wave = 2 * np.pi * (1.5 * s) - phase
        out = rest(s) * (1, 0, 1)
        aside = unit(out) * (0.6 * np.sin(wave + 1.1) * swing)[..., None]
        lift = np.stack((0 * s, np.sin(wave) * swing * (0.7 + s), 0 * s), axis=-1)
        return np.asarray(rest(s) + aside + lift)

    return line


def chase(phase: float) -> Line:
    """Flying round the pearl, in waves: `phase` 0 to 2π is one round."""

    def line(s: Array) -> Array:
        angle = s * LENGTH / RING - phase
        height = PEARL[1] + 0.13 * np.sin(2 * angle) + 0.05 * np.cos(angle)
        radius = RING + 0.05 * np.cos(3 * angle)
        return np.stack((radius * np.sin(angle), height, radius * np.cos(angle)), axis=-1)

    return line


def frames(line: Line, s: Array) -> Array:
    """[..., 3, 4]: side, up and ahead, and the place, on a middle line."""
    step = 4e-3
    ahead = unit(line(np.maximum(s - step, 0)) - line(np.minimum(s + step, 1)))
    up = unit(np.array((0.0, 1.0, 0.0)) - ahead * ahead[..., 1:2])
    return np.stack((np.cross(up, ahead), up, ahead, line(s)), axis=-1)


def radius(s: Array) -> Array:
    """Half the thickness."""
    places, radii = np.array(RADII).T
    smooth = bspline(np.column_stack((places, radii)), np.linspace(0, 1, 257))
    return np.interp(s, smooth[:, 0], smooth[:, 1])


def skin(line: Line) -> Surface:
    """u along the body, v around it from the belly over the left side."""

    def surface(u: Array, v: Array) -> Array:
        place = frames(line, u)
        angle = 2 * np.pi * (v - 0.25)
        thick = radius(u)
        belly = lerp(1.0, 0.82, smoothstep(0, 1, -np.sin(angle)))
        closed = np.sqrt(np.clip(1 - ((u - 0.985) / 0.015).clip(0, 1) ** 2, 0, 1))
        aside, above = thick * closed * np.cos(angle), thick * closed * 1.06 * belly * np.sin(angle)
        return np.asarray(place[..., 3] + place[..., 0] * aside[..., None] + place[..., 1] * above[..., None])

    return surface


def crest(line: Line) -> Surface:
    """The fin along the back: u along the body, v from its tips down to the skin."""

    def surface(u: Array, v: Array) -> Array:
        s = lerp(0.015, 0.955, u)
        place = frames(line, s)
        height = lerp(0.125, 0.055, smoothstep(0.1, 1.0, s)) * (1 - 0.3 * bump(s, 0.03))
        above = radius(s) * 0.98 + height * (1 - v)
        return np.asarray(
            place[..., 3] + place[..., 1] * above[..., None] - place[..., 2] * (0.05 * (1 - v))[..., None]
        )

    return surface
