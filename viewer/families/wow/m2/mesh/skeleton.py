"""Build the skeleton from bone records; the rest pose is computed from the pivots."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.binary.tables import RecordTables
from viewer.errors import FormatError, Report
from viewer.families.wow.m2.names import bone_names
from viewer.scene.skeleton import Billboard, Skeleton, refuse_cycles

TO_WORLD = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""Matrix [4, 4] from M2 axes (+X forward, +Y left, +Z up) to viewer axes (+Z forward, +X left, +Y up)."""
TO_WORLD.flags.writeable = False
UNIT, YARD = "yards", 0.9144
"""The name of the unit of M2 files, and its length in metres."""
IGNORED = 7
BILLBOARDS = {0x8: Billboard.WHOLE, 0x10: Billboard.X, 0x20: Billboard.Y, 0x40: Billboard.Z}


def build_skeleton(records: RecordTables, report: Report) -> Skeleton | None:
    """Build the skeleton; None if there are no bones, or if their parents form a cycle. A cycle is
    reported.
    """
    bones = records.tables["bones"]
    if not len(bones):
        return None
    names = bone_names(bones["key_bone"].tolist())
    stored = bones["parent"].astype(np.int32)
    parents = np.where((stored >= 0) & (stored < len(bones)), stored, -1)
    try:
        refuse_cycles(names, parents)
    except FormatError as error:
        error.offset = records.base + int(records.header["bones"]["offset"])
        report.fail(error)
        return None
    pivots = bones["pivot"].astype(np.float64)
    above = np.where(parents[:, None] >= 0, pivots[parents], 0.0)
    positions = pivots - above
    return Skeleton(
        names=names,
        parents=parents,
        positions=positions,
        rotations=np.tile((0.0, 0.0, 0.0, 1.0), (len(bones), 1)),
        scales=np.ones((len(bones), 3)),
        inverse_bind=_moved_back(pivots),
        pivots=pivots,
        ignores=(bones["flags"] & IGNORED).astype(np.uint8),
        billboards=_billboards(bones["flags"]),
    )


def _moved_back(pivots: Array) -> Array:
    """Matrices [B, 3, 4] from model space to the space around each pivot."""
    out = np.tile(np.eye(3, 4), (len(pivots), 1, 1))
    out[:, :, 3] = -pivots
    return out


def _billboards(flags: Array) -> Array:
    """Billboard mode [B] u8 of each bone's flags; the lowest of several billboard flags counts."""
    kinds = np.zeros(len(flags), np.uint8)
    for bit, kind in reversed(BILLBOARDS.items()):
        kinds[flags & bit != 0] = kind
    return kinds
