"""Meshes from surfaces: sampled on grids, joined, shaded. Made for any model and any format.

A surface is a function of u and v (arrays from 0 to 1) to points [..., 3]. The same function gives the
vertices of every level of detail and the place of every texel. Axes are those of the model; a triangle a b c
is seen from the side to which cross(b - a, c - a) points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from generate.curves import bspline, unit
from viewer.arrays import Array

Surface = Callable[[Array, Array], Array]
Influence = Callable[[Array, Array, Array], Array]

WELD = 1e5
"""Points that agree to this fraction of a unit share their normal."""


class Rect(NamedTuple):
    """A part of the texture, in uv: v goes down."""

    left: float
    top: float
    right: float
    bottom: float

    def place(self, u: Array, v: Array) -> Array:
        """0..1 inside the part to uv of the whole: [..., 2]."""
        return np.stack(
            (self.left + u * (self.right - self.left), self.top + v * (self.bottom - self.top)), axis=-1
        )


class Mesh(Struct, frozen=True, eq=False):
    """V vertices, T triangles. `influence` [V, B] is each bone's share; `tangents` [V, 4] with handedness."""

    positions: Array
    uvs: Array
    triangles: Array
    influence: Array
    normals: Array | None = None
    tangents: Array | None = None


def patch(
    surface: Surface, rows: Array, columns: Array, rect: Rect, influence: Influence, turned: bool = False
) -> Mesh:
    """`surface` sampled at v = `rows` and u = `columns`.

    Its outside is where cross(dP/du, dP/dv) points, or the other side if `turned`.
    `influence` of u, v and the points gives [..., B]. Triangles of no area (at a pole) are left out.
    """
    v, u = np.meshgrid(rows, columns, indexing="ij")
    points = surface(u, v)
    positions = points.reshape(-1, 3)
    triangles = grid_triangles(len(rows), len(columns))
    if turned:
        triangles = triangles[:, ::-1]
    a, b, c = np.moveaxis(positions[triangles], 1, 0)
    kept = np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-10
    shares = influence(u, v, points)
    return Mesh(
        positions, rect.place(u, v).reshape(-1, 2), triangles[kept], shares.reshape(len(positions), -1)
    )


def grid_triangles(rows: int, columns: int) -> Array:
    """Two triangles for every cell of a grid of vertices: [T, 3]."""
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    cells = (corner, corner + 1, corner + columns, corner + 1, corner + columns + 1, corner + columns)
    return np.stack(cells, axis=-1).reshape(-1, 3)


def join(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one, their vertices one after the other."""
    starts = np.cumsum([0, *(len(mesh.positions) for mesh in meshes[:-1])])
    shaded = all(mesh.normals is not None for mesh in meshes)
    return Mesh(
        np.concatenate([mesh.positions for mesh in meshes]),
        np.concatenate([mesh.uvs for mesh in meshes]),
        np.concatenate([mesh.triangles + start for mesh, start in zip(meshes, starts, strict=True)]),
        np.concatenate([mesh.influence for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]) if shaded else None,
        np.concatenate([mesh.tangents for mesh in meshes]) if shaded else None,
    )


def shade(mesh: Mesh) -> Mesh:
    """With normals that are smooth across seams, and tangents along u whose w gives the direction of v.

    The bitangent is cross(tangent, normal) · w.
    """
    corners = mesh.positions[mesh.triangles]
    edges = corners[:, 1:] - corners[:, :1]
    area = np.cross(edges[:, 0], edges[:, 1])
    normals = unit(
        _welded(mesh.positions, _gather(mesh, _corner_angles(corners)[..., None] * unit(area)[:, None]))
    )

    steps = mesh.uvs[mesh.triangles][:, 1:] - mesh.uvs[mesh.triangles][:, :1]
    size = steps[:, 0, 0] * steps[:, 1, 1] - steps[:, 0, 1] * steps[:, 1, 0]
    along_u = np.sign(size)[:, None] * (edges[:, 0] * steps[:, 1, 1:] - edges[:, 1] * steps[:, 0, 1:])
    along_v = np.sign(size)[:, None] * (edges[:, 1] * steps[:, 0, :1] - edges[:, 0] * steps[:, 1, :1])
    tangents = _gather(mesh, np.repeat(along_u[:, None], 3, axis=1))
    bitangents = _gather(mesh, np.repeat(along_v[:, None], 3, axis=1))
    tangents = unit(tangents - normals * np.sum(tangents * normals, axis=1, keepdims=True))
    side = np.sum(np.cross(tangents, normals) * bitangents, axis=1, keepdims=True)
    return replace(mesh, normals=normals, tangents=np.hstack((tangents, np.where(side < 0, -1.0, 1.0))))


def _corner_angles(corners: Array) -> Array:
    """[T, 3] angles of triangles [T, 3, 3]: by them a triangle counts for the normals of its corners."""
    ahead = unit(np.roll(corners, -1, axis=1) - corners)
    behind = unit(np.roll(corners, 1, axis=1) - corners)
    return np.asarray(np.arccos(np.clip(np.sum(ahead * behind, axis=2), -1, 1)))


def _gather(mesh: Mesh, values: Array) -> Array:
    """[V, 3] sums of the values of the triangles' corners [T, 3, 3]."""
    out = np.zeros_like(mesh.positions)
    np.add.at(out, mesh.triangles.ravel(), values.reshape(-1, 3))
    return out


def _welded(positions: Array, values: Array) -> Array:
    """`values` [V, 3] summed over vertices that lie in one place."""
    places = np.rint(positions * WELD + 0.1234).astype(np.int64)
    _, group = np.unique(places, axis=0, return_inverse=True)
    out = np.zeros_like(values)
    np.add.at(out, group.ravel(), values)
    return np.asarray(out[group.ravel()])


def strongest(influence: Array) -> tuple[Array, Array]:
    """The four bones with the largest shares of [V, B], and these shares adding up to 1: [V, 4] each."""
    order = np.argsort(-influence, axis=1, kind="stable")[:, :4]
    shares = np.take_along_axis(influence, order, axis=1)
    return np.where(shares > 0, order, order[:, :1]), shares / shares.sum(axis=1, keepdims=True)


def spread(count: int, low: float = 0.0, high: float = 1.0) -> Array:
    """`count` cells of equal size: their count + 1 borders."""
    return np.linspace(low, high, count + 1)


def revolved(profile: Any, frame: Array) -> Surface:
    """A spline of [N, 2] (radius, height) points, v along it, turned about the y axis of `frame` [3, 4]."""

    def surface(u: Array, v: Array) -> Array:
        radius, height = np.moveaxis(bspline(profile, v), -1, 0)
        angle = 2 * np.pi * u
        return placed(frame, np.stack((radius * np.sin(angle), height, radius * np.cos(angle)), axis=-1))

    return surface


def tube(points: Any, radius: Any, frame: Array, up: Any = (0, 0, 1)) -> Surface:
    """A pipe around the spline of [N, 3] points (v along it) in `frame`; `up` is never along the curve.
    `radius` is one, or several along the pipe."""
    radii = np.atleast_1d(np.asarray(radius, float))

    def surface(u: Array, v: Array) -> Array:
        step = 1e-3
        ahead = unit(bspline(points, np.minimum(v + step, 1)) - bspline(points, np.maximum(v - step, 0)))
        side = unit(np.cross(ahead, np.asarray(up, float)))
        angle = 2 * np.pi * u[..., None]
        ring = side * np.cos(angle) + np.cross(ahead, side) * np.sin(angle)
        thick = np.interp(v, np.linspace(0, 1, len(radii)), radii)
        return placed(frame, bspline(points, v) + thick[..., None] * ring)

    return surface


def placed(frame: Array, points: Array) -> Array:
    """Points [..., 3] of a frame [3, 4] in the model."""
    return np.asarray(points @ frame[:, :3].T + frame[:, 3])
