"""The layout of particle emitters and ribbons.

Sources: wowdev.wiki M2; Deamon87 WebWowViewerCpp; MDX sections PRE2 and RIBB for the flags; measured on 1 586
emitters.
"""

from __future__ import annotations

from viewer.binary import Expression, Fixed, When
from viewer.binary.tables import Reference, RowRecord
from viewer.families.wow.m2.layout.fields import (
    CHAR,
    F32,
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    RampField,
    TrackField,
    cataclysm,
    flat,
    nested,
    vector,
)

_split = Expression("split_blend", "since 262")
_joined = Expression("not split_blend", "up to 261")


PARTICLE = RowRecord(
    "particle emitter",
    Fixed("id", I32, "always -1"),
    Fixed(
        "flags",
        U32,
        "1: unlit, 2: sorted, 4: line, 0x10: model space, 0x40: burst, 0x1000: flat, 0x4000: follows …",
    ),
    Fixed("position", vector(3), "model space, yards"),
    Fixed("bone", U16, "number of the bone that moves the emitter"),
    Fixed("texture", U16, "number of the texture; for several textures, three numbers of 5 bits each"),
    Reference("geometry_model", CHAR, "file of the model that each particle shows"),
    Reference("recursion_model", CHAR, "file of a model; each particle carries the emitters of this model"),
    When(_joined, Fixed("blend", U16, "blend mode, see material")),
    When(_joined, Fixed("type", U16, "1: plane, 2: sphere, 3: spline")),
    When(_split, Fixed("blend", U8, "blend mode, see material")),
    When(_split, Fixed("type", U8, "1: plane, 2: sphere, 3: spline")),
    When(_split, Fixed("color_index", U16, "11, 12, 13: takes colors from a table of the game")),
    Fixed("head_or_tail", U8, "0: head, 1: tail, 2: both; since version 264 replaced by flags"),
    Fixed("head_and_tail", U8, "meaning unknown"),
    Fixed("priority", I16, "priority plane: lower planes are drawn first"),
    Fixed("rows", U16, "rows of cells in the texture"),
    Fixed("columns", U16, "columns of cells in the texture"),
    TrackField("speed", F32, "speed at birth, yards a second"),
    TrackField("speed_variation", F32, "largest variation, fraction of the speed"),
    TrackField("vertical_range", F32, "largest angle from the axis, radians"),
    TrackField("horizontal_range", F32, "largest angle around the axis, radians"),
    TrackField("gravity", F32, "downward acceleration, yards / s²"),
    TrackField("lifespan", F32, "lifetime of a particle, seconds"),
    When(nested, Fixed("lifespan_variation", F32, "largest variation, seconds")),
    TrackField("rate", F32, "birth rate, particles a second"),
    When(nested, Fixed("rate_variation", F32, "largest variation, particles a second")),
    TrackField("length", F32, "length of a plane, or inner radius of a sphere, yards"),
    TrackField("width", F32, "width of a plane, or outer radius of a sphere, yards"),
    TrackField("z_source", F32, "height of the point that particles move away from, yards"),
    When(flat, Fixed("middle", F32, "fraction of the life at which the middle color and scale apply")),
    When(flat, Fixed("colors", vector(3, U32), "first, middle, last; 0xAARRGGBB")),
    When(flat, Fixed("scales", vector(3), "first, middle, last; half the size, yards")),
    When(flat, Fixed("head_cells", vector(6, U16), "first cell, last cell and repetitions of two phases")),
    When(flat, Fixed("tail_cells", vector(4, U16), "first and last cell of two phases")),
    When(nested, RampField("color_ramp", vector(3), "color, rgb 0 to 255")),
    When(nested, RampField("alpha_ramp", I16, "value / 32767")),
    When(nested, RampField("scale_ramp", vector(2), "half the size, yards")),
    When(nested, Fixed("scale_variation", vector(2), "largest variation of width and height, fractions")),
    When(nested, RampField("head_cell_ramp", U16, "cell of the texture for heads")),
    When(nested, RampField("tail_cell_ramp", U16, "cell of the texture for tails")),
    Fixed("tail_length", F32, "flight time that a tail covers, seconds"),
    Fixed("twinkle_speed", F32, "rate at which a particle appears and disappears, times a second"),
    Fixed("twinkle_share", F32, "fraction of the time in which a particle is visible"),
    Fixed("twinkle_scale", vector(2), "least and greatest factor of the size"),
    Fixed("burst", F32, "fraction of the emitter's speed that particles inherit"),
    Fixed("drag", F32, "deceleration per unit of speed, 1 / s"),
    When(nested, Fixed("base_spin", F32, "angle at birth, radians")),
    When(nested, Fixed("base_spin_variation", F32, "largest variation, radians")),
    Fixed("spin", F32, "rotation in the screen plane, radians a second"),
    When(nested, Fixed("spin_variation", F32, "largest variation, radians a second")),
    Fixed("tumble", vector(6), "least x y z, greatest x y z, radians a second"),
    Fixed("wind", vector(3), "acceleration, yards / s²"),
    Fixed("wind_time", F32, "duration of the wind after birth, seconds"),
    Fixed(
        "follow",
        vector(4),
        "strength with which particles follow a moving emitter: two pairs of speed, scale",
    ),
    Reference("spline", vector(3), "control points of a spline emitter's curve"),
    TrackField("enabled", U8, "1 while particles are born"),
    When(cataclysm, Fixed("multi_texture", vector(8, I16), "scrolling of the second and third texture")),
)

RIBBON = RowRecord(
    "ribbon",
    Fixed("id", I32, "always -1"),
    Fixed("bone", U32, "number of the bone that moves the ribbon"),
    Fixed("position", vector(3), "model space, yards"),
    Reference("textures", U16, "numbers of textures"),
    Reference("materials", U16, "numbers of materials"),
    TrackField("color", vector(3), "color of new edges, rgb"),
    TrackField("alpha", I16, "alpha of new edges, value / 32767"),
    TrackField("above", F32, "height above the bone, yards"),
    TrackField("below", F32, "height below the bone, yards"),
    Fixed("edges_per_second", F32, "number of new edges a second"),
    Fixed("edge_lifetime", F32, "lifetime of an edge, seconds"),
    Fixed("gravity", F32, "downward acceleration, yards / s²"),
    Fixed("rows", U16, "rows of cells in the texture"),
    Fixed("columns", U16, "columns of cells in the texture"),
    TrackField("texture_slot", U16, "number of the texture's cell"),
    TrackField("visible", U8, "1 while the ribbon emits edges"),
    When(nested, Fixed("priority", I16, "priority plane: lower planes are drawn first")),
    When(nested, Fixed("color_index", I8, "meaning unknown")),
    When(
        nested, Fixed("transform_index", I8, "entry in transform_lookup, if the header's flag 0x20000 is set")
    ),
)
