"""The placement of a model in viewer space."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.choices import UpAxis
from viewer.scene.maths import scale_of

UP = np.array((0.0, 1.0, 0.0))
"""Upwards in viewer space."""


def upright(to_world: Array, up: UpAxis | None) -> Array:
    """Turn `to_world` [4, 4], from the file's axes to viewer space, so that the axis `up` points up.

    The turn is the shortest one around the origin. Without a turn the result is `to_world` itself, as for
    `FILE` and None.
    """
    if up is None or up is UpAxis.FILE or points_up(to_world, up):
        return to_world
    axis = to_world[:3, 1 if up is UpAxis.Y else 2]
    turn = np.eye(4)
    turn[:3, :3] = _shortest(axis / np.linalg.norm(axis))
    return np.asarray(turn @ to_world)


def points_up(to_world: Array, up: UpAxis) -> bool:
    """Whether the axis Y or Z of the file points upwards already."""
    axis = to_world[:3, 1 if up is UpAxis.Y else 2]
    return bool(axis @ UP >= (1 - 1e-9) * np.linalg.norm(axis))


def _shortest(axis: Array) -> Array:
    """[3, 3]: the shortest rotation of the unit vector `axis` to `UP`."""
    if np.allclose(axis, -UP):
        return np.diag((1.0, -1.0, -1.0))
    x, y, z = np.cross(axis, UP)
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    return np.asarray(np.eye(3) + cross + cross @ cross / (1.0 + float(axis @ UP)))


class Placement(Struct, frozen=True):
    """A model's placement: its axis `up` points up (None: not chosen, as the file says).

    `onto` (16 numbers, row-major) is a matrix from the file's axes to viewer space used instead: it moves the
    model onto another one.
    """

    up: UpAxis | None = None
    onto: tuple[float, ...] = ()

    def of(self, to_world: Array) -> Array:
        """[4, 4] from the file's axes to viewer space for a model with the matrix `to_world`: the same object
        if nothing changes.
        """
        return np.array(self.onto).reshape(4, 4) if self.onto else upright(to_world, self.up)

    def change(self, to_world: Array) -> Array:
        """[4, 4]: the motion in viewer space by which `onto` moves a model with the matrix `to_world`."""
        return np.asarray(self.of(to_world) @ np.linalg.inv(upright(to_world, self.up)))


AS_STORED = Placement()


def laid_onto(one: Array, alignment: Array, other: Array) -> tuple[float, ...]:
    """The numbers `onto` that move a model with the matrix `other` onto a model with the matrix `one`; empty
    if nothing moves.

    `alignment` [4, 4] converts positions of its file into the axes and unit of the other file. A model that
    would be mirrored is only scaled, as its engine draws it.
    """
    onto = one @ alignment
    if np.linalg.det(onto[:3, :3]) * np.linalg.det(other[:3, :3]) < 0:
        scale = scale_of(alignment)
        onto = np.diag((scale, scale, scale, 1.0)) @ other
    return () if np.allclose(onto, other) else tuple(onto.ravel().tolist())


def placement_text(placement: Placement, to_world: Array) -> str:
    """How a model is moved onto another one: `100x, turned`; empty if it is not moved."""
    if not placement.onto:
        return ""
    change = placement.change(to_world)[:3, :3]
    scale = scale_of(change)
    scaled = f"{scale:.4g}x" if abs(scale - 1) > 1e-3 else ""
    turned = "" if np.allclose(change, scale * np.eye(3), atol=1e-3 * scale) else "turned"
    return ", ".join(filter(None, (scaled, turned)))
