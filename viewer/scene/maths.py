"""Batched pose mathematics. Quaternions are `xyzw`; matrices are [..., 3, 4] for column vectors (p' = M·p).

All functions take any number of leading axes and keep the precision of their input.
"""

from __future__ import annotations

import math

import numpy as np

from viewer.arrays import Array

IDENTITY = np.eye(3, 4)
CONJUGATE = np.array([-1, -1, -1, 1])
SLERP_SINE = 0.001
TINY = 1e-6


def rotation_matrix(rotation: Array) -> Array:
    """[..., 3, 3]: the rotation matrices of [..., 4] quaternions, which should have length 1."""
    x, y, z, w = (rotation[..., each] for each in range(4))
    x2, y2, z2 = x + x, y + y, z + z
    xx, yy, zz = x * x2, y * y2, z * z2
    xy, xz, yz = x * y2, x * z2, y * z2
    wx, wy, wz = w * x2, w * y2, w * z2
    out = np.empty((*rotation.shape[:-1], 3, 3), rotation.dtype)
    out[..., 0, 0] = 1 - (yy + zz)
    out[..., 0, 1] = xy - wz
    out[..., 0, 2] = xz + wy
    out[..., 1, 0] = xy + wz
    out[..., 1, 1] = 1 - (xx + zz)
    out[..., 1, 2] = yz - wx
    out[..., 2, 0] = xz - wy
    out[..., 2, 1] = yz + wx
    out[..., 2, 2] = 1 - (xx + yy)
    return out


def trs_matrix(position: Array, rotation: Array, scale: Array) -> Array:
    """[..., 3, 4]: the product T·R·S of [..., 3] positions, [..., 4] rotations, [..., 3] scales."""
    out = np.empty((*position.shape[:-1], 3, 4), position.dtype)
    np.multiply(rotation_matrix(rotation), scale[..., None, :], out=out[..., :3])
    out[..., 3] = position
    return out


def compose(first: Array, second: Array) -> Array:
    """The product first·second of [..., 3, 4] matrices. The product moves a point by `second`, then by
    `first`.
    """
    out: Array = np.matmul(first[..., :3], second)
    out[..., 3] += first[..., 3]
    return out


def transform(matrix: Array, points: Array) -> Array:
    """[..., 3]: the points [..., 3], moved by [..., 3, 4] matrices."""
    return np.asarray(np.matmul(matrix[..., :3], points[..., None])[..., 0] + matrix[..., 3])


def scale_of(matrix: Array) -> float:
    """The factor by which a matrix [3, 3], [3, 4] or [4, 4] scales lengths (mean of uneven scales)."""
    return float(np.cbrt(abs(np.linalg.det(matrix[:3, :3]))))


def invert(matrix: Array) -> Array:
    """The inverse of [..., 3, 4] affine matrices; LinAlgError for a singular matrix."""
    out = np.empty_like(matrix)
    out[..., :3] = np.linalg.inv(matrix[..., :3])
    out[..., 3] = -np.matmul(out[..., :3], matrix[..., 3, None])[..., 0]
    return out


def quaternion_product(first: Array, second: Array) -> Array:
    """The product first·second of [..., 4] quaternions. The product rotates by `second`, then by `first`."""
    ax, ay, az, aw = (first[..., each] for each in range(4))
    bx, by, bz, bw = (second[..., each] for each in range(4))
    parts = (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )
    return np.stack(parts, axis=-1)


def quaternion_inverse(rotation: Array) -> Array:
    """The inverse of [..., 4] quaternions, whose lengths may differ from 1; the identity for a quaternion of
    (almost) zero length.

    Source: Urho3D `Quaternion::Inverse`.
    """
    squared = np.sum(rotation * rotation, axis=-1, keepdims=True)
    turns = squared >= TINY
    conjugate = rotation * CONJUGATE.astype(rotation.dtype)
    none = np.array([0, 0, 0, 1], rotation.dtype)
    return np.where(turns, conjugate / np.where(turns, squared, 1), none)


def normalise(vectors: Array) -> Array:
    """Scale [..., N] vectors to length 1; a vector of zero length stays unchanged."""
    length = np.sqrt(np.sum(vectors * vectors, axis=-1, keepdims=True))
    return np.asarray(vectors / np.where(length > 0, length, 1))


def slerp(first: Array, second: Array, factor: Array) -> Array:
    """Interpolate [..., 4] quaternions by `factor` [..., 1] along the shorter arc; the result is not
    normalised.

    A factor outside 0..1 extrapolates. Where the angle is tiny (its sine at most 0.001), the interpolation is
    linear. Source: Urho3D `Quaternion::Slerp`.
    """
    cosine = np.sum(first * second, axis=-1, keepdims=True)
    sign = np.where(cosine < 0, -1, 1).astype(first.dtype)
    angle = np.arccos(np.minimum(np.abs(cosine), 1))
    sine = np.sin(angle)
    curved = sine > SLERP_SINE
    divisor = np.where(curved, sine, 1)
    head = np.where(curved, np.sin((1 - factor) * angle) / divisor, 1 - factor)
    tail = np.where(curved, np.sin(factor * angle) / divisor, factor)
    return np.asarray(head * first + tail * sign * second)


def nlerp(first: Array, second: Array, factor: Array) -> Array:
    """Interpolate [..., 4] quaternions linearly by `factor` [..., 1], along the shorter arc; the result has
    length 1.

    Source: OGRE `Quaternion::nlerp`.
    """
    cosine = np.sum(first * second, axis=-1, keepdims=True)
    sign = np.where(cosine < 0, -1, 1).astype(first.dtype)
    return normalise(first + factor * (sign * second - first))


def lengths(offsets: Array) -> Array:
    """[...] f64: the lengths of [..., C] offsets; infinite where a number is not finite."""
    found = np.sqrt(np.einsum("...i,...i->...", offsets, offsets, dtype=np.float64))
    return np.asarray(np.where(np.isnan(found), np.inf, found))


def angles(first: Array, second: Array) -> Array:
    """[...] f64: the angles in degrees between the rotations of two arrays of quaternions [..., 4]. The
    quaternions may have any length. If a number is not finite, the angle is 0 for equal quaternions, else
    180.
    """
    one, other = (normalise(each.astype(np.float64)) for each in (first, second))
    chords = np.minimum(lengths(one - other), lengths(one + other))
    found = np.degrees(4 * np.arcsin(np.clip(chords / 2, 0, math.sqrt(0.5))))
    return np.asarray(np.where((first == second).all(axis=-1), 0.0, np.minimum(found, 180.0)))


def distinct(values: Array) -> Array:
    """[N]: the distinct values of an array in ascending order.

    `numpy.unique` gives the same result, but its import of masked arrays would delay the first frame by 15
    ms.
    """
    ordered = np.sort(values, axis=None)
    new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return ordered[new]


def corners_of(points: Array) -> Array:
    """[2, K]: the smallest and the largest value of each column of points [N, K], N > 0. A loop over the
    columns takes a tenth of the time of numpy's `min(axis=0)`.
    """
    columns = points.T
    return np.array(([column.min() for column in columns], [column.max() for column in columns]))
