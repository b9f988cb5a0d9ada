"""The layout of an Urho3D model, `.mdl`: UMDL, UMD2, UMD3 (rbfx) and the headerless files before 2011-03.

Source: Urho3D `Model.cpp`, `Model::BeginLoad` and `Save`; rbfx `Model.cpp` for UMD3.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import (
    Array,
    Choice,
    Described,
    Fixed,
    Magic,
    Optional,
    Record,
    Repeat,
    Text,
    VaryingDtype,
    When,
    record_dtype,
)
from viewer.budget import BUDGET
from viewer.families.urho3d.elements import ELEMENT, vertex_dtype

U8, U16, U32, F32 = np.dtype("u1"), np.dtype("<u2"), np.dtype("<u4"), np.dtype("<f4")
VEC3, QUATERNION, MATRIX = np.dtype((F32, (3,))), np.dtype((F32, (4,))), np.dtype((F32, (3, 4)))
AABB = record_dtype(("min", VEC3, "lowest corner"), ("max", VEC3, "highest corner"))

LOD = record_dtype(
    ("distance", F32, "smallest camera distance, in sizes of the model"),
    (
        "primitive",
        U32,
        "0: triangles, 1: lines, 2: points, 3: triangle strip, 4: line strip, 5: triangle fan",
    ),
    ("vertex_buffer", U32, "number of the vertex buffer"),
    ("index_buffer", U32, "number of the index buffer"),
    ("start", U32, "first index to draw"),
    ("count", U32, "number of indices to draw"),
)
BONE_POSE = record_dtype(
    ("position", VEC3, "rest pose, local to the parent"),
    ("rotation", QUATERNION, "rest pose, local to the parent, w x y z"),
    ("scale", VEC3, "rest pose, local to the parent"),
    (
        "offset",
        MATRIX,
        "inverse bind matrix from model space to bone space; rows of 4, translation in the last column",
    ),
)

MORPH_POSITION, MORPH_NORMAL, MORPH_TANGENT = 0x01, 0x02, 0x80

LEGACY = "magic not in ('UMD2', 'UMD3')"
LISTED = "magic in ('UMD2', 'UMD3')"
VERTEX = Described("vertex, as the mask or the elements describe it", vertex_dtype)
INDEX = Choice("index_size", {2: U16, 4: U32}, "indices of {} bytes")

morph_dtype = VaryingDtype(
    ("vertex", U32, "number of the vertex in its buffer"),
    ("position", VEC3, "added to the position, model units", f"mask & {MORPH_POSITION}"),
    ("normal", VEC3, "added to the normal", f"mask & {MORPH_NORMAL}"),
    ("tangent", VEC3, "added to the tangent", f"mask & 0x{MORPH_TANGENT:X}"),
)
"""A morph record: the vertex number, then the deltas that the mask names. Other bits of the mask add no
bytes.
"""

VERTICES = Array("vertices", VERTEX, "vertex_count", note="the vertices, interleaved", salvage=True)

VERTEX_BUFFER = Record(
    "vertex buffer",
    Fixed("vertex_count", U32, note="number of vertices in the buffer"),
    When(LEGACY, Fixed("mask", U32, note="legacy vertex elements, one bit each, in ascending order")),
    When(
        LISTED,
        Array(
            "elements",
            ELEMENT,
            U32,
            note="vertex elements in memory order, without gaps",
            most=BUDGET.vertex_elements,
        ),
    ),
    Fixed("morph_start", U32, note="first vertex moved by morphs"),
    Fixed("morph_count", U32, note="number of vertices moved by morphs; with 0 the engine morphs no vertex"),
    VERTICES,
)

INDICES = Array("indices", INDEX, "index_count", note="vertex numbers", salvage=True)

INDEX_BUFFER = Record(
    "index buffer",
    Fixed("index_count", U32, note="number of indices in the buffer"),
    Fixed("index_size", U32, note="bytes of an index: 2 or 4"),
    INDICES,
)

LODS = Array("lods", LOD, U32, note="levels of detail, near to far")

GEOMETRY = Record(
    "geometry",
    Array(
        "bone_map",
        U32,
        U32,
        note="bone number of each blend index; if empty, blend indices are bone numbers",
    ),
    LODS,
)

MORPH_TARGET = Record(
    "morph target",
    Fixed("vertex_buffer", U32, note="number of the vertex buffer"),
    Fixed("mask", U32, note="1: position, 2: normal, 0x80: tangent; other bits add no bytes"),
    Array("records", morph_dtype, U32, note="deltas of the vertices"),
)

MORPH = Record(
    "morph",
    Text("name"),
    When("magic == 'UMD3' and version >= 2", Fixed("weight", F32, note="default weight")),
    Repeat("targets", MORPH_TARGET, U32, note="targets, one for each vertex buffer that the morph moves"),
    title=lambda morph: morph.get("name", ""),
)

BONE = Record(
    "bone",
    Text("name", note="name by which animation tracks find the bone"),
    Fixed(
        "parent",
        U32,
        note="number of the parent bone; for a root the bone's own number, or one past the last bone",
    ),
    Fixed("pose", BONE_POSE, note="rest pose and inverse bind matrix"),
    Fixed("collision", U8, note="shape for picking; 0: none, 1: sphere, 2: box, 3: both"),
    When(
        "collision & 1",
        Fixed("radius", F32, note="radius of the sphere around the bone's origin, model units"),
    ),
    When("collision & 2", Fixed("box", AABB, note="axis-aligned box in bone space, model units")),
    title=lambda bone: bone.get("name", ""),
)

VERTEX_BUFFERS = Repeat("vertex_buffers", VERTEX_BUFFER, U32, note="vertices, with their layout")
INDEX_BUFFERS = Repeat("index_buffers", INDEX_BUFFER, U32, note="vertex numbers of the primitives")
GEOMETRIES = Repeat("geometries", GEOMETRY, U32, note="parts of the model, each with one material")
MORPHS = Repeat("morphs", MORPH, U32, note="weighted deltas of vertices")
BONES = Repeat("bones", BONE, U32, note="the skeleton; a parent may come after its children")

MODEL = Record(
    "model",
    Magic(
        "magic",
        (b"UMDL", b"UMD2", b"UMD3"),
        optional=True,
        note="UMD3 is rbfx; files before 2011-03 have no magic",
    ),
    When("magic == 'UMD3'", Fixed("version", U32, note="2 today")),
    VERTEX_BUFFERS,
    INDEX_BUFFERS,
    GEOMETRIES,
    MORPHS,
    Optional(BONES),
    Optional(Fixed("bounds", AABB, note="bounds of the rest pose, model units; infinite when undefined")),
    Optional(
        Array(
            "centers",
            VEC3,
            "len(geometries)",
            note="center of each geometry, model units; missing centers are 0",
            tail=True,
        )
    ),
)
