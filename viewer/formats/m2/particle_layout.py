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
    VersionRule,
    cataclysm,
    flat,
    nested,
    plain,
    ramp,
    ref,
    track,
    vector,
)

_split = VersionRule("since 262", lambda traits: traits.split_blend)
_joined = VersionRule("up to 261", lambda traits: not traits.split_blend)


PARTICLE = RecordLayout(
    "particle emitter",
    (
        plain("id", I32, "always -1"),
        plain(
            "flags",
            U32,
            "1 unlit, 2 sorted, 4 line, 0x10 model space, 0x40 burst, 0x1000 flat, 0x4000 follows …",
        ),
        plain("position", vector(3), "model space, yards"),
        plain("bone", U16, "number of the bone that moves it"),
        plain("texture", U16, "number of a texture; three numbers of 5 bits with several textures"),
        ref("geometry_model", CHAR, "file of the model that each particle is"),
        ref("recursion_model", CHAR, "file of the model whose emitters each particle carries"),
        plain("blend", U16, "as in materials", _joined),
        plain("type", U16, "1 plane, 2 sphere, 3 spline", _joined),
        plain("blend", U8, "as in materials", _split),
        plain("type", U8, "1 plane, 2 sphere, 3 spline", _split),
        plain("color_index", U16, "11, 12, 13: a color of the creature", _split),
        plain("head_or_tail", U8, "0 head, 1 tail, 2 both; since 264 flags say it"),
        plain("head_and_tail", U8, "meaning unknown"),
        plain("priority", I16, "plane in which it is drawn, low ones first"),
        plain("rows", U16, "cells of the texture in this direction"),
        plain("columns", U16, "cells of the texture in this direction"),
        track("speed", F32, "at birth, yards a second"),
        track("speed_variation", F32, "part of the speed"),
        track("vertical_range", F32, "from the axis, radians"),
        track("horizontal_range", F32, "around the axis, radians"),
        track("gravity", F32, "downwards, yards / s²"),
        track("lifespan", F32, "of a particle, seconds"),
        plain("lifespan_variation", F32, "most that is added or taken away, seconds", nested),
        track("rate", F32, "of births, particles a second"),
        plain("rate_variation", F32, "most that is added or taken away, particles a second", nested),
        track("length", F32, "of the plane; of a sphere the inner radius, yards"),
        track("width", F32, "of the plane; of a sphere the outer radius, yards"),
        track("z_source", F32, "height of the point that particles move away from, yards"),
        plain("middle", F32, "when in its life the middle colour and scale hold, 0 to 1", flat),
        plain("colors", vector(3, U32), "first, middle, last; 0xAARRGGBB", flat),
        plain("scales", vector(3), "first, middle, last: half the size, yards", flat),
        plain("head_cells", vector(6, U16), "two phases of first, last, repetitions", flat),
        plain("tail_cells", vector(4, U16), "two phases of first, last", flat),
        ramp("color_ramp", vector(3), "color, rgb 0 to 255"),
        ramp("alpha_ramp", I16, "value / 32767"),
        ramp("scale_ramp", vector(2), "half the size, yards"),
        plain("scale_variation", vector(2), "of width and height, part of the scale", nested),
        ramp("head_cell_ramp", U16, "cell of the texture for heads"),
        ramp("tail_cell_ramp", U16, "cell of the texture for tails"),
        plain("tail_length", F32, "time of travel that a tail covers, seconds"),
        plain("twinkle_speed", F32, "how often a particle is shown or hidden anew, a second"),
        plain("twinkle_share", F32, "part of the time that a particle shows"),
        plain("twinkle_scale", vector(2), "least and greatest factor of the size"),
        plain("burst", F32, "factor of the emitter's own speed that particles inherit"),
        plain("drag", F32, "slows particles, 1 / s"),
        plain("base_spin", F32, "angle at birth, radians", nested),
        plain("base_spin_variation", F32, "most that is added or taken away, radians", nested),
        plain("spin", F32, "rotation in the picture plane, radians a second"),
        plain("spin_variation", F32, "most that is added or taken away, radians a second", nested),
        plain("tumble", vector(6), "least x y z, greatest x y z, radians a second"),
        plain("wind", vector(3), "acceleration, yards / s²"),
        plain("wind_time", F32, "how long the wind blows after birth, seconds"),
        plain("follow", vector(4), "how far particles follow a moving emitter: two pairs of speed and scale"),
        ref("spline", vector(3), "points of the curve that a spline emitter is"),
        track("enabled", U8, "1 while particles are born"),
        plain("multi_texture", vector(8, I16), "scroll of the other textures", cataclysm),
    ),
)

RIBBON = RecordLayout(
    "ribbon",
    (
        plain("id", I32, "always -1"),
        plain("bone", U32, "number of the bone that moves it"),
        plain("position", vector(3), "model space, yards"),
        ref("textures", U16, "numbers of textures"),
        ref("materials", U16, "numbers of materials"),
        track("color", vector(3), "of new edges, rgb"),
        track("alpha", I16, "of new edges, value / 32767"),
        track("above", F32, "height above the bone, yards"),
        track("below", F32, "height below the bone, yards"),
        plain("edges_per_second", F32, "how often an edge is left behind, a second"),
        plain("edge_lifetime", F32, "of an edge, seconds"),
        plain("gravity", F32, "downwards, yards / s²"),
        plain("rows", U16, "cells of the texture in this direction"),
        plain("columns", U16, "cells of the texture in this direction"),
        track("texture_slot", U16, "number of the texture's cell"),
        track("visible", U8, "1 while edges are left behind"),
        plain("priority", I16, "plane in which it is drawn, low ones first", nested),
        plain("color_index", I8, "meaning unknown", nested),
        plain(
            "transform_index", I8, "entry in transform_lookup, if the header's flag 0x20000 is set", nested
        ),
    ),
)
