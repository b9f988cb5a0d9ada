"""Optional chunks of OGRE meshes: levels of detail, edge lists, poses, vertex animations, extremes.

Source: OGRE `OgreMeshSerializerImpl.cpp`, `readMeshLodLevel`, `readEdgeList`, `readPoses`, `readAnimations`
of each version.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.binary import Array, Chunk, ChunkStream, Fixed, Record, Repeat, Run, Struct, When, chunk_dtype
from viewer.errors import FormatError
from viewer.formats.ogre.geometry_layout import GEOMETRY
from viewer.formats.ogre.names import TextLine
from viewer.formats.ogre.versions import F32, U8, U16, U32, VEC3, MeshVersion, before, since, version_of

SUBMESH_ID = 0x4000
OWN_BUFFER = 0xFFFFFFFF
MORPH, POSE = 1, 2


def mesh_of(record: Struct) -> Struct:
    """The mesh chunk around a record."""
    while record.outer is not None and record.outer.outer is not None:
        record = record.outer
    return record


def submeshes(record: Struct) -> list[Struct]:
    """The submeshes of the mesh around a record, as far as they were read before it."""
    return [piece.value for piece in mesh_of(record).get("chunks", ()) if _is(piece, SUBMESH_ID)]


def _is(piece: Any, id: int) -> bool:
    return piece.kind is not None and piece.kind.id == id


def _indices(record: Struct) -> np.dtype[Any]:
    return U32 if record.wide else U16


def _owns(faces: Struct) -> bool:
    return bool(faces.buffer == OWN_BUFFER)


OLD_FACES = Chunk(
    0x8120,
    "generated level",
    Fixed("index_count", U32),
    Fixed("wide", U8),
    Array("indices", _indices, "index_count"),
    note="one for each submesh",
    many=True,
)
OLD_MANUAL = Chunk(0x8110, "manual level", TextLine("mesh", note="the mesh file that is drawn instead"))
OLD_LEVEL = Chunk(
    0x8100,
    "level",
    Fixed("value", F32, note="from where on it is drawn; up to v1.40 the distance squared"),
    ChunkStream("chunks", (OLD_MANUAL, OLD_FACES)),
    many=True,
)
FACES = Record(
    "faces",
    Fixed("index_count", U32),
    Fixed("start", U32, note="first index in the buffer"),
    Fixed("buffer", U32, note="the earlier level whose buffer is drawn from; 0xFFFFFFFF: one of its own"),
    When(_owns, Fixed("wide", U8)),
    When(_owns, Fixed("buffer_count", U32)),
    When(_owns, Array("indices", _indices, "buffer_count")),
)
GENERATED = Chunk(
    0x8120,
    "generated level",
    Fixed("value", F32, note="from where on it is drawn, in the strategy's unit"),
    Repeat("faces", FACES, lambda level: len(submeshes(level))),
)
MANUAL = Chunk(
    0x8110, "manual level", Fixed("value", F32), TextLine("mesh", note="the mesh file that is drawn instead")
)


def _levels(lods: Struct) -> tuple[Chunk, ...]:
    return (MANUAL, GENERATED) if version_of(lods) >= MeshVersion.V1_100 else (OLD_LEVEL,)


LODS = Chunk(
    0x8000,
    "levels of detail",
    When(since(MeshVersion.V1_41), TextLine("strategy", note="what the values are compared with")),
    Fixed("level_count", U16, note="the full one, which is not stored here, included"),
    When(before(MeshVersion.V1_100), Fixed("manual", U8)),
    ChunkStream("chunks", _levels),
)

TRIANGLE = np.dtype(
    [
        ("index_set", U32),
        ("vertex_set", U32),
        ("vertices", U32, 3),
        ("shared_vertices", U32, 3),
        ("plane", F32, 4),
    ]
)
EDGE = np.dtype(
    [("triangles", U32, 2), ("vertices", U32, 2), ("shared_vertices", U32, 2), ("degenerate", U8)]
)

EDGE_GROUP = Chunk(
    0xB110,
    "edge group",
    Fixed("vertex_set", U32),
    When(since(MeshVersion.V1_40), Fixed("first_triangle", U32)),
    When(since(MeshVersion.V1_40), Fixed("triangle_count", U32)),
    Array("edges", EDGE, U32),
    many=True,
)


def _listed(edge_list: Struct) -> bool:
    return not edge_list.manual


EDGE_LIST = Chunk(
    0xB100,
    "edge list",
    Fixed("level", U16, note="of detail"),
    Fixed("manual", U8, note="then it belongs to the other mesh file"),
    When(lambda edges: _listed(edges) and version_of(edges) >= MeshVersion.V1_40, Fixed("closed", U8)),
    When(_listed, Fixed("triangle_count", U32)),
    When(_listed, Fixed("group_count", U32)),
    When(_listed, Array("triangles", TRIANGLE, "triangle_count")),
    When(_listed, ChunkStream("chunks", (EDGE_GROUP,))),
    many=True,
)
EDGE_LISTS = Chunk(
    0xB000, "edge lists", ChunkStream("chunks", (EDGE_LIST,)), note="for shadows: shown, not used"
)


def _offsets(declared: int, pose: Struct) -> np.dtype[Any]:
    normal = [("normal", F32, 3)] if pose.get("normals") else []
    return chunk_dtype(("vertex", U32), ("offset", F32, 3), *normal)


OFFSETS = Run(
    0xC111, "offsets", _offsets, note="what is added to a vertex; the normal is one, not a difference"
)
POSE_SHAPE = Chunk(
    0xC100,
    "pose",
    TextLine("name"),
    Fixed("target", U16, note="0 the shared geometry, k that of submesh k - 1"),
    When(since(MeshVersion.V1_8), Fixed("normals", U8)),
    ChunkStream("chunks", (OFFSETS,)),
    title=lambda pose: str(pose.get("name", "")),
    many=True,
)
POSES = Chunk(0xC000, "poses", ChunkStream("chunks", (POSE_SHAPE,)))


def target_vertices(record: Struct, target: int) -> int:
    """The number of vertices of the shared geometry (`target` 0) or of submesh `target` - 1."""
    mesh = mesh_of(record)
    if target == 0:
        owner: Any = mesh.get("chunks")
    else:
        owners = submeshes(record)
        owner = owners[target - 1].get("own") if target <= len(owners) else None
    geometry = owner.first(GEOMETRY) if owner else None
    if geometry is None:
        raise FormatError(f"target {target} has no geometry")
    return int(geometry.get("vertex_count", 0))


def _moved(key: Struct) -> int:
    assert key.outer is not None, "keys lie in a track"
    return target_vertices(key, key.outer.target)


def _moved_vertex(key: Struct) -> np.dtype[Any]:
    normal = [("normal", F32, 3)] if key.get("normals") else []
    return np.dtype([("position", F32, 3), *normal])


MORPH_KEY = Chunk(
    0xD111,
    "morph key",
    Fixed("time", F32, note="seconds"),
    When(since(MeshVersion.V1_8), Fixed("normals", U8)),
    Array("vertices", _moved_vertex, _moved, note="they replace those of the geometry"),
    title=lambda key: f"{key.get('time', 0.0):g} s",
    many=True,
)
INFLUENCE = chunk_dtype(("pose", U16), ("influence", F32))
INFLUENCES = Run(0xD113, "influences", INFLUENCE)
POSE_KEY = Chunk(
    0xD112,
    "pose key",
    Fixed("time", F32, note="seconds"),
    ChunkStream("chunks", (INFLUENCES,)),
    title=lambda key: f"{key.get('time', 0.0):g} s",
    many=True,
)
VERTEX_TRACK = Chunk(
    0xD110,
    "track",
    Fixed("kind", U16, note="1 morph, 2 pose"),
    Fixed("target", U16, note="0 the shared geometry, k that of submesh k - 1"),
    ChunkStream("chunks", (MORPH_KEY, POSE_KEY)),
    many=True,
)
BASE = Chunk(
    0xD105,
    "base",
    TextLine("animation", note="empty: the animation itself"),
    Fixed("time", F32, note="of the key that counts as no influence, seconds"),
)
VERTEX_ANIMATION = Chunk(
    0xD100,
    "animation",
    TextLine("name"),
    Fixed("length", F32, note="seconds"),
    ChunkStream("chunks", (BASE, VERTEX_TRACK)),
    title=lambda animation: str(animation.get("name", "")),
    many=True,
)
ANIMATIONS = Chunk(0xD000, "animations", ChunkStream("chunks", (VERTEX_ANIMATION,)))

EXTREMES = Chunk(
    0xE000,
    "extremes",
    Fixed("submesh", U16),
    Array("points", VEC3, lambda extremes: max(extremes.declared - 8, 0) // 12, note="outermost vertices"),
    length=lambda extremes: 8 + 12 * len(extremes.get("points", ())),
    many=True,
)
