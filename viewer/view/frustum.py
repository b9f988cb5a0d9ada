"""The view frustum: whether a sphere may be seen."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.animation.effects.motion_reach import Sphere
from viewer.arrays import Array


class Frustum(Struct, frozen=True, eq=False):
    """`planes` [6, 4]: a point [x, y, z, 1] is inside where all six products are positive; `lengths` [6] are
    the lengths of their normals.
    """

    planes: Array
    lengths: Array

    def excludes(self, sphere: Sphere) -> bool:
        """Whether no point of a sphere is inside; false if the numbers are not finite."""
        distances = self.planes[:, :3] @ sphere.centre + self.planes[:, 3]
        return bool((distances < -sphere.radius * self.lengths).any())


def frustum(view: Array, projection: Array) -> Frustum:
    """The frustum of two matrices [4, 4], in the space that `view` comes from."""
    clip = np.asarray(projection, np.float64) @ np.asarray(view, np.float64)
    planes = np.concatenate((clip[3] + clip[:3], clip[3] - clip[:3]))
    return Frustum(planes, np.linalg.norm(planes[:, :3], axis=1))
