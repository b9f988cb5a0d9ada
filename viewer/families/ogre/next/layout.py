"""The layout of an OGRE-Next mesh, v2.1: R0, R1 and R2. It differs from the layout of OGRE meshes although
most chunk numbers are equal. R0 and R1 are known only from the engine's source code.

Source: OGRE-Next `OgreMesh2SerializerImpl.cpp` and its history, `OgreMesh2FileFormat.h`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.binary import (
    Array,
    Chunk,
    ChunkStream,
    Described,
    Expression,
    Fixed,
    Record,
    Repeat,
    Struct,
    When,
    record_dtype,
)
from viewer.families.ogre.elements import vertex_dtype
from viewer.families.ogre.mesh_layout import NAMES, SKELETON_LINK
from viewer.families.ogre.names import TextLine
from viewer.families.ogre.next.elements import declared
from viewer.families.ogre.versions import F32, NEXT_R0, NEXT_R1, U8, U16, U32, VEC3, WIDE_INDEX

MESH_ID = 0x3000

SINCE_R1 = Expression(f"version != '{NEXT_R0}'", "since R1")
ONLY_R0 = Expression(f"version == '{NEXT_R0}'", "only R0")
SINCE_R2 = Expression(f"version not in ('{NEXT_R0}', '{NEXT_R1}')", "since R2")

ELEMENT = record_dtype(
    (
        "type",
        U8,
        "VertexElementType; 0 to 3: f32×1 to f32×4, 9: u8×4, 10, 11: colour, 32: i16×4 for −1 to 1, 35: "
        "f16×2, 36: f16×4 …",
    ),
    (
        "semantic",
        U8,
        "1: position, 2: weights, 3: joints, 4: normal, or a quaternion if the type is 32, 5: color, 6: "
        "second color, 7: uv, 8: binormal, 9: tangent, 10: weights 5 to 8, 11: joints 5 to 8",
    ),
)
MOST_SOURCES = 16
"""Largest number of vertex buffers of a geometry that is read."""
SOURCE = Record(
    "source",
    Array("elements", ELEMENT, U8, note="elements of a vertex in the order of their bytes, without gaps"),
    note="the elements of one vertex buffer",
)
DECLARATION = Chunk(
    0x4331,
    "declaration",
    Repeat("sources", SOURCE, "source_count", note="the elements of each vertex buffer", most=MOST_SOURCES),
    note="vertex declaration: the elements of a vertex",
)


def _vertex(buffer: Struct) -> np.dtype[Any]:
    assert buffer.outer is not None, "a vertex buffer must be in a geometry"
    return vertex_dtype(declared(buffer.outer, DECLARATION), buffer.source, buffer.stride)


BUFFER = Chunk(
    0x4332,
    "vertex buffer",
    Fixed("source", U8, note="number of the buffer in the declaration"),
    Fixed("stride", U8, note="size of a vertex, bytes; the sum of its elements' sizes"),
    Array(
        "vertices",
        Described("stride bytes, laid out by the elements", _vertex),
        "vertex_count",
        note="the vertices, interleaved",
    ),
    note="a vertex buffer",
    many=True,
)
GEOMETRY = Chunk(
    0x4330,
    "geometry",
    Fixed("vertex_count", U32, note="number of vertices"),
    Fixed("source_count", U8, note="number of vertex buffers; the engine reads only 1"),
    ChunkStream("chunks", (DECLARATION, BUFFER)),
    note="vertices of a level of detail",
)
SHARED_GEOMETRY = Chunk(
    0x4340,
    "shared geometry",
    Fixed("level", U8, note="earlier level of the same pass and submesh whose vertices are used"),
    note="replaces the level's own geometry",
)
OPERATION = Chunk(
    0x4310,
    "operation",
    Fixed(
        "operation", U16, note="1: points, 2: lines, 3: line strip, 4: triangles, 5: strip, 6: fan, patches"
    ),
    note="primitive type of the indices; triangles if this chunk is missing",
)
VERTEX_ARRAY = Chunk(
    0x4300,
    "vertex array",
    Fixed("index_count", U32, note="number of indices that follow; 0: all vertices are drawn in order"),
    When("index_count", Fixed("wide", U8, note="1: indices of 4 bytes instead of 2")),
    When("index_count", Array("indices", WIDE_INDEX, "index_count", note="vertex numbers")),
    ChunkStream("chunks", (GEOMETRY, SHARED_GEOMETRY, OPERATION)),
    note="one level of detail of one pass",
    many=True,
)

SUBMESH = Chunk(
    0x4000,
    "submesh",
    TextLine("material", note="name of a datablock, or of a material in the scripts"),
    When(
        SINCE_R2,
        Array("bone_map", U16, U8, note="handles of the bones, in the order of the joints"),
    ),
    Fixed("level_count", U8, note="number of levels of detail"),
    ChunkStream("arrays", (VERTEX_ARRAY,)),
    note="a part of the mesh with one material. First come the levels of pass 0, which is drawn, then the "
    "levels of pass 1, which casts shadows",
    title=lambda submesh: str(submesh.get("material", "")),
    many=True,
)
LEVELS = Chunk(
    0x8000,
    "levels of detail",
    TextLine("strategy", note="unit of the levels' values, such as distance_sphere"),
    Array("values", F32, U16, note="start of each level, the full mesh first; distances are not squared"),
    note="the distances of the levels of detail",
)
BOUNDS = Chunk(
    0x9000,
    "bounds",
    Fixed("center", VEC3, note="centre of the box, model units"),
    Fixed("half_size", VEC3, note="half size of the box, model units"),
    Fixed("radius", F32, note="radius of a sphere around the origin, model units"),
    note="bounds of the vertices",
)
HASH = Chunk(
    0x3200,
    "hash",
    Fixed("hash", np.dtype(("<u8", (2,))), note="hash of the vertices and indices, the key of a cache"),
    note="identifies the content of the mesh",
)
MESH = Chunk(
    MESH_ID,
    "mesh",
    When(ONLY_R0, Fixed("unused", U8, note="ignored")),
    TextLine("strategy", note="unit of the levels' values, such as distance_sphere"),
    When(SINCE_R1, Fixed("pass_count", U8, note="2: each submesh has levels that cast shadows, too")),
    ChunkStream("chunks", (SUBMESH, SKELETON_LINK, LEVELS, BOUNDS, NAMES, HASH), skip=True, outer=(MESH_ID,)),
    note="the mesh, which contains every other chunk",
)
MESH_FILE = Record(
    "mesh file",
    Fixed("header", U16, note="0x1000 in the byte order of the file"),
    TextLine("version", note="[MeshSerializer_v2.1], then R1 or R2 before the bracket; R0 has nothing"),
    ChunkStream("chunks", (MESH,), skip=True),
)
