"""Converts transforms from the parent's space to model space, without a loop over bones.

Pointer doubling: after step k the matrix of a bone is the product over the bone and the 2^k - 1 bones above
it. The next step multiplies it by the matrix of the bone 2^k above. Only bones of depth 2^k or more take
part. These bones are the tail of the array, because the array is sorted by depth.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.maths import quaternion_inverse, quaternion_product, rotation_matrix, trs_matrix


class Hierarchy(Struct, frozen=True, eq=False):
    """The tables for pointer doubling. `order` [B] are the bones by depth; `rank` [B] is the index of each
    bone in `order`.

    `steps` has a pair for each step: the index of the first bone that takes part, and the indices [B - first]
    of the bones 2^k above. `above` [B] is the parent of each bone; for a bone without a parent it is the
    number of bones.
    """

    order: Array
    rank: Array
    steps: tuple[tuple[int, Array], ...]
    above: Array

    def world(self, local: Array) -> Array:
        """[B, T, 3, 4]: the matrices in model space at T times, from matrices in the parents' space.

        `accumulate` with the matrix product gives the same result, but takes twice the time. `world` is
        faster, because one `einsum` multiplies the matrices of all bones and times of a step.
        """
        total = local.transpose(2, 3, 0, 1).take(self.order, axis=2)
        times = local.shape[1]
        flat = total.reshape(3, 4, -1)
        for first, above in self.steps:
            upper, lower = total.take(above, axis=2).reshape(3, 4, -1), flat[..., first * times :]
            product = np.einsum("ijb,jkb->ikb", upper[:, :3], lower)
            product[:, 3] += upper[:, 3]
            lower[:] = product
        return np.ascontiguousarray(total.take(self.rank, axis=2).transpose(2, 3, 0, 1))

    def accumulate(self, local: Array, combine: Callable[[Array, Array], Array]) -> Array:
        """[B, …]: the values combined from the root down. `combine(upper, lower)` must be associative."""
        total = local.take(self.order, axis=0)
        for first, above in self.steps:
            total[first:] = combine(total.take(above, axis=0), total[first:])
        return total.take(self.rank, axis=0)


def hierarchy(parents: Array) -> Hierarchy:
    """Make the tables for bones in any order. `parents` [B] is -1 for a root; it must have no cycle."""
    count = len(parents)
    above = np.append(np.where(parents < 0, count, parents), count).astype(np.intp)
    ancestors = [above]
    depth = (above != count).astype(np.intp)
    for _ in range(count.bit_length()):
        depth = depth + depth[above]
        above = above[above]
        ancestors.append(above)
    order = np.argsort(depth[:count], kind="stable")
    rank = np.argsort(order, kind="stable")
    steps = []
    for power, table in enumerate(ancestors):
        first = int(np.searchsorted(depth[order], 1 << power))
        if first < count:
            steps.append((first, rank[table[order[first:]]]))
    return Hierarchy(order, rank, tuple(steps), ancestors[0][:count])


class SeparateTransforms(Struct, frozen=True, eq=False):
    """Transforms in model space: `positions` [B, T, 3], `rotations` [B, T, 4] xyzw, `scales` [B, T, 3]."""

    positions: Array
    rotations: Array
    scales: Array

    @property
    def matrices(self) -> Array:
        """[B, T, 3, 4]: bone space to model space."""
        return trs_matrix(self.positions, self.rotations, self.scales)


def derived(hierarchy: Hierarchy, positions: Array, scales: Array, rotations: Array) -> SeparateTransforms:
    """Compute transforms in model space from transforms in the parents' space.

    Rotations and scales are products over the bones above. A position is the sum of the local positions of
    the bone and the bones above, each turned and scaled by its parent's transform.
    """
    turned = hierarchy.accumulate(rotations, quaternion_product)
    scaled = hierarchy.accumulate(scales, np.multiply)
    parents, times = hierarchy.above, positions.shape[1]
    none = np.tile((0.0, 0.0, 0.0, 1.0), (1, times, 1))
    above = rotation_matrix(np.concatenate((turned, none))[parents])
    stretched = np.concatenate((scaled, np.ones((1, times, 3))))[parents] * positions
    steps = np.matmul(above, stretched[..., None])[..., 0]
    return SeparateTransforms(hierarchy.accumulate(steps, np.add), turned, scaled)


def skin_matrices(now: SeparateTransforms, bind: SeparateTransforms) -> Array:
    """[B, T, 3, 4]: the skin matrices, which move the vertices of the bind pose. With uneven scales they
    differ from the bone's matrix times the inverse bind matrix.
    """
    scales = now.scales / np.where(bind.scales == 0, 1, bind.scales)
    rotations = quaternion_product(now.rotations, quaternion_inverse(bind.rotations))
    out = trs_matrix(now.positions, rotations, scales)
    out[..., 3] -= np.matmul(out[..., :3], bind.positions[..., None])[..., 0]
    return out
