"""Turns viewer space so that a chosen axis of the file points upwards."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.scene.up_axis import UpAxis

UP = np.array((0.0, 1.0, 0.0))
"""Upwards in viewer space."""


def upright(to_world: Array, up: UpAxis | None) -> Array:
    """`to_world` [4, 4], from the file's axes to viewer space, turned so that the axis `up` points upwards.

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
