"""The layout of OGRE geometry (chunk 0x5000): declared buffers since v1.30, an array for each attribute
before.

The chunk numbers 0x5100 and 0x5200 have different meanings in the two forms.
Source: OGRE `OgreMeshSerializerImpl.cpp`, `readGeometry` of each version.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.binary import Array, Chunk, ChunkStream, Fixed, Run, Struct, When
from viewer.errors import FormatError
from viewer.formats.ogre.elements import ELEMENT, vertex_dtype
from viewer.formats.ogre.versions import F32, U16, U32, VEC3, MeshVersion, before, since, version_of

MOST_COORDINATES = 4

ELEMENTS = Run(0x5110, "elements", ELEMENT, note="vertex elements: buffer, type, meaning, place, set")
DECLARATION = Chunk(0x5100, "declaration", ChunkStream("chunks", (ELEMENTS,)))


def declared(geometry: Struct) -> Any:
    """[N] of `ELEMENT`: the vertex declaration; empty without a declaration."""
    parts = geometry.get("chunks") or ()
    declaration = parts.first(DECLARATION) if parts else None
    rows = (
        declaration.chunks.rows(ELEMENTS) if declaration is not None and declaration.get("chunks") else None
    )
    return np.empty(0, ELEMENT) if rows is None else rows


def _vertex(data: Struct) -> np.dtype[Any]:
    buffer = data.outer
    assert buffer is not None, "vertices lie in a vertex buffer"
    assert buffer.outer is not None, "and that in a geometry"
    if not buffer.stride:
        raise FormatError("the vertex size is 0")
    return vertex_dtype(declared(buffer.outer), buffer.bind, buffer.stride)


def _vertices(data: Struct) -> int:
    assert data.outer is not None, "vertices lie in a vertex buffer"
    assert data.outer.outer is not None, "and that in a geometry"
    return int(data.outer.outer.vertex_count)


DATA = Chunk(0x5210, "data", Array("vertices", _vertex, _vertices))

VERTEX_BUFFER = Chunk(
    0x5200,
    "vertex buffer",
    Fixed("bind", U16, note="the source that elements name"),
    Fixed("stride", U16, note="bytes of a vertex"),
    ChunkStream("chunks", (DATA,), most=1),
    many=True,
)


def _count(part: Struct) -> int:
    assert part.outer is not None, "attributes lie in a geometry"
    return int(part.outer.vertex_count)


def _coordinate(part: Struct) -> np.dtype[Any]:
    if part.dimensions > MOST_COORDINATES:
        raise FormatError(f"texture coordinates cannot have {part.dimensions} dimensions")
    return np.dtype((F32, (part.dimensions,)))


NORMALS = Chunk(0x5100, "normals", Array("values", VEC3, _count))
COLORS = Chunk(0x5200, "colours", Array("values", U32, _count, note="packed, their order is not stated"))
COORDINATES = Chunk(
    0x5300,
    "texture coordinates",
    Fixed("dimensions", U16),
    Array("values", _coordinate, _count, note="v points up before v1.20"),
    many=True,
)


def _kinds(geometry: Struct) -> tuple[Chunk, ...]:
    if version_of(geometry) < MeshVersion.V1_30:
        return NORMALS, COLORS, COORDINATES
    return DECLARATION, VERTEX_BUFFER


GEOMETRY = Chunk(
    0x5000,
    "geometry",
    When(before(MeshVersion.V1_10), Fixed("vertex_count", U16)),
    When(since(MeshVersion.V1_10), Fixed("vertex_count", U32)),
    When(before(MeshVersion.V1_30), Array("positions", VEC3, "vertex_count")),
    ChunkStream("chunks", _kinds),
)
