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
"""The luminance (of sRGB values) above which a background needs dark lines."""
LEVELS = 100
"""The distance between the coarsest lines, in smallest cells."""
SUNK = 0.03
"""The share of a model's radius by which its feet may sink into the ground."""
CORNERS = 12
"""The corners of the polygon that is drawn."""
SEEN = 0.89
"""The share of `reach` at which the strongest line has faded below 1 / 512 and changes no pixel."""


class Ground(Struct, frozen=True, eq=False):
    """The ground of a model in the box `extent` [2, 3] for a camera.

    `background` (sRGB and alpha; None: the dark default) decides between light and dark lines.
    """

    matrices: Matrices
    extent: Array | None
    background: Color | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for equal grids. Two sets of matrices are equal only if they are the same object."""
        return self.matrices, None if self.extent is None else self.extent.tobytes(), self.background

    @property
    def is_beneath(self) -> bool:
        """Whether the camera looks at the ground from above, and the model stands on it or hovers."""
        projection, extent = self.matrices.projection, self.extent
        if extent is None or not projection[3, :3].any() or not self.matrices.eye[1] > 0:
            return False
        return bool(extent[0, 1] >= -SUNK * bounding_sphere(extent)[1])


class GroundGrid:
    """Draws the ground grid. It owns its vertex array; the program belongs to the composer."""

    def __init__(self, composer: Composer) -> None:
        self._ground = Drawable(composer, ("grid.vert", "grid.frag"))
        self._made: tuple[object, ...] | None = None

    @property
    def program(self) -> moderngl.Program:
        """The linked program; it changes when an edited shader is reloaded."""
        return self._ground.program.handle

    def draw(self, ground: Ground, framebuffer: moderngl.Framebuffer) -> None:
        """Draw on the framebuffer with depth test."""
        key = (*ground.key, self.program)
        if key != self._made:
            self._set_plane(ground)
            self._made = key
        pipeline = Pipeline(
            self._ground.array, framebuffer, blend="premulalpha", depth_write=False, cull="none"
        )
        pipeline.draw(Primitive.TRIANGLE_FAN, CORNERS)

    def _set_plane(self, ground: Ground) -> None:
        """Set the uniforms: position, cell size and colour."""
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
