"""The layout of a WoW model, `.m2`, versions 256 to 274: every record that its header refers to.

Little-endian; offsets count from the `MD20` magic. Units: yards, seconds, radians, milliseconds for times of
keys. Axes: +X forward, +Y left, +Z up. Sources: wowdev.wiki M2, M2/.skin; Koward/M2Lib; Deamon87
WebWowViewerCpp; measured on 1 709 files.
"""

from __future__ import annotations

import numpy as np

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
    VersionTraits,
    cataclysm,
    flat,
    nested,
    plain,
    ref,
    track,
    vector,
)

PACKED_QUATERNION = vector(4, U16)
FLOAT_QUATERNION = vector(4)
FIRST_PACKED = 260

SPLINE_VEC3, SPLINE_FLOAT = vector(9), vector(3)
"""Keys of cameras: value, incoming and outgoing tangent, whatever the interpolation."""


def _named(generation: VersionTraits) -> bool:
    return generation.bone_names


def _packed(generation: VersionTraits) -> bool:
    return generation.version >= FIRST_PACKED


def _float(generation: VersionTraits) -> bool:
    return not _packed(generation)


SEQUENCE = RecordLayout(
    "sequence",
    (
        plain("id", U16, "of AnimationData: 0 Stand, 4 Walk, 5 Run …"),
        plain("variation", U16),
        plain("start", U32, "ms on the timeline of all sequences", flat),
        plain("end", U32, "ms on the timeline of all sequences", flat),
        plain("duration", U32, "ms", nested),
        plain("speed", F32, "yards a second that the creature moves"),
        plain("flags", U32, "0x20 keys lie in this file, 0x40 alias, 0x80 blended, 0x130 not external"),
        plain("probability", I16, "of this variation; those of one id sum up to 32767"),
        plain("padding", U16),
        plain("replay", vector(2, U32), "least and most repetitions"),
        plain("blend_time", U32, "ms to blend from another sequence"),
        plain("bounds", vector(6), "lowest and highest corner"),
        plain("radius", F32),
        plain("next_variation", I16, "number of a sequence, -1 none"),
        plain("alias", U16, "sequence to play in its place while flag 0x40 is set"),
    ),
)

BONE = RecordLayout(
    "bone",
    (
        plain("key_bone", I32, "what part of a body it is, -1 none"),
        plain(
            "flags",
            U32,
            "1, 2, 4 ignore the parent's translation, scale, rotation; 8 billboard; "
            "0x10, 0x20, 0x40 billboard around X, Y, Z; 0x200 animated",
        ),
        plain("parent", I16, "-1 for a root"),
        plain("submesh", U16, "unused"),
        plain("name_hash", U32, "CRC of its name", _named),
        track("translation", vector(3), "added at the pivot"),
        track("rotation", FLOAT_QUATERNION, "x y z w", _float),
        track("rotation", PACKED_QUATERNION, "x y z w, each u16 / 32767 - 1", _packed),
        track("scale", vector(3)),
        plain("pivot", vector(3), "model space"),
    ),
)

VERTEX = np.dtype(
    [
        ("position", F32, 3),
        ("weights", U8, 4),
        ("bones", U8, 4),
        ("normal", F32, 3),
        ("uv0", F32, 2),
        ("uv1", F32, 2),
    ]
)

SUBMESH = RecordLayout(
    "submesh",
    (
        plain("id", U16, "geoset: group × 100 + variant"),
        plain("level", U16, "high word of where its indices start"),
        plain("vertex_start", U16),
        plain("vertex_count", U16),
        plain("index_start", U16),
        plain("index_count", U16),
        plain("bone_count", U16, "size of its window into the bone combos"),
        plain("bone_start", U16, "where its window into the bone combos begins"),
        plain("influences", U16, "most bones at one vertex"),
        plain("center_bone", U16, "that moves the centre"),
        plain("center", vector(3)),
        plain("sort_center", vector(3), "blended batches are sorted by it", _packed),
        plain("sort_radius", F32, "", _packed),
    ),
)

BATCH = RecordLayout(
    "batch",
    (
        plain("flags", U8, "0x10 static, 0x40 the texture weight does not count"),
        plain("priority", np.dtype("i1"), "plane in which it is drawn, low ones first"),
        plain("shader", U16),
        plain("submesh", U16),
        plain("geoset", U16),
        plain("color", I16, "-1 none"),
        plain("material", U16),
        plain("layer", U16, "0 the lowest on the same submesh"),
        plain("texture_count", U16),
        plain("texture", U16, "first place in the texture lookup"),
        plain("uv", U16, "first place in the UV lookup"),
        plain("transparency", U16, "first place in the transparency lookup"),
        plain("transform", U16, "first place in the texture transform lookup"),
    ),
)

SHADOW_BATCH = np.dtype(
    [("flags", U8, 2), *((name, U16) for name in ("unknown", "submesh", "texture", "color", "transparency"))]
)

SUBMESHES = ref("submeshes", SUBMESH)
VIEW = RecordLayout(
    "view",
    (
        ref("vertices", U16, "which vertex each of the view's is"),
        ref("indices", U16, "triangles, of the view's vertices"),
        ref("joints", vector(4, U8), "of the view's vertices: places in a window into the bone combos"),
        SUBMESHES,
        ref("batches", BATCH),
        plain("bone_limit", U32, "most bones at once"),
        ref("shadow_batches", SHADOW_BATCH, "", cataclysm),
    ),
)

SKIN = RecordLayout(
    "skin", (plain("magic", np.dtype("S4")), *VIEW.parts), "a view in a file of its own, since 264"
)

COLOR = RecordLayout(
    "color", (track("rgb", vector(3), "multiplies"), track("alpha", I16, "value / 32767, multiplies"))
)
TEXTURE = RecordLayout(
    "texture",
    (
        plain("type", U32, "0 named file, 1 skin, 2 cape or object, 6 hair, 11, 12, 13 monster skin …"),
        plain("flags", U32, "1 wraps along u, 2 along v, else clamped"),
        ref("name", CHAR, "file, of type 0"),
    ),
)
TRANSPARENCY = RecordLayout("transparency", (track("weight", I16, "value / 32767, multiplies alpha"),))
TRANSFORM = RecordLayout(
    "texture transform",
    (
        track("translation", vector(3), "of the texture coordinates"),
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
        plain("id", U32),
        plain("bone", U16),
        plain("unknown", U16),
        plain("position", vector(3), "model space"),
        track("active", U8),
    ),
)
EVENT = RecordLayout(
    "event",
    (
        plain("id", np.dtype("S4")),
        plain("data", U32, "argument, such as a sound"),
        plain("bone", U32),
        plain("position", vector(3), "model space"),
        RecordField("fired", "event", U32, "when it happens"),
    ),
)
LIGHT = RecordLayout(
    "light",
    (
        plain("type", U16, "0 directional, 1 point"),
        plain("bone", I16, "-1 none"),
        plain("position", vector(3), "model space"),
        track("ambient", vector(3), "rgb"),
        track("ambient_intensity", F32),
        track("diffuse", vector(3), "rgb"),
        track("diffuse_intensity", F32),
        track("attenuation_start", F32, "yards"),
        track("attenuation_end", F32, "yards"),
        track("visible", U8),
    ),
)
CAMERA = RecordLayout(
    "camera",
    (
        plain("type", I32, "0 portrait, 1 character info, -1 other"),
        plain("fov", F32, "diagonal, radians", lambda generation: not cataclysm(generation)),
        plain("far", F32, "yards"),
        plain("near", F32, "yards"),
        track("position_track", SPLINE_VEC3, "added to the position; value and two tangents"),
        plain("position", vector(3), "model space"),
        track("target_track", SPLINE_VEC3, "added to the target; value and two tangents"),
        plain("target", vector(3), "model space"),
        track("roll", SPLINE_FLOAT, "radians; value and two tangents"),
        track("fov_track", SPLINE_FLOAT, "diagonal, radians; value and two tangents", cataclysm),
    ),
)
