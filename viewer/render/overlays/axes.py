"""The axis gizmo: X, Y and Z as a small cross in the upper right corner."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np

from viewer.arrays import Array
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.scene.model import Primitive
from viewer.view.camera import Matrices

STROKE = np.dtype([("start", "f4", 2), ("end", "f4", 2), ("radius", "f4"), ("color", "f4", 4)])
"""A thick line with round ends: positions in pixels from the lower left corner, sRGB with straight alpha."""

COLORS = np.array(((0.93, 0.29, 0.34), (0.52, 0.77, 0.20), (0.28, 0.55, 0.98)))
"""The usual colours of the axes: X red, Y green, Z blue."""
INK = (0.07, 0.08, 0.09, 1.0)
LETTERS = (
    (((-1, -1), (1, 1)), ((-1, 1), (1, -1))),
    (((-1, 1), (0, 0)), ((1, 1), (0, 0)), ((0, 0), (0, -1))),
    (((-1, 1), (1, 1)), ((1, 1), (-1, -1)), ((-1, -1), (1, -1))),
)
"""The letters X, Y and Z as lines in a square from -1 to 1."""

SHARE, SMALLEST, LARGEST = 0.055, 16.0, 40.0
"""Length of an arm as a share of the picture's shorter side, and its limits in points."""
END_RADIUS = 0.25
"""Radius of the ball at the end of an arm, in arm lengths."""


class AxesOverlay:
    """Draws the axes. Owns its buffer and vertex array; the program belongs to the composer."""

    def __init__(self, composer: Composer) -> None:
        instances = ("2f4 2f4 f4 4f4/i", "in_start", "in_end", "in_radius", "in_color")
        self._made: tuple[object, int] | None = None
        self._strokes = Drawable(composer, ("stroke.vert", "stroke.frag"), instances=instances)

    def draw(
        self,
        matrices: Matrices,
        framebuffer: moderngl.Framebuffer,
        size: tuple[int, int],
        density: float = 1.0,
    ) -> None:
        """Draw on top of the framebuffer of `size` (width, height); `density` is pixels per point."""
        key = (matrices, size, density)
        if self._made is None or self._made[0] != key:
            items = strokes(directions(matrices), size, density)
            self._strokes.write(items)
            self._made = key, len(items)
        self._strokes.program.set(size=tuple(map(float, size)))
        pipeline = Pipeline(
            self._strokes.array,
            framebuffer,
            blend="premulalpha",
            depth=None,
            depth_write=False,
            cull="none",
        )
        pipeline.draw(Primitive.TRIANGLE_STRIP, 4, instances=self._made[1])

    def release(self) -> None:
        """Release the buffer and the vertex array."""
        self._strokes.release()


def directions(matrices: Matrices) -> Array:
    """Return the directions of the X, Y and Z axes of viewer space on the screen as rows [3, 3].

    The columns are the components to the right, upwards and towards the viewer. The signs of the projection
    are included, because a camera with its own matrices may look along +Z.
    """
    columns = matrices.world_view[:3, :3]
    scale = np.sqrt((columns * columns).sum(axis=0))
    signs = np.sign(np.diag(matrices.projection)[:3]) * (1, 1, -1)
    return np.asarray((columns / np.where(scale > 0, scale, 1)).T * signs)


def axis_ends(
    axes: Array, size: tuple[int, int], density: float
) -> list[tuple[int, int, float, float, float]]:
    """Return the six ends of the axes, nearest first. Each end has its axis, its sign, x and y from the lower
    left corner in pixels, and its radius in pixels.
    """
    arm, middle = _placed(size, density)
    ends = sorted(np.ndindex(3, 2), key=lambda end: -axes[end[0], 2] * (1 - 2 * end[1]))
    found = []
    for axis, negative in ends:
        sign = 1 - 2 * negative
        x, y = middle + axes[axis, :2] * arm * sign
        found.append((axis, sign, float(x), float(y), arm * END_RADIUS))
    return found


def _placed(size: tuple[int, int], density: float) -> tuple[float, Array]:
    """Return the length of an arm and the centre [2] of the cross, in pixels."""
    arm = min(max(min(size) * SHARE, SMALLEST * density), LARGEST * density)
    return arm, np.array(size) - arm * (1 + 2 * END_RADIUS)


def strokes(axes: Array, size: tuple[int, int], density: float = 1.0) -> Array:
    """Make the strokes of the gizmo, [N] of `STROKE`, farthest first.

    `axes` [3, 3] are the result of `directions`.
    """
    arm, middle = _placed(size, density)
    groups = []
    for axis, sign in sorted(np.ndindex(3, 2), key=lambda item: axes[item[0], 2] * (1 - 2 * item[1])):
        tip = middle + axes[axis, :2] * arm * (1 - 2 * sign)
        groups += _negative(tip, arm, COLORS[axis]) if sign else _positive(middle, tip, arm, axis)
    return np.array(groups, STROKE)


def _positive(middle: Array, tip: Array, arm: float, axis: int) -> list[tuple[Any, ...]]:
    """Make the strokes of a positive axis: a line, a ball and its letter."""
    color = (*COLORS[axis], 1.0)
    size, thin = arm * END_RADIUS * 0.42, max(arm * 0.022, 0.6)
    letter = [(tip + np.multiply(a, size), tip + np.multiply(b, size), thin, INK) for a, b in LETTERS[axis]]
    return [(middle, tip, arm * 0.04, color), (tip, tip, arm * END_RADIUS, color), *letter]


def _negative(tip: Array, arm: float, color: Array) -> list[tuple[Any, ...]]:
    """Make the strokes of a negative axis: a smaller ball with a dark centre."""
    return [
        (tip, tip, arm * END_RADIUS * 0.75, (*color, 0.9)),
        (tip, tip, arm * END_RADIUS * 0.75 - max(arm * 0.035, 1.0), (*color * 0.4, 0.9)),
    ]
