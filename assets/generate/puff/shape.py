"""Puff's surfaces, with their bones and their places in the texture."""

from __future__ import annotations

from typing import Any

import numpy as np

from generate.curves import bspline, unit
from generate.mesh import Influence, Mesh, Rect, Surface, join, patch, revolved, shade, spread
from viewer.arrays import Array

BONES = ("Root", "Body", "Lid", "Foot.L", "Foot.R", "Steam", "Glint", "Ember")
PARENTS = (-1, 0, 1, 0, 0, 1, 2, 0)
LID_SEAT = 0.60
TIP, KNOB = (0.0, 0.78, 0.66), (0.0, 0.0, 0.80)
FEET = (0.12, 0.18)
EMBER = (0.0, 0.0, 0.70)
"""What the ember flies around."""
PIVOTS = (
    (0, 0, 0),
    (0, 0, 0.10),
    (-0.20, 0, LID_SEAT),
    (0.06, 0.18, 0.10),
    (0.06, -0.18, 0.10),
    TIP,
    KNOB,
    EMBER,
)

UPRIGHT = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""Turns the helpers' axis, +Y, up; what they begin with, u = 0, is behind."""

BELLY = ((0.0, 0.05), (0.24, 0.05), (0.38, 0.20), (0.41, 0.36), (0.34, 0.52), (0.25, 0.60), (0.20, 0.62))
TEA = ((0.21, 0.0), (0.10, -0.01), (0.0, -0.01))
LID = ((0.235, 0.0), (0.24, 0.02), (0.17, 0.07), (0.07, 0.11), (0.03, 0.12))
BALL = ((0.0, -1.0), (0.75, -0.8), (1.0, 0.0), (0.75, 0.8), (0.0, 1.0))
SPOUT = ((0, 0.16, 0.26), (0, 0.46, 0.23), (0, 0.58, 0.42), (0, 0.68, 0.58), (0, 0.80, 0.68))
SPOUT_WIDTHS = ((0.13,), (0.125,), (0.075,), (0.06,), (0.065,))
HANDLE = ((0, -0.33, 0.20), (0, -0.56, 0.16), (0, -0.72, 0.36), (0, -0.56, 0.56), (0, -0.28, 0.52))

PARTS = {
    "belly": Rect(0.01, 0.01, 0.99, 0.55),
    "lid": Rect(0.01, 0.58, 0.48, 0.76),
    "spout": Rect(0.52, 0.58, 0.99, 0.76),
    "handle": Rect(0.01, 0.79, 0.30, 0.97),
    "foot": Rect(0.33, 0.79, 0.52, 0.97),
    "petal": Rect(0.55, 0.79, 0.74, 0.97),
    "knob": Rect(0.77, 0.79, 0.87, 0.97),
    "tea": Rect(0.90, 0.79, 0.99, 0.97),
}
PETALS = 7
PIPES, END = ("spout", "handle"), 0.97
"""What is closed at its end, and where the part before that ends."""


def at(place: Any, scale: Any = (1, 1, 1), turned: float = 0.0) -> Array:
    """[3, 4]: upright at a place, scaled along the model's axes, then turned about +Z by radians."""
    c, s = np.cos(turned), np.sin(turned)
    spin = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return np.column_stack((spin @ np.diag(np.asarray(scale, float)) @ UPRIGHT, np.asarray(place, float)))


def pipe(points: Any, widths: Any) -> Surface:
    """A pipe in the plane of Y and Z whose width changes along it; it ends in a point."""

    def surface(u: Array, v: Array) -> Array:
        step = 1e-3
        ahead = unit(bspline(points, np.minimum(v + step, 1)) - bspline(points, np.maximum(v - step, 0)))
        side = unit(np.cross(ahead, (1.0, 0.0, 0.0)))
        angle = 2 * np.pi * u[..., None]
        ring = side * np.cos(angle) + np.cross(ahead, side) * np.sin(angle)
        width = bspline(widths, v) * np.where(v > 0.999, 0.0, 1.0)[..., None]
        return np.asarray(bspline(points, np.minimum(v, END)) + width * ring)

    return surface


def surfaces() -> dict[str, Surface]:
    """One surface for each part of the texture."""
    petal = at((0.11, 0.0, KNOB[2] - 0.07), (0.075, 0.045, 0.018))
    return {
        "belly": revolved(BELLY, at((0, 0, 0))),
        "tea": revolved(TEA, at((0, 0, LID_SEAT))),
        "lid": revolved(LID, at((0, 0, LID_SEAT))),
        "spout": pipe(SPOUT, SPOUT_WIDTHS),
        "handle": pipe(HANDLE, ((0.05,), (0.045,), (0.04,), (0.045,), (0.05,))),
        "foot": revolved(BALL, at((FEET[0], FEET[1], 0.06), (0.16, 0.11, 0.065))),
        "petal": revolved(BALL, petal),
        "knob": revolved(BALL, at((0, 0, KNOB[2] - 0.06), (0.055, 0.055, 0.055))),
    }


def carried(bone: str) -> Influence:
    """The whole surface follows one bone."""
    row = np.eye(len(BONES))[BONES.index(bone)]
    return lambda u, v, points: np.broadcast_to(row, (*u.shape, len(BONES)))


def _part(name: str, bone: str, rows: int, columns: int, surface: Surface | None = None) -> Mesh:
    shape = surfaces()[name] if surface is None else surface
    along = np.append(spread(rows - 1, 0.0, END), 1.0) if name in PIPES else spread(rows)
    return patch(shape, along, spread(columns), PARTS[name], carried(bone))


def pot() -> Mesh:
    """Belly, tea, spout, handle and feet."""
    right = revolved(BALL, at((FEET[0], -FEET[1], 0.06), (0.16, 0.11, 0.065)))
    return shade(
        join(
            [
                _part("belly", "Body", 20, 40),
                _part("tea", "Body", 3, 24),
                _part("spout", "Body", 14, 14),
                _part("handle", "Body", 18, 10),
                _part("foot", "Foot.L", 10, 14),
                _part("foot", "Foot.R", 10, 14, right),
            ]
        )
    )


def plain_lid() -> Mesh:
    """The lid with its knob."""
    return shade(join([_part("lid", "Lid", 8, 28), _part("knob", "Lid", 10, 16)]))


def flower_lid() -> Mesh:
    """The lid with a flower around the knob."""
    petals = [revolved(BALL, _around(number * 2 * np.pi / PETALS)) for number in range(PETALS)]
    flower = [_part("petal", "Lid", 8, 10, petal) for petal in petals]
    return shade(join([_part("lid", "Lid", 8, 28), _part("knob", "Lid", 10, 16), *flower]))


def _around(angle: float) -> Array:
    place = (0.105 * np.cos(angle), 0.105 * np.sin(angle), KNOB[2] - 0.07)
    return at(place, (0.08, 0.045, 0.02), angle)


def card(bone: str, width: float, low: float, high: float) -> Mesh:
    """A card through the bone's pivot that faces +X, which its bone turns to the viewer."""
    pivot = np.array(PIVOTS[BONES.index(bone)])

    def surface(u: Array, v: Array) -> Array:
        flat = np.stack((np.zeros_like(u), (u - 0.5) * width, high + (low - high) * v), axis=-1)
        return np.asarray(pivot + flat)

    return shade(patch(surface, spread(1), spread(1), Rect(0, 0, 1, 1), carried(bone), turned=True))
