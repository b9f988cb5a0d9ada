"""Where a model stands in viewer space."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.maths import scale_of
from viewer.scene.up_axis import UpAxis
from viewer.scene.upright import upright


class Placement(Struct, frozen=True):
    """The axis `up` of the file points upwards (None: not chosen yet, as the file says).

    `onto` are the 16 numbers, row by row, of a matrix from the file's axes to viewer space that is used
    instead: it lays the model onto another one.
    """

    up: UpAxis | None = None
    onto: tuple[float, ...] = ()

    def of(self, to_world: Array) -> Array:
        """[4, 4] from the file's axes to viewer space, of a model whose own matrix is `to_world`: the same
        object if nothing changes.
        """
        return np.array(self.onto).reshape(4, 4) if self.onto else upright(to_world, self.up)

    def change(self, to_world: Array) -> Array:
        """[4, 4]: how `onto` moves a model in viewer space whose own matrix is `to_world`."""
        return np.asarray(self.of(to_world) @ np.linalg.inv(upright(to_world, self.up)))


AS_STORED = Placement()


def laid_onto(one: Array, alignment: Array, other: Array) -> tuple[float, ...]:
    """The numbers `onto` of a model whose own matrix is `other`, laid onto a model whose matrix is `one`;
    empty if it lies there already.

    `alignment` [4, 4] brings positions of its file into the axes and the unit of the other file. A model that
    would be mirrored is only scaled: that is what its engine draws.
    """
    onto = one @ alignment
    if np.linalg.det(onto[:3, :3]) * np.linalg.det(other[:3, :3]) < 0:
        scale = scale_of(alignment)
        onto = np.diag((scale, scale, scale, 1.0)) @ other
    return () if np.allclose(onto, other) else tuple(onto.ravel().tolist())


def placement_text(placement: Placement, to_world: Array) -> str:
    """How a model is laid onto another one: `100x, turned`; empty if it stands where it does alone."""
    if not placement.onto:
        return ""
    change = placement.change(to_world)[:3, :3]
    scale = scale_of(change)
    scaled = f"{scale:.4g}x" if abs(scale - 1) > 1e-3 else ""
    turned = "" if np.allclose(change, scale * np.eye(3), atol=1e-3 * scale) else "turned"
    return ", ".join(filter(None, (scaled, turned)))
