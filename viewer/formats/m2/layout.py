"""The layout of a WoW model, `.m2`, versions 256 to 274: every record that its header refers to.

Little-endian; offsets count from the `MD20` magic. Units: yards, seconds, radians, milliseconds for times of
keys. Axes: +X forward, +Y left, +Z up. Sources: wowdev.wiki M2, M2/.skin; Koward/M2Lib; Deamon87
WebWowViewerCpp; measured on 1 709 files.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import record_dtype
from viewer.formats.m2.record import (
    CHAR,
    F32,
    I16,
    I32,
    U8,
    U16,
    U32,
    RecordField,
    RecordLayout,
    VersionRule,
    cataclysm,
    flat,
    nested,
    plain,
    ref,
    since,
    track,
    until,
    vector,
)

PACKED_QUATERNION = vector(4, U16)
FLOAT_QUATERNION = vector(4)
FIRST_PACKED = 260

SPLINE_VEC3, SPLINE_FLOAT = vector(9), vector(3)
"""Keys of cameras: value, incoming and outgoing tangent, whatever the interpolation."""


_named = VersionRule("since 257", lambda traits: traits.bone_names)
_packed, _float = since(FIRST_PACKED), until(FIRST_PACKED - 1)


SEQUENCE = RecordLayout(
    "sequence",
    (
        plain("id", U16, "row of AnimationData: 0 Stand, 4 Walk, 5 Run …"),
        plain("variation", U16, "number among the sequences of this id"),
        plain("start", U32, "on the timeline of all sequences, ms", flat),
        plain("end", U32, "on the timeline of all sequences, ms", flat),
        plain("duration", U32, "of the sequence, ms", nested),
        plain("speed", F32, "of the creature, yards a second"),
        plain("flags", U32, "0x20 keys lie in this file, 0x40 alias, 0x80 blended, 0x130 not external"),
        plain("probability", I16, "of this variation; the variations of an id sum up to 32767"),
        plain("padding", U16, "unused"),
        plain("replay", vector(2, U32), "least and most repetitions"),
        plain("blend_time", U32, "to blend from another sequence, ms"),
        plain("bounds", vector(6), "lowest and highest corner, yards"),
        plain("radius", F32, "of a sphere around the bounds, yards"),
        plain("next_variation", I16, "number of a sequence, -1 none"),
        plain("alias", U16, "sequence to play in its place while flag 0x40 is set"),
    ),
)

BONE = RecordLayout(
    "bone",
    (
        plain("key_bone", I32, "part of the body: 0 left arm, 6 head, 26 root …; -1 none"),
        plain(
            "flags",
            U32,
            "1, 2, 4 ignore the parent's translation, scale, rotation; 8 billboard; "
            "0x10, 0x20, 0x40 billboard around X, Y, Z; 0x200 animated",
        ),
        plain("parent", I16, "number of the parent bone, -1 for a root"),
        plain("submesh", U16, "unused"),
        plain("name_hash", U32, "CRC of the bone's name", _named),
        track("translation", vector(3), "added at the pivot"),
        track("rotation", FLOAT_QUATERNION, "x y z w", _float),
        track("rotation", PACKED_QUATERNION, "x y z w, each u16 / 32767 - 1", _packed),
        track("scale", vector(3), "around the pivot"),
        plain("pivot", vector(3), "center of the rotation, model space, yards"),
    ),
)

VERTEX = record_dtype(
    ("position", vector(3), "model space, yards"),
    ("weights", vector(4, U8), "of the four bones, 255 in all"),
    ("bones", vector(4, U8), "numbers of the bones"),
    ("normal", vector(3), "unit vector"),
    ("uv0", vector(2), "first texture coordinates"),
    ("uv1", vector(2), "second texture coordinates"),
)

SUBMESH = RecordLayout(
    "submesh",
    (
        plain("id", U16, "geoset: group × 100 + variant"),
        plain("level", U16, "high word of index_start"),
        plain("vertex_start", U16, "first vertex of the view"),
        plain("vertex_count", U16, "how many vertices it has"),
        plain("index_start", U16, "first index of the view"),
        plain("index_count", U16, "how many indices it draws"),
        plain("bone_count", U16, "how many bones its window into bone_combos has"),
        plain("bone_start", U16, "where its window into bone_combos begins"),
        plain("influences", U16, "most bones that move one vertex"),
        plain("center_bone", U16, "number of the bone that moves the center"),
        plain("center", vector(3), "middle of the vertices, yards"),
        plain("sort_center", vector(3), "blended batches are sorted by this point, yards", _packed),
        plain("sort_radius", F32, "of a sphere around the sort center, yards", _packed),
    ),
)

BATCH = RecordLayout(
    "batch",
    (
        plain("flags", U8, "0x10 static, 0x40 the texture weight does not count"),
        plain("priority", np.dtype("i1"), "plane in which it is drawn, low ones first"),
        plain("shader", U16, "how textures are combined; 0x8000: a number of the client's table"),
        plain("submesh", U16, "number of the submesh that is drawn"),
        plain("geoset", U16, "number of the submesh again, or unused"),
        plain("color", I16, "number of a color, -1 none"),
        plain("material", U16, "number of a material"),
        plain("layer", U16, "0 the lowest on the same submesh"),
        plain("texture_count", U16, "how many textures it has, from `texture` on"),
        plain("texture", U16, "first entry in texture_lookup"),
        plain("uv", U16, "first entry in uv_lookup"),
        plain("transparency", U16, "first entry in transparency_lookup"),
        plain("transform", U16, "first entry in transform_lookup"),
    ),
)

SHADOW_BATCH = record_dtype(
    ("flags", vector(2, U8), "as in batches"),
    ("unknown", U16, "meaning unknown"),
    ("submesh", U16, "number of the submesh that is drawn"),
    ("texture", U16, "number of a texture"),
    ("color", U16, "number of a color"),
    ("transparency", U16, "number of a texture weight"),
)

SUBMESHES = ref("submeshes", SUBMESH, "runs of triangles")
VIEW = RecordLayout(
    "view",
    (
        ref("vertices", U16, "number of each of the view's vertices in the model"),
        ref("indices", U16, "corners of triangles, numbers of the view's vertices"),
        ref(
            "joints", vector(4, U8), "bones of the view's vertices, in the submesh's window into bone_combos"
        ),
        SUBMESHES,
        ref("batches", BATCH, "what is drawn with which material"),
        plain("bone_limit", U32, "most bones that one submesh uses"),
        ref("shadow_batches", SHADOW_BATCH, "what is drawn into shadow maps", cataclysm),
    ),
)

SKIN = RecordLayout(
    "skin", (plain("magic", np.dtype("S4"), "SKIN"), *VIEW.parts), "A view in a file of its own, since 264."
)

COLOR = RecordLayout(
    "color",
    (
        track("rgb", vector(3), "multiplies the color of the texture"),
        track("alpha", I16, "value / 32767, multiplies the alpha of the texture"),
    ),
)
TEXTURE = RecordLayout(
    "texture",
    (
        plain("type", U32, "0 named file, 1 skin, 2 cape or object, 6 hair, 11, 12, 13 monster skin …"),
        plain("flags", U32, "1 wraps along u, 2 along v, else clamped"),
        ref("name", CHAR, "of the file; empty unless the type is 0"),
    ),
)
TRANSPARENCY = RecordLayout("transparency", (track("weight", I16, "value / 32767, multiplies alpha"),))
TRANSFORM = RecordLayout(
    "texture transform",
    (
        track("translation", vector(3), "added to the texture coordinates"),
        track("rotation", FLOAT_QUATERNION, "around the middle of the texture, x y z w"),
        track("scale", vector(3), "from the middle of the texture"),
    ),
)
MATERIAL = RecordLayout(
    "material",
    (
        plain("flags", U16, "1 unlit, 2 no fog, 4 two-sided, 8 no depth test, 0x10 no depth write"),
        plain(
            "blend",
            U16,
            "0 opaque, 1 alpha key, 2 alpha, 3 add, 4 add by alpha, 5 mod, 6 mod 2×, 7 premultiplied",
        ),
    ),
)

ATTACHMENT = RecordLayout(
    "attachment",
    (
        plain("id", U32, "0 shield, 1 right hand, 2 left hand, 11 helmet …"),
        plain("bone", U16, "number of the bone that moves it"),
        plain("unknown", U16, "meaning unknown"),
        plain("position", vector(3), "model space, yards"),
        track("active", U8, "1 while models may be attached"),
    ),
)
EVENT = RecordLayout(
    "event",
    (
        plain("id", np.dtype("S4"), "four letters such as $HIT"),
        plain("data", U32, "argument, such as a sound"),
        plain("bone", U32, "number of the bone that moves it"),
        plain("position", vector(3), "model space, yards"),
        RecordField("fired", "event", U32, "when it happens"),
    ),
)
LIGHT = RecordLayout(
    "light",
    (
        plain("type", U16, "0 directional, 1 point"),
        plain("bone", I16, "number of the bone that moves it, -1 none"),
        plain("position", vector(3), "model space, yards"),
        track("ambient", vector(3), "color, rgb"),
        track("ambient_intensity", F32, "factor of the color"),
        track("diffuse", vector(3), "color, rgb"),
        track("diffuse_intensity", F32, "factor of the color"),
        track("attenuation_start", F32, "distance at which it begins to fade, yards"),
        track("attenuation_end", F32, "distance at which it ends, yards"),
        track("visible", U8, "1 while it shines"),
    ),
)
CAMERA = RecordLayout(
    "camera",
    (
        plain("type", I32, "0 portrait, 1 character info, -1 other"),
        plain("fov", F32, "diagonal angle, radians", until(264)),
        plain("far", F32, "distance of the far plane, yards"),
        plain("near", F32, "distance of the near plane, yards"),
        track("position_track", SPLINE_VEC3, "added to the position; value and two tangents"),
        plain("position", vector(3), "model space, yards"),
        track("target_track", SPLINE_VEC3, "added to the target; value and two tangents"),
        plain("target", vector(3), "model space, yards"),
        track("roll", SPLINE_FLOAT, "value and two tangents, radians"),
        track("fov_track", SPLINE_FLOAT, "diagonal angle: value and two tangents, radians", cataclysm),
    ),
)
