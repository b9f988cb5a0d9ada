"""The ground grid at y = 0 of viewer space, scaled to the model."""

from __future__ import annotations

import moderngl
import numpy as np
from msgspec import Struct

from viewer.arrays import Array, Color
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.scene.model import Primitive
from viewer.view.camera import REACH, Matrices, bounding_sphere

LIGHT_INK, DARK_INK, NEUTRAL_INK = 0.85, 0.0, 0.5
BRIGHT = 0.4
"""A background with a larger luminance than this (computed from sRGB values) needs dark lines."""
LEVELS = 100
"""Distance between the coarsest lines, as a multiple of the smallest cell."""
SUNK = 0.03
"""How far feet may be below the ground, as a share of the model's radius."""
CORNERS = 12
"""Number of corners of the ground polygon."""
SEEN = 0.89
"""At this share of `reach` even the strongest line has faded below 1 / 512, so that it changes no pixel."""


class Ground(Struct, frozen=True, eq=False):
    """The ground under a model with the box `extent` [2, 3], seen by a camera.

    `background` (sRGB and alpha) decides between light and dark lines; None is the dark default.
    """

    matrices: Matrices
    extent: Array | None
    background: Color | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """A key of the grid's picture: grids with equal keys look the same. The key compares matrices by
        identity.
        """
        return self.matrices, None if self.extent is None else self.extent.tobytes(), self.background

    @property
    def is_beneath(self) -> bool:
        """Whether the camera is above the ground and the model is not below it."""
        projection, extent = self.matrices.projection, self.extent
        if extent is None or not projection[3, :3].any() or not self.matrices.eye[1] > 0:
            return False
        return bool(extent[0, 1] >= -SUNK * bounding_sphere(extent)[1])


class GroundGrid:
    """Draws the ground grid. Owns its vertex array; the program belongs to the composer."""

    def __init__(self, composer: Composer) -> None:
        self._ground = Drawable(composer, ("grid.vert", "grid.frag"))
        self._made: tuple[object, ...] | None = None

    @property
    def program(self) -> moderngl.Program:
        """The linked program; it is another object after an edited shader was reloaded."""
        return self._ground.program.handle

    def draw(self, ground: Ground, framebuffer: moderngl.Framebuffer) -> None:
        """Draw on the framebuffer with the depth test on."""
        key = (*ground.key, self.program)
        if key != self._made:
            self._set_plane(ground)
            self._made = key
        pipeline = Pipeline(
            self._ground.array, framebuffer, blend="premulalpha", depth_write=False, cull="none"
        )
        pipeline.draw(Primitive.TRIANGLE_FAN, CORNERS)

    def _set_plane(self, ground: Ground) -> None:
        """Set the uniforms of the ground: position, cell size and colour."""
        center, radius = bounding_sphere(ground.extent)
        cell = cell_size(radius)
        hub = center[[0, 2]]
        middle = np.round(hub / (cell * LEVELS)) * (cell * LEVELS)
        reach = radius * REACH * 0.8
        self._ground.program.set(
            world_clip=ground.matrices.world_clip,
            middle=tuple(middle),
            hub=tuple(hub - middle),
            reach=reach,
            radius=reach * SEEN,
            cell=cell,
            ink=(ink(ground.background),) * 3,
        )

    def release(self) -> None:
        """Release the vertex array."""
        self._ground.release()


def cell_size(radius: float) -> float:
    """Return the size of the smallest cell: a power of ten, at most a tenth of the diameter of the model."""
    return float(10.0 ** (np.floor(np.log10(2 * radius)) - 1))


def ink(background: Color | None) -> float:
    """Return the grey (sRGB, 0..1) of lines that contrast with this background."""
    if background is None:
        return LIGHT_INK
    if background[3] < 0.5:
        return NEUTRAL_INK
    luminance = float(np.dot(background[:3], (0.2126, 0.7152, 0.0722)))
    return DARK_INK if luminance > BRIGHT else LIGHT_INK
