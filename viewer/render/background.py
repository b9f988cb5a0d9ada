"""The background: a colour, transparency, or a soft gradient."""

from __future__ import annotations

import moderngl

from viewer.arrays import Size
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.gpu.target import clear, clear_depth, copy_colors, release_framebuffers
from viewer.scene.display import DisplayOptions, Shading
from viewer.scene.model import Primitive

BLACK = (0.0, 0.0, 0.0, 1.0)
DARK = ((0.115, 0.125, 0.145), (0.285, 0.310, 0.345))
LIGHT = ((0.800, 0.815, 0.835), (0.930, 0.940, 0.950))
"""The gradients, sRGB at the lower and the upper edge."""

Key = tuple[Size, int, bool, moderngl.Program]
"""What a picture of the gradient depends on: size, samples, theme, program."""


def behind(options: DisplayOptions) -> tuple[float, float, float, float] | None:
    """The background colour behind the lines of the grid; None: the dark default."""
    return (*LIGHT[1], 1.0) if options.background is None and options.light_theme else options.background


class Background:
    """Draws the gradient of `background.frag` over the whole framebuffer.

    The second picture of a size keeps a copy of the gradient, and later pictures copy it back: that takes a
    tenth of the time.
    """

    def __init__(self, composer: Composer) -> None:
        self._composer = composer
        self._gradient = Drawable(composer, ("background.vert", "background.frag"))
        self._last: Key | None = None
        self._copy: moderngl.Framebuffer | None = None

    def clear(self, framebuffer: moderngl.Framebuffer, size: Size, options: DisplayOptions) -> None:
        """Clear the RGBA8 framebuffer of `size` (width, height) and draw the background that `options`
        requests.

        Silhouettes are on black.
        """
        color = options.background
        if color is None and options.shading is Shading.SILHOUETTE:
            color = BLACK
        if color is not None:
            red, green, blue, alpha = color
            clear(framebuffer, size, (red * alpha, green * alpha, blue * alpha, alpha))
            return
        key = (size, framebuffer.samples, options.light_theme, self._gradient.program.handle)
        if key == self._last and self._copy is not None:
            clear_depth(framebuffer, size)
            copy_colors(framebuffer, self._copy)
            return
        clear(framebuffer, size, BLACK)
        self._draw(framebuffer, options.light_theme)
        self._drop()
        if key == self._last and framebuffer.size == size:
            self._keep(framebuffer)
        self._last = key

    def release(self) -> None:
        """Release the vertex array and the copy."""
        self._drop()
        self._gradient.release()

    def _draw(self, framebuffer: moderngl.Framebuffer, light: bool) -> None:
        below, above = LIGHT if light else DARK
        self._gradient.program.set(below=below, above=above)
        pipeline = Pipeline(self._gradient.array, framebuffer, depth=None, depth_write=False, cull="none")
        pipeline.draw(Primitive.TRIANGLES, 3)

    def _keep(self, framebuffer: moderngl.Framebuffer) -> None:
        """Copy the gradient that was just drawn."""
        ctx = self._composer.ctx
        color = ctx.renderbuffer(framebuffer.size, 4, samples=framebuffer.samples)
        self._copy = ctx.framebuffer([color])
        copy_colors(self._copy, framebuffer)

    def _drop(self) -> None:
        if self._copy is not None:
            (color,) = self._copy.color_attachments
            release_framebuffers(self._copy)
            color.release()
            self._copy = None
