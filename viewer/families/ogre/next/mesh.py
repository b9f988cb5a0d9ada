"""Build a model from the record of an OGRE-Next mesh. A broken part is reported and left out."""

from __future__ import annotations

import msgspec
import numpy as np
from msgspec import field

from viewer.arrays import Array
from viewer.binary import StreamTree, Struct
from viewer.errors import FormatError, Report, Topic, counted
from viewer.families.ogre.lods import rule_of, strategy_of
from viewer.families.ogre.mesh import TRIANGLES, primitive_of, sound_bounds, submesh_names
from viewer.families.ogre.next.layout import (
    BOUNDS,
    GEOMETRY,
    LEVELS,
    MESH,
    OPERATION,
    SHARED_GEOMETRY,
    SUBMESH,
    VERTEX_ARRAY,
)
from viewer.families.ogre.next.vertices import NextVertices, build_vertices
from viewer.families.ogre.skeleton import BoneHandles
from viewer.scene.mesh.primitives import drop_stray_indices
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, VertexBuffer

PASSES = (1, 2)
LARGEST_HANDLE = 0xFFFF


class NextParts(msgspec.Struct, eq=False):
    """A mesh under construction: its chunks, and the parts of the model made so far. `distances` are the
    starts of the levels of detail.
    """

    chunks: StreamTree
    bones: BoneHandles | None
    report: Report
    distances: tuple[float, ...] = ()
    passes: int = 1
    buffers: list[VertexBuffer] = field(default_factory=list)
    indices: list[IndexBuffer] = field(default_factory=list)


def build_next_model(name: str, record: Struct, bones: BoneHandles | None, report: Report) -> Model:
    """Return the model of a mesh record, which may be incomplete."""
    chunks = next_chunks(record)
    stored = chunks.first(LEVELS)
    distances = () if stored is None else tuple(map(float, stored.get("values", ())))
    parts = NextParts(chunks, bones, report, distances, _passes(record, report))
    names = submesh_names(chunks)
    geometries = tuple(
        _geometry(number, submesh, names.get(number, f"submesh {number}"), parts)
        for number, submesh in enumerate(next_submeshes(record))
    )
    levels = max((len(geometry.lods) for geometry in geometries), default=0)
    if levels > 1 and len(distances) < levels:
        text = f"{levels} levels of detail have {counted(len(distances), 'distance')}: choose them by hand"
        report.note(text)
    stated = levels > 1 and len(distances) >= levels
    strategy = strategy_of(str(stored.get("strategy", "")), report) if stated else "distance"
    return Model(
        name=name,
        vertex_buffers=tuple(parts.buffers),
        index_buffers=tuple(parts.indices),
        geometries=geometries,
        skeleton=bones.skeleton if bones else None,
        bounds=_bounds(chunks.first(BOUNDS), report),
        lod_rule=rule_of(strategy) if stated else "",
        lod_strategy=strategy,
    )


def next_chunks(record: Struct) -> StreamTree:
    """Return the chunks inside the mesh chunk of a file, as far as they could be read."""
    mesh = (record.get("chunks") or StreamTree()).first(MESH)
    return StreamTree() if mesh is None else mesh.get("chunks") or StreamTree()


def next_submeshes(record: Struct) -> list[Struct]:
    """Return the submeshes of a file; each becomes a geometry."""
    return [each for each in next_chunks(record).all(SUBMESH) if each.get("level_count") is not None]


def drawn_arrays(submesh: Struct) -> list[Struct]:
    """Return the vertex arrays of pass 0, one for each level of detail."""
    return _arrays(submesh)[: submesh.level_count]


def shadow_arrays(submesh: Struct) -> list[Struct]:
    """Return the vertex arrays of pass 1, which casts shadows; empty if there is no such pass."""
    return _arrays(submesh)[submesh.level_count :]


def _arrays(submesh: Struct) -> list[Struct]:
    """The vertex arrays of all passes whose indices could be read."""
    arrays = (submesh.get("arrays") or StreamTree()).all(VERTEX_ARRAY)
    return [each for each in arrays if each.get("index_count") == 0 or each.get("indices") is not None]


def _passes(record: Struct, report: Report) -> int:
    mesh = (record.get("chunks") or StreamTree()).first(MESH)
    passes = 1 if mesh is None else mesh.get("pass_count", 1)
    if passes not in PASSES:
        report.warn(
            f"the mesh has {passes} passes, not 1 or 2; the levels of each submesh are read as pass 0"
        )
    return int(passes)


def _geometry(number: int, submesh: Struct, name: str, parts: NextParts) -> Geometry:
    """The geometry of one submesh. A submesh that cannot be drawn stays as a geometry without levels, so that
    the numbers of all submeshes stay the same.
    """
    expected = submesh.level_count * parts.passes
    found = len((submesh.get("arrays") or StreamTree()).all(VERTEX_ARRAY))
    if found != expected and submesh.error is None:
        parts.report.warn(
            f"submesh {number}: {counted(found, 'vertex array')} instead of {expected} ({parts.passes} × "
            f"{submesh.level_count} levels)"
        )
    lods: list[Lod] = []
    vertices: list[NextVertices | None] = []
    for level, array in enumerate(drawn_arrays(submesh)):
        where = f"submesh {number}, level {level}"
        vertices.append(_level_vertices(array, where, vertices, parts))
        try:
            lod = _lod(array, level, where, vertices[-1], parts)
        except FormatError as error:
            error.path, error.offset = f"mesh file/mesh/submesh[{number}]", array.marks[0]
            parts.report.fail(error)
            break
        if lod is not None:
            lods.append(lod)
    return Geometry(name=name, lods=tuple(lods), bone_map=_bone_map(number, submesh, vertices, parts))


def _level_vertices(
    array: Struct, where: str, before: list[NextVertices | None], parts: NextParts
) -> NextVertices | None:
    """The vertices of a level: the level's own vertices, or the vertices of one of the levels `before`. None,
    with a message, if there are none.
    """
    chunks = array.get("chunks") or StreamTree()
    own, shared = chunks.first(GEOMETRY), chunks.first(SHARED_GEOMETRY)
    if own is not None:
        made = build_vertices(own, parts.buffers, parts.report, where)
        return made if made.streams else None
    if shared is not None and shared.get("level") is not None:
        found = before[shared.level] if shared.level < len(before) else None
        if found is None:
            text = f"{where} uses the vertices of level {shared.level}, which has none"
            parts.report.warn(text, topic=Topic.LEVEL)
        return found
    return None


def _lod(
    array: Struct, level: int, where: str, vertices: NextVertices | None, parts: NextParts
) -> Lod | None:
    """A level of detail; None if it has no vertices. FormatError for an operation that cannot be drawn."""
    operation = (array.get("chunks") or StreamTree()).first(OPERATION)
    primitive = primitive_of(TRIANGLES if operation is None else operation.get("operation", TRIANGLES))
    if vertices is None:
        parts.report.warn(f"{where} has no vertices and is left out", topic=Topic.LEVEL)
        return None
    distance = parts.distances[level] if level < len(parts.distances) else 0.0
    if not array.index_count:
        return Lod(distance, vertices.streams, None, 0, vertices.count, primitive)
    parts.indices.append(IndexBuffer(array.indices))
    full = Lod(distance, vertices.streams, len(parts.indices) - 1, 0, len(array.indices), primitive)
    kept, dropped = drop_stray_indices(full, parts.indices, vertices.count)
    if dropped:
        text = f"{where}: {dropped} primitives use missing vertices: only {vertices.count} exist"
        parts.report.warn(text, topic=Topic.INDEX)
    return kept


def _bone_map(
    number: int, submesh: Struct, vertices: list[NextVertices | None], parts: NextParts
) -> Array | None:
    """The bone number of each joint, -1 for an unknown handle, which is reported. None if the submesh is not
    skinned. Without a skeleton, return the handle of each joint.
    """
    skinned = [each for each in vertices if each is not None and each.joints is not None]
    if not skinned:
        return None
    largest = max(int(each.joints.max(initial=0)) for each in skinned if each.joints is not None)
    handles = np.asarray(submesh.get("bone_map", ()), np.int64)
    if not len(handles):
        parts.report.note(f"submesh {number} has no bone map; its joints are used as bone handles")
        handles = np.arange(min(largest, LARGEST_HANDLE) + 1)
    elif largest >= len(handles):
        parts.report.warn(
            f"submesh {number}: vertices use joint {largest}, but the bone map has "
            f"{counted(len(handles), 'entry', 'entries')}; these weights do not move the vertices"
        )
    if parts.bones is None:
        return handles
    numbers = [parts.bones.numbers.get(handle, -1) for handle in handles.tolist()]
    if -1 in numbers:
        stray = int(handles[numbers.index(-1)])
        parts.report.warn(f"submesh {number}: bone {stray} does not exist; its vertices do not move")
    return np.array(numbers, np.int64)


def _bounds(bounds: Struct | None, report: Report) -> Array | None:
    """The bounds [2, 3]. If they are not a valid box, report it and return None."""
    if bounds is None or bounds.get("half_size") is None:
        return None
    center, half = bounds.center.astype(np.float64), bounds.half_size.astype(np.float64)
    with np.errstate(over="ignore"):
        return sound_bounds(np.stack((center - half, center + half)).astype(np.float32), report)
