"""Finds what lies far from everything else and covers next to nothing: slivers, degenerate triangles, rare
particles. The camera does not fit it into the picture, because the rest would be small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from viewer.animation.pose import Pose, moves
from viewer.arrays import Array
from viewer.lru import kept_with
from viewer.scene.mesh.flat_geometry import spread_triangles
from viewer.scene.mesh.vertices import drawn_vertices, posed, values
from viewer.scene.model import TRIANGULAR, Geometry, Lod, Model

Strays = dict[Lod, Array]
"""The numbers [N] of the vertices, for the first level of each geometry, that lie apart from the rest of the
model. Levels without such vertices have no entry, or an empty one.
"""

STRAY_AREA, STRAY_PARTICLES = 1e-3, 1e-2
"""The largest share of the area of a mesh, and of particles, that may be left out at each end of an axis."""
SMALL = 0.4
"""Something is left out only if the rest is smaller than this share of the whole."""
SAMPLED, NEARLY_SMALL = 2000, 0.6
"""The full search is made if a sample of so many triangles is smaller than this share of the whole."""
ROOM = 0.1
"""The box around the rest is enlarged by this share of its size."""
THIN = 1e-3
"""A triangle is a sliver if its height is less than this share of its longest side."""


def box_of_most(points: Array, weights: Array, share: float, small: float = SMALL) -> Array | None:
    """[2, 3]: a box around most of the points [N, 3]. At each end of each axis the points outside have at
    most the share `share` of all `weights` [N]. None unless the size of the box is less than the share
    `small` of the box around all points.
    """
    total = float(weights.sum())
    if not total > 0:
        return None
    box = np.empty((2, 3))
    for axis in range(3):
        order = np.argsort(points[:, axis], kind="stable")
        reached = np.cumsum(weights[order]) / total
        ends = np.searchsorted(reached, (share, 1 - share))
        box[:, axis] = points[order[np.minimum(ends, len(order) - 1)], axis]
    size, whole = (float(np.ptp(each, axis=0).max()) for each in (box, points))
    room = ROOM * size
    return np.stack((box[0] - room, box[1] + room)) if 0 < size < small * whole else None


def inside(points: Array, box: Array) -> Array:
    """[N] bool: whether the points [N, 3] lie in a box [2, 3]."""
    return np.asarray(((points >= box[0]) & (points <= box[1])).all(axis=1))


@kept_with
def stray_vertices(model: Model) -> Strays:
    """The stray vertices of the model at rest."""
    return _strays(model, lambda geometry, lod, rows: _positions(model, lod, rows))


def posed_strays(model: Model, pose: Pose | None, morphs: Mapping[int, float]) -> Strays:
    """The stray vertices of the model at rest, and those in a pose with these `morphs` (weights by
    number).
    """
    still = stray_vertices(model)
    if pose is None and not morphs:
        return still
    motion = moves(pose, morphs)
    moved = _strays(model, lambda geometry, lod, rows: posed(model, geometry, lod, rows, motion))
    none = np.empty(0, np.intp)
    return {lod: np.union1d(still.get(lod, none), moved.get(lod, none)) for lod in {**still, **moved}}


def _strays(model: Model, place: Callable[[Geometry, Lod, Array], Array]) -> Strays:
    """The vertices that lie apart from the rest. `place` returns the positions [N, 3] of vertices [N]."""
    geometries = [each for each in model.geometries if each.lods and each.shown and each.lods[0].count]
    shown = {each.lods[0]: each for each in geometries}
    if any(lod.primitive not in TRIANGULAR for lod in shown):
        return {}
    rows = {lod: drawn_vertices(model, lod) for lod in shown}
    places = {lod: place(each, lod, rows[lod]).astype(np.float64) for lod, each in shown.items()}
    whole = np.concatenate([np.empty((0, 3)), *places.values()])
    whole = whole[np.isfinite(whole).all(axis=1)]
    if not len(whole):
        return {}
    parts = [
        places[lod][np.searchsorted(rows[lod], spread_triangles(model, lod).reshape(-1))] for lod in shown
    ]
    corners = np.concatenate([np.empty((0, 3)), *parts]).reshape(-1, 3, 3)
    ends = np.stack((whole.min(axis=0), whole.max(axis=0)))
    some = corners[:: 1 + len(corners) // SAMPLED]
    if len(some) < len(corners) and _box(some, ends, NEARLY_SMALL) is None:
        return {}
    box = _box(corners, ends, SMALL)
    return {} if box is None else {lod: rows[lod][~inside(places[lod], box)] for lod in shown}


def _box(corners: Array, ends: Array, small: float) -> Array | None:
    """The box [2, 3] around most of the area of triangles [T, 3, 3], if it is small beside the box `ends`
    [2, 3]; see `box_of_most`.
    """
    corners = corners[np.isfinite(corners).all(axis=(1, 2))]
    points = np.concatenate((corners.reshape(-1, 3), ends))
    weights = np.concatenate((np.repeat(_areas(corners), 3), (0.0, 0.0)))
    return box_of_most(points, weights, STRAY_AREA, small)


def _positions(model: Model, lod: Lod, rows: Array) -> Array:
    """[N, 3] f64: the stored positions of vertices."""
    found = values(model, lod, "position", rows)
    return np.empty((0, 3)) if found is None else found[:, :3].astype(np.float64)


def _areas(corners: Array) -> Array:
    """[T]: twice the areas of triangles [T, 3, 3]; 0 for slivers."""
    sides = corners - np.roll(corners, 1, axis=1)
    with np.errstate(over="ignore", invalid="ignore"):
        areas = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
        longest = (sides**2).sum(axis=2).max(axis=1)
    return np.asarray(np.where(np.isfinite(areas) & (areas >= THIN * longest), areas, 0.0))
