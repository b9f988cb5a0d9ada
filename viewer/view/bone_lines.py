"""Converts the bones of a posed skeleton to lines between joints."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.lru import kept_with
from viewer.scene.skeleton import Skeleton

STUB = 0.35
"""The drawn length of a bone without children, as a share of its parent's length."""


def bone_lines(skeleton: Skeleton, world: Array) -> tuple[Array, Array, Array]:
    """Return the lines of the bones of a skeleton in a pose with `world` [B, 3, 4] matrices: bone numbers
    [N], starts [N, 3] and ends [N, 3].

    A line goes from each bone to each of its children. A bone has a short stub if it has no children, or if
    all its children are at its own position; the stub turns with the bone. The ends of damaged bones are not
    finite.
    """
    owners, along, _ = bone_vectors(skeleton.parents, world, rest_stubs(skeleton))
    heads = world[owners, :, 3]
    return owners, heads, heads + along


def bone_vectors(parents: Array, world: Array, stubs: Array | None = None) -> tuple[Array, Array, float]:
    """Return the lines of `bone_lines` as bone numbers [N] and vectors [N, 3], and the typical length of a
    bone. `stubs` [B, 3] are the vectors of `rest_stubs`; None if `world` is the rest pose.
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
    if stubs is None:
        ends = _stubs(world[leaves], reach[leaves], length[leaves], typical)
    else:
        ends = np.einsum("nij,nj->ni", world[leaves, :, :3], stubs[leaves])
    return np.concatenate((above, leaves)), np.concatenate((reach[children], ends)), typical


@kept_with
def rest_stubs(skeleton: Skeleton) -> Array:
    """[B, 3]: the vectors of the stubs in the spaces of their bones, so that stubs turn with their bones. In
    the rest pose they continue the direction from the parent. Bones without a stub have 0.
    """
    from viewer.animation.pose import rest  # imported late: `info` measures models without posing them

    world = rest(skeleton).world
    owners, along, _ = bone_vectors(skeleton.parents, world)
    leaves = slice(int((skeleton.parents >= 0).sum()), None)
    turns = np.nan_to_num(world[owners[leaves], :, :3])
    usable = np.abs(np.linalg.det(turns)) > 1e-12
    turns = np.where(usable[:, None, None], turns, np.eye(3))
    found = np.zeros((len(world), 3))
    found[owners[leaves]] = np.linalg.solve(turns, along[leaves, :, None].astype(np.float64))[..., 0]
    return found


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
