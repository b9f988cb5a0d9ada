"""Bone assignments to blend weights, as the engine makes them when it loads a mesh.

Source: OGRE `Mesh::_rationaliseBoneAssignments`, `Mesh::compileBoneAssignments`, `buildIndexMap`.
"""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.dataclass import dataclass
from viewer.errors import Report
from viewer.scene.model import VertexBuffer, VertexElement

MOST = 4
"""The number of bones that can move one vertex."""
EQUAL = float(np.finfo(np.float32).eps)

BLEND = np.dtype([("joints", "<u2", MOST), ("weights", "<f4", MOST)])
ELEMENTS = (VertexElement("joints", "u16", MOST, 0), VertexElement("weights", "f32", MOST, 2 * MOST))


@dataclass(frozen=True, slots=True, eq=False)
class Blending:
    """`rows` [V] of `BLEND`; joint k means the bone with handle `bones[k]`, ascending."""

    rows: Array
    bones: Array

    @property
    def buffer(self) -> VertexBuffer:
        """The blend weights as a separate vertex buffer."""
        return VertexBuffer(self.rows.view(np.uint8), len(self.rows), BLEND.itemsize, ELEMENTS)


def blend(assignments: Array, count: int, report: Report, owner: str) -> Blending | None:
    """The blend weights of `count` vertices; None without a valid assignment.

    Of more than four assignments of a vertex the four with the largest weights are kept, of equal weights the
    later; weights are divided by their sum. A vertex without assignments moves with the lowest used bone.
    """
    sound = (assignments["vertex"] < count) & np.isfinite(assignments["weight"])
    if not sound.all():
        report.warn(f"{owner}: {int((~sound).sum())} bone assignments of vertices that do not exist")
        assignments = assignments[sound]
    if not len(assignments):
        return None
    kept, slots, surplus = _strongest(assignments)
    if surplus:
        report.note(f"{owner}: {surplus} vertices with more than {MOST} bones keep the strongest {MOST}")
    bones, joints = np.unique(kept["bone"], return_inverse=True)
    rows = np.zeros(count, BLEND)
    rows["joints"][kept["vertex"], slots] = joints
    rows["weights"][kept["vertex"], slots] = kept["weight"]
    _normalise(rows["weights"], np.unique(kept["vertex"]))
    return Blending(rows, bones.astype(np.int64))


def _strongest(assignments: Array) -> tuple[Array, Array, int]:
    """The kept assignments, sorted by vertex and else in their order; the slot of each; and the number of
    vertices with too many assignments.
    """
    vertices, weights = assignments["vertex"].astype(np.int64), assignments["weight"]
    order = np.lexsort((-np.arange(len(weights)), -weights, vertices))
    rank = _ranks(vertices[order])
    kept = np.sort(order[rank < MOST])
    kept = kept[np.argsort(vertices[kept], kind="stable")]
    return assignments[kept], _ranks(vertices[kept]), int((rank == MOST).sum())


def _ranks(groups: Array) -> Array:
    """[N]: the index of each item in its group; `groups` [N] is sorted."""
    firsts = np.flatnonzero(np.append(True, groups[1:] != groups[:-1]))
    sizes = np.diff(np.append(firsts, len(groups)))
    return np.arange(len(groups)) - np.repeat(firsts, sizes)


def _normalise(weights: Array, assigned: Array) -> None:
    """Normalise the sums to 1, in place."""
    bare = np.ones(len(weights), bool)
    bare[assigned] = False
    weights[bare, 0] = 1
    with np.errstate(over="ignore"):  # of a damaged file: then all weights of the vertex become 0
        sums = weights.sum(axis=1, dtype=np.float32)
    off = (np.abs(sums - 1) > EQUAL) & (sums > 0)
    weights[off] /= sums[off, None]
