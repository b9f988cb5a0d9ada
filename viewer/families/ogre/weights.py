"""Compute blend weights from bone assignments, as the engine does when it loads a mesh.

Source: OGRE `Mesh::_rationaliseBoneAssignments`, `Mesh::compileBoneAssignments`, `buildIndexMap`.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.errors import Report, Topic
from viewer.scene.model import VertexBuffer, VertexElement

INFLUENCES = 4
"""Largest number of bones that move one vertex."""
EQUAL = float(np.finfo(np.float32).eps)

BLEND = np.dtype([("joints", "<u2", INFLUENCES), ("weights", "<f4", INFLUENCES)])
FIRST_WEIGHT = 2 * INFLUENCES // 4
"""Index of the first weight in a row, counted in words of 32 bits."""
ELEMENTS = (
    VertexElement("joints", "u16", INFLUENCES, 0),
    VertexElement("weights", "f32", INFLUENCES, 2 * INFLUENCES),
)


class Blending(Struct, frozen=True, eq=False):
    """Blend weights: `rows` [V] of `BLEND`. Joint k is the bone with handle `bones[k]`; handles ascend."""

    rows: Array
    bones: Array

    @property
    def buffer(self) -> VertexBuffer:
        """A buffer with the joints and weights of the vertices, in the order of `rows`."""
        return VertexBuffer(self.rows.view(np.uint8), len(self.rows), BLEND.itemsize, ELEMENTS)


def blend(assignments: Array, count: int, report: Report, owner: str) -> Blending | None:
    """Return the blend weights of `count` vertices; None if no assignment is valid.

    A vertex keeps the four assignments with the largest weights; if weights are equal, it keeps the later
    assignments. The kept weights are divided by their sum. A vertex without assignments moves with the lowest
    used bone. `owner` names the geometry in messages.
    """
    vertices, weights = assignments["vertex"].astype(np.intp), assignments["weight"].copy()
    bones = assignments["bone"].copy()
    sound = (vertices < count) & np.isfinite(weights)
    if not sound.all():
        report.warn(f"{owner}: {int((~sound).sum())} bone assignments name vertices that do not exist")
        vertices, bones, weights = vertices[sound], bones[sound], weights[sound]
    if not len(vertices):
        return None
    vertices, slots, bones, weights, surplus = _strongest(vertices, bones, weights)
    if surplus:
        text = (
            f"{owner}: {surplus} vertices with more than {INFLUENCES} bones keep the strongest {INFLUENCES}"
        )
        report.note(text, Topic.INFLUENCE)
    used, numbers = _numbered(bones)
    # the lines below fill the rows as plain numbers, because numpy copies fields of four numbers one by one
    rows = np.zeros(count, BLEND)
    rows.view(np.uint16)[vertices * (BLEND.itemsize // 2) + slots] = numbers
    flat = rows.view(np.float32)
    # the next line overwrites these weights, except for vertices without assignments
    flat[FIRST_WEIGHT :: BLEND.itemsize // 4] = 1
    flat[vertices * (BLEND.itemsize // 4) + slots + FIRST_WEIGHT] = weights
    _normalise(flat.reshape(count, -1)[:, FIRST_WEIGHT:])
    return Blending(rows, used)


def _strongest(vertices: Array, bones: Array, weights: Array) -> tuple[Array, Array, Array, Array, int]:
    """Vertices, slots, bones and weights of the kept assignments, sorted by vertex (stable), and the number
    of vertices with too many assignments.
    """
    if (vertices[1:] < vertices[:-1]).any():
        order = np.argsort(vertices, kind="stable")
        vertices, bones, weights = vertices[order], bones[order], weights[order]
    too_many = np.empty(0, np.intp)
    if (vertices[INFLUENCES:] == vertices[:-INFLUENCES]).any():
        too_many = np.unique(vertices[INFLUENCES:][vertices[INFLUENCES:] == vertices[:-INFLUENCES]])
        crowded = np.flatnonzero(np.isin(vertices, too_many))
        by_weight = np.lexsort((-crowded, -weights[crowded], vertices[crowded]))
        kept = np.ones(len(vertices), bool)
        kept[crowded[by_weight[_ranks(vertices[crowded]) >= INFLUENCES]]] = False
        vertices, bones, weights = vertices[kept], bones[kept], weights[kept]
    return vertices, _few_ranks(vertices), bones, weights, len(too_many)


def _few_ranks(groups: Array) -> Array:
    """The index of each item in its group, [N] u8; `groups` [N] is sorted, with at most `INFLUENCES` items in
    each group.
    """
    ranks = np.zeros(len(groups), np.uint8)
    for back in range(1, INFLUENCES):
        ranks[back:] += groups[back:] == groups[:-back]
    return ranks


def _ranks(groups: Array) -> Array:
    """The index of each item in its group, [N]; `groups` [N] is sorted."""
    first = np.empty(len(groups), bool)
    first[0] = True
    np.not_equal(groups[1:], groups[:-1], out=first[1:])
    numbers = np.arange(len(groups))
    return numbers - np.maximum.accumulate(np.where(first, numbers, 0))


def _numbered(bones: Array) -> tuple[Array, Array]:
    """The used bones, ascending, and for each of `bones` [N] u16 its index among them."""
    occurs = np.bincount(bones) > 0
    return np.flatnonzero(occurs), (occurs.cumsum(dtype=np.uint16) - np.uint16(1)).take(bones)


def _normalise(rows: Array) -> None:
    """Divide the weights [V, 4] f32 of each vertex by their sum."""
    sums = rows[:, 0] + rows[:, 1] + rows[:, 2] + rows[:, 3]
    off = np.abs(sums - 1) > EQUAL
    if off.any():
        off &= sums > 0
        rows[off] /= sums[off, None]
