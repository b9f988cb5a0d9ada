"""The header of a WoW model, with the offsets of all its tables.

Sources: wowdev.wiki M2; Koward/M2Lib; measured on 1 709 files.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import Fixed, When, record_dtype
from viewer.binary.tables import Reference, RowRecord
from viewer.formats.m2.layout.fields import CHAR, F32, I16, U16, U32, flat, nested, vector
from viewer.formats.m2.layout.particles import PARTICLE, RIBBON
from viewer.formats.m2.layout.records import (
    ATTACHMENT,
    BONE,
    CAMERA,
    COLOR,
    EVENT,
    LIGHT,
    MATERIAL,
    SEQUENCE,
    TEXTURE,
    TRANSFORM,
    TRANSPARENCY,
    VERTEX,
    VIEW,
)

FALLBACK = record_dtype(
    ("fallback", I16, "id of the animation to play instead"),
    ("flags", I16, "0 play forwards, 1 backwards, 3 hold the first frame"),
)
UNUSED = np.dtype((np.void, 1))

SEQUENCES = Reference("sequences", SEQUENCE, "animation sequences")
BONES = Reference("bones", BONE, "the skeleton")
VERTICES = Reference("vertices", VERTEX, "vertices of all levels of detail")
TEXTURES = Reference("textures", TEXTURE, "pictures by file name or by type")
ATTACHMENTS = Reference("attachments", ATTACHMENT, "points to which other models are attached")
EVENTS = Reference("events", EVENT, "sounds and other marks on the timeline")
LIGHTS = Reference("lights", LIGHT, "lights that move with the model")
CAMERAS = Reference("cameras", CAMERA, "views of the model, such as the portrait")
RIBBONS = Reference("ribbons", RIBBON, "ribbon emitters")
PARTICLES = Reference("particles", PARTICLE, "particle emitters")

HEADER = RowRecord(
    "header",
    Fixed("magic", np.dtype("S4"), "MD20; all offsets count from here"),
    Fixed(
        "version", U32, "256 to 257 original client, 260 to 263 Burning Crusade, 264 Wrath, 265 to 274 later"
    ),
    Reference("name", CHAR, "of the model"),
    Fixed(
        "flags",
        U32,
        "1, 2 tilts along X, Y; 8 has texture combiners; 0x20000 ribbons have texture transforms",
    ),
    Reference("global_sequences", U32, "lengths of loops that run independently of the sequence, ms"),
    SEQUENCES,
    Reference("sequence_lookup", I16, "animation id to sequence, -1 none"),
    When(flat, Reference("playable_lookup", FALLBACK, "animation id to an existing animation")),
    BONES,
    Reference("key_bone_lookup", I16, "key bone to bone, -1 none"),
    VERTICES,
    When(flat, Reference("views", VIEW, "levels of detail: submeshes and batches")),
    When(
        nested,
        Fixed("view_count", U32, "number of levels of detail: files NAME00.skin, NAME01.skin …"),
    ),
    Reference("colors", COLOR, "colors of batches, with tracks"),
    TEXTURES,
    Reference("transparency", TRANSPARENCY, "texture weights, with tracks"),
    When(flat, Reference("flipbooks", UNUSED, "never used: files have none")),
    Reference("transforms", TRANSFORM, "transforms of texture coordinates, with tracks"),
    Reference("replaceable_lookup", I16, "texture type to texture, -1 none"),
    Reference("materials", MATERIAL, "render flags"),
    Reference("bone_combos", U16, "numbers of bones; each submesh uses a window of them"),
    Reference("texture_lookup", U16, "numbers of textures, in the order of the batches"),
    Reference("uv_lookup", I16, "sets of texture coordinates, -1 sphere map"),
    Reference("transparency_lookup", U16, "numbers of texture weights"),
    Reference("transform_lookup", I16, "numbers of texture transforms, -1 none"),
    Fixed("bounds", vector(6), "lowest and highest corner, yards"),
    Fixed("radius", F32, "of a sphere around the bounds, yards"),
    Fixed("collision_bounds", vector(6), "lowest and highest corner, yards"),
    Fixed("collision_radius", F32, "of a sphere around the collision bounds, yards"),
    Reference("collision_indices", U16, "corners of the collision triangles"),
    Reference("collision_vertices", vector(3), "positions of the collision mesh, yards"),
    Reference("collision_normals", vector(3), "one for each collision triangle"),
    ATTACHMENTS,
    Reference("attachment_lookup", I16, "attachment id to attachment, -1 none"),
    EVENTS,
    LIGHTS,
    CAMERAS,
    Reference("camera_lookup", I16, "camera type to camera, -1 none"),
    RIBBONS,
    PARTICLES,
)

HEADER_WITH_COMBINERS = RowRecord(
    "header",
    *HEADER.fields,
    When(nested, Reference("combiners", U16, "how each texture of a batch is combined; only with flag 8")),
)
"""The layout of a header whose flag 8 is set."""
