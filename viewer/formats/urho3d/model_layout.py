"""The layout of an Urho3D model, `.mdl`: UMDL, UMD2, UMD3 (rbfx) and the headerless files before 2011-03.

Source: Urho3D `Model.cpp`, `Model::BeginLoad` and `Save`; rbfx `Model.cpp` for UMD3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.binary import Array, Fixed, Magic, Optional, Record, Repeat, Struct, Text, When
from viewer.errors import FormatError
from viewer.formats.urho3d.elements import ELEMENT, MOST_ELEMENTS, vertex_dtype

U8, U16, U32, F32 = np.dtype("u1"), np.dtype("<u2"), np.dtype("<u4"), np.dtype("<f4")
VEC3 = np.dtype((F32, (3,)))
AABB = np.dtype([("min", F32, 3), ("max", F32, 3)])

LOD = np.dtype(
    [
        ("distance", F32),
        ("primitive", U32),
        ("vertex_buffer", U32),
        ("index_buffer", U32),
        ("start", U32),
        ("count", U32),
    ]
)
BONE_POSE = np.dtype([("position", F32, 3), ("rotation", F32, 4), ("scale", F32, 3), ("offset", F32, (3, 4))])

MORPH_POSITION, MORPH_NORMAL, MORPH_TANGENT = 0x01, 0x02, 0x80


def _legacy(buffer: Struct) -> bool:
    return _root(buffer).magic in ("", "UMDL")


def _root(record: Struct) -> Struct:
    while record.outer is not None:
        record = record.outer
    return record


def _weighted(morph: Struct) -> bool:
    model = _root(morph)
    return bool(model.magic == "UMD3" and model.version >= 2)


def _index_dtype(buffer: Struct) -> np.dtype[Any]:
    if buffer.index_size not in (2, 4):
        raise FormatError(f"indices of {buffer.index_size} bytes")
    return U32 if buffer.index_size == 4 else U16


def morph_dtype(target: Struct) -> np.dtype[Any]:
    """One morph record: the vertex number and its deltas; only three mask bits add bytes."""
    deltas = (("position", MORPH_POSITION), ("normal", MORPH_NORMAL), ("tangent", MORPH_TANGENT))
    present = [(name, F32, 3) for name, bit in deltas if target.mask & bit]
    return np.dtype([("vertex", U32), *present])


VERTICES = Array("vertices", vertex_dtype, "vertex_count", salvage=True)

VERTEX_BUFFER = Record(
    "vertex buffer",
    Fixed("vertex_count", U32),
    When(_legacy, Fixed("mask", U32, note="legacy vertex elements, one bit each, in ascending order")),
    When(
        lambda buffer: not _legacy(buffer),
        Array("elements", ELEMENT, U32, note="vertex elements in memory order", most=MOST_ELEMENTS),
    ),
    Fixed("morph_start", U32, note="first vertex that morphs may move"),
    Fixed("morph_count", U32, note="how many may be moved; 0: the engine never morphs this buffer"),
    VERTICES,
)

INDICES = Array("indices", _index_dtype, "index_count", salvage=True)

INDEX_BUFFER = Record(
    "index buffer",
    Fixed("index_count", U32),
    Fixed("index_size", U32, note="bytes of an index: 2 or 4"),
    INDICES,
)

LODS = Array("lods", LOD, U32, note="levels of detail, near to far; distance in model sizes")

GEOMETRY = Record(
    "geometry",
    Array("bone_map", U32, U32, note="bone that each blend index means; empty: the index is the bone"),
    LODS,
)

MORPH_TARGET = Record(
    "morph target",
    Fixed("vertex_buffer", U32),
    Fixed("mask", U32, note="1 position, 2 normal, 0x80 tangent"),
    Array("records", morph_dtype, U32, note="deltas, model units"),
)

MORPH = Record(
    "morph",
    Text("name"),
    When(_weighted, Fixed("weight", F32, note="default weight")),
    Repeat("targets", MORPH_TARGET, U32, note="one for each vertex buffer it moves"),
    title=lambda morph: morph.get("name", ""),
)

BONE = Record(
    "bone",
    Text("name", note="matched by animation tracks"),
    Fixed("parent", U32, note="own index for a root; a number past the bones means a root too"),
    Fixed(
        "pose",
        BONE_POSE,
        note="rest pose local to the parent, rotation w x y z; offset = inverse bind matrix",
    ),
    Fixed("collision", U8, note="1 sphere, 2 box"),
    When(
        lambda bone: bone.collision & 1,
        Fixed("radius", F32, note="sphere around the bone's origin, model units"),
    ),
    When(lambda bone: bone.collision & 2, Fixed("box", AABB, note="in the bone's own space")),
    title=lambda bone: bone.get("name", ""),
)

VERTEX_BUFFERS = Repeat("vertex_buffers", VERTEX_BUFFER, U32)
INDEX_BUFFERS = Repeat("index_buffers", INDEX_BUFFER, U32)
GEOMETRIES = Repeat("geometries", GEOMETRY, U32)
MORPHS = Repeat("morphs", MORPH, U32)
BONES = Repeat("bones", BONE, U32)

MODEL = Record(
    "model",
    Magic("magic", (b"UMDL", b"UMD2", b"UMD3"), optional=True, note="absent before 2011-03"),
    When(lambda model: model.magic == "UMD3", Fixed("version", U32)),
    VERTEX_BUFFERS,
    INDEX_BUFFERS,
    GEOMETRIES,
    MORPHS,
    Optional(BONES),
    Optional(Fixed("bounds", AABB, note="of the rest pose, model units; infinite when undefined")),
    When(
        lambda model: model.magic,
        Optional(
            Array("centers", VEC3, lambda model: len(model.geometries), note="of each geometry", tail=True)
        ),
    ),
)
