"""Makes vertex attributes and triangles valid for glTF, and counts the corrected values.

Source: glTF 2.0 specification, section 3.7.2: normals and tangents have length 1, weights sum to 1, a vertex
lists a joint once.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.export.gltf.numbers import finite
from viewer.scene.maths import normalise
from viewer.scene.mesh.primitives import as_list
from viewer.scene.mesh.vertices import VertexMotion, column_of, four_floats, influences, posed, values
from viewer.scene.model import Geometry, Lod, Model, Primitive

TOLERANCE = 1e-3
"""A length or a sum of weights counts as corrected if it differs from 1 by more than this."""
MODES = {Primitive.TRIANGLES: 4, Primitive.LINES: 1, Primitive.POINTS: 0}


class ExportPart(NamedTuple):
    """A geometry at the chosen level of detail.

    `rows` [V] are its vertices as row numbers of the file. `corners` [N] u32 are indices into `rows`. `mode`
    is glTF's number of the primitive type.
    """

    number: int
    geometry: Geometry
    lod: Lod
    rows: Array
    corners: Array
    mode: int


class Skinning(Struct, frozen=True, eq=False):
    """The skinning of a part: `joints` [V, 4] u8 or u16, `weights` [V, 4] f32 or normalised u8.

    The additional joint after the last bone never moves; `unmoved` is True if some vertices use it.
    """

    joints: Array
    weights: Array
    unmoved: bool


def part_of(model: Model, number: int, level: int, reversed_faces: bool) -> ExportPart | None:
    """Return a geometry at level `level`, or at its last level; None if it draws nothing."""
    geometry = model.geometries[number]
    if not geometry.lods:
        return None
    lod = geometry.lods[min(level, len(geometry.lods) - 1)]
    count = min((model.vertex_buffers[stream].count for stream in lod.streams), default=0)
    if lod.indices is None:
        indices = np.arange(lod.start, max(min(lod.start + lod.count, count), lod.start))
    else:
        indices = model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count]
    listed, kind = as_list(indices, lod.primitive)
    listed = listed[(listed < count).all(axis=1)]
    if not len(listed) or column_of(model, lod, "position") is None:
        return None
    if kind is Primitive.TRIANGLES and reversed_faces:
        listed = listed[:, ::-1]
    used = np.zeros(count, bool)
    used[listed] = True
    rows = np.flatnonzero(used)
    numbers = np.cumsum(used) - 1
    return ExportPart(number, geometry, lod, rows, numbers[listed].ravel().astype(np.uint32), MODES[kind])


def positions(model: Model, part: ExportPart, motion: VertexMotion | None = None) -> Array:
    """Return the positions [V, 3] in the file's axes, posed if there is a `motion`."""
    if motion is not None:
        return posed(model, part.geometry, part.lod, part.rows, motion)
    found = values(model, part.lod, "position", part.rows)
    assert found is not None, "a part has positions"
    return found[:, :3]


def normals(
    model: Model, part: ExportPart, points: Array, mended: Counter[str], motion: VertexMotion | None = None
) -> Array | None:
    """Return the normals [V, 3] f32 of length 1; None if the file has none. Normals of length 0 are replaced
    by normals computed from the triangles.
    """
    found = values(model, part.lod, "normal", part.rows)
    if found is None:
        return None
    if motion is not None:
        found = posed(model, part.geometry, part.lod, part.rows, motion, "normal")
    stored = np.nan_to_num(found[:, :3].astype(np.float64), posinf=0.0, neginf=0.0)
    length = np.linalg.norm(stored, axis=1)
    flat = length < TOLERANCE
    mended["normals of zero length are computed from the triangles"] += int(flat.sum())
    if motion is None:
        mended["normals are normalised"] += int((np.abs(length[~flat] - 1) > TOLERANCE).sum())
    if flat.any():
        stored[flat] = _face_normals(points.astype(np.float64), part)[flat]
    return normalise(stored).astype(np.float32)


def _face_normals(points: Array, part: ExportPart) -> Array:
    """Return a normal of length 1 for each vertex, [V, 3] f64: the direction of the sum of its triangles'
    normals. The normal is +Z if none of these triangles has an area.
    """
    total = np.zeros_like(points)
    if part.mode == MODES[Primitive.TRIANGLES]:
        triangles = part.corners.reshape(-1, 3)
        a, b, c = points[triangles].swapaxes(0, 1)
        faces = np.nan_to_num(np.cross(b - a, c - a))
        for corner in range(3):
            np.add.at(total, triangles[:, corner], faces)
    flat = ~(np.linalg.norm(total, axis=1) > 0)
    total[flat] = (0.0, 0.0, 1.0)
    return normalise(total)


def tangents(model: Model, part: ExportPart, mended: Counter[str]) -> Array | None:
    """Return the tangents [V, 4] f32 of length 1 with handedness; None if there are no tangents, or if a
    tangent has length 0.
    """
    found = column_of(model, part.lod, "tangent")
    if found is None:
        return None
    stored = four_floats(found[0][part.rows], found[1]).astype(np.float64)
    length = np.linalg.norm(stored[:, :3], axis=1)
    if not (length > TOLERANCE).all():
        mended["tangents are left out: some have zero length"] += len(stored)
        return None
    mended["tangents are normalised"] += int((np.abs(length - 1) > TOLERANCE).sum())
    out = np.empty((len(stored), 4), np.float32)
    out[:, :3] = stored[:, :3] / length[:, None]
    out[:, 3] = _handedness(model, part, stored, found[1].components)
    return out


def made_tangents(points: Array, turned: Array, coordinates: Array, part: ExportPart) -> Array:
    """Compute tangents [V, 4] f32 along the U axis of `coordinates` [V, 2]. Normal maps need them if the file
    has no tangents.
    """
    triangles = part.corners.reshape(-1, 3)
    a, b, c = points.astype(np.float64)[triangles].swapaxes(0, 1)
    u, v, w = coordinates.astype(np.float64)[triangles].swapaxes(0, 1)
    (du, dv), (eu, ev) = (v - u).T, (w - u).T
    along = ev[:, None] * (b - a) - dv[:, None] * (c - a)
    across = du[:, None] * (c - a) - eu[:, None] * (b - a)
    sign = np.where(du * ev - dv * eu < 0, -1.0, 1.0)[:, None]
    sums = np.zeros((2, *points.shape))
    for corner in range(3):
        np.add.at(sums[0], triangles[:, corner], np.nan_to_num(along * sign))
        np.add.at(sums[1], triangles[:, corner], np.nan_to_num(across * sign))
    flat = sums[0] - turned * np.sum(sums[0] * turned, axis=1, keepdims=True)
    none = ~(np.linalg.norm(flat, axis=1) > 0)
    side = np.eye(3)[np.argmin(np.abs(turned[none]), axis=1)]
    flat[none] = np.cross(turned[none], side)
    out = np.empty((len(points), 4), np.float32)
    out[:, :3] = normalise(flat)
    out[:, 3] = np.where(np.sum(np.cross(turned, out[:, :3]) * sums[1], axis=1) < 0, -1, 1)
    return out


def _handedness(model: Model, part: ExportPart, tangents: Array, components: int) -> Array:
    """Return the handedness [V], 1 or -1: from the file, else from the binormals, else 1."""
    if components == 4:
        return np.where(tangents[:, 3] < 0, -1.0, 1.0)
    binormal = values(model, part.lod, "binormal", part.rows)
    normal = values(model, part.lod, "normal", part.rows)
    if binormal is None or normal is None:
        return np.ones(len(tangents))
    side = np.sum(np.cross(normal[:, :3], tangents[:, :3]) * binormal[:, :3], axis=1)
    return np.where(side < 0, -1.0, 1.0)


def skinning(model: Model, part: ExportPart, mended: Counter[str]) -> Skinning | None:
    """Return the joints and weights of the vertices; None if no bone moves them."""
    bones = len(model.skeleton) if model.skeleton else 0
    found = influences(model, part.geometry, part.lod, part.rows, bones)
    if found is None:
        return None
    joints = found[0].astype(np.int64)
    weights = finite(found[1]).astype(np.float64)
    weights[weights < 0] = 0
    joints, weights = _once(joints, weights)
    total = weights.sum(axis=1)
    none = total <= 0
    mended["vertices without a weight do not move"] += int(none.sum())
    joints[none], weights[none] = bones, (1.0, 0.0, 0.0, 0.0)
    total[none] = 1
    mended["weights are normalised to the sum 1"] += int((np.abs(total - 1) > TOLERANCE).sum())
    joints[weights == 0] = 0
    kind = np.uint8 if bones < 1 << 8 else np.uint16
    unmoved = bool((joints == bones).any())
    return Skinning(joints.astype(kind), _stored_weights(weights / total[:, None]), unmoved)


def _once(joints: Array, weights: Array) -> tuple[Array, Array]:
    """Merge joints that a vertex lists more than once; the joint gets the sum of their weights."""
    for later in range(1, joints.shape[1]):
        for earlier in range(later):
            same = (joints[:, later] == joints[:, earlier]) & (weights[:, later] > 0)
            weights[same, earlier] += weights[same, later]
            weights[same, later] = 0
    return joints, weights


def _stored_weights(weights: Array) -> Array:
    """Convert weights to u8 if that is exact, else to f32 with the sum 1."""
    scaled = weights * 255
    whole = np.rint(scaled)
    if len(weights) and np.abs(scaled - whole).max() < 1e-4 and (whole.sum(axis=1) == 255).all():
        return whole.astype(np.uint8)
    return weights.astype(np.float32)
