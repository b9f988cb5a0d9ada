"""Build vertex buffers from the geometry records of OGRE-Next meshes. Attributes that GL can read stay as
they are stored; quaternions of normals are converted.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct as Data
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.binary import Struct
from viewer.errors import Report
from viewer.families.ogre.geometry import declaration_of, declared_buffers, plain_buffer
from viewer.families.ogre.next.elements import declared
from viewer.families.ogre.next.layout import BUFFER, DECLARATION
from viewer.families.ogre.weights import blend
from viewer.scene.mesh.vertices import four_floats
from viewer.scene.model import VertexBuffer

WIDEST = 32767
"""The value of a signed 16-bit component that means 1."""
ASSIGNMENT = np.dtype([("vertex", "u4"), ("bone", "u2"), ("weight", "f4")])


class NextVertices(Data, frozen=True, eq=False):
    """The vertices of a level. `streams` are the numbers of their buffers; `count` is the number of vertices.

    `joints` [V, 4] are the joint numbers of each vertex. A joint without weight has the number 0. `joints` is
    None if the vertices follow no joints.
    """

    streams: tuple[int, ...]
    count: int
    joints: Array | None


def build_vertices(geometry: Struct, buffers: list[VertexBuffer], report: Report, owner: str) -> NextVertices:
    """Append the buffers of a geometry record, which may be incomplete. `owner` names the geometry in
    messages.
    """
    first = len(buffers)
    stored = {}
    for buffer in (geometry.get("chunks") or ()) and geometry.chunks.all(BUFFER):
        vertices = buffer.get("vertices")
        if vertices is None or not buffer.stride:
            continue
        if buffer.source in stored:
            report.warn(f"{owner}: a second vertex buffer has the number {buffer.source} and is left out")
            continue
        stored[buffer.source] = vertices
    elements = declaration_of(lambda: declared(geometry, DECLARATION))
    read = declared_buffers(elements, list(stored.items()), report)
    made = [each for buffer in read for each in _direct(buffer)]
    count = min((each.count for each in made), default=0)
    made = _at_most_four(made, count, report, owner)
    _note_stride(elements, stored, report, owner)
    buffers += made
    return NextVertices(tuple(range(first, len(buffers))), count, _used_joints(made, count))


def _note_stride(elements: Array, buffers: dict[int, Array], report: Report, owner: str) -> None:
    """Warn about vertices that are larger than their elements."""
    for number, vertices in buffers.items():
        dtype = vertices.dtype
        assert dtype.fields is not None, "a vertex has at least one element"
        size = sum(field[0].itemsize for field in dtype.fields.values())
        if size != dtype.itemsize:
            report.warn(
                f"{owner}: a vertex of buffer {number} has {dtype.itemsize} bytes, its elements {size}"
            )


def _direct(buffer: VertexBuffer) -> tuple[VertexBuffer, ...]:
    """The buffer; if it stores normals and tangents as quaternions, also a second buffer with both as
    vectors.
    """
    normal, column = buffer.element("normal"), buffer.column("normal")
    if normal is None or column is None or (normal.type, normal.components) != ("i16", 4):
        return (buffer,)
    named = tuple(
        replace(each, semantic="stored quaternion") if each is normal else each for each in buffer.elements
    )
    kept = VertexBuffer(buffer.data, buffer.count, buffer.stride, named)
    return kept, plain_buffer(tangent_frames(column))


def tangent_frames(frames: Array) -> dict[str, Array]:
    """Convert quaternions [V, 4] i16 to `normal` [V, 3] and `tangent` [V, 4], f32. The quaternion turns the x
    axis to the normal and the y axis to the tangent. The sign of its w is the sign of the bitangent.
    """
    quaternions = np.maximum(frames.astype(np.float32) / WIDEST, np.float32(-1))
    length = np.linalg.norm(quaternions, axis=1, keepdims=True)
    x, y, z, w = (quaternions / np.where(length > 0, length, 1)).T
    normal = np.stack((1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)), axis=1)
    side = np.where(w < 0, np.float32(-1), np.float32(1))
    tangent = np.stack((2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), side), axis=1)
    return {"normal": normal.astype(np.float32), "tangent": tangent.astype(np.float32)}


def _columns(buffers: list[VertexBuffer], semantic: str, count: int) -> Array | None:
    """The values [V, 4] f32 of a semantic; missing components are 0. None if no buffer has it."""
    for buffer in buffers:
        column, element = buffer.column(semantic), buffer.element(semantic)
        if column is not None and element is not None:
            return four_floats(column[:count], element)
    return None


def _weights(buffers: list[VertexBuffer], semantic: str, joints: Array, count: int) -> Array:
    """The weights [V, 4] f32. Without stored weights the first joint has the weight 1."""
    stored = _columns(buffers, semantic, count)
    return np.eye(1, joints.shape[1], dtype=np.float32).repeat(count, axis=0) if stored is None else stored


def _used_joints(buffers: list[VertexBuffer], count: int) -> Array | None:
    joints = _columns(buffers, "joints", count)
    if joints is None:
        return None
    return np.where(_weights(buffers, "weights", joints, count) > 0, joints, 0).astype(np.int64)


def _at_most_four(buffers: list[VertexBuffer], count: int, report: Report, owner: str) -> list[VertexBuffer]:
    """Return the buffers with the four strongest joints of each vertex, if more than four are stored."""
    joints, more = _columns(buffers, "joints", count), _columns(buffers, "more joints", count)
    if joints is None or more is None:
        return buffers
    further = _columns(buffers, "more weights", count)
    if further is None:
        return buffers
    weights = np.concatenate((_weights(buffers, "weights", joints, count), further), axis=1)
    vertex, slot = np.nonzero(weights > 0)
    assigned = np.empty(len(vertex), ASSIGNMENT)
    assigned["vertex"], assigned["weight"] = vertex, weights[vertex, slot]
    assigned["bone"] = np.concatenate((joints, more), axis=1)[vertex, slot]
    blending = blend(assigned, count, report, owner)
    if blending is None:
        return buffers
    rows = blending.rows.copy()
    rows["joints"] = blending.bones[rows["joints"]]
    renamed = {"joints": "stored joints", "weights": "stored weights"}
    kept = [
        replace(
            each,
            elements=tuple(
                replace(element, semantic=renamed.get(element.semantic, element.semantic))
                for element in each.elements
            ),
        )
        for each in buffers
    ]
    return [*kept, replace(blending, rows=rows).buffer]
