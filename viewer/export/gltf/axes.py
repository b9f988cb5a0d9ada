"""From the axes of a file to those of glTF: right-handed, +Y up, facing +Z, metres.

A left-handed file is mirrored along Z, values and keys alike; what is left is a turn and one scale, which the
root node holds.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.maths import IDENTITY

MIRROR = np.array([1.0, 1.0, -1.0])
STRAIGHT = np.ones(3)


class Axes(Struct, frozen=True, eq=False):
    """`signs` [3] multiply the coordinates of the file; `root` [3, 4] brings the result to glTF's axes."""

    signs: Array
    root: Array

    @classmethod
    def of(cls, to_world: Array, keep: bool = False) -> Axes:
        """The axes for a model whose `to_world` [4, 4] brings it to viewer space; `keep`: as in the file."""
        if keep:
            return FILE_AXES
        signs = MIRROR if np.linalg.det(to_world[:3, :3]) < 0 else STRAIGHT
        root = np.array(to_world[:3], np.float64)
        root[:, :3] *= signs
        return cls(signs, root)

    @property
    def mirrored(self) -> bool:
        """Whether left and right change places."""
        return bool(self.signs.prod() < 0)

    def vectors(self, values: Array) -> Array:
        """[..., 3] positions, directions or translations."""
        return np.asarray(values * self.signs.astype(values.dtype))

    def rotations(self, values: Array) -> Array:
        """[..., 4] quaternions xyzw."""
        signs = np.append(self.signs * self.signs.prod(), 1.0)
        return np.asarray(values * signs.astype(values.dtype))

    def matrices(self, values: Array) -> Array:
        """[..., 3, 4] matrices."""
        return np.asarray(values * self.signs[:, None] * np.append(self.signs, 1.0))


FILE_AXES = Axes(STRAIGHT, IDENTITY)
"""The axes of the file."""
