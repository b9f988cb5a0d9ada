"""The lines and dots that mark the vertices and primitives of a group of items."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import ref

import numpy as np

from viewer.animation.pose import Pose, moves
from viewer.arrays import Array, Color
from viewer.render.overlays.segments import GROUP_COLOR, THICK, dots, segments
from viewer.scene.items import Item
from viewer.scene.mesh.vertices import posed
from viewer.scene.model import Model
from viewer.view.marked_parts import MarkedParts, marked_parts

DOT, RIM = 2.5, 1.2
"""Radius of a dot and width of its dark ring, in points."""


class GroupMarks:
    """Finds the marked parts of a group and keeps them, because searching a long index buffer takes time."""

    def __init__(self) -> None:
        self._known: tuple[ref[Model], tuple[Item, ...]] | None = None
        self._parts = MarkedParts()

    def parts(self, model: Model, group: tuple[Item, ...]) -> MarkedParts:
        """Return the parts of the model that a group marks. The search is repeated only for another model or
        another group.
        """
        if self._known is None or self._known[0]() is not model or self._known[1] != group:
            self._known, self._parts = (ref(model), group), marked_parts(model, group)
        return self._parts


def group_segments(
    model: Model,
    pose: Pose | None,
    morphs: Mapping[int, float],
    parts: MarkedParts,
    color: Color = GROUP_COLOR,
) -> list[Array]:
    """Make the edges of marked primitives, and a ringed dot at each corner and each marked vertex.

    Each result is [N] of `SEGMENT` in this colour.
    """
    found: list[Array] = []
    motion = moves(pose, morphs)
    for (number, level), rows in (*parts.primitives.items(), *parts.vertices.items()):
        geometry = model.geometries[number]
        lod = geometry.lods[level]
        numbers, positions = np.unique(rows, return_inverse=True)
        known = numbers < min((model.vertex_buffers[stream].count for stream in lod.streams), default=0)
        if not known.all():
            continue
        points = posed(model, geometry, lod, numbers, motion)
        if rows.ndim > 1 and len(points):
            corners = points[positions.reshape(rows.shape)]
            edges = np.stack((corners, np.roll(corners, 1, axis=1)), axis=2).reshape(-1, 2, 3)
            found.append(segments(edges, color, THICK))
        found.append(dots(points, color, DOT, RIM))
    return found
