"""The layout of a texture: the geometries that use the texture, their edges in texture coordinates, and the
triangles at a point of the texture.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from viewer.arrays import Array, Color
from viewer.scene.material import AT_FIRST, ClipTime, Material, Texture
from viewer.scene.mesh.primitives import as_list
from viewer.scene.mesh.surface_points import SurfacePoint
from viewer.scene.mesh.vertices import values
from viewer.scene.model import Geometry, Lod, Model, Primitive

UNPLACED = ("environment", "ramp")
"""The units whose textures are not placed by texture coordinates."""
SECOND = "second"
FARTHEST = 1e4
"""The largest texture coordinate that is drawn. Larger coordinates count as damaged."""
REPEATS = 8
"""A point is searched in at most this number of repetitions of a texture in each direction."""
INSIDE = 1e-6
"""A point outside a triangle counts as inside if its distance from the triangle is at most this share of the
triangle's size.
"""


NONE = -1
"""The number that stands for no texture. Its uses are the geometries whose materials have no textures."""
WITHOUT = Texture("no texture")


class TextureUse(Struct, frozen=True):
    """A use of a texture: `geometry` draws it as `unit` of `material`, with the texture coordinates of set
    `uv_set`. `material` is None for the geometries without a texture.
    """

    geometry: int
    material: int | None
    unit: str
    uv_set: int


class UvMesh(Struct, frozen=True, eq=False):
    """The texture coordinates of a level of a geometry, in OpenGL's direction: v = 0 is the first row.

    `points` [V, 2] f32 are the texture coordinates of V consecutive vertices, of which `first` is the first
    vertex number. `edges` [E, 2] u32 and `triangles` [T, 3] are row numbers of `points`. Each edge is listed
    once. Vertices with damaged coordinates have no edges and triangles.
    """

    first: int
    points: Array
    edges: Array
    triangles: Array


def texture_uses(model: Model, texture: int) -> tuple[TextureUse, ...]:
    """Return the uses of the texture with this number in the order of the geometries. If a geometry uses the
    texture several times with the same set of texture coordinates, only the first use is listed.

    Textures that are sampled by the reflection vector have no uses. For `NONE`, return the geometries without
    textures, with their first set of texture coordinates.
    """
    found: dict[tuple[int, int], TextureUse] = {}
    for number, geometry in enumerate(model.geometries):
        materials = materials_of(geometry)
        if texture == NONE and not any(model.materials[each].units for each in materials):
            found[number, 0] = TextureUse(number, None, "", 0)
        for material in materials if texture != NONE else ():
            for unit, uv_set in _placed_units(model.materials[material], texture):
                found.setdefault((number, uv_set), TextureUse(number, material, unit, uv_set))
    return tuple(found.values())


def materials_of(geometry: Geometry) -> tuple[int, ...]:
    """Return the numbers of a geometry's materials: its own, then those of its layers."""
    return geometry.layers if geometry.material is None else (geometry.material, *geometry.layers)


def texture_at(model: Model, number: int) -> Texture:
    """Return the texture with this number; `WITHOUT` for `NONE`."""
    return WITHOUT if number == NONE else model.textures[number]


def _placed_units(material: Material, texture: int) -> Iterator[tuple[str, int]]:
    """Yield the units of a material with this texture, and the set of texture coordinates that places it."""
    if material.cube:
        return
    pages = material.flipbook.textures if material.flipbook is not None else ()
    for unit, number in (*material.units.items(), *(("diffuse", page) for page in pages)):
        if number != texture or unit in UNPLACED:
            continue
        if unit == SECOND and material.second is not None:
            if not material.second.sphere:
                yield unit, material.second.uv_set
        elif not material.sphere:
            yield unit, material.uv_set


def used_textures(model: Model) -> tuple[int, ...]:
    """Return the numbers of the textures that are placed by texture coordinates, colour textures first; at
    the end `NONE` if a geometry has no texture.
    """
    units = [
        (unit != "diffuse", number)
        for geometry in model.geometries
        for material in materials_of(geometry)
        for unit, number in model.materials[material].units.items()
        if unit not in UNPLACED
    ]
    known = dict.fromkeys(number for _, number in sorted(units, key=lambda each: each[0]))
    return (*known, *((NONE,) if texture_uses(model, NONE) else ()))


def uv_matrix(material: Material, unit: str, clip_time: ClipTime = AT_FIRST) -> Array:
    """[2, 3]: the matrix by which the material moves texture coordinates (u, v, 1) at a time."""
    if unit == SECOND and material.second is not None:
        rows: tuple[Color, Color] = material.second.u_offset, material.second.v_offset
    else:
        rows = material.u_offset, material.v_offset
        if material.uv_motion is not None:
            rows = material.uv_motion(clip_time.time)
    if material.motion is not None:
        shown = material.motion(clip_time)
        rows = (shown.second_u, shown.second_v) if unit == SECOND else (shown.u_offset, shown.v_offset)
    return np.array(rows, np.float64)[:, (0, 1, 3)]


def uv_mesh(model: Model, geometry: int, level: int, uv_set: int) -> UvMesh | None:
    """Make the edges and triangles of a level; None if it has no such texture coordinates or no edges."""
    lod = model.geometries[geometry].lods[level]
    indices = _indices(model, lod)
    listed, primitive = as_list(indices, lod.primitive)
    if primitive is Primitive.POINTS or not len(listed):
        return None
    first, last = int(listed.min()), int(listed.max())
    points = values(model, lod, f"uv{uv_set}", np.arange(first, last + 1))
    if points is None:
        return None
    points = np.ascontiguousarray(points[:, :2])
    rows = listed.astype(np.int64) - first
    usable = (np.abs(points) <= FARTHEST).all(axis=1)
    if not usable.all():
        rows = rows[usable[rows].all(axis=1)]
    triangles = rows if primitive is Primitive.TRIANGLES else np.empty((0, 3), np.int64)
    return UvMesh(first, points, _edges(rows, len(points)), triangles)


def _indices(model: Model, lod: Lod) -> Array:
    """[N]: the vertices that a level draws, in order; vertices that do not exist are left out."""
    count = min((model.vertex_buffers[stream].count for stream in lod.streams), default=0)
    if lod.indices is None:
        return np.arange(lod.start, max(min(lod.start + lod.count, count), lod.start))
    indices = model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count]
    return indices if not len(indices) or int(indices.max()) < count else indices[indices < count]


def _edges(rows: Array, count: int) -> Array:
    """[E, 2] u32: the edges of triangles [T, 3] or lines [T, 2] of `count` points, each edge once."""
    corners = rows.shape[1]
    pairs = [(0, 1)] if corners == 2 else [(0, 1), (1, 2), (2, 0)]
    ends = np.concatenate([rows[:, pair] for pair in pairs])
    keys = ends.min(axis=1) * count + ends.max(axis=1)
    keys.sort()
    kept = keys[np.concatenate((np.ones(len(keys[:1]), bool), keys[1:] != keys[:-1]))]
    return np.stack((kept // max(count, 1), kept % max(count, 1)), axis=1).astype(np.uint32)


def moved(points: Array, matrix: Array) -> Array:
    """[N, 2]: texture coordinates [N, 2], moved by a matrix [2, 3]."""
    return np.asarray(points @ matrix[:, :2].T + matrix[:, 2])


class UvTriangles(Struct, frozen=True, eq=False):
    """The triangles of a mesh in the texture, for the search of points.

    `corners` [T, 3, 2] are texture coordinates, moved by the material, `low` and `high` [T, 2] their bounds.
    `box` [2, 2] are the bounds of all edges, NaN if there are none.
    """

    mesh: UvMesh
    corners: Array
    low: Array
    high: Array
    box: Array


def uv_triangles(mesh: UvMesh, matrix: Array) -> UvTriangles:
    """Move the texture coordinates of a mesh by `matrix` [2, 3]."""
    points = moved(mesh.points, matrix)
    corners = points[mesh.triangles]
    used = points[np.unique(mesh.edges)]
    box = np.stack((used.min(axis=0), used.max(axis=0))) if len(used) else np.full((2, 2), np.nan)
    return UvTriangles(mesh, corners, corners.min(axis=1), corners.max(axis=1), box)


def points_at(
    found_in: UvTriangles, owner: tuple[int, int], uv: tuple[float, float], repeats: bool, most: int
) -> tuple[SurfacePoint, ...]:
    """Find at most `most` points of the mesh whose moved texture coordinates are `uv`.

    `owner` are the numbers of the geometry and its level. With `repeats`, coordinates that differ from `uv`
    by whole numbers count too, because the texture repeats.
    """
    found: list[SurfacePoint] = []
    for shift in _shifts(found_in.box, uv) if repeats else [(0, 0)]:
        hits, shares = _containing(found_in, np.array(uv) + shift)
        for hit, weights in zip(hits[: most - len(found)], shares, strict=False):
            rows = (found_in.mesh.triangles[hit] + found_in.mesh.first).tolist()
            found.append(SurfacePoint(*owner, tuple(rows), tuple(weights.tolist())))
        if len(found) >= most:
            break
    return tuple(found)


def _shifts(box: Array, uv: tuple[float, float]) -> list[tuple[int, int]]:
    """The whole numbers that can be added to `uv` so that the sum is within `box` [2, 2], the smallest
    first.
    """
    if not np.isfinite(box).all():
        return [(0, 0)]
    low, high = np.ceil(box[0] - uv).astype(int), np.floor(box[1] - uv).astype(int)
    spans = [sorted(range(start, end + 1), key=abs)[:REPEATS] for start, end in zip(low, high, strict=True)]
    return sorted(((u, v) for u in spans[0] for v in spans[1]), key=lambda each: abs(each[0]) + abs(each[1]))


def _containing(found_in: UvTriangles, point: Array) -> tuple[Array, Array]:
    """The numbers [N] of the triangles that contain a point [2], and the shares of their corners [N, 3]."""
    near = ((found_in.low <= point) & (found_in.high >= point)).all(axis=1)
    numbers = np.flatnonzero(near)
    triangles = found_in.corners[numbers].astype(np.float64)
    first, second = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    away = point - triangles[:, 0]
    area = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    wide = np.abs(area) > 0
    safe = np.where(wide, area, 1.0)
    one = (away[:, 0] * second[:, 1] - away[:, 1] * second[:, 0]) / safe
    two = (first[:, 0] * away[:, 1] - first[:, 1] * away[:, 0]) / safe
    shares = np.stack((1 - one - two, one, two), axis=1)
    inside = wide & (shares >= -INSIDE).all(axis=1)
    return numbers[inside], shares[inside].clip(0.0, 1.0)
