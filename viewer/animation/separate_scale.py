"""Bones in model space with separate rotations and scales: no bone is ever sheared.

Source: OGRE `Node::updateFromParentImpl`, `Bone::_getOffsetTransform`.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.animation.hierarchy import Hierarchy
from viewer.arrays import Array
from viewer.scene.maths import quaternion_inverse, quaternion_product, rotation_matrix, trs_matrix


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
    """Transforms in model space, from transforms local to the parents.

    Rotations and scales are products over the bones above; positions are sums of steps, each turned and
    scaled by the parent.
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
    """[B, T, 3, 4]: the matrices that move the vertices of the bind pose. With uneven scales they differ from
    the bone's matrix times the inverse of the bind matrix.
    """
    scales = now.scales / np.where(bind.scales == 0, 1, bind.scales)
    rotations = quaternion_product(now.rotations, quaternion_inverse(bind.rotations))
    out = trs_matrix(now.positions, rotations, scales)
    out[..., 3] -= np.matmul(out[..., :3], bind.positions[..., None])[..., 0]
    return out
