"""The background: a colour, transparency, or a soft gradient."""

from __future__ import annotations

import moderngl

from viewer.arrays import Color, Size
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.gpu.target import clear, clear_depth, copy_colors, release_framebuffers
from viewer.render.overlays.grid import Ground, GroundGrid
from viewer.scene.choices import Shading
from viewer.scene.display import DisplayOptions
from viewer.scene.model import Primitive

BLACK = (0.0, 0.0, 0.0, 1.0)
DARK = ((0.115, 0.125, 0.145), (0.285, 0.310, 0.345))
LIGHT = ((0.800, 0.815, 0.835), (0.930, 0.940, 0.950))
"""Colours of the gradients in sRGB, 0..1: at the lower edge, at the upper edge."""


def behind(options: DisplayOptions) -> tuple[float, float, float, float] | None:
    """Return the background colour from which the grid chooses its line colour; None for the dark default."""
    return (*LIGHT[1], 1.0) if options.background is None and options.light_theme else options.background


class Background:
    """Draws the colour or gradient behind the model, and the ground.

    While only the model changes, the background is copied from an earlier frame: a copy takes a tenth of the
    time.
    """

    def __init__(self, composer: Composer, grid: GroundGrid) -> None:
        self._composer = composer
        self._grid = grid
        self._gradient = Drawable(composer, ("background.vert", "background.frag"))
        self._last: tuple[object, ...] = ()
        self._copied: tuple[object, ...] | None = None
        self._copy: moderngl.Framebuffer | None = None

    def draw(
        self,
        framebuffer: moderngl.Framebuffer,
        size: Size,
        options: DisplayOptions,
        ground: Ground | None = None,
    ) -> None:
        """Fill the RGBA8 framebuffer of `size` (width, height), and clear its depth.

        `options` choose the background, which is black for silhouettes. If `ground` is None, no ground is
        drawn.
        """
        color = _color(options)
        plain = (framebuffer.samples, size, color, options.light_theme, self._gradient.program.handle)
        whole = (*plain, *ground.key, self._grid.program) if ground else plain
        if self._copied == whole:
            self._paste(framebuffer, size)
        else:
            self._fill(framebuffer, size, color, options.light_theme, plain)
            if ground is not None:
                self._grid.draw(ground, framebuffer)
            if whole == self._last and (ground is not None or color is None):
                self._keep(framebuffer, size, whole)
        self._last = whole

    def release(self) -> None:
        """Release the vertex array and the copy."""
        self._drop()
        self._gradient.release()

    def _fill(
        self,
        framebuffer: moderngl.Framebuffer,
        size: Size,
        color: Color | None,
        light: bool,
        plain: tuple[object, ...],
    ) -> None:
        """Fill the framebuffer with the colour or the gradient; `plain` is the key of the background without
        its ground. If there is a copy with this key, the copy is pasted instead.
        """
        if self._copied == plain:
            self._paste(framebuffer, size)
            return
        red, green, blue, alpha = color or BLACK
        clear(framebuffer, size, (red * alpha, green * alpha, blue * alpha, alpha))
        if color is not None:
            return
        below, above = LIGHT if light else DARK
        self._gradient.program.set(below=below, above=above)
        pipeline = Pipeline(self._gradient.array, framebuffer, depth=None, depth_write=False, cull="none")
        pipeline.draw(Primitive.TRIANGLES, 3)
        if self._last[: len(plain)] == plain and self._last != plain:
            # only the ground differs, because the camera moves: keep the rest
            self._keep(framebuffer, size, plain)

    def _paste(self, framebuffer: moderngl.Framebuffer, size: Size) -> None:
        assert self._copy is not None, "a copy exists"
        clear_depth(framebuffer, size)
        copy_colors(framebuffer, self._copy)

    def _keep(self, framebuffer: moderngl.Framebuffer, size: Size, key: tuple[object, ...]) -> None:
        """Copy the colours of the framebuffer for later frames, under the key `key`. Nothing is copied if the
        framebuffer is not of the size `size`.
        """
        if framebuffer.size != size:
            return
        samples, copy = framebuffer.samples, self._copy
        if copy is None or (copy.size, copy.samples) != (size, samples):
            self._drop()
            self._copy = copy = self._composer.ctx.framebuffer(
                [self._composer.ctx.renderbuffer(size, 4, samples=samples)]
            )
        copy_colors(copy, framebuffer)
        self._copied = key

    def _drop(self) -> None:
        if self._copy is not None:
            (color,) = self._copy.color_attachments
            release_framebuffers(self._copy)
            color.release()
        self._copy = self._copied = None


def _color(options: DisplayOptions) -> Color | None:
    """Return the colour of the background; None for the gradient."""
    if options.background is None and options.shading is Shading.SILHOUETTE:
        return BLACK
    return options.background
