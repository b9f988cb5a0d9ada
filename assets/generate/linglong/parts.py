"""Everything but the body: head, face, horns, whiskers, plumes, legs and flames, in their bones' frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from generate.curves import bspline, bump, lerp, unit
from generate.mesh import Surface, placed
from generate.rig import frame, turn
from viewer.arrays import Array

SKULL = (
    (-0.150, 0.000, 0.020, 0.000),
    (-0.145, 0.090, 0.095, -0.075),
    (-0.070, 0.158, 0.165, -0.105),
    (0.020, 0.172, 0.160, -0.100),
    (0.085, 0.140, 0.110, -0.070),
    (0.150, 0.108, 0.078, -0.048),
    (0.225, 0.112, 0.086, -0.044),
    (0.275, 0.088, 0.075, -0.040),
    (0.282, 0.000, 0.020, -0.005),
)
"""Ahead, half the width, top and bottom."""
JAW = (
    (-0.060, 0.000, -0.060, -0.090),
    (-0.050, 0.095, -0.050, -0.120),
    (0.050, 0.110, -0.050, -0.120),
    (0.150, 0.088, -0.044, -0.098),
    (0.235, 0.074, -0.040, -0.080),
    (0.245, 0.000, -0.050, -0.065),
)
EYE = np.array((0.108, 0.082, 0.088))
EYE_SIZE = 0.074
LIDS_OPEN, LIDS_SHUT = 40.0, -34.0
LOWER_LID = -46.0
WHISKER = (
    (0.085, 0.010, 0.235),
    (0.170, 0.000, 0.280),
    (0.270, 0.060, 0.250),
    (0.340, 0.060, 0.140),
    (0.400, -0.010, 0.060),
    (0.480, -0.020, 0.040),
)
HORN = ((0.055, 0.130, -0.060), (0.085, 0.215, -0.120), (0.120, 0.290, -0.150), (0.130, 0.365, -0.210))
BRANCH = ((0.095, 0.235, -0.128), (0.150, 0.275, -0.100), (0.185, 0.325, -0.100))
BROW = ((0.050, 0.150, 0.135), (0.095, 0.185, 0.130), (0.150, 0.185, 0.085), (0.195, 0.215, 0.020))
FANG = ((0.070, -0.030, 0.235), (0.073, -0.060, 0.243), (0.070, -0.088, 0.238))
LEG = ((0.0, 0.0, 0.0), (0.062, -0.050, -0.012), (0.085, -0.115, 0.012), (0.080, -0.150, 0.050))
PAW = np.array(LEG[-1])
PEARL_SIZE = 0.145


def loft(sections: Any, smile: float = 0.0) -> Surface:
    """u around from below over the left, v from back to front, through (ahead, width, top, bottom)."""

    def surface(u: Array, v: Array) -> Array:
        z, wide, top, bottom = np.moveaxis(bspline(sections, v), -1, 0)
        angle = 2 * np.pi * (u - 0.25)
        middle, half = (top + bottom) / 2, (top - bottom) / 2
        x, y = wide * np.cos(angle), middle + half * np.sin(angle)
        cheeks = smile * bump(np.abs(x) - 0.125, 0.06) * bump(y + 0.02, 0.07) * bump(z - 0.06, 0.07)
        corner = smile * bump(np.abs(x) - 0.09, 0.05) * bump(y + 0.045, 0.03) * bump(z - 0.15, 0.06)
        return np.stack(
            (x + 0.035 * np.sign(x) * cheeks, y + 0.022 * cheeks + 0.03 * corner, z + 0.01 * cheeks), axis=-1
        )

    return surface


def ball(at: Any, size: Any, turned: Array | None = None) -> Surface:
    """An ellipsoid: u around its z axis, v from the front pole to the back pole."""
    place = frame(at, turned)

    def surface(u: Array, v: Array) -> Array:
        around, reach = 2 * np.pi * u, np.pi * v
        points = (np.sin(reach) * np.sin(around), np.sin(reach) * np.cos(around), np.cos(reach))
        return placed(place, np.stack(points, axis=-1) * np.asarray(size, float))

    return surface


def eye_frame(side: int) -> Array:
    """[3, 4] in the head: z is the line of sight."""
    return frame(EYE * (side, 1, 1), turn(1, 24.0 * side) @ turn(0, -4.0))


def lid(side: int, upper: bool, shut: float = 0.0, smile: float = 0.0) -> Surface:
    """u from corner to corner, v from inside the rim over the edge to the back of the eye."""
    edge = lerp(LIDS_OPEN, LIDS_SHUT, shut) if upper else LOWER_LID + 20 * smile
    back = 150.0 if upper else -150.0

    def surface(u: Array, v: Array) -> Array:
        across = np.pi * u
        rise = np.radians(lerp(edge, back, np.clip((v - 0.12) / 0.88, 0, 1)))
        shell = EYE_SIZE * lerp(0.96, 1.09, np.sqrt(np.clip(v / 0.12, 0, 1)))
        points = (np.cos(across), np.sin(across) * np.sin(rise), np.sin(across) * np.cos(rise))
        return placed(eye_frame(side), np.stack(points, axis=-1) * shell[..., None])

    return surface


def mirrored(points: Any, side: int) -> Array:
    """[N, 3] points of the left side on that side (1 left, -1 right)."""
    return np.asarray(points, float) * (side, 1, 1)


def plume(points: Any, width: Sequence[float], across: Any) -> Surface:
    """A flat feather along a spline of [N, 3] points: u across, v from its tip to its root.

    `across` [3] is about the direction of its width.
    """
    widths = np.asarray(width, float)

    def surface(u: Array, v: Array) -> Array:
        t = 1 - v
        step = 1e-3
        ahead = unit(bspline(points, np.minimum(t + step, 1)) - bspline(points, np.maximum(t - step, 0)))
        side = unit(np.asarray(across, float) - ahead * (ahead @ np.asarray(across, float))[..., None])
        wide = np.interp(t, np.linspace(0, 1, len(widths)), widths) * (u - 0.5)
        hollow = np.cross(ahead, side) * (0.25 * np.abs(wide))[..., None]
        return np.asarray(bspline(points, t) + side * wide[..., None] + hollow)

    return surface


def mane() -> list[tuple[Surface, str]]:
    """Plumes around the back of the head, two at the jaws, a beard; with the bone that each follows."""
    found: list[tuple[Surface, str]] = []
    for side in (1, -1):
        for rise, length in ((62.0, 0.30), (32.0, 0.34), (4.0, 0.34), (-24.0, 0.30)):
            angle = np.radians(rise)
            out = np.array((side * np.cos(angle), np.sin(angle), 0.0))
            root = out * (0.135, 0.12, 0) + (0, 0.02, -0.03)
            steps = ((0.0, 0.0, 0.0), (0.3, 0.0, -0.06), (0.55, 0.02, -0.2), (0.75, 0.05, -0.30))
            points = [root + out * far * length + (0, up, back) for far, up, back in steps]
            across = np.cross(out, (0, 0, 1))
            found.append((plume(points, (0.07, 0.16, 0.13, 0.05), across), "Head"))
    beard = [(0, -0.062, 0.185), (0, -0.135, 0.195), (0, -0.190, 0.180), (0, -0.230, 0.205)]
    found.append((plume(beard, (0.10, 0.12, 0.08, 0.03), (1, 0, 0)), "Jaw"))
    return found


def tail_plumes() -> list[Surface]:
    """A fan at the tail's end, in the frame of the last bone: behind is -z."""
    fans = []
    for rise in (-38.0, 0.0, 38.0):
        way = np.array((0.0, np.sin(np.radians(rise)), -np.cos(np.radians(rise))))
        points = [way * 0.06, way * 0.16, way * 0.27 + (0, 0.02, 0), way * 0.36 + (0, 0.06, 0)]
        fans.append(plume(points, (0.05, 0.15, 0.13, 0.04), np.cross(way, (1, 0, 0))))
    return fans


def flames() -> list[Surface]:
    """The flames on the pearl, in its frame."""
    burning = []
    for heading in (30.0, 150.0, 270.0):
        out = turn(1, heading) @ np.array((0.0, 0.0, 1.0))
        root = out * 0.11 + (0, 0.02, 0)
        steps = ((0.0, 0.0), (0.07, 0.09), (0.03, 0.19), (-0.02, 0.30))
        points = [root + out * far + (0, up, 0) for far, up in steps]
        burning.append(plume(points, (0.08, 0.15, 0.10, 0.03), np.cross(out, (0, 1, 0))))
    return burning


def toes(side: int) -> list[tuple[Array, tuple[float, ...]]]:
    """Claws of a paw: points and radii, in the leg's frame."""
    found = []
    for aside in (-0.030, 0.0, 0.030):
        root = np.array(PAW * (side, 1, 1) + (aside, -0.010, 0.020))
        steps = ((0.0, 0.0, 0.0), (0.4, 0.008, 0.030), (0.6, -0.006, 0.056), (0.6, -0.034, 0.066))
        points = root + [(aside * out, up, ahead) for out, up, ahead in steps]
        found.append((points, (0.017, 0.016, 0.010, 0.001)))
    return found
