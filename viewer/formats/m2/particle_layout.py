"""The layout of particle emitters and ribbons.

Sources: wowdev.wiki M2; Deamon87 WebWowViewerCpp; MDX sections PRE2 and RIBB for the flags; measured on 1 586
emitters.
"""

from __future__ import annotations

from viewer.formats.m2.record import (
    CHAR,
    F32,
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    RecordLayout,
    VersionTraits,
    cataclysm,
    flat,
    nested,
    plain,
    ramp,
    ref,
    track,
    vector,
)


def _split(generation: VersionTraits) -> bool:
    return generation.split_blend


def _joined(generation: VersionTraits) -> bool:
    return not generation.split_blend


PARTICLE = RecordLayout(
    "particle emitter",
    (
        plain("id", I32, "always -1"),
        plain(
            "flags",
            U32,
            "1 unlit, 2 sorted, 4 line, 0x10 model space, 0x40 burst, 0x1000 flat, 0x4000 follows …",
        ),
        plain("position", vector(3), "model space"),
        plain("bone", U16),
        plain("texture", U16),
        ref("geometry_model", CHAR, "file of the model that each particle is"),
        ref("recursion_model", CHAR, "file of the model whose emitters each particle carries"),
        plain("blend", U16, "as in materials", _joined),
        plain("type", U16, "1 plane, 2 sphere, 3 spline", _joined),
        plain("blend", U8, "as in materials", _split),
        plain("type", U8, "1 plane, 2 sphere, 3 spline", _split),
        plain("color_index", U16, "11, 12, 13 replaceable colour", _split),
        plain("head_or_tail", U8, "up to 263: 0 head, 1 tail, 2 both"),
        plain("head_and_tail", U8),
        plain("priority", I16),
        plain("rows", U16, "of the texture's grid of cells"),
        plain("columns", U16, "of the texture's grid of cells"),
        track("speed", F32, "yards a second"),
        track("speed_variation", F32, "part of the speed"),
        track("vertical_range", F32, "radians from the axis"),
        track("horizontal_range", F32, "radians around the axis"),
        track("gravity", F32, "yards / s²"),
        track("lifespan", F32, "seconds"),
        plain("lifespan_variation", F32, "", nested),
        track("rate", F32, "particles a second"),
        plain("rate_variation", F32, "", nested),
        track("length", F32, "yards; of a sphere the inner radius"),
        track("width", F32, "yards; of a sphere the outer radius"),
        track("z_source", F32, "height of the point that particles move away from"),
        plain("middle", F32, "when in its life the middle colour and scale hold, 0 to 1", flat),
        plain("colors", vector(3, U32), "first, middle, last; 0xAARRGGBB", flat),
        plain("scales", vector(3), "first, middle, last; half the size, yards", flat),
        plain("head_cells", vector(6, U16), "two phases of first, last, repetitions", flat),
        plain("tail_cells", vector(4, U16), "two phases of first, last", flat),
        ramp("color_ramp", vector(3), "rgb 0 to 255"),
        ramp("alpha_ramp", I16, "value / 32767"),
        ramp("scale_ramp", vector(2), "half the size, yards"),
        plain("scale_variation", vector(2), "", nested),
        ramp("head_cell_ramp", U16),
        ramp("tail_cell_ramp", U16),
        plain("tail_length", F32, "seconds of travel"),
        plain("twinkle_speed", F32, "samples a second"),
        plain("twinkle_share", F32, "part of the time that it shows"),
        plain("twinkle_scale", vector(2), "least, most"),
        plain("burst", F32, "factor of the emitter's own speed"),
        plain("drag", F32, "1 / s"),
        plain("base_spin", F32, "radians", nested),
        plain("base_spin_variation", F32, "", nested),
        plain("spin", F32),
        plain("spin_variation", F32, "", nested),
        plain("tumble", vector(6), "least x y z, most x y z; radians a second"),
        plain("wind", vector(3)),
        plain("wind_time", F32, "seconds"),
        plain("follow", vector(4), "two of speed and scale"),
        ref("spline", vector(3), "points of the curve that a spline emitter is"),
        track("enabled", U8),
        plain("multi_texture", vector(8, I16), "scroll of the other textures", cataclysm),
    ),
)

RIBBON = RecordLayout(
    "ribbon",
    (
        plain("id", I32, "always -1"),
        plain("bone", U32),
        plain("position", vector(3), "model space"),
        ref("textures", U16),
        ref("materials", U16),
        track("color", vector(3), "rgb"),
        track("alpha", I16, "value / 32767"),
        track("above", F32, "yards"),
        track("below", F32, "yards"),
        plain("edges_per_second", F32),
        plain("edge_lifetime", F32, "seconds"),
        plain("gravity", F32),
        plain("rows", U16),
        plain("columns", U16),
        track("texture_slot", U16),
        track("visible", U8),
        plain("priority", I16, "those of a higher one are drawn later", nested),
        plain("color_index", I8, "meaning unknown", nested),
        plain("transform_index", I8, "into transform_lookup, if the header's flag 0x20000 is set", nested),
    ),
)
