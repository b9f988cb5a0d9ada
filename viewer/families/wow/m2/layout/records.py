"""The records to which the header of a WoW model refers, `.m2`, versions 256 to 274.

All numbers are little-endian, and offsets count from the `MD20` magic. Units are yards, seconds, radians, and
milliseconds for key times. Axes: +X forward, +Y left, +Z up. Sources: wowdev.wiki M2, M2/.skin;
Koward/M2Lib; Deamon87 WebWowViewerCpp; measured on 1 709 files.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import Expression, Fixed, When, record_dtype
from viewer.binary.tables import Reference, RowRecord
from viewer.families.wow.m2.layout.fields import (
    CHAR,
    F32,
    I16,
    I32,
    U8,
    U16,
    U32,
    EventField,
    TrackField,
    cataclysm,
    flat,
    nested,
    since,
    until,
    vector,
)

PACKED_QUATERNION = vector(4, U16)
FLOAT_QUATERNION = vector(4)
FIRST_PACKED = 260

SPLINE_VEC3, SPLINE_FLOAT = vector(9), vector(3)
"""The dtypes of camera keys. Whatever the interpolation, a key is a value, an incoming and an outgoing
tangent.
"""


_named = Expression("bone_names", "since 257")
_packed, _float = since(FIRST_PACKED), until(FIRST_PACKED - 1)


SEQUENCE = RowRecord(
    "sequence",
    Fixed("id", U16, "row of AnimationData; 0: Stand, 4: Walk, 5: Run …"),
    Fixed("variation", U16, "variation number among the sequences of this id"),
    When(flat, Fixed("start", U32, "start on the timeline of all sequences, ms")),
    When(flat, Fixed("end", U32, "end on the timeline of all sequences, ms")),
    When(nested, Fixed("duration", U32, "duration of the sequence, ms")),
    Fixed("speed", F32, "speed of the creature, yards a second"),
    Fixed("flags", U32, "0x40: alias, 0x80: blended, any bit of 0x130: keys in this file"),
    Fixed("probability", I16, "probability of this variation; the variations of an id add up to 32767"),
    Fixed("padding", U16, "unused"),
    Fixed("replay", vector(2, U32), "least and greatest number of repetitions"),
    Fixed("blend_time", U32, "time to blend from another sequence, ms"),
    Fixed("bounds", vector(6), "lowest and highest corner, yards"),
    Fixed("radius", F32, "radius of a sphere around the bounds, yards"),
    Fixed("next_variation", I16, "sequence number of the next variation, -1: none"),
    Fixed("alias", U16, "sequence to play instead if flag 0x40 is set"),
)

BONE = RowRecord(
    "bone",
    Fixed("key_bone", I32, "part of the body; 0: left arm, 6: head, 26: root …, -1: none"),
    Fixed(
        "flags",
        U32,
        "1, 2, 4: ignores the parent's translation, scale, rotation; 8: billboard; "
        "0x10, 0x20, 0x40: billboard around X, Y, Z; 0x200: animated",
    ),
    Fixed("parent", I16, "number of the parent bone, -1 for a root"),
    Fixed("submesh", U16, "unused"),
    When(_named, Fixed("name_hash", U32, "CRC of the bone's name")),
    TrackField("translation", vector(3), "translation of the pivot"),
    When(_float, TrackField("rotation", FLOAT_QUATERNION, "x y z w")),
    When(_packed, TrackField("rotation", PACKED_QUATERNION, "x y z w, each u16 / 32767 - 1")),
    TrackField("scale", vector(3), "scale around the pivot"),
    Fixed("pivot", vector(3), "center of the rotation, model space, yards"),
)

VERTEX = record_dtype(
    ("position", vector(3), "model space, yards"),
    ("weights", vector(4, U8), "weights of the four bones, 255 in all"),
    ("bones", vector(4, U8), "numbers of the four bones"),
    ("normal", vector(3), "unit vector"),
    ("uv0", vector(2), "first texture coordinates"),
    ("uv1", vector(2), "second texture coordinates"),
)

SUBMESH = RowRecord(
    "submesh",
    Fixed("id", U16, "geoset: group × 100 + variant"),
    Fixed("level", U16, "high word of index_start"),
    Fixed("vertex_start", U16, "number of the submesh's first vertex in the view"),
    Fixed("vertex_count", U16, "number of vertices"),
    Fixed("index_start", U16, "number of the submesh's first index in the view"),
    Fixed("index_count", U16, "number of drawn indices"),
    Fixed("bone_count", U16, "number of entries in the submesh's window into bone_combos"),
    Fixed("bone_start", U16, "first entry of the submesh's window into bone_combos"),
    Fixed("influences", U16, "largest number of bones that move one vertex"),
    Fixed("center_bone", U16, "number of the bone that moves the center"),
    Fixed("center", vector(3), "middle of the vertices, yards"),
    When(_packed, Fixed("sort_center", vector(3), "center by which blended batches are sorted, yards")),
    When(_packed, Fixed("sort_radius", F32, "radius of a sphere around this center, yards")),
)

BATCH = RowRecord(
    "batch",
    Fixed("flags", U8, "0x10: static, 0x40: the texture weight is ignored"),
    Fixed("priority", np.dtype("i1"), "priority plane: lower planes are drawn first"),
    Fixed("shader", U16, "texture combination; with bit 0x8000 a row of the client's table"),
    Fixed("submesh", U16, "number of the submesh that is drawn"),
    Fixed("geoset", U16, "number of the submesh again, or unused"),
    Fixed("color", I16, "number of a color, -1: none"),
    Fixed("material", U16, "number of a material"),
    Fixed("layer", U16, "layer on the submesh, 0 lowest"),
    Fixed("texture_count", U16, "number of entries in texture_lookup, from `texture` on"),
    Fixed("texture", U16, "first entry in texture_lookup"),
    Fixed("uv", U16, "first entry in uv_lookup"),
    Fixed("transparency", U16, "first entry in transparency_lookup"),
    Fixed("transform", U16, "first entry in transform_lookup"),
)

SHADOW_BATCH = record_dtype(
    ("flags", vector(2, U8), "same flags as in batches"),
    ("unknown", U16, "meaning unknown"),
    ("submesh", U16, "number of the submesh that is drawn"),
    ("texture", U16, "number of a texture"),
    ("color", U16, "number of a color"),
    ("transparency", U16, "number of a texture weight"),
)

SUBMESHES = Reference("submeshes", SUBMESH, "runs of triangles")
VIEW = RowRecord(
    "view",
    Reference("vertices", U16, "for each vertex of the view, its number in the model"),
    Reference("indices", U16, "numbers of vertices in the view, three for each triangle"),
    Reference(
        "joints",
        vector(4, U8),
        "four bones of each vertex of the view: indices into the submesh's range of bone_combos",
    ),
    SUBMESHES,
    Reference("batches", BATCH, "materials of submeshes"),
    Fixed("bone_limit", U32, "largest number of bones of a submesh"),
    When(cataclysm, Reference("shadow_batches", SHADOW_BATCH, "batches for shadow maps")),
)

SKIN = RowRecord(
    "skin",
    Fixed("magic", np.dtype("S4"), "SKIN"),
    *VIEW.fields,
    note="A view in a separate file, since version 264.",
)

COLOR = RowRecord(
    "color",
    TrackField("rgb", vector(3), "multiplies the color of the texture"),
    TrackField("alpha", I16, "value / 32767, multiplies the alpha of the texture"),
)
TEXTURE = RowRecord(
    "texture",
    Fixed("type", U32, "0: named file, 1: skin, 2: cape or object, 6: hair, 11, 12, 13: monster skin …"),
    Fixed("flags", U32, "1: wraps along u, 2: wraps along v; otherwise clamped"),
    Reference("name", CHAR, "file name; empty unless the type is 0"),
)
TRANSPARENCY = RowRecord(
    "transparency",
    TrackField("weight", I16, "value / 32767, multiplies alpha"),
)
TRANSFORM = RowRecord(
    "texture transform",
    TrackField("translation", vector(3), "added to the texture coordinates"),
    TrackField("rotation", FLOAT_QUATERNION, "rotation around the middle of the texture, x y z w"),
    TrackField("scale", vector(3), "scale around the middle of the texture"),
)
MATERIAL = RowRecord(
    "material",
    Fixed("flags", U16, "1: unlit, 2: no fog, 4: two-sided, 8: no depth test, 0x10: no depth write"),
    Fixed(
        "blend",
        U16,
        "0: opaque, 1: alpha key, 2: alpha, 3: add, 4: add by alpha, 5: mod, 6: mod 2×, 7: premultiplied",
    ),
)

ATTACHMENT = RowRecord(
    "attachment",
    Fixed("id", U32, "0: shield, 1: right hand, 2: left hand, 11: helmet …"),
    Fixed("bone", U16, "number of the bone that moves the attachment"),
    Fixed("unknown", U16, "meaning unknown"),
    Fixed("position", vector(3), "model space, yards"),
    TrackField("active", U8, "1 while models may be attached"),
)
EVENT = RowRecord(
    "event",
    Fixed("id", np.dtype("S4"), "four letters such as $HIT"),
    Fixed("data", U32, "argument, such as a sound"),
    Fixed("bone", U32, "number of the bone that moves the event"),
    Fixed("position", vector(3), "model space, yards"),
    EventField("fired", U32, "times of the event"),
)
LIGHT = RowRecord(
    "light",
    Fixed("type", U16, "0: directional, 1: point"),
    Fixed("bone", I16, "number of the bone that moves the light, -1: none"),
    Fixed("position", vector(3), "model space, yards"),
    TrackField("ambient", vector(3), "color, rgb"),
    TrackField("ambient_intensity", F32, "factor of the color"),
    TrackField("diffuse", vector(3), "color, rgb"),
    TrackField("diffuse_intensity", F32, "factor of the color"),
    TrackField("attenuation_start", F32, "distance at which the light begins to fade, yards"),
    TrackField("attenuation_end", F32, "distance at which the light has faded, yards"),
    TrackField("visible", U8, "1 while the light is on"),
)
CAMERA = RowRecord(
    "camera",
    Fixed("type", I32, "0: portrait, 1: character info, -1: other"),
    When(until(264), Fixed("fov", F32, "diagonal angle, radians")),
    Fixed("far", F32, "distance of the far plane, yards"),
    Fixed("near", F32, "distance of the near plane, yards"),
    TrackField("position_track", SPLINE_VEC3, "value and two tangents, added to the position"),
    Fixed("position", vector(3), "model space, yards"),
    TrackField("target_track", SPLINE_VEC3, "value and two tangents, added to the target"),
    Fixed("target", vector(3), "model space, yards"),
    TrackField("roll", SPLINE_FLOAT, "value and two tangents, radians"),
    When(cataclysm, TrackField("fov_track", SPLINE_FLOAT, "diagonal angle: value and two tangents, radians")),
)
