"""The ground grid at y = 0 of viewer space, scaled to the model."""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.arrays import Array, Color
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.render.camera import REACH, Matrices, bounding_sphere
from viewer.scene.model import Primitive

LIGHT_INK, DARK_INK, NEUTRAL_INK = 0.85, 0.0, 0.5
BRIGHT = 0.4
"""The luminance (of sRGB values) above which a background needs dark lines."""
LEVELS = 100
"""The distance between the coarsest lines, in smallest cells."""


class GroundGrid:
    """Draws the ground grid. It owns its vertex array; the program belongs to the composer."""

    def __init__(self, composer: Composer) -> None:
        self._ground = Drawable(composer, ("grid.vert", "grid.frag"))
        self._made: tuple[object, ...] | None = None

    def draw(
        self,
        matrices: Matrices,
        framebuffer: moderngl.Framebuffer,
        extent: Array | None,
        background: Color | None = None,
    ) -> None:
        """Draw on the framebuffer with depth test, for a model in the box `extent` [2, 3].

        `background` (sRGB and alpha; None: the dark default) decides between light and dark lines.
        """
        key = (
            matrices,
            None if extent is None else extent.tobytes(),
            background,
            self._ground.program.handle,
        )
        if key != self._made:
            self._set_plane(matrices, extent, background)
            self._made = key
        pipeline = Pipeline(
            self._ground.array, framebuffer, blend="premulalpha", depth_write=False, cull="none"
        )
        pipeline.draw(Primitive.TRIANGLE_STRIP, 4)

    def _set_plane(self, matrices: Matrices, extent: Array | None, background: Color | None) -> None:
        """Set the uniforms: position, cell size and colour."""
        center, radius = bounding_sphere(extent)
        cell = cell_size(radius)
        ground = center[[0, 2]]
        middle = np.round(ground / (cell * LEVELS)) * (cell * LEVELS)
        reach = radius * REACH * 0.8
        side = reach + float(np.abs(ground - middle).max())
        self._ground.program.set(
            world_clip=matrices.world_clip,
            middle=tuple(middle),
            hub=tuple(ground - middle),
            reach=reach,
            side=side,
            cell=cell,
            ink=(ink(background),) * 3,
        )

    def release(self) -> None:
        """Release the vertex array."""
        self._ground.release()


def cell_size(radius: float) -> float:
    """The size of the smallest cell: a power of ten, at most a tenth of a model of this radius."""
    return float(10.0 ** (np.floor(np.log10(2 * radius)) - 1))


def ink(background: Color | None) -> float:
    """The grey of the lines (sRGB) that contrasts with this background."""
    if background is None:
        return LIGHT_INK
    if background[3] < 0.5:
        return NEUTRAL_INK
    luminance = float(np.dot(background[:3], (0.2126, 0.7152, 0.0722)))
    return DARK_INK if luminance > BRIGHT else LIGHT_INK
