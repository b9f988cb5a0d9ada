"""The lines and dots of measured distances and of points under the pointer."""

from __future__ import annotations

from collections.abc import Mapping

from viewer.animation.pose import Pose, moves
from viewer.arrays import Array, Color
from viewer.render.overlays.segments import INK, dots, segments
from viewer.scene.mesh.surface_points import SurfaceMarks, surface_positions
from viewer.scene.model import Model

MEASURED: Color = (1.0, 0.82, 0.28, 1.0)
LINE, DOT, RIM = 0.8, 3.6, 1.5
"""Half the width of a line, the radius of a dot, and the width of their dark rim, in points."""


def surface_segments(
    model: Model, pose: Pose | None, morphs: Mapping[int, float], marks: SurfaceMarks
) -> list[Array]:
    """Make the lines and dots on the posed surface; each result is [N] of `SEGMENT`.

    Points that the model does not have get the coordinates NaN.
    """
    points = [point for line in marks.lines for point in line]
    placed = surface_positions(model, [*points, *marks.dots], moves(pose, morphs))
    lines = placed[: len(points)].reshape(-1, 2, 3)
    return [
        segments(lines, INK, LINE + RIM),
        segments(lines, MEASURED, LINE),
        dots(placed, MEASURED, DOT, RIM),
    ]
