"""Measures deviations of positions and rotations. Deviations up to a `Tolerance` are ignored."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.maths import lengths, normalise

SHARE = 1e-5
"""The default tolerance of distances, as a fraction of the model's size."""


class Tolerance(Struct, frozen=True):
    """The largest ignored deviations: `distance` in units of the first document, `angle` in degrees, `weight`
    for influences and morphs, `uv` for texture coordinates, `color` 0..1, `time` in seconds, and `share` as a
    fraction for all other numbers.
    """

    distance: float
    angle: float = 0.01
    weight: float = 1e-3
    uv: float = 1e-5
    color: float = 1 / 512
    time: float = 1e-4
    share: float = 1e-6


EXACT = Tolerance(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def tolerance_of(distance: float | None, size: float) -> Tolerance:
    """Make the tolerance for a model of `size` units. `distance` is the user's distance (None: none chosen;
    0: every number must be the same).
    """
    if distance == 0:
        return EXACT
    if distance is not None:
        return Tolerance(distance)
    return Tolerance(SHARE * (size if math.isfinite(size) and size > 0 else 1.0))


def rotation_angles(first: Array, second: Array) -> Array:
    """[N] f64: the approximate angles in degrees between the rotations of two arrays of matrices [N, 3, 3].
    The matrices may also scale.
    """
    one, other = (each / _size(each)[:, None, None] for each in (first, second))
    chords = lengths((one - other).reshape(len(one), 9)) / math.sqrt(8)
    return np.degrees(2 * np.arcsin(np.clip(chords, 0, 1)))


def _size(matrices: Array) -> Array:
    """[N]: the mean length of the columns of each matrix; 1 for the zero matrix."""
    found = lengths(matrices.reshape(len(matrices), 9)) / math.sqrt(3)
    return np.asarray(np.where((found > 0) & np.isfinite(found), found, 1.0))


def between_directions(first: Array, second: Array) -> Array:
    """[N] f64: the angles in degrees between two arrays of directions [N, 3], whose lengths may differ from
    1; 60 if one direction has length 0.
    """
    one, other = (normalise(each.astype(np.float64)) for each in (first, second))
    chords = lengths(one - other)
    found = np.degrees(2 * np.arcsin(np.clip(chords / 2, 0, 1)))
    return np.asarray(np.where((first == second).all(axis=-1), 0.0, found))


def rounded(value: float) -> str:
    """Write a number with three significant digits."""
    return "not finite" if not math.isfinite(value) else f"{value:.3g}"


def deviation_text(moved: float, turned: float, grown: float, tolerance: Tolerance) -> str:
    """Describe the deviations above the tolerance: `moved by 0.2, turned by 12°`. Empty if there is none."""
    parts = []
    if moved > tolerance.distance:
        parts.append(f"moved by {rounded(moved)}")
    if turned > tolerance.angle:
        parts.append(f"turned by {rounded(turned)}°")
    if grown > tolerance.share * 10:
        parts.append(f"scale differs by {rounded(grown)}")
    return ", ".join(parts)
