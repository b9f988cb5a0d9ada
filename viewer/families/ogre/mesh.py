"""Build a model from a mesh record. A broken part is reported and left out."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
from msgspec import field

from viewer.arrays import Array
from viewer.binary import StreamTree, Struct
from viewer.errors import FormatError, Report, Topic
from viewer.families.ogre.extras_layout import LODS
from viewer.families.ogre.geometry import Vertices, build_vertices
from viewer.families.ogre.geometry_layout import GEOMETRY
from viewer.families.ogre.lods import LodLevel, generated_lods, levels_of, rule_of, strategy_of
from viewer.families.ogre.mesh_layout import (
    BOUNDS,
    MESH,
    NAMES,
    OPERATION,
    OWN_ASSIGNMENTS,
    SHARED_ASSIGNMENTS,
    SUBMESH,
    SUBMESH_NAME,
)
from viewer.families.ogre.part_numbers import inside, report_strays
from viewer.families.ogre.poses import VertexAnimations, build_vertex_clips
from viewer.families.ogre.skeleton import BoneHandles
from viewer.scene.mesh.primitives import drop_stray_indices
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, Primitive, VertexBuffer

TRIANGLES = 4
ADJACENCY = 64
PRIMITIVES = {
    1: Primitive.POINTS,
    2: Primitive.LINES,
    3: Primitive.LINE_STRIP,
    TRIANGLES: Primitive.TRIANGLES,
    5: Primitive.TRIANGLE_STRIP,
    6: Primitive.TRIANGLE_FAN,
}


class MeshParts(msgspec.Struct, eq=False):
    """A mesh under construction: its chunks, and the parts of the model made so far. `targets` are the
    geometries by target number (0: the shared geometry, k: the geometry of submesh k - 1).
    """

    chunks: StreamTree
    bones: BoneHandles | None
    report: Report
    buffers: list[VertexBuffer] = field(default_factory=list)
    indices: list[IndexBuffer] = field(default_factory=list)
    targets: dict[int, Vertices] = field(default_factory=dict)
    levels: list[LodLevel] = field(default_factory=list)


def build_model(
    name: str, record: Struct, bones: BoneHandles | None, source: str, report: Report
) -> tuple[Model, VertexAnimations]:
    """Return the model of a mesh record, which may be incomplete, and its vertex animations."""
    parts = MeshParts(mesh_chunks(record), bones, report, levels=mesh_levels(record))
    lods = parts.chunks.first(LODS)
    strategy = strategy_of(str(lods.get("strategy", "")), report) if lods is not None else "distance"
    _add_shared(parts)
    names = submesh_names(parts.chunks)
    submeshes = mesh_submeshes(record)
    geometries = tuple(_geometry(number, submesh, names, parts) for number, submesh in enumerate(submeshes))
    report_strays(parts.chunks, len(parts.levels) + 1, report)
    clips = build_vertex_clips(parts.chunks, parts.targets, source, report)
    model = Model(
        name=name,
        vertex_buffers=tuple(parts.buffers),
        index_buffers=tuple(parts.indices),
        geometries=geometries,
        morphs=clips.morphs,
        skeleton=bones.skeleton if bones else None,
        bounds=_bounds(parts.chunks.first(BOUNDS), report),
        lod_rule=rule_of(strategy) if lods is not None else "",
        lod_strategy=strategy,
        shapes=clips.shapes,
        morph_normals=clips.normals,
    )
    return model, clips


def mesh_chunks(record: Struct) -> StreamTree:
    """Return the chunks inside the mesh chunk of a file, as far as they could be read."""
    mesh = (record.get("chunks") or StreamTree()).first(MESH)
    return StreamTree() if mesh is None else mesh.get("chunks") or StreamTree()


def mesh_submeshes(record: Struct) -> list[Struct]:
    """Return the submeshes of a file whose indices could be read; each becomes a geometry."""
    return [each for each in mesh_chunks(record).all(SUBMESH) if each.get("indices") is not None]


def mesh_levels(record: Struct) -> list[LodLevel]:
    """Return the levels of detail of a file after the full level."""
    lods = mesh_chunks(record).first(LODS)
    return [] if lods is None else levels_of(lods)


def _add_shared(parts: MeshParts) -> None:
    geometry = next((each for each in parts.chunks.all(GEOMETRY) if each.get("vertex_count")), None)
    if geometry is not None:
        assigned = parts.chunks.rows(SHARED_ASSIGNMENTS)
        parts.targets[0] = _vertices(geometry, assigned, parts, "shared geometry")


def _vertices(geometry: Struct, assigned: Array | None, parts: MeshParts, owner: str) -> Vertices:
    return build_vertices(geometry, assigned, parts.buffers, parts.report, owner)


def submesh_names(chunks: StreamTree) -> Mapping[int, str]:
    """Return the names of submeshes by number, from the chunks of a mesh."""
    entries = inside(chunks, NAMES, SUBMESH_NAME)
    return {entry.submesh: str(entry.name) for entry in entries if entry.get("name")}


def _geometry(number: int, submesh: Struct, names: Mapping[int, str], parts: MeshParts) -> Geometry:
    """The geometry of one submesh. A submesh that cannot be drawn stays as a geometry without levels, so that
    the numbers of all submeshes stay the same.
    """
    name = names.get(number, f"submesh {number}")
    lods: tuple[Lod, ...] = ()
    vertices = _submesh_vertices(number, submesh, parts)
    try:
        lods = _lods(number, submesh, vertices, parts)
    except FormatError as error:
        error.path, error.offset = f"mesh file/mesh/submesh[{number}]", submesh.marks[0]
        parts.report.fail(error)
    return Geometry(
        name=name,
        lods=lods,
        bone_map=_bone_map(number, vertices, parts),
    )


def _submesh_vertices(number: int, submesh: Struct, parts: MeshParts) -> Vertices | None:
    if submesh.shared:
        return parts.targets.get(0)
    geometry = (submesh.get("own") or StreamTree()).first(GEOMETRY)
    if geometry is None:
        return None
    chunks = submesh.get("chunks") or StreamTree()
    made = _vertices(geometry, chunks.rows(OWN_ASSIGNMENTS), parts, f"submesh {number}")
    parts.targets[number + 1] = made
    return made


def _bone_map(number: int, vertices: Vertices | None, parts: MeshParts) -> Array | None:
    """The bone number of each joint, -1 for an unknown handle, which is reported. Without a skeleton, return
    the handle of each joint.
    """
    if vertices is None or vertices.blending is None:
        return None
    handles = vertices.blending.bones
    if parts.bones is None:
        return handles
    numbers = [parts.bones.numbers.get(handle, -1) for handle in handles.tolist()]
    if -1 in numbers:
        stray = handles[numbers.index(-1)]
        parts.report.warn(f"submesh {number}: bone {stray} does not exist; its vertices do not move")
    return np.array(numbers, np.int64)


def _lods(number: int, submesh: Struct, vertices: Vertices | None, parts: MeshParts) -> tuple[Lod, ...]:
    """All levels of detail; none if there are no vertices. FormatError for an operation that cannot be
    drawn.
    """
    operation = (submesh.get("chunks") or StreamTree()).first(OPERATION)
    primitive = primitive_of(TRIANGLES if operation is None else operation.get("operation", TRIANGLES))
    if vertices is None or not vertices.streams:
        parts.report.warn("submeshes without vertices are left out")
        return ()
    count = len(submesh.indices)
    if not count:
        return (Lod(0.0, vertices.streams, None, 0, vertices.count, primitive),)
    parts.indices.append(IndexBuffer(submesh.indices))
    full = Lod(0.0, vertices.streams, len(parts.indices) - 1, 0, count, primitive)
    made = generated_lods(full, number, parts.levels, vertices.count, parts.indices, parts.report)
    kept, dropped = drop_stray_indices(full, parts.indices, vertices.count)
    if dropped:
        parts.report.warn(
            f"submesh {number}: {dropped} primitives use missing vertices: only {vertices.count} exist",
            topic=Topic.INDEX,
        )
    return kept, *made


def primitive_of(operation: int) -> Primitive:
    """Return the primitive type of an operation. FormatError if it cannot be drawn."""
    if operation & ADJACENCY:
        raise FormatError(f"operation {operation} has adjacency, which cannot be drawn")
    if 7 <= operation < ADJACENCY:
        raise FormatError(
            f"operation {operation} is a patch of {operation - 6} points, which cannot be drawn"
        )
    if operation not in PRIMITIVES:
        raise FormatError(f"operation {operation} is unknown")
    return PRIMITIVES[operation]


def _bounds(bounds: Struct | None, report: Report) -> Array | None:
    if bounds is None or bounds.get("max") is None:
        return None
    return sound_bounds(np.stack((bounds.min, bounds.max)), report)


def sound_bounds(corners: Array, report: Report) -> Array | None:
    """Return the lowest and the highest corner, [2, 3]. If they are not a valid box, report it and return
    None.
    """
    if np.isfinite(corners).all() and (corners[0] <= corners[1]).all():
        return corners
    report.note("the stated bounds are not a valid box; the bounds of the vertices are used")
    return None
