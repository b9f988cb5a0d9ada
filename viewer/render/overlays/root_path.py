"""The path of the root motion of playing clips, drawn on the ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viewer.animation.pose import Layer
from viewer.animation.retarget import retargeted
from viewer.animation.root_motion import root_motion
from viewer.arrays import Array, Color
from viewer.render.overlays.segments import INK, dots, segments
from viewer.scene.display import up_vector
from viewer.scene.maths import transform
from viewer.scene.skeleton import Skeleton

PATH: Color = (0.98, 0.62, 0.22, 1.0)
LINE, RIM, START, NOW = 1.1, 1.0, 2.4, 3.6
"""Half the width of the line, the width of the dark rim, and the radii of the dots at the start and at the
current time, in points.
"""
HEAD = 0.06
"""The length of the arrowhead, as a share of the distance from start to end."""


def root_path_segments(skeleton: Skeleton, layers: Sequence[Layer], to_world: Array) -> list[Array]:
    """Make the ground path of the root bone of each layer: a line with an arrowhead at its end, and dots at
    its start and at the current time. Each result is [N] of `SEGMENT`, in the file's axes.

    `to_world` [4, 4] goes from the file's axes to viewer space, whose ground is y = 0.
    """
    found = []
    for layer in layers:
        clip = retargeted(layer.animation, skeleton, to_world)
        motion = root_motion(skeleton, clip, up_vector(to_world))
        if motion is None:
            continue
        now = motion.at(layer.clip_time(layer.time).at)
        points = _on_ground(np.concatenate((motion.path, now[None])), to_world)
        line, now = points[:-1], points[-1:]
        ends = np.concatenate((np.stack((line[:-1], line[1:]), axis=1), _arrowhead(line, to_world)))
        found += [
            segments(ends, INK, LINE + RIM),
            segments(ends, PATH, LINE),
            dots(line[:1], PATH, START, RIM),
            dots(now, PATH, NOW, RIM),
        ]
    return found


def _on_ground(points: Array, to_world: Array) -> Array:
    """[N, 3]: the points, moved vertically to the ground."""
    placed = transform(to_world[:3], points)
    placed[:, 1] = 0.0
    return transform(np.linalg.inv(to_world)[:3], placed)


def _arrowhead(line: Array, to_world: Array) -> Array:
    """[2, 2, 3]: two lines of an arrowhead on the ground, at the end of `line` [K, 3]."""
    tip, whole = line[-1], float(np.linalg.norm(line[-1] - line[0]))
    far = np.linalg.norm(line - tip, axis=1) >= HEAD * whole
    back = line[np.flatnonzero(far)[-1]] - tip if far.any() else line[0] - tip
    back = back / (float(np.linalg.norm(back)) or 1.0) * HEAD * whole
    side = np.cross(np.array(up_vector(to_world)), back) * 0.6
    return np.stack((np.stack((tip, tip + back + side)), np.stack((tip, tip + back - side))))
