"""Geometries whose triangles have no area: quads that a vertex program would spread."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.scene.model import TRIANGULAR, Lod, Model, Primitive
from viewer.scene.vertices import column_of, values

SAMPLED = 64
"""The number of triangles that are measured first: nearly every geometry has an area in these."""
MOST_SAMPLED = 65_536
"""The largest number of triangles that are measured."""
FLAT = 1e-7
"""The area, as a part of the square of the longest edge, below which a triangle has none."""


def has_no_area(model: Model, lod: Lod) -> bool:
    """Whether a level consists of triangles without area that neither bones, morphs nor shapes can spread."""
    if lod.primitive not in TRIANGULAR or _moves(model, lod):
        return False
    found = column_of(model, lod, "position")
    sample = _triangles(model, lod, SAMPLED).tolist() if found is not None else []
    if found is not None and any(
        _has_area(*(found[0][corner].tolist() for corner in each)) for each in sample
    ):
        return False
    triangles = _triangles(model, lod, MOST_SAMPLED)
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
    """Whether a triangle of these corners has an area; plain numbers, which for one triangle cost less than
    arrays.
    """
    if len(first) < 3:
        return False  # corners of a plane are left to `_flat`
    ax, ay, az = second[0] - first[0], second[1] - first[1], second[2] - first[2]
    bx, by, bz = third[0] - first[0], third[1] - first[1], third[2] - first[2]
    cx, cy, cz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    longest = FLAT * max(ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz)
    return cx * cx + cy * cy + cz * cz > longest * longest > 0


def _triangles(model: Model, lod: Lod, most: int) -> Array:
    """[T, 3] the numbers of the vertices of at most `most` triangles, spread evenly over the level,
    without triangles that name a missing vertex.
    """
    count = min((model.vertex_buffers[stream].count for stream in lod.streams), default=0)
    if lod.indices is None:
        numbers = np.arange(lod.start, max(min(lod.start + lod.count, count), lod.start))
    else:
        numbers = model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count]
    listed = lod.primitive is Primitive.TRIANGLES
    total = len(numbers) // 3 if listed else max(len(numbers) - 2, 0)
    first = np.arange(0, total, max(-(-total // most), 1)) * (3 if listed else 1)
    places = first[:, None] + np.arange(3)
    if lod.primitive is Primitive.TRIANGLE_FAN:
        places[:, 0] = 0
    corners = numbers[places]
    return np.asarray(corners if (corners < count).all() else corners[(corners < count).all(axis=1)])


@np.errstate(over="ignore", invalid="ignore")  # a damaged file holds any number
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
