"""The layout of an OGRE mesh: v1.00 to v1.100. Optional chunks are in `extras_layout`.

Source: OGRE `OgreMeshSerializerImpl.cpp` and its history; v1.00 has no reader left and is known from files.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.binary import Array, Chunk, ChunkStream, Fixed, Record, Run, Struct, When, chunk_dtype
from viewer.formats.ogre.extras_layout import ANIMATIONS, EDGE_LISTS, EXTREMES, LODS, POSES
from viewer.formats.ogre.geometry_layout import GEOMETRY
from viewer.formats.ogre.names import TextLine
from viewer.formats.ogre.versions import F32, U8, U16, U32, VEC3, MeshVersion, version_of

MESH_ID = 0x3000


def index_dtype(record: Struct) -> np.dtype[Any]:
    """The dtype of indices: u32 if the record says so."""
    return U32 if record.wide else U16


def _first(record: Struct) -> bool:
    return version_of(record) == MeshVersion.V1_00


def _later(record: Struct) -> bool:
    return not _first(record)


OPERATION = Chunk(
    0x4010,
    "operation",
    Fixed(
        "operation", U16, note="1 points, 2 lines, 3 line strip, 4 triangles, 5 strip, 6 fan; 7 to 38 patches"
    ),
)
ASSIGNMENT_FIELDS = (("vertex", U32), ("bone", U16), ("weight", F32))
OWN_ASSIGNMENTS = Run(0x4100, "bone assignments", chunk_dtype(*ASSIGNMENT_FIELDS), note="of the own vertices")
SHARED_ASSIGNMENTS = Run(
    0x7000, "bone assignments", chunk_dtype(*ASSIGNMENT_FIELDS), note="of the shared vertices"
)
ALIAS = Chunk(
    0x4200,
    "texture alias",
    TextLine("alias"),
    TextLine("texture", note="takes the place of that of the texture units with this alias"),
    title=lambda alias: f"{alias.get('alias', '')}: {alias.get('texture', '')}",
    many=True,
)

SUBMESH = Chunk(
    0x4000,
    "submesh",
    TextLine("material", note="name in the material scripts; may be empty"),
    Fixed("shared", U8, note="whether it draws from the mesh's shared geometry"),
    When(_first, Fixed("face_count", U16)),
    When(_first, Array("indices", U16, lambda submesh: 3 * submesh.face_count)),
    When(_later, Fixed("index_count", U32)),
    When(_later, Fixed("wide", U8, note="indices of 4 bytes instead of 2")),
    When(_later, Array("indices", index_dtype, "index_count")),
    When(lambda submesh: not submesh.shared, ChunkStream("own", (GEOMETRY,), most=1)),
    ChunkStream("chunks", (OPERATION, OWN_ASSIGNMENTS, ALIAS)),
    title=lambda submesh: str(submesh.get("material", "")),
    many=True,
)

SKELETON_LINK = Chunk(0x6000, "skeleton link", TextLine("file"), title=lambda link: str(link.get("file", "")))
BOUNDS = Chunk(
    0x9000,
    "bounds",
    Fixed("min", VEC3),
    Fixed("max", VEC3),
    Fixed("radius", F32),
    note="as stated: often padded",
)
SUBMESH_NAME = Chunk(
    0xA100,
    "submesh name",
    Fixed("submesh", U16),
    TextLine("name"),
    title=lambda entry: str(entry.get("name", "")),
    many=True,
)
NAMES = Chunk(0xA000, "names", ChunkStream("chunks", (SUBMESH_NAME,)))
OLD_NAMES = Chunk(0x2201, "names", note="an empty table under the number it had in v1.20")

MESH = Chunk(
    MESH_ID,
    "mesh",
    When(_later, Fixed("skeletally_animated", U8, note="a hint for buffers; the skeleton link decides")),
    ChunkStream(
        "chunks",
        (
            GEOMETRY,
            SUBMESH,
            SKELETON_LINK,
            SHARED_ASSIGNMENTS,
            LODS,
            BOUNDS,
            NAMES,
            OLD_NAMES,
            EDGE_LISTS,
            POSES,
            ANIMATIONS,
            EXTREMES,
        ),
        skip=True,
        outer=(MESH_ID,),
    ),
)

MESH_FILE = Record(
    "mesh file",
    Fixed("header", U16, note="0x1000; in this order the file is little-endian"),
    TextLine("version"),
    ChunkStream("chunks", (MESH,), skip=True),
)
