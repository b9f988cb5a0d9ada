"""Converts the bones of a posed skeleton to lines between joints."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array

STUB = 0.35
"""The drawn length of a bone without children, as a share of its parent's length."""


def bone_lines(parents: Array, world: Array) -> tuple[Array, Array, Array]:
    """Return the lines of bones with `parents` [B] and `world` [B, 3, 4] matrices: bone numbers [N], starts
    [N, 3] and ends [N, 3].

    A line goes from each bone to each of its children. A bone has a short stub if it has no children, or if
    all its children are at its own position. The ends of damaged bones are not finite.
    """
    owners, along, _ = bone_vectors(parents, world)
    heads = world[owners, :, 3]
    return owners, heads, heads + along


def bone_vectors(parents: Array, world: Array) -> tuple[Array, Array, float]:
    """Return the lines of `bone_lines` as bone numbers [N] and vectors [N, 3], and the typical length of a
    bone.
    """
    count = len(parents)
    joints = world[:, :, 3].astype(np.float32)
    children = np.flatnonzero(parents >= 0)
    above = parents[children]
    reach = np.zeros((count, 3), np.float32)
    reach[children] = joints[children] - joints[above]
    length = np.sqrt((reach * reach).sum(axis=1))
    typical = _typical(length)
    childless = np.ones(count, bool)
    childless[above[length[children] > 0]] = False
    leaves = np.flatnonzero(childless)
    stubs = _stubs(world[leaves], reach[leaves], length[leaves], typical)
    return np.concatenate((above, leaves)), np.concatenate((reach[children], stubs)), typical


def _typical(length: Array) -> float:
    """The median of the lengths above 0; 1 if all are 0."""
    some = np.sort(length[(length > 0) & np.isfinite(length)])
    # `np.median` is not used, because it would import numpy.ma, which takes 40 ms before the first picture.
    return float(some[(len(some) - 1) // 2] + some[len(some) // 2]) / 2 if len(some) else 1.0


def _stubs(worlds: Array, reach: Array, length: Array, typical: float) -> Array:
    """[N, 3]: the vectors of stubs, which continue the direction from the parent.

    Roots, and bones at their parent's position, use their own Y axis.
    """
    straight = length[:, None] > 0
    own = worlds[:, :, 1] / np.maximum(np.linalg.norm(worlds[:, :, 1], axis=1, keepdims=True), 1e-30)
    return np.where(straight, reach * STUB, own * (typical * STUB))
