"""Optional chunks of OGRE meshes: levels of detail, poses, vertex animations, extremes.

Source: OGRE `OgreMeshSerializerImpl.cpp`, `readMeshLodLevel`, `readPoses`, `readAnimations`
of each version.
"""

from __future__ import annotations

from typing import Any

from viewer.binary import (
    Array,
    Choice,
    Chunk,
    ChunkStream,
    Described,
    Expression,
    Fixed,
    Record,
    Repeat,
    Run,
    Struct,
    VaryingDtype,
    When,
    chunk_dtype,
    varying_chunk,
)
from viewer.errors import FormatError
from viewer.families.ogre.geometry_layout import GEOMETRY
from viewer.families.ogre.names import TextLine
from viewer.families.ogre.versions import F32, U8, U16, U32, VEC3, WIDE_INDEX, MeshVersion, before, since

SUBMESH_ID = 0x4000
OWN_BUFFER = 0xFFFFFFFF
MORPH, POSE = 1, 2


def mesh_of(record: Struct) -> Struct:
    """Return the mesh chunk around a record."""
    while record.outer is not None and record.outer.outer is not None:
        record = record.outer
    return record


def submeshes(record: Struct) -> list[Struct]:
    """Return the submeshes that were read before a record of the same mesh."""
    return [piece.value for piece in mesh_of(record).get("chunks", ()) if _is(piece, SUBMESH_ID)]


def _is(piece: Any, id: int) -> bool:
    return piece.kind is not None and piece.kind.id == id


OLD_FACES = Chunk(
    0x8120,
    "generated level",
    Fixed("index_count", U32, note="number of indices that follow"),
    Fixed("wide", U8, note="1: indices of 4 bytes instead of 2"),
    Array("indices", WIDE_INDEX, "index_count", note="vertex numbers of the triangles"),
    note="indices of a level for one submesh; the chunks are in submesh order",
    many=True,
)
OLD_MANUAL = Chunk(
    0x8110,
    "manual level",
    TextLine("mesh", note="mesh file to draw instead"),
    note="a level in another mesh file",
)
OLD_LEVEL = Chunk(
    0x8100,
    "level",
    Fixed("value", F32, note="smallest distance; up to v1.40 the distance squared"),
    ChunkStream("chunks", (OLD_MANUAL, OLD_FACES)),
    note="one level of detail",
    many=True,
)
OWNS = f"buffer == 0x{OWN_BUFFER:X}"
FACES = Record(
    "faces",
    Fixed("index_count", U32, note="number of indices to draw"),
    Fixed("start", U32, note="first index in the buffer"),
    Fixed("buffer", U32, note="level whose indices are drawn; 0xFFFFFFFF: the indices follow"),
    When(OWNS, Fixed("wide", U8, note="1: indices of 4 bytes instead of 2")),
    When(OWNS, Fixed("buffer_count", U32, note="number of indices that follow")),
    When(OWNS, Array("indices", WIDE_INDEX, "buffer_count", note="vertex numbers of the triangles")),
)
GENERATED = Chunk(
    0x8120,
    "generated level",
    Fixed("value", F32, note="start of the level, in the strategy's unit"),
    Repeat(
        "faces",
        FACES,
        Described("number of submeshes", lambda level: len(submeshes(level))),
        note="indices of the level for each submesh",
    ),
    note="a level with fewer triangles",
)
MANUAL = Chunk(
    0x8110,
    "manual level",
    Fixed("value", F32, note="start of the level, in the strategy's unit"),
    TextLine("mesh", note="mesh file to draw instead"),
    note="a level in another mesh file",
)

LODS = Chunk(
    0x8000,
    "levels of detail",
    When(
        since(MeshVersion.V1_41),
        TextLine("strategy", note="unit of the levels' values, such as Distance or PixelCount"),
    ),
    Fixed("level_count", U16, note="number of levels, including the full mesh, which is not repeated here"),
    When(before(MeshVersion.V1_100), Fixed("manual", U8, note="1: the levels are other mesh files")),
    ChunkStream(
        "chunks",
        Choice(before(MeshVersion.V1_100), {True: (OLD_LEVEL,), False: (MANUAL, GENERATED)}),
    ),
    note="meshes with fewer triangles for greater distances",
)

NORMALS = since(MeshVersion.V1_8) & Expression("normals")
OFFSETS = Run(
    0xC111,
    "offsets",
    varying_chunk(
        ("vertex", U32, "number of the vertex"),
        ("offset", VEC3, "added to the position, model units"),
        ("normal", VEC3, "normal of the moved vertex, not a difference", NORMALS),
    ),
    note="offsets of the pose, one chunk per moved vertex",
)
POSE_SHAPE = Chunk(
    0xC100,
    "pose",
    TextLine("name", note="name of the pose"),
    Fixed("target", U16, note="0: the shared geometry; k: the geometry of submesh k − 1"),
    When(since(MeshVersion.V1_8), Fixed("normals", U8, note="1: normals are stored too")),
    ChunkStream("chunks", (OFFSETS,)),
    note="a shape as offsets of vertices",
    title=lambda pose: str(pose.get("name", "")),
    many=True,
)
POSES = Chunk(0xC000, "poses", ChunkStream("chunks", (POSE_SHAPE,)), note="shapes that animations blend")


def target_vertices(record: Struct, target: int) -> int:
    """Return the number of vertices of the shared geometry (`target` 0) or of submesh `target` - 1.

    FormatError if the target has no geometry.
    """
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
    assert key.outer is not None, "keys must be in a track"
    return target_vertices(key, key.outer.target)


MOVED_VERTEX = VaryingDtype(
    ("position", VEC3, "replaces the position of the geometry, model units"),
    ("normal", VEC3, "replaces the normal of the geometry", NORMALS),
)
MOVED = Described("vertex count of the target", _moved)

MORPH_KEY = Chunk(
    0xD111,
    "morph key",
    Fixed("time", F32, note="seconds"),
    When(since(MeshVersion.V1_8), Fixed("normals", U8, note="1: normals are stored too")),
    Array("vertices", MOVED_VERTEX, MOVED, note="all vertices of the target"),
    note="all vertex positions at one time",
    title=lambda key: f"{key.get('time', 0.0):g} s",
    many=True,
)
INFLUENCE = chunk_dtype(("pose", U16, "number of the pose"), ("influence", F32, "weight of the pose"))
INFLUENCES = Run(0xD113, "influences", INFLUENCE, note="weights of poses at the key")
POSE_KEY = Chunk(
    0xD112,
    "pose key",
    Fixed("time", F32, note="seconds"),
    ChunkStream("chunks", (INFLUENCES,)),
    note="weights of poses at one time",
    title=lambda key: f"{key.get('time', 0.0):g} s",
    many=True,
)
VERTEX_TRACK = Chunk(
    0xD110,
    "track",
    Fixed("kind", U16, note="1: morph, 2: pose"),
    Fixed("target", U16, note="0: the shared geometry; k: the geometry of submesh k − 1"),
    ChunkStream("chunks", (MORPH_KEY, POSE_KEY)),
    note="keys of one target",
    many=True,
)
BASE = Chunk(
    0xD105,
    "base",
    TextLine("animation", note="animation of the base key; if empty, this animation"),
    Fixed("time", F32, note="time of the base key, whose influences count as 0, seconds"),
    note="base key, to which every other key is relative",
)
VERTEX_ANIMATION = Chunk(
    0xD100,
    "animation",
    TextLine("name", note="name of the animation"),
    Fixed("length", F32, note="duration, seconds"),
    ChunkStream("chunks", (BASE, VERTEX_TRACK)),
    note="an animation of vertices",
    title=lambda animation: str(animation.get("name", "")),
    many=True,
)
ANIMATIONS = Chunk(
    0xD000, "animations", ChunkStream("chunks", (VERTEX_ANIMATION,)), note="animations of vertices"
)

EXTREMES = Chunk(
    0xE000,
    "extremes",
    Fixed("submesh", U16, note="number of the submesh"),
    Array(
        "points",
        VEC3,
        Expression("(declared - 8) // 12 if declared > 8 else 0", "(declared - 8) / 12"),
        note="positions, model units",
    ),
    note="outermost points, for sorting submeshes by depth",
    length=lambda extremes: 8 + 12 * len(extremes.get("points", ())),
    many=True,
)
