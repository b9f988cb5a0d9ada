"""The background: a colour, transparency, or a soft gradient."""

from __future__ import annotations

import moderngl

from viewer.arrays import Size
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.gpu.target import clear
from viewer.scene.display import DisplayOptions, Shading
from viewer.scene.model import Primitive

BLACK = (0.0, 0.0, 0.0, 1.0)
DARK = ((0.115, 0.125, 0.145), (0.285, 0.310, 0.345))
LIGHT = ((0.800, 0.815, 0.835), (0.930, 0.940, 0.950))
"""The gradients, sRGB at the lower and the upper edge."""


def behind(options: DisplayOptions) -> tuple[float, float, float, float] | None:
    """The background colour behind the lines of the grid; None: the dark default."""
    return (*LIGHT[1], 1.0) if options.background is None and options.light_theme else options.background


class Background:
    """Draws the gradient of `background.frag` over the whole framebuffer."""

    def __init__(self, composer: Composer) -> None:
        self._gradient = Drawable(composer, ("background.vert", "background.frag"))

    def clear(self, framebuffer: moderngl.Framebuffer, size: Size, options: DisplayOptions) -> None:
        """Clear the framebuffer of `size` (width, height) and draw the background that `options` requests.

        Silhouettes are on black.
        """
        color = (
            BLACK
            if options.background is None and options.shading is Shading.SILHOUETTE
            else options.background
        )
        red, green, blue, alpha = color or BLACK
        clear(framebuffer, size, (red * alpha, green * alpha, blue * alpha, alpha))
        if color is None:
            below, above = LIGHT if options.light_theme else DARK
            self._gradient.program.set(below=below, above=above)
            pipeline = Pipeline(self._gradient.array, framebuffer, depth=None, depth_write=False, cull="none")
            pipeline.draw(Primitive.TRIANGLES, 3)

    def release(self) -> None:
        """Release the vertex array."""
        self._gradient.release()
