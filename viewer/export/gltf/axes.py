"""Converts from a file's axes to glTF's axes: right-handed, +Y up, facing +Z, metres.

A left-handed file is mirrored along Z in vertices and keys. The remaining rotation and uniform scale become
the transform of the root node.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.maths import IDENTITY

MIRROR = np.array([1.0, 1.0, -1.0])
STRAIGHT = np.ones(3)


class Axes(Struct, frozen=True, eq=False):
    """A conversion of axes: `signs` [3] multiply coordinates, then `root` [3, 4] transforms them to glTF's
    axes.
    """

    signs: Array
    root: Array

    @classmethod
    def of(cls, to_world: Array, keep: bool = False) -> Axes:
        """Return the conversion for a model that `to_world` [4, 4] converts to viewer space; with `keep`
        nothing is converted.
        """
        if keep:
            return FILE_AXES
        signs = MIRROR if np.linalg.det(to_world[:3, :3]) < 0 else STRAIGHT
        root = np.array(to_world[:3], np.float64)
        root[:, :3] *= signs
        return cls(signs, root)

    @property
    def mirrored(self) -> bool:
        """Whether the conversion mirrors the model."""
        return bool(self.signs.prod() < 0)

    def vectors(self, values: Array) -> Array:
        """Convert positions, directions or translations [..., 3]."""
        return np.asarray(values * self.signs.astype(values.dtype))

    def rotations(self, values: Array) -> Array:
        """Convert quaternions [..., 4] xyzw."""
        signs = np.append(self.signs * self.signs.prod(), 1.0)
        return np.asarray(values * signs.astype(values.dtype))

    def matrices(self, values: Array) -> Array:
        """Convert matrices [..., 3, 4] that go from one space of the file to another."""
        return np.asarray(values * self.signs[:, None] * np.append(self.signs, 1.0))


FILE_AXES = Axes(STRAIGHT, IDENTITY)
"""The conversion that changes nothing: the output has the axes of the file."""
