"""The map of an environment: where the levels of its light lie, and the table of reflection.

`viewer.scene.environment` makes the map, and `environment.glsl` reads it.
"""

from __future__ import annotations

from math import pi, sqrt

from msgspec import Struct

from viewer.arrays import Array

LEAST_SIDE = 32
SIDES = (512, 256, 128, 64, LEAST_SIDE, LEAST_SIDE)
"""The side of each level in texels, without its border. Each is half of the one before, but at least
`LEAST_SIDE`, so that shaders can compute its place.
"""
PLACES = ((0, 0), (0, 514), (0, 772), (0, 902), (0, 968), (0, 1002))
"""The left upper corner of each level in the map, with its border of one texel."""
SPREAD = (len(SIDES) - 1) * (len(SIDES) + 1)
"""A surface of roughness r shows the level sqrt(1 + SPREAD · r) − 1, so that levels are dense where surfaces
are smooth.
"""
TABLE_SIDE, TABLE_PLACE = 32, (264, 516)
"""The side of the table, and its left upper corner in the map. It has no border."""
MAP_SIZE = (514, 1036)
"""Width and height of the map in texels."""
TEXEL_ANGLE = sqrt(4 * pi) / SIDES[0]
"""The mean side of a texel of the sharpest level in radians."""


class Environment(Struct, frozen=True, eq=False):
    """A prepared environment.

    `map` [1036, 514, 4] f16 has the levels, each with a border that continues it, and the table of reflection
    in its first two channels: the factor of the colour of the reflection, and the share that does not depend
    on this colour. `diffuse` [9, 3] f32 are the coefficients of the mean light that a matt surface receives,
    as factors of 1, y, z, x, xy, yz, 3z² − 1, xz and x² − y² of its normal.
    """

    map: Array
    diffuse: Array
