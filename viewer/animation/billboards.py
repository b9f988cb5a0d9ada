"""Bones that ignore a part of their parent's transform or face the camera.

These bones are oriented level by level, from the root down. The ordinary bones between them form chains,
whose matrices are multiplied by pointer doubling. Sources: Deamon87 WebWowViewerCpp `AnimationManager`,
wowserhq/scene.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.animation.hierarchy import Hierarchy, hierarchy
from viewer.arrays import Array
from viewer.scene.maths import IDENTITY, compose, normalise, rotation_matrix, transform
from viewer.scene.skeleton import Billboard, Ignores, Skeleton

FACING = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""The axes of a full billboard in eye space, as columns: X points towards the viewer, Y to the right,
Z up.
"""


class BillboardPlan(Struct, frozen=True, eq=False):
    """The plan for posing B bones, some of which are special: they do not simply follow their parents.

    `levels` are arrays of special bone numbers; a parent is in an earlier level than its descendants. `cut`
    is the hierarchy in which every special bone is a root. `anchor` [B] is the nearest special bone at or
    above each bone (-1: none). `pivots` [B, 3] are in model space, `offsets` [B, 3] start at the parent's
    pivot.
    """

    levels: tuple[Array, ...]
    cut: Hierarchy
    anchor: Array
    parents: Array
    pivots: Array
    offsets: Array
    ignores: Array
    billboards: Array


def plan(skeleton: Skeleton, facing: bool) -> BillboardPlan | None:
    """Make the plan of a skeleton; None if every bone follows its parent. `facing`: billboards turn to the
    camera.
    """
    none = np.zeros(len(skeleton), np.uint8)
    ignores = none if skeleton.ignores is None else skeleton.ignores
    billboards = none if skeleton.billboards is None or not facing else skeleton.billboards
    placed = (ignores > 0) | (billboards > 0)
    if not placed.any():
        return None
    own = np.arange(len(skeleton))
    parents = skeleton.parents.astype(np.intp)
    anchor = _anchors(np.where(placed, own, parents))
    return BillboardPlan(
        levels=_levels(placed, anchor, parents),
        cut=hierarchy(np.where(placed, -1, parents)),
        anchor=anchor,
        parents=parents,
        pivots=np.zeros((len(skeleton), 3))
        if skeleton.pivots is None
        else skeleton.pivots.astype(np.float64),
        offsets=skeleton.positions.astype(np.float64),
        ignores=ignores,
        billboards=billboards,
    )


def _anchors(above: Array) -> Array:
    """[B]: the end of the chain that begins at each bone. `above` [B] is the next bone in each chain. A chain
    ends at a bone that is its own next bone, or at -1.
    """
    ends = np.append(above, -1)
    while True:
        further = ends[ends]
        if (further == ends).all():
            return np.asarray(ends[:-1])
        ends = further


def _levels(placed: Array, anchor: Array, parents: Array) -> tuple[Array, ...]:
    waiting = np.flatnonzero(placed)
    upper = np.where(parents[waiting] < 0, -1, anchor[parents[waiting]])
    done = np.zeros(len(placed) + 1, bool)
    done[-1] = True
    levels = []
    while len(waiting):
        ready = done[upper]
        levels.append(waiting[ready])
        done[waiting[ready]] = True
        waiting, upper = waiting[~ready], upper[~ready]
    return tuple(levels)


def oriented(plan: BillboardPlan, local: Array, rotations: Array, view: Array | None) -> Array:
    """[B, T, 3, 4]: the matrices from bone space to model space at T times, from local matrices [B, T, 3, 4]
    and local rotations [B, T, 4].

    `view` [3, 3] turns model space into eye space.
    """
    relative = local.copy()
    relative[plan.anchor == np.arange(len(local))] = IDENTITY
    relative = plan.cut.world(relative)
    # The last row, index -1, stands for "no bone above": model space itself.
    none = np.broadcast_to(IDENTITY, (1, *relative.shape[1:]))
    world = np.concatenate((relative, none))
    rest = np.concatenate((relative, none))
    for bones in plan.levels:
        parents = plan.parents[bones]
        anchors = np.append(plan.anchor, -1)[parents]
        upper = compose(world[anchors], rest[parents])
        placed = _in_model_space(plan, bones, upper, local[bones])
        if view is not None:
            _face(plan, bones, placed, rotations[bones], view)
        world[bones] = placed
    follows = plan.anchor >= 0
    below = follows & (plan.anchor != np.arange(len(local)))
    world[:-1][below] = compose(world[plan.anchor[below]], relative[below])
    return np.asarray(world[:-1])


def _in_model_space(plan: BillboardPlan, bones: Array, upper: Array, local: Array) -> Array:
    """[K, T, 3, 4]: the matrices from bone space to model space. `upper` [K, T, 3, 4] are the matrices of the
    bones' parents; the parts that a bone ignores are removed from these matrices.

    The full parent transform moves the pivot, unless the bone ignores the parent's translation.
    """
    ignores = plan.ignores[bones]
    axes, offsets = upper[..., :3], plan.offsets[bones][:, None]
    lengths = np.sqrt(np.sum(axes * axes, axis=-2))
    unturned, unscaled = (ignores & Ignores.ROTATION) > 0, (ignores & Ignores.SCALE) > 0
    unit = axes / np.where(lengths > 0, lengths, 1)[..., None, :]
    kept = np.where(unturned[:, None, None, None], np.eye(3), unit)
    kept = kept * np.where(unscaled[:, None, None], 1.0, lengths)[..., None, :]
    kept[ignores & (Ignores.ROTATION | Ignores.SCALE) == 0] = axes[ignores & 6 == 0]
    pivot = transform(upper, offsets)
    fixed = (ignores & Ignores.TRANSLATION) > 0
    pivot[fixed] = np.matmul(kept[fixed], plan.pivots[bones][fixed][:, None, :, None])[..., 0]
    out = np.empty_like(upper)
    out[..., :3] = np.matmul(kept, local[..., :3])
    out[..., 3] = np.matmul(kept, (local[..., 3] - offsets)[..., None])[..., 0] + pivot
    return out


def _face(plan: BillboardPlan, bones: Array, placed: Array, rotations: Array, view: Array) -> None:
    """Turn the billboards among `placed` [K, T, 3, 4] around their pivots; their scale is kept."""
    kinds = plan.billboards[bones]
    turned = kinds > 0
    if not turned.any():
        return
    axes = placed[turned][..., :3]
    lengths = np.sqrt(np.sum(axes * axes, axis=-2))
    size = np.cbrt(abs(np.linalg.det(view))) or 1.0
    seen = normalise(np.swapaxes(np.matmul(view / size, axes), -1, -2))
    faced = _axes(kinds[turned], seen, normalise(rotations[turned]))
    placed[turned, ..., :3] = np.matmul(np.linalg.inv(view / size), faced) * lengths[..., None, :]


def _axes(kinds: Array, bone_axes: Array, rotations: Array) -> Array:
    """[K, T, 3, 3]: the axes of billboards as columns in eye space. `bone_axes` [K, T, 3, 3] are the bones'
    own axes as rows.
    """
    out = np.matmul(FACING, rotation_matrix(rotations))
    x, y, z = np.moveaxis(bone_axes, -2, 0)
    for kind, kept in ((Billboard.X, x), (Billboard.Y, y), (Billboard.Z, z)):
        chosen = kinds == kind
        if chosen.any():
            out[chosen] = _around(kind, kept[chosen])
    return np.asarray(out)


def _around(kind: Billboard, axis: Array) -> Array:
    """[K, T, 3, 3]: the axes of billboards, as columns in eye space. These billboards turn only around `axis`
    [K, T, 3].
    """
    sign = -1.0 if kind is Billboard.Y else 1.0
    flat = np.zeros_like(axis)
    flat[..., 0], flat[..., 1] = sign * axis[..., 1], -sign * axis[..., 0]
    across = normalise(flat)
    if kind is Billboard.X:
        return np.stack((axis, across, np.cross(across, axis)), axis=-1)
    if kind is Billboard.Y:
        return np.stack((across, axis, np.cross(axis, across)), axis=-1)
    return np.stack((np.cross(axis, across), across, axis), axis=-1)
