"""Skeletons as arrays: bones in any order, with several roots; parent cycles are refused."""

from __future__ import annotations

from enum import IntEnum, IntFlag

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.errors import FormatError, Topic
from viewer.scene.maths import IDENTITY, compose, invert, trs_matrix

SMALLEST = 1e-30
"""A matrix with a smaller determinant has no inverse."""


class Hitbox(Struct, frozen=True, eq=False):
    """The hitbox of a bone: a sphere around its origin, a box [2, 3] in its own space, or both."""

    radius: float | None = None
    box: Array | None = None


class Ignores(IntFlag):
    """The parts of its parent's transform that a bone ignores."""

    TRANSLATION = 1
    SCALE = 2
    ROTATION = 4


class Billboard(IntEnum):
    """How a bone turns towards the camera: not at all, fully, or around one of its own axes."""

    NONE = 0
    WHOLE = 1
    X = 2
    Y = 3
    Z = 4


class Skeleton(Struct, frozen=True, eq=False, weakref=True):
    """B bones. `parents` [B] i32, -1 for a root; a parent may come after its children.

    The rest pose is local to the parent: `positions` [B, 3], `rotations` [B, 4] xyzw, `scales` [B, 3].
    `inverse_bind` [B, 3, 4] brings model space to bone space at bind time; `bind_matrices` makes it from a
    rest pose that is the bind pose. None: a skeleton with `pivots` or without `sheared` needs none; the
    vertices of any other skeleton are then in bone space.
    Animations move only `root` and the bones below it (None: every bone).

    `sheared`: a bone's matrix is the product of all matrices above it. Otherwise (OGRE) rotations and scales
    are multiplied separately, and the difference of each from the bind pose makes the skin matrices.
    `cumulative`: animation weights with a sum above 1 are not scaled down to the sum 1 (OGRE).

    `pivots` [B, 3] are in model space (None: only the rest pose gives the bones their positions). An M2 file
    stores only pivots; the rest pose is computed from the pivots. `handles` [B] are the numbers by which the
    weights and tracks of other files name the bones (OGRE; empty: the bones' own numbers). `ignores` [B] u8
    are `Ignores`, `billboards` [B] u8 `Billboard`.
    """

    names: tuple[str, ...]
    parents: Array
    positions: Array
    rotations: Array
    scales: Array
    inverse_bind: Array | None = None
    hitboxes: tuple[Hitbox | None, ...] = ()
    root: int | None = None
    sheared: bool = True
    cumulative: bool = False
    pivots: Array | None = None
    ignores: Array | None = None
    billboards: Array | None = None
    handles: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def above(self, bone: int) -> list[int]:
        """The bones above a bone, the parent first."""
        found: list[int] = []
        while (bone := int(self.parents[bone])) >= 0:
            found.append(bone)
        return found

    def subtree(self, bone: int) -> Array:
        """[B] bool: the bone and all bones below it."""
        inside = np.zeros(len(self), bool)
        inside[bone] = True
        rooted = np.where(self.parents < 0, np.arange(len(self)), self.parents)
        while True:
            grown = inside | inside[rooted]
            if (grown == inside).all():
                return inside
            inside = grown
            rooted = rooted[rooted]


BONELESS = Skeleton(
    (),
    np.empty(0, np.int32),
    np.empty((0, 3), np.float32),
    np.empty((0, 4), np.float32),
    np.empty((0, 3), np.float32),
)
"""The skeleton of a model without bones. The code for poses uses it for models that have only morphs and
shapes.
"""


def bind_matrices(parents: Array, positions: Array, rotations: Array, scales: Array) -> Array:
    """[B, 3, 4] f64: the inverse bind matrices of a rest pose, which is local to the parents. A bone without
    an inverse, because a scale is 0, gets the identity. `parents` have no cycles, see `refuse_cycles`.
    """
    local = (np.asarray(each, np.float64) for each in (positions, rotations, scales))
    world = np.concatenate((trs_matrix(*local), IDENTITY[None]))
    above = np.append(np.where(np.asarray(parents) < 0, len(parents), parents), len(parents))
    while (above != len(parents)).any():
        world, above = compose(world[above], world), above[above]
    made = np.tile(IDENTITY, (len(parents), 1, 1))
    solid = np.isfinite(world[:-1]).all(axis=(1, 2)) & (np.abs(np.linalg.det(world[:-1, :, :3])) > SMALLEST)
    made[solid] = invert(world[:-1][solid])
    return made


def refuse_cycles(names: tuple[str, ...], parents: Array) -> None:
    """Raise a FormatError that names the bones if `parents` [B] (-1: root) contain a cycle."""
    count = len(parents)
    above = np.append(np.where(parents < 0, count, parents), count)
    for _ in range(count.bit_length()):
        above = above[above]
    stuck = np.flatnonzero(above[:count] != count)
    if len(stuck):
        shown = ", ".join(names[bone] or f"#{bone}" for bone in stuck[:5])
        more = " …" if len(stuck) > 5 else ""
        raise FormatError(f"bones in a parent cycle: {shown}{more}", "bones", topic=Topic.CYCLE)
