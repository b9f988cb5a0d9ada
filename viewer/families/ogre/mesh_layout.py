"""The layout of an OGRE mesh, v1.00 to v1.100, and of OGRE-Next's v2.1 LEGACYV1, which differs little.

Source: OGRE `OgreMeshSerializerImpl.cpp` and its history. No source code of v1.00 is left; its layout is
known from files. v2.1 LEGACYV1 is known only from OGRE-Next's source code.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import (
    Array,
    Chunk,
    ChunkStream,
    Expression,
    Fixed,
    Record,
    Run,
    When,
    chunk_dtype,
    record_dtype,
)
from viewer.families.ogre.extras_layout import ANIMATIONS, EXTREMES, LODS, POSES
from viewer.families.ogre.geometry_layout import GEOMETRY
from viewer.families.ogre.names import TextLine
from viewer.families.ogre.versions import (
    F32,
    NEXT_LEGACY,
    U8,
    U16,
    U32,
    VEC3,
    WIDE_INDEX,
    WIDE_SHADOW_INDEX,
    MeshVersion,
    before,
    since,
)

# Edge lists, for shadow volumes. Source: `readEdgeList` of each version; `OgreEdgeListBuilder.h`.
TRIANGLE = record_dtype(
    ("index_set", U32, "number of the submesh"),
    ("vertex_set", U32, "number of the vertex set"),
    ("vertices", np.dtype((U32, (3,))), "vertex numbers in the vertex set"),
    ("shared_vertices", np.dtype((U32, (3,))), "vertex numbers in the list of distinct positions"),
    ("plane", np.dtype((F32, (4,))), "plane of the triangle: normal and distance"),
)
EDGE = record_dtype(
    ("triangles", np.dtype((U32, (2,))), "numbers of the triangles on both sides"),
    ("vertices", np.dtype((U32, (2,))), "vertex numbers of both ends in the vertex set"),
    (
        "shared_vertices",
        np.dtype((U32, (2,))),
        "vertex numbers of both ends in the list of distinct positions",
    ),
    ("degenerate", U8, "1: only one triangle has the edge"),
)

EDGE_GROUP = Chunk(
    0xB110,
    "edge group",
    Fixed(
        "vertex_set", U32, note="number of the vertex set: the shared geometry, or a submesh's own geometry"
    ),
    When(since(MeshVersion.V1_40), Fixed("first_triangle", U32, note="number of the set's first triangle")),
    When(since(MeshVersion.V1_40), Fixed("triangle_count", U32, note="number of the set's triangles")),
    Array("edges", EDGE, U32, note="edges of the set's triangles"),
    note="edges of one vertex set",
    many=True,
)


LISTED = Expression("manual == 0")
EDGE_LIST = Chunk(
    0xB100,
    "edge list",
    Fixed("level", U16, note="number of the level of detail"),
    Fixed("manual", U8, note="1: the edges are in the mesh file of the level"),
    When(LISTED & since(MeshVersion.V1_40), Fixed("closed", U8, note="1: the surface has no holes")),
    When(LISTED, Fixed("triangle_count", U32, note="number of triangles that follow")),
    When(LISTED, Fixed("group_count", U32, note="number of edge groups that follow")),
    When(LISTED, Array("triangles", TRIANGLE, "triangle_count", note="triangles of all groups")),
    When(LISTED, ChunkStream("chunks", (EDGE_GROUP,))),
    note="edges of one level of detail",
    many=True,
)
EDGE_LISTS = Chunk(
    0xB000,
    "edge lists",
    ChunkStream("chunks", (EDGE_LIST,)),
    note="neighbours of triangles, for shadow volumes",
)


MESH_ID = 0x3000


FIRST, LATER = before(MeshVersion.V1_10), since(MeshVersion.V1_10)
LEGACY = Expression(f"version == '{NEXT_LEGACY}'", "v2.1 LEGACYV1")
NOT_LEGACY = Expression(f"version != '{NEXT_LEGACY}'", "before v2.1")
SHADOWS = LEGACY & Expression("pass_count == 2")

OPERATION = Chunk(
    0x4010,
    "operation",
    Fixed(
        "operation",
        U16,
        note="1: points, 2: lines, 3: line strip, 4: triangles, 5: strip, 6: fan, 7 to 38: patches",
    ),
    note="primitive type of the indices; triangles if this chunk is missing",
)
ASSIGNMENT_FIELDS = (
    ("vertex", U32, "number of the vertex"),
    ("bone", U16, "handle of the bone"),
    ("weight", F32, "weight of the bone for this vertex"),
)
OWN_ASSIGNMENTS = Run(
    0x4100, "bone assignments", chunk_dtype(*ASSIGNMENT_FIELDS), note="weights of the submesh's own vertices"
)
SHARED_ASSIGNMENTS = Run(
    0x7000, "bone assignments", chunk_dtype(*ASSIGNMENT_FIELDS), note="weights of the shared vertices"
)
ALIAS = Chunk(
    0x4200,
    "texture alias",
    TextLine("alias", note="alias of texture units in the material"),
    TextLine("texture", note="texture file for these texture units"),
    note="a texture file that replaces textures of the material",
    title=lambda alias: f"{alias.get('alias', '')}: {alias.get('texture', '')}",
    many=True,
)

SUBMESH = Chunk(
    0x4000,
    "submesh",
    TextLine("material", note="material name in the scripts; may be empty"),
    Fixed("shared", U8, note="1: uses the shared geometry, 0: has its own geometry"),
    When(FIRST, Fixed("face_count", U16, note="number of triangles that follow")),
    When(FIRST, Array("indices", U16, "3 * face_count", note="vertex numbers")),
    When(LATER, Fixed("index_count", U32, note="number of indices that follow")),
    When(LATER, Fixed("wide", U8, note="1: indices of 4 bytes instead of 2")),
    When(LATER, Array("indices", WIDE_INDEX, "index_count", note="vertex numbers")),
    When(SHADOWS, Fixed("shadow_count", U32, note="number of indices that follow")),
    When(SHADOWS, Fixed("shadow_wide", U8, note="1: indices of 4 bytes instead of 2")),
    When(
        SHADOWS,
        Array("shadow_indices", WIDE_SHADOW_INDEX, "shadow_count", note="vertex numbers of pass 1"),
    ),
    When("shared == 0", ChunkStream("own", (GEOMETRY,), most=1)),
    When(SHADOWS & Expression("shared == 0"), ChunkStream("shadow_own", (GEOMETRY,), most=1)),
    ChunkStream("chunks", (OPERATION, OWN_ASSIGNMENTS, ALIAS)),
    note="a part of the mesh with one material",
    title=lambda submesh: str(submesh.get("material", "")),
    many=True,
)

SKELETON_LINK = Chunk(
    0x6000,
    "skeleton link",
    TextLine("file", note="name of the skeleton file"),
    note="the skeleton that moves the mesh",
    title=lambda link: str(link.get("file", "")),
)
BOUNDS = Chunk(
    0x9000,
    "bounds",
    Fixed("min", VEC3, note="lowest corner, model units"),
    Fixed("max", VEC3, note="highest corner, model units"),
    Fixed("radius", F32, note="radius of a sphere around the origin, model units"),
    note="bounds that the exporter stored, often larger than the mesh",
)
SUBMESH_NAME = Chunk(
    0xA100,
    "submesh name",
    Fixed("submesh", U16, note="number of the submesh"),
    TextLine("name", note="name of the submesh"),
    note="the name of one submesh",
    title=lambda entry: str(entry.get("name", "")),
    many=True,
)
NAMES = Chunk(0xA000, "names", ChunkStream("chunks", (SUBMESH_NAME,)), note="names of the submeshes")
OLD_NAMES = Chunk(0x2201, "names", note="an empty table of names; v1.20 used this chunk number for it")

MESH = Chunk(
    MESH_ID,
    "mesh",
    When(
        LATER & NOT_LEGACY,
        Fixed("skeletally_animated", U8, note="1: animated; readers use the skeleton link instead"),
    ),
    When(
        LEGACY,
        Fixed("pass_count", U8, note="2: each submesh has further indices and vertices, which cast shadows"),
    ),
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
    note="the mesh, which contains every other chunk",
)

MESH_FILE = Record(
    "mesh file",
    Fixed("header", U16, note="0x1000 in the byte order of the file"),
    TextLine("version", note="[MeshSerializer_v1.00] to v1.100, or [MeshSerializer_v2.1 R0 LEGACYV1]"),
    ChunkStream("chunks", (MESH,), skip=True),
)
