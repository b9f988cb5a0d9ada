"""The numbers of texels per row in the tables that the particle and ribbon shaders read."""

from __future__ import annotations

BIRTH_TEXELS = 3
"""A node of the birth schedule: births, time, rate, and the values of a particle born at this time."""
FRAME_TEXELS = 6
"""A node of the emitter's path: time, drift, matrix, and the speeds before and after the node."""
SPLINE_TEXELS = 2
"""A point of a spline: position and tangent."""
CARRIED_TEXELS = 7
"""A birth of a carried emitter: age, lifespan, seed, values, matrix and speed of the carrier."""
RIBBON_TEXELS = 4
"""A sample of a ribbon: origin, upper and lower extent, colour."""
