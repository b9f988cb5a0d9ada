"""The trails of bones and attachments as lines and dots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viewer.animation.pose import Pose
from viewer.arrays import Array, Color
from viewer.render.overlays.segments import INK, dots, segments
from viewer.view.motion_marks import Trail

COLORS: tuple[Color, ...] = (
    (0.98, 0.78, 0.22, 1.0),
    (0.36, 0.82, 0.62, 1.0),
    (0.93, 0.45, 0.68, 1.0),
    (0.42, 0.66, 0.98, 1.0),
    (0.98, 0.55, 0.30, 1.0),
    (0.68, 0.55, 0.96, 1.0),
)
"""The colours of trails in turn."""
LINE, RIM, FRAME, KEY, NOW = 1.0, 0.9, 1.5, 2.9, 4.2
"""Half the width of the line, the width of the dark rim, and the radii of the dots at frames, at keys and at
the current time, in points.
"""


def trail_segments(trails: Sequence[Trail], pose: Pose) -> list[Array]:
    """Make the lines of trails, with a dot at each frame, a larger dot at each key of the bone, and the
    largest dot at the position in `pose`. Each result is [N] of `SEGMENT`, in the file's axes.
    """
    found = []
    for number, trail in enumerate(trails):
        color, line = COLORS[number % len(COLORS)], trail.frames
        ends = np.stack((line[:-1], line[1:]), axis=1)
        found += [
            segments(ends, INK, LINE + RIM),
            segments(ends, color, LINE),
            dots(line, color, FRAME, RIM),
            dots(trail.keys, color, KEY, RIM),
            dots(trail.point.placed(pose)[None], (1.0, 1.0, 1.0, 1.0), NOW, RIM + 0.6, color),
        ]
    return found
