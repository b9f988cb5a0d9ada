"""Points on the surface of a model that move with its vertices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.mesh.vertices import VertexMotion, posed, values
from viewer.scene.model import Lod, Model

FLAT = 1e-12
"""A sum of weights up to this value counts as 0: the primitive is then seen edge-on."""


class SurfacePoint(Struct, frozen=True):
    """A point of a triangle, line or point of level `level` of the geometry with the number `geometry`.

    `vertices` are the rows of the primitive's corners in the level's vertex buffers. `weights` are the shares
    of the corners; they add up to 1.
    """

    geometry: int
    level: int
    vertices: tuple[int, ...]
    weights: tuple[float, ...]

    def at_corner(self, vertex: int) -> SurfacePoint:
        """The surface point at the corner `vertex` of the same primitive; `vertices` must have `vertex`."""
        shares = [0.0] * len(self.vertices)
        shares[self.vertices.index(vertex)] = 1.0
        return SurfacePoint(self.geometry, self.level, self.vertices, tuple(shares))


class SurfaceMarks(Struct, frozen=True):
    """The marks to draw on the surface: a line for each pair of points in `lines`, and a dot at each point of
    `dots`.
    """

    lines: tuple[tuple[SurfacePoint, SurfacePoint], ...] = ()
    dots: tuple[SurfacePoint, ...] = ()


def surface_weights(clip: Array, point: tuple[float, float]) -> tuple[float, ...]:
    """For a point of the picture on a primitive, find the shares of the primitive's corners, with
    perspective.

    `clip` [C, 4] are the corners in clip space, C is 1 to 3; `point` is x and y from -1 to 1. A point outside
    the primitive gets the shares of a nearby point on the primitive's edge.
    """
    count = len(clip)
    if count == 1:
        return (1.0,)
    rows = np.stack((clip[:, 0] - point[0] * clip[:, 3], clip[:, 1] - point[1] * clip[:, 3]))
    size = max(float(np.abs(rows).max()), FLAT)
    system = np.concatenate((rows / size, np.ones((1, count))))
    if not np.isfinite(system).all():
        return (1.0, *(0.0,) * (count - 1))
    found = np.linalg.lstsq(system, np.array((0.0, 0.0, 1.0)), rcond=None)[0].clip(0.0, 1.0)
    total = float(found.sum())
    if total <= FLAT:
        return (1.0, *(0.0,) * (count - 1))
    return tuple((found / total).tolist())


def surface_positions(model: Model, points: Sequence[SurfacePoint], motion: VertexMotion) -> Array:
    """[N, 3] in the file's axes: the positions of surface points while `motion` moves the vertices.

    A point of a geometry or vertex that the model does not have is NaN.
    """
    out = np.full((len(points), 3), np.nan)
    for number, point in enumerate(points):
        lod = _level(model, point)
        if lod is None:
            continue
        corners = posed(model, model.geometries[point.geometry], lod, np.array(point.vertices), motion)
        if len(corners) == len(point.weights):
            out[number] = np.array(point.weights) @ corners
    return out


def surface_values(model: Model, point: SurfacePoint, semantic: str) -> Array | None:
    """[4] f64: an attribute of the mesh at a surface point."""
    lod = _level(model, point)
    found = None if lod is None else values(model, lod, semantic, np.array(point.vertices))
    return None if found is None else np.array(point.weights) @ found.astype(np.float64)


def _level(model: Model, point: SurfacePoint) -> Lod | None:
    """The level of detail of a point; None if the model does not have the point."""
    if not 0 <= point.geometry < len(model.geometries):
        return None
    levels = model.geometries[point.geometry].lods
    if not 0 <= point.level < len(levels):
        return None
    lod = levels[point.level]
    count = min((model.vertex_buffers[stream].count for stream in lod.streams), default=0)
    return lod if max(point.vertices) < count else None
