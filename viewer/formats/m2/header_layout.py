"""The header of a WoW model, with the offsets of all its tables.

Sources: wowdev.wiki M2; Koward/M2Lib; measured on 1 709 files.
"""

from __future__ import annotations

import numpy as np

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

PLAYABLE = np.dtype([("fallback", I16), ("flags", I16)])
UNUSED = np.dtype((np.void, 1))

SEQUENCES = ref("sequences", SEQUENCE)
BONES = ref("bones", BONE)
VERTICES = ref("vertices", VERTEX)
TEXTURES = ref("textures", TEXTURE)
ATTACHMENTS = ref("attachments", ATTACHMENT)
EVENTS = ref("events", EVENT)
LIGHTS = ref("lights", LIGHT)
CAMERAS = ref("cameras", CAMERA)
RIBBONS = ref("ribbons", RIBBON)
PARTICLES = ref("particles", PARTICLE)

HEADER = RecordLayout(
    "header",
    (
        plain("magic", np.dtype("S4")),
        plain("version", U32),
        ref("name", CHAR),
        plain(
            "flags",
            U32,
            "1, 2 tilts along X, Y; 8 has texture combiners; 0x20000 ribbons have texture transforms",
        ),
        ref("global_sequences", U32, "ms; loops that run whatever is played"),
        SEQUENCES,
        ref("sequence_lookup", I16, "animation id to sequence, -1 none"),
        ref("playable_lookup", PLAYABLE, "animation id to one that the model has", flat),
        BONES,
        ref("key_bone_lookup", I16, "key bone to bone, -1 none"),
        VERTICES,
        ref("views", VIEW, "levels of detail", flat),
        plain("view_count", U32, "files NAME00.skin, NAME01.skin …", nested),
        ref("colors", COLOR),
        TEXTURES,
        ref("transparency", TRANSPARENCY, "texture weights"),
        ref("flipbooks", UNUSED, "never used", flat),
        ref("transforms", TRANSFORM, "texture transforms"),
        ref("replaceable_lookup", I16, "texture type to texture, -1 none"),
        ref("materials", MATERIAL, "render flags"),
        ref("bone_combos", U16, "bones, in the windows of the submeshes"),
        ref("texture_lookup", U16, "textures, in the order of the batches"),
        ref("uv_lookup", I16, "set of texture coordinates; -1 sphere map"),
        ref("transparency_lookup", U16),
        ref("transform_lookup", I16, "-1 none"),
        plain("bounds", vector(6), "lowest and highest corner"),
        plain("radius", F32),
        plain("collision_bounds", vector(6), "lowest and highest corner"),
        plain("collision_radius", F32),
        ref("collision_indices", U16, "triangles"),
        ref("collision_vertices", vector(3)),
        ref("collision_normals", vector(3), "one for each triangle"),
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
    "header", (*HEADER.parts, ref("combiners", U16, "how each texture of a batch is mixed in", nested))
)
"""The layout of a header whose flag 8 is set."""
