"""Head and mantle, the skin between the arms, eyes and lids. Metres, +Y up, +Z ahead, +X the right hand."""

from __future__ import annotations

import numpy as np

from generate.beacon.arms import ROOT_HEIGHT, arch, roots, section
from generate.curves import bspline, bump, hermite, lerp, smoothstep
from generate.mesh import Surface, placed
from generate.rig import frame, turn
from viewer.arrays import Array

PROFILE = (
    (0.0, 0.835),
    (0.14, 0.838),
    (0.245, 0.765),
    (0.290, 0.645),
    (0.272, 0.530),
    (0.222, 0.430),
    (0.182, 0.360),
    (0.168, 0.305),
)
"""Radius and height of the head from the crown to the neck."""
NECK = 0.70
"""The v at which the head ends and the skirt over the arms begins."""

EYE = np.array((0.124, 0.455, 0.176))
EYE_SIZE = np.array((0.099, 0.105, 0.092))
EYE_YAW, EYE_ROLL = 11.0, -9.0
LIDS_OPEN = (50.0, -50.0)
LIDS_SHUT = (-16.0, -16.0)
LID_SHELL = 1.075
MOUTH = 0.343


def head_outline(v: Array) -> tuple[Array, Array]:
    """Radius and height at v from 0 (crown) to NECK."""
    radius, height = np.moveaxis(bspline(PROFILE, v / NECK), -1, 0)
    return radius, height


def mantle_surface(smile: float = 0.0) -> Surface:
    """u around from the back over the left, front and right; v from the crown to where the arms begin."""

    def surface(u: Array, v: Array) -> Array:
        azimuth = 2 * np.pi * u - np.pi
        head = _head(azimuth, np.minimum(v, NECK))
        step = 1e-4
        fall = (head - _head(azimuth, np.minimum(v, NECK) - step)) / step * (1 - NECK)
        edge, ahead = arch(np.mod(azimuth, 2 * np.pi))
        t = np.clip((v - NECK) / (1 - NECK), 0, 1)[..., None]
        skirt = hermite(head, fall * 0.55, edge, ahead * 0.14, t)
        return _smiling(np.where(t > 0, skirt, head), smile)

    return surface


def _head(azimuth: Array, v: Array) -> Array:
    radius, height = head_outline(v)
    lean = -0.30 * np.maximum(height - 0.50, 0) ** 1.3
    x = radius * 1.05 * np.sin(azimuth)
    z = radius * np.cos(azimuth) + lean
    return np.stack((x, height, z), axis=-1)


def _smiling(points: Array, smile: float) -> Array:
    """Cheeks up and out, the corners of the mouth drawn up."""
    x, y, z = np.moveaxis(points, -1, 0)
    front = smoothstep(0.0, 0.1, z)
    cheeks = bump(np.abs(x) - 0.100, 0.040) * bump(y - 0.362, 0.036) * front * smile
    bow = (0.026 * (x / 0.06) ** 2 - 0.013) * bump(x, 0.055) * bump(y - MOUTH, 0.034) * front * smile
    push = np.stack((0.020 * np.sign(x) * cheeks, 0.016 * cheeks + bow, 0.022 * cheeks), axis=-1)
    return np.asarray(points + push)


def sole_surface(arm: int) -> Surface:
    """The underside of one arm's sector of the body: u across, v from the middle out to the arm."""
    out = roots()[arm] * (1, 0, 1)
    length = np.linalg.norm(out)
    side = np.array((out[2], 0, -out[0])) / length

    def surface(u: Array, v: Array) -> Array:
        aside, above = section(1 - 0.5 * u, np.zeros_like(u))
        edge = out + side * aside[..., None] + (0, ROOT_HEIGHT, 0) + above[..., None] * np.array((0, 1, 0))
        middle = np.array((0, ROOT_HEIGHT - 0.030, 0))
        return lerp(middle, edge, v[..., None])

    return surface


def eye_frame(side: int) -> Array:
    """[3, 4] of the right (1) or left (-1) eye: z looks ahead, a little outward; inner corners are higher."""
    return frame(EYE * (side, 1, 1), turn(1, EYE_YAW * side) @ turn(2, EYE_ROLL * side))


def eye_surface(side: int, shut: float = 0.0) -> Surface:
    """u around the line of sight, v from the pupil to the back. The ball makes room for lids that shut."""

    def surface(u: Array, v: Array) -> Array:
        angle, reach = 2 * np.pi * u, np.pi * v
        ball = np.stack(
            (np.sin(reach) * np.sin(angle), np.sin(reach) * np.cos(angle), np.cos(reach)), axis=-1
        )
        return placed(eye_frame(side), ball * EYE_SIZE * (1 - 0.2 * shut))

    return surface


def lid_surface(side: int, upper: bool, shut: float = 0.0, squint: float = 0.0) -> Surface:
    """u from the left corner to the right, v from inside the rim over the edge to the back of the eye."""
    opened, closed = (LIDS_OPEN[0], LIDS_SHUT[0]) if upper else (LIDS_OPEN[1] + 22 * squint, LIDS_SHUT[1])
    edge = lerp(opened, closed, shut)
    back = 150.0 if upper else -150.0

    def surface(u: Array, v: Array) -> Array:
        across = np.pi * u
        rise = np.radians(lerp(edge, back, np.clip((v - 0.12) / 0.88, 0, 1)))
        shell = lerp(0.97, LID_SHELL, np.sqrt(np.clip(v / 0.12, 0, 1))) + 0.02 * bump(v - 0.16, 0.07)
        ball = np.stack(
            (-np.cos(across), np.sin(across) * np.sin(rise), np.sin(across) * np.cos(rise)), axis=-1
        )
        return placed(eye_frame(side), ball * (EYE_SIZE * shell[..., None]))

    return surface
