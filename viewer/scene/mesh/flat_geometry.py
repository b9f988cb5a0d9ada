"""Finds geometries whose triangles have no area, such as quads that a vertex program spreads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.scene.mesh.vertices import column_of, values
from viewer.scene.model import TRIANGULAR, Lod, Model, Primitive, triangle_count

SAMPLED = 64
"""The number of triangles that are measured first, because in nearly every geometry one of them has an area.
"""
MEASURED_TRIANGLES = 16_384
"""The largest number of measured triangles."""
FLAT = 1e-7
"""The smallest area of a triangle, as a share of the square of its longest edge."""


def has_no_area(model: Model, lod: Lod) -> bool:
    """Whether all triangles of a level lack area, and neither bones, morphs nor shapes can spread them."""
    if lod.primitive not in TRIANGULAR or _moves(model, lod):
        return False
    if any(_has_area(*corners) for corners in _sample(model, lod)):
        return False
    triangles = spread_triangles(model, lod)
    return bool(len(triangles)) and _flat(model, lod, triangles)


def without_area(model: Model) -> list[str]:
    """The names of the geometries whose first level has no area."""
    return [each.name for each in model.geometries if each.lods and has_no_area(model, each.lods[0])]


def _moves(model: Model, lod: Lod) -> bool:
    """Whether bones, morphs or shapes move the vertices of a level."""
    streams = set(lod.streams)
    skinned = model.skeleton is not None and any(
        model.vertex_buffers[stream].element("joints") is not None for stream in streams
    )
    morphed = any(target.buffer in streams for morph in model.morphs for target in morph.targets)
    return skinned or morphed or any(shape.buffer in streams for shape in model.shapes)


def _has_area(first: list[float], second: list[float], third: list[float]) -> bool:
    """Whether a triangle has an area. For one triangle, plain numbers are faster than arrays."""
    if len(first) < 3:
        return False  # positions with two components are examined by `_flat`
    ax, ay, az = second[0] - first[0], second[1] - first[1], second[2] - first[2]
    bx, by, bz = third[0] - first[0], third[1] - first[1], third[2] - first[2]
    cx, cy, cz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    longest = FLAT * max(ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz)
    return cx * cx + cy * cy + cz * cz > longest * longest > 0


def _sample(model: Model, lod: Lod) -> Iterator[list[list[float]]]:
    """Yield the corners of some triangles, spread evenly over the level."""
    column = column_of(model, lod, "position")
    numbers, count = _numbers(model, lod)
    total, size = triangle_count(lod.primitive, len(numbers)), TRIANGULAR[lod.primitive][0]
    for triangle in range(0, total if column is not None else 0, max(total // SAMPLED, 1)):
        first = triangle * size
        apex = 0 if lod.primitive is Primitive.TRIANGLE_FAN else first
        vertices = [int(numbers[index]) for index in (apex, first + 1, first + 2)]
        if column is not None and max(vertices) < count:
            yield [column[0][vertex].tolist() for vertex in vertices]


def _numbers(model: Model, lod: Lod) -> tuple[Array | range, int]:
    """Return the numbers of the vertices that the level draws, in drawing order, and the count of existing
    vertices.
    """
    count = min((model.vertex_buffers[stream].count for stream in lod.streams), default=0)
    if lod.indices is None:
        return range(lod.start, max(min(lod.start + lod.count, count), lod.start)), count
    return model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count], count


def spread_triangles(model: Model, lod: Lod) -> Array:
    """[T, 3]: the vertex numbers of at most `MEASURED_TRIANGLES` evenly spread triangles. Triangles that use
    a missing vertex are left out.
    """
    numbers, count = _numbers(model, lod)
    total, size = triangle_count(lod.primitive, len(numbers)), TRIANGULAR[lod.primitive][0]
    first = np.arange(0, total, max(-(-total // MEASURED_TRIANGLES), 1)) * size
    places = first[:, None] + np.arange(3)
    if lod.primitive is Primitive.TRIANGLE_FAN:
        places[:, 0] = 0
    corners = np.asarray(numbers)[places]
    return np.asarray(corners[(corners < count).all(axis=1)])


def _flat(model: Model, lod: Lod, triangles: Array) -> bool:
    """Whether none of the triangles [T, 3] has an area."""
    points = values(model, lod, "position", triangles.reshape(-1))
    if points is None:
        return False
    corners = points[:, :3].astype(np.float64).reshape(-1, 3, 3)
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = (np.cross(first, second) ** 2).sum(axis=1)
    longest = np.maximum((first**2).sum(axis=1), (second**2).sum(axis=1))
    return not (area > (FLAT * longest) ** 2 * (longest > 0)).any() if len(area) else False
