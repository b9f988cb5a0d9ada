"""Builds the skeleton from the joints and their base pose."""

from __future__ import annotations

import numpy as np

from rigscope_iqm.layout import JOINTS
from rigscope_iqm.tables import Numbers, Tables
from viewer.plugin import FormatError, Skeleton, compose, counted, invert, refuse_cycles, trs_matrix

IDENTITY = np.eye(3, 4)
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
    rotations = unit(joints["rotate"])
    pose = (joints["translate"], rotations, joints["scale"])
    try:
        refuse_cycles(names, parents)
        world = world_matrices(parents, trs_matrix(*(each.astype(np.float64) for each in pose)))
        if not np.isfinite(world).all():
            raise FormatError("the base pose is not finite")
    except FormatError as error:
        tables.fail("ofs_joints", f"joints: {error.why}", error.topic)
        return None
    solid = np.abs(np.linalg.det(world[:, :, :3])) > SMALLEST
    if not solid.all():
        tables.report.warn(f"the base pose of {counted(int((~solid).sum()), 'joint')} has no inverse")
    inverse = np.tile(IDENTITY, (len(joints), 1, 1))
    inverse[solid] = invert(world[solid])
    return Skeleton(names, parents, *pose, inverse)


def unit(rotations: Numbers) -> Numbers:
    """[..., 4] f32: quaternions of length 1; the identity for a quaternion of length 0."""
    wide = rotations.astype(np.float64)
    length = np.sqrt((wide * wide).sum(axis=-1, keepdims=True))
    none = np.array([0.0, 0.0, 0.0, 1.0])
    return np.where(length == 0, none, wide / np.where(length == 0, 1, length)).astype(np.float32)


def world_matrices(parents: Numbers, local: Numbers) -> Numbers:
    """[B, 3, 4]: each local matrix behind those of all joints above it. `parents` are [B], -1 for a root,
    without cycles. Each step of the loop doubles the number of joints in a matrix.
    """
    count = len(parents)
    above = np.append(np.where(parents < 0, count, parents), count)
    world = np.concatenate((local, IDENTITY[None]))
    while (above != count).any():
        world, above = compose(world[above], world), above[above]
    return world[:count]
