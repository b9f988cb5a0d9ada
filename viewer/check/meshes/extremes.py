"""The outermost vertices of each bone, which tell how far a model reaches in any pose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.check.subject import Subject, Surface

SEARCHED_VERTICES = 1 << 15
"""The vertices of a surface that are searched, spread evenly over it."""
DIRECTIONS = np.array(((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1)))
"""The lines along which the vertices of a bone are compared."""


class Extremes:
    """Some vertices of the finest levels of a model with a skeleton: for each bone those farthest along
    `DIRECTIONS` among the vertices that it moves most. Their posed positions are exact.
    """

    def __init__(self, subject: Subject) -> None:
        found = [(surface, _outermost(surface)) for surface in subject.finest if _is_skinned(surface)]
        self._owners = np.repeat([surface.number for surface, _ in found], [len(rows) for _, rows in found])
        self._points = _joined([surface.positions[rows] for surface, rows in found], 3)  # type: ignore[index]
        pairs = [(surface.influences, rows) for surface, rows in found]
        self._bones = _joined([pair[0][rows] for pair, rows in pairs if pair], 4).astype(np.intp)
        self._weights = _joined([pair[1][rows] for pair, rows in pairs if pair], 4)

    def __len__(self) -> int:
        return len(self._points)

    def posed(self, poses: Sequence[Pose]) -> Iterator[Array]:
        """For each pose the positions [V, 3]; the bone past the last leaves a vertex where it is."""
        for pose in poses:
            matrices = np.concatenate((pose.skin, np.eye(3, 4)[None]))
            blended = np.einsum("vk,vkij->vij", self._weights, matrices[self._bones])
            yield np.einsum("vij,vj->vi", blended[:, :, :3], self._points) + blended[:, :, 3]

    def owner(self, vertex: int) -> int:
        """The number of the geometry of a vertex."""
        return int(self._owners[vertex])


def _is_skinned(surface: Surface) -> bool:
    positions = surface.positions
    return positions is not None and positions.shape[1] == 3 and surface.influences is not None


def _outermost(surface: Surface) -> Array:
    """[R] rows of a surface, ascending."""
    assert surface.positions is not None and surface.influences is not None, "the surface is skinned"
    rows = np.arange(0, len(surface.rows), max(-(-len(surface.rows) // SEARCHED_VERTICES), 1))
    bones, weights = (each[rows] for each in surface.influences)
    leading = np.take_along_axis(bones, np.argmax(weights, axis=1)[:, None], axis=1)[:, 0]
    along = surface.positions[rows] @ DIRECTIONS.T.astype(np.float32)
    order = np.argsort(leading, kind="stable")
    starts = np.flatnonzero(np.diff(leading[order], prepend=-1))
    along = np.concatenate((along, -along), axis=1)[order]
    highest = np.maximum.reduceat(along, starts, axis=0)
    group = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(order)))
    places = np.where(along == highest[group], np.arange(len(order))[:, None], len(order) - 1)
    return rows[np.unique(order[np.minimum.reduceat(places, starts, axis=0)])]


def _joined(parts: list[Array], width: int) -> Array:
    return np.concatenate(parts) if parts else np.empty((0, width), np.float32)
