"""The header of a WoW model, which refers to all tables of the file.

Sources: wowdev.wiki M2; Koward/M2Lib; measured on 1 709 files.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import Fixed, When, record_dtype
from viewer.binary.tables import Reference, RowRecord
from viewer.families.wow.m2.layout.fields import CHAR, F32, I16, U16, U32, flat, nested, vector
from viewer.families.wow.m2.layout.particles import PARTICLE, RIBBON
from viewer.families.wow.m2.layout.records import (
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
    ("flags", I16, "0: play forwards, 1: backwards, 3: hold the first frame"),
)
UNUSED = np.dtype((np.void, 1))

SEQUENCES = Reference("sequences", SEQUENCE, "animation sequences")
BONES = Reference("bones", BONE, "the skeleton")
VERTICES = Reference("vertices", VERTEX, "vertices of all levels of detail")
TEXTURES = Reference("textures", TEXTURE, "images by file name or by type")
ATTACHMENTS = Reference("attachments", ATTACHMENT, "attachment points for other models")
EVENTS = Reference("events", EVENT, "sounds and other marks on the timeline")
LIGHTS = Reference("lights", LIGHT, "lights that move with the model")
CAMERAS = Reference("cameras", CAMERA, "cameras such as the portrait's")
RIBBONS = Reference("ribbons", RIBBON, "ribbon emitters")
PARTICLES = Reference("particles", PARTICLE, "particle emitters")

HEADER = RowRecord(
    "header",
    Fixed("magic", np.dtype("S4"), "MD20; all offsets count from the beginning of this field"),
    Fixed(
        "version",
        U32,
        "256 to 257: original client, 260 to 263: Burning Crusade, 264: Wrath, 265 to 274: later",
    ),
    Reference("name", CHAR, "name of the model"),
    Fixed(
        "flags",
        U32,
        "1: tilts along X, 2: tilts along Y, 8: has texture combiners, 0x20000: ribbons have texture "
        "transforms",
    ),
    Reference("global_sequences", U32, "lengths of loops that run independently of the sequence, ms"),
    SEQUENCES,
    Reference("sequence_lookup", I16, "number of the sequence for each animation id, -1: none"),
    When(
        flat, Reference("playable_lookup", FALLBACK, "for each animation id, the animation to play instead")
    ),
    BONES,
    Reference("key_bone_lookup", I16, "number of the bone for each key bone, -1: none"),
    VERTICES,
    When(flat, Reference("views", VIEW, "levels of detail: submeshes and batches")),
    When(
        nested,
        Fixed("view_count", U32, "number of levels of detail: files NAME00.skin, NAME01.skin …"),
    ),
    Reference("colors", COLOR, "colors of batches, with tracks"),
    TEXTURES,
    Reference("transparency", TRANSPARENCY, "texture weights, with tracks"),
    When(flat, Reference("flipbooks", UNUSED, "unused, always empty")),
    Reference("transforms", TRANSFORM, "transforms of texture coordinates, with tracks"),
    Reference("replaceable_lookup", I16, "number of the texture for each texture type, -1: none"),
    Reference("materials", MATERIAL, "render flags"),
    Reference("bone_combos", U16, "bone numbers; each submesh uses a window of this table"),
    Reference("texture_lookup", U16, "texture numbers, in the order of the batches"),
    Reference("uv_lookup", I16, "texture coordinate sets, -1: sphere map"),
    Reference("transparency_lookup", U16, "texture weight numbers"),
    Reference("transform_lookup", I16, "texture transform numbers, -1: none"),
    Fixed("bounds", vector(6), "lowest and highest corner, yards"),
    Fixed("radius", F32, "radius of a sphere around the bounds, yards"),
    Fixed("collision_bounds", vector(6), "lowest and highest corner, yards"),
    Fixed("collision_radius", F32, "radius of a sphere around the collision bounds, yards"),
    Reference("collision_indices", U16, "vertex numbers, three for each collision triangle"),
    Reference("collision_vertices", vector(3), "positions of the collision mesh, yards"),
    Reference("collision_normals", vector(3), "one for each collision triangle"),
    ATTACHMENTS,
    Reference("attachment_lookup", I16, "number of the attachment for each attachment id, -1: none"),
    EVENTS,
    LIGHTS,
    CAMERAS,
    Reference("camera_lookup", I16, "number of the camera for each camera type, -1: none"),
    RIBBONS,
    PARTICLES,
)

HEADER_WITH_COMBINERS = RowRecord(
    "header",
    *HEADER.fields,
    When(nested, Reference("combiners", U16, "texture combination modes of batches; only with flag 8")),
)
"""The header's layout if its flag 8 is set."""
