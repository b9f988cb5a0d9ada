"""Builds the skeleton from the joints and their base pose."""

from __future__ import annotations

import numpy as np

from rigscope_iqm.layout import JOINTS
from rigscope_iqm.tables import Numbers, Tables
from viewer.plugin import FormatError, Skeleton, Topic, counted

SMALLEST = 1e-30
"""Base matrices with a smaller determinant have no inverse."""


def build_skeleton(tables: Tables) -> Skeleton | None:
    """Return the skeleton of a file; None if it has no joints, or if they cannot be used."""
    joints = tables.table(JOINTS, "ofs_joints")
    if not len(joints):
        return None
    parents = joints["parent"].astype(np.int32)
    if (parents >= len(joints)).any():
        tables.report.warn("a joint has a parent that does not exist; it is a root")
    parents[(parents < 0) | (parents >= len(joints))] = -1
    names = tuple(tables.name(number) for number in joints["name"].tolist())
    rotations = normalised(joints["rotate"])
    try:
        world = world_matrices(parents, local_matrices(joints["translate"], rotations, joints["scale"]))
        if not np.isfinite(world).all():
            raise FormatError("the base pose is not finite")
    except FormatError as error:
        tables.fail("ofs_joints", f"joints: {error.why}", error.topic)
        return None
    solid = np.abs(np.linalg.det(world[:, :3, :3])) > SMALLEST
    if not solid.all():
        tables.report.warn(f"the base pose of {counted(int((~solid).sum()), 'joint')} has no inverse")
    inverse = np.tile(np.eye(4), (len(joints), 1, 1))
    inverse[solid] = np.linalg.inv(world[solid])
    return Skeleton(names, parents, joints["translate"], rotations, joints["scale"], inverse[:, :3])


def normalised(rotations: Numbers) -> Numbers:
    """[..., 4] f32: quaternions of length 1; the identity for a quaternion of length 0."""
    wide = rotations.astype(np.float64)
    length = np.sqrt((wide * wide).sum(axis=-1, keepdims=True))
    none = np.array([0.0, 0.0, 0.0, 1.0])
    return np.where(length == 0, none, wide / np.where(length == 0, 1, length)).astype(np.float32)


def local_matrices(positions: Numbers, rotations: Numbers, scales: Numbers) -> Numbers:
    """[B, 4, 4] f64: the products T·R·S of [B, 3] positions, [B, 4] rotations xyzw and [B, 3] scales."""
    x, y, z, w = rotations.astype(np.float64).T
    turned = np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
    )
    out = np.tile(np.eye(4), (len(positions), 1, 1))
    out[:, :3, :3] = np.moveaxis(turned, 2, 0) * scales[:, None, :]
    out[:, :3, 3] = positions
    return out


def world_matrices(parents: Numbers, local: Numbers) -> Numbers:
    """[B, 4, 4]: each local matrix behind those of all joints above it. `parents` are [B], -1 for a root.
    FormatError if they have a cycle. Each step of the loop doubles the number of joints in a matrix.
    """
    count = len(parents)
    above = np.append(np.where(parents < 0, count, parents), count)
    world = np.concatenate((local, np.eye(4)[None]))
    for _ in range(count.bit_length()):
        world = world[above] @ world
        above = above[above]
    if (above != count).any():
        raise FormatError("a joint is its own ancestor", topic=Topic.CYCLE)
    return world[:count]
