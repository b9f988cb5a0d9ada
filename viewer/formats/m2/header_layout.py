"""The header of a WoW model, with the offsets of all its tables.

Sources: wowdev.wiki M2; Koward/M2Lib; measured on 1 709 files.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import record_dtype
from viewer.formats.m2.layout import (
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
from viewer.formats.m2.particle_layout import PARTICLE, RIBBON
from viewer.formats.m2.record import CHAR, F32, I16, U16, U32, RecordLayout, flat, nested, plain, ref, vector

FALLBACK = record_dtype(
    ("fallback", I16, "animation id that is played instead"),
    ("flags", I16, "0 play forwards, 1 backwards, 3 hold the first frame"),
)
UNUSED = np.dtype((np.void, 1))

SEQUENCES = ref("sequences", SEQUENCE, "animations, one after the other")
BONES = ref("bones", BONE, "the skeleton")
VERTICES = ref("vertices", VERTEX, "vertices of all levels of detail")
TEXTURES = ref("textures", TEXTURE, "pictures by file name or by type")
ATTACHMENTS = ref("attachments", ATTACHMENT, "points to which other models are attached")
EVENTS = ref("events", EVENT, "sounds and other marks on the timeline")
LIGHTS = ref("lights", LIGHT, "lights that move with the model")
CAMERAS = ref("cameras", CAMERA, "views of the model, such as the portrait")
RIBBONS = ref("ribbons", RIBBON, "ribbon emitters")
PARTICLES = ref("particles", PARTICLE, "particle emitters")

HEADER = RecordLayout(
    "header",
    (
        plain("magic", np.dtype("S4"), "MD20; all offsets count from here"),
        plain(
            "version",
            U32,
            "256 to 257 original client, 260 to 263 Burning Crusade, 264 Wrath, 265 to 274 later",
        ),
        ref("name", CHAR, "of the model"),
        plain(
            "flags",
            U32,
            "1, 2 tilts along X, Y; 8 has texture combiners; 0x20000 ribbons have texture transforms",
        ),
        ref("global_sequences", U32, "lengths of loops that run whatever is played, ms"),
        SEQUENCES,
        ref("sequence_lookup", I16, "animation id to sequence, -1 none"),
        ref("playable_lookup", FALLBACK, "animation id to one that the model has", flat),
        BONES,
        ref("key_bone_lookup", I16, "key bone to bone, -1 none"),
        VERTICES,
        ref("views", VIEW, "levels of detail: submeshes and batches", flat),
        plain(
            "view_count", U32, "how many levels of detail there are: files NAME00.skin, NAME01.skin …", nested
        ),
        ref("colors", COLOR, "colors of batches, with tracks"),
        TEXTURES,
        ref("transparency", TRANSPARENCY, "texture weights, with tracks"),
        ref("flipbooks", UNUSED, "never used: files have none", flat),
        ref("transforms", TRANSFORM, "transforms of texture coordinates, with tracks"),
        ref("replaceable_lookup", I16, "texture type to texture, -1 none"),
        ref("materials", MATERIAL, "render flags"),
        ref("bone_combos", U16, "numbers of bones; each submesh uses a window of them"),
        ref("texture_lookup", U16, "numbers of textures, in the order of the batches"),
        ref("uv_lookup", I16, "sets of texture coordinates, -1 sphere map"),
        ref("transparency_lookup", U16, "numbers of texture weights"),
        ref("transform_lookup", I16, "numbers of texture transforms, -1 none"),
        plain("bounds", vector(6), "lowest and highest corner, yards"),
        plain("radius", F32, "of a sphere around the bounds, yards"),
        plain("collision_bounds", vector(6), "lowest and highest corner, yards"),
        plain("collision_radius", F32, "of a sphere around the collision bounds, yards"),
        ref("collision_indices", U16, "corners of the collision triangles"),
        ref("collision_vertices", vector(3), "positions of the collision mesh, yards"),
        ref("collision_normals", vector(3), "one for each collision triangle"),
        ATTACHMENTS,
        ref("attachment_lookup", I16, "attachment id to attachment, -1 none"),
        EVENTS,
        LIGHTS,
        CAMERAS,
        ref("camera_lookup", I16, "camera type to camera, -1 none"),
        RIBBONS,
        PARTICLES,
    ),
)

HEADER_WITH_COMBINERS = RecordLayout(
    "header",
    (
        *HEADER.parts,
        ref("combiners", U16, "how each texture of a batch is mixed in; only with flag 8", nested),
    ),
)
"""The layout of a header whose flag 8 is set."""
