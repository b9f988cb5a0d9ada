"""The edge lists of OGRE meshes, from which the engine makes shadow volumes.

Source: OGRE `OgreMeshSerializerImpl.cpp`, `readEdgeList` of each version; `OgreEdgeListBuilder.h`.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import Array, Chunk, ChunkStream, Expression, Fixed, When, record_dtype
from viewer.formats.ogre.versions import F32, U8, U16, U32, MeshVersion, since

TRIANGLE = record_dtype(
    ("index_set", U32, "number of the submesh"),
    ("vertex_set", U32, "number of the edge group's vertices"),
    ("vertices", np.dtype((U32, (3,))), "corners in the vertex set"),
    ("shared_vertices", np.dtype((U32, (3,))), "corners in the list of distinct positions"),
    ("plane", np.dtype((F32, (4,))), "normal and distance"),
)
EDGE = record_dtype(
    ("triangles", np.dtype((U32, (2,))), "the triangles on both sides"),
    ("vertices", np.dtype((U32, (2,))), "both ends in the vertex set"),
    ("shared_vertices", np.dtype((U32, (2,))), "both ends in the list of distinct positions"),
    ("degenerate", U8, "1: only one triangle has the edge"),
)

EDGE_GROUP = Chunk(
    0xB110,
    "edge group",
    Fixed("vertex_set", U32, note="number of the vertex set: the shared geometry or that of a submesh"),
    When(since(MeshVersion.V1_40), Fixed("first_triangle", U32, note="number of the set's first triangle")),
    When(since(MeshVersion.V1_40), Fixed("triangle_count", U32, note="triangles of the set")),
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
    When(LISTED, Fixed("triangle_count", U32, note="how many triangles follow")),
    When(LISTED, Fixed("group_count", U32, note="how many edge groups follow")),
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
