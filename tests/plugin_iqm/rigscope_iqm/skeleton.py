"""Builds the skeleton from the joints and their base pose."""

from __future__ import annotations

import numpy as np

from rigscope_iqm.layout import JOINTS
from rigscope_iqm.tables import Numbers, Tables
from viewer.plugin import FormatError, Skeleton, bind_matrices, refuse_cycles


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
    pose = joints["translate"], unit(joints["rotate"]), joints["scale"]
    try:
        refuse_cycles(names, parents)
        if not all(np.isfinite(each).all() for each in pose):
            raise FormatError("the base pose is not finite")
    except FormatError as error:
        tables.fail("ofs_joints", f"joints: {error.why}", error.topic)
        return None
    return Skeleton(names, parents, *pose, bind_matrices(parents, *pose))


def unit(rotations: Numbers) -> Numbers:
    """[..., 4] f32: quaternions of length 1; the identity for a quaternion of length 0."""
    wide = rotations.astype(np.float64)
    length = np.sqrt((wide * wide).sum(axis=-1, keepdims=True))
    none = np.array([0.0, 0.0, 0.0, 1.0])
    return np.where(length == 0, none, wide / np.where(length == 0, 1, length)).astype(np.float32)
