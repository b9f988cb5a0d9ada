"""The limit of what particles cover: a file of a kilobyte can ask for a million of them, each as large as the
picture.
"""

from __future__ import annotations

import math

import numpy as np

from viewer.arrays import Array
from viewer.render.view_parameters import ViewParameters
from viewer.scene.emitter import Emitter
from viewer.view.effect_bounds import particle_reach

PICTURES = 256
"""The most times that an emitter covers the picture; the fog of login screens does so 55 times."""


def most_particles(
    emitter: Emitter, size: float, place: Array, unit: float, view_parameters: ViewParameters
) -> int:
    """The number of an emitter's particles that are drawn, whose sizes have the factor `size`.

    A particle is taken for as large as it can be, and for as far away as `place` [3] in the file's axes;
    `unit` is the length of one of their units in eye space.
    """
    view, projection = view_parameters.view, view_parameters.projection
    width, height = view_parameters.framebuffer.size
    distance = float(np.linalg.norm(view[:3, :3] @ place + view[:3, 3]))
    depth = abs(projection[3, 2]) * distance + projection[3, 3]
    reach = particle_reach(emitter) * abs(size) * unit
    side = float(reach * abs(projection[1, 1]) * height / depth)
    side = math.inf if math.isnan(side) else side
    covered = min(side * side, width * height)
    return int(min(PICTURES * width * height / max(covered, 1.0), 1 << 30))
