"""Converts numbers for glTF: to finite f32 values, to quaternions of length 1, and matrices to positions,
rotations and scales.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.arrays import Array
from viewer.scene.maths import invert

DIGITS = 9
"""Number of significant digits that distinguish any two f32."""


def finite(values: Array) -> Array:
    """Convert values to f32; values that are not finite become 0."""
    single = np.asarray(values, np.float32)
    kept = np.isfinite(single)
    if kept.all():
        return single.copy() if single is values else single
    return np.where(kept, single, np.float32(0))


def plain(values: Any) -> list[float]:
    """Convert values to Python floats with only as many digits as f32 needs."""
    return [float(f"{each:.{DIGITS}g}") for each in finite(np.asarray(values)).ravel().tolist()]


def unit_rotations(values: Array) -> Array:
    """Normalise quaternions to [..., 4] f64 of length 1; a quaternion of length 0 becomes the identity."""
    safe = np.asarray(values, np.float64)
    kept = np.isfinite(safe)
    if not kept.all():
        safe = np.where(kept.all(axis=-1, keepdims=True), safe, 0)
    length = np.sqrt(np.einsum("...i,...i->...", safe, safe))[..., None]
    turns = length > 0
    if turns.all():
        return safe / length
    return np.where(turns, safe / np.where(turns, length, 1), np.array([0.0, 0.0, 0.0, 1.0]))


def decomposed(matrices: Array) -> tuple[Array, Array, Array]:
    """Decompose matrices [..., 3, 4] into positions [..., 3], rotations [..., 4] xyzw and scales [..., 3].

    Shear is dropped: the Y axis is made perpendicular to X, and the Z axis to X and Y.
    """
    axes = np.moveaxis(np.asarray(matrices[..., :3], np.float64), -1, 0)
    x = _unit(axes[0])
    y = _unit(axes[1] - x * np.sum(axes[1] * x, axis=-1, keepdims=True))
    z = np.cross(x, y)
    scales = np.stack([np.sum(axis * unit, axis=-1) for axis, unit in zip(axes, (x, y, z), strict=True)], -1)
    return matrices[..., 3], quaternions(np.stack((x, y, z), axis=-1)), scales


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1))


def quaternions(turns: Array) -> Array:
    """Convert rotation matrices [..., 3, 3] to quaternions [..., 4] xyzw.

    The largest component is computed first, so that nothing is divided by a small number.
    """
    m = turns
    diagonal = np.stack((m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]), axis=-1)
    trace = diagonal.sum(axis=-1, keepdims=True)
    # 4x², 4y², 4z² and 4w² of the quaternions
    squares = np.concatenate((1 + 2 * diagonal - trace, 1 + trace), axis=-1)
    a, b, c = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    d, e, f = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    rows = np.stack(
        [
            np.stack((squares[..., 0], d, e, a), -1),
            np.stack((d, squares[..., 1], f, b), -1),
            np.stack((e, f, squares[..., 2], c), -1),
            np.stack((a, b, c, squares[..., 3]), -1),
        ],
        axis=-2,
    )
    best = np.argmax(squares, axis=-1)
    return unit_rotations(np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :])


def inverted(matrices: Array) -> Array:
    """Invert matrices [..., 3, 4]. If a matrix is singular, return the pseudo-inverses of all matrices;
    numbers that are not finite then count as 0.
    """
    try:
        return invert(matrices)
    except np.linalg.LinAlgError:
        known = np.nan_to_num(matrices, posinf=0.0, neginf=0.0)
        turns = np.linalg.pinv(known[..., :3])
        moves = -np.matmul(turns, known[..., 3, None])
        return np.concatenate((turns, moves), axis=-1)
