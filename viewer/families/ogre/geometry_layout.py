"""The layout of OGRE geometry (chunk 0x5000). Since v1.30 it has a vertex declaration and buffers; before, an
array for each attribute.

The chunk numbers 0x5100 and 0x5200 differ in meaning between the two forms.
Source: OGRE `OgreMeshSerializerImpl.cpp`, `readGeometry` of each version.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.binary import Array, Choice, Chunk, ChunkStream, Described, Fixed, Run, Struct, When
from viewer.families.ogre.elements import ELEMENT, next_type, vertex_dtype
from viewer.families.ogre.versions import F32, U16, U32, VEC3, MeshVersion, before, since, version_of

COMPONENTS = 4

ELEMENTS = Run(0x5110, "elements", ELEMENT, note="vertex elements, in the order of their bytes")
DECLARATION = Chunk(
    0x5100,
    "declaration",
    ChunkStream("chunks", (ELEMENTS,)),
    note="vertex declaration: the elements of a vertex",
)


def declared(geometry: Struct) -> Any:
    """Return the vertex declaration as rows [N] of `ELEMENT`; empty if there is no declaration."""
    parts = geometry.get("chunks") or ()
    declaration = parts.first(DECLARATION) if parts else None
    rows = (
        declaration.chunks.rows(ELEMENTS) if declaration is not None and declaration.get("chunks") else None
    )
    if rows is None:
        return np.empty(0, ELEMENT)
    if version_of(geometry) is MeshVersion.LEGACY:
        rows = rows.copy()
        rows["type"] = [next_type(number) for number in rows["type"].tolist()]
    return rows


def _vertex(data: Struct) -> np.dtype[Any]:
    buffer = data.outer
    assert buffer is not None, "vertices must be in a vertex buffer"
    assert buffer.outer is not None, "a vertex buffer must be in a geometry"
    return vertex_dtype(declared(buffer.outer), buffer.bind, buffer.stride)


VERTEX = Described("stride bytes, laid out by the elements", _vertex)
DATA = Chunk(
    0x5210,
    "data",
    Array("vertices", VERTEX, "vertex_count if stride else 0", note="the vertices, interleaved"),
    note="the bytes of the buffer",
)

VERTEX_BUFFER = Chunk(
    0x5200,
    "vertex buffer",
    Fixed("bind", U16, note="number of the buffer, which its elements give as their source"),
    Fixed("stride", U16, note="size of a vertex, bytes; 0: the buffer is empty"),
    ChunkStream("chunks", (DATA,), most=1),
    note="a vertex buffer with the elements that have its number as source",
    many=True,
)


COORDINATE = Choice(
    "dimensions",
    {count: np.dtype((F32, (count,))) for count in range(COMPONENTS + 1)},
    "texture coordinates cannot have {} dimensions",
    "f32×dimensions",
)
NORMALS = Chunk(
    0x5100, "normals", Array("values", VEC3, "vertex_count", note="unit vectors"), note="normals of vertices"
)
COLORS = Chunk(
    0x5200,
    "colours",
    Array("values", U32, "vertex_count", note="packed; the order of the channels is not stated"),
    note="colours of vertices",
)
COORDINATES = Chunk(
    0x5300,
    "texture coordinates",
    Fixed("dimensions", U16, note="count of numbers for each vertex, at most 4"),
    Array("values", COORDINATE, "vertex_count", note="before version 1.20 the v coordinate points up"),
    note="a set of texture coordinates",
    many=True,
)


GEOMETRY = Chunk(
    0x5000,
    "geometry",
    When(before(MeshVersion.V1_10), Fixed("vertex_count", U16, note="number of vertices")),
    When(since(MeshVersion.V1_10), Fixed("vertex_count", U32, note="number of vertices")),
    When(before(MeshVersion.V1_30), Array("positions", VEC3, "vertex_count", note="model units")),
    ChunkStream(
        "chunks",
        Choice(
            before(MeshVersion.V1_30),
            {True: (NORMALS, COLORS, COORDINATES), False: (DECLARATION, VERTEX_BUFFER)},
        ),
    ),
    note="vertices of one submesh, or vertices that submeshes share",
)
