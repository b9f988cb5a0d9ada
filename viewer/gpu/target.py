"""Off-screen render targets with and without multisampling."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np

from viewer.arrays import Array, Color, Size
from viewer.errors import GraphicsError

TRANSPARENT: Color = (0.0, 0.0, 0.0, 0.0)
NO_COLOR = (False, False, False, False)


def clear(framebuffer: moderngl.Framebuffer, size: Size, color: Color = TRANSPARENT) -> None:
    """Clear a framebuffer to a colour (premultiplied) and the farthest depth, and set the viewport to `size`
    (width, height).
    """
    # Bind the framebuffer first: otherwise moderngl binds the previous framebuffer, which may be invalid.
    framebuffer.use()
    framebuffer.viewport = (0, 0, *size)
    framebuffer.depth_mask = True
    framebuffer.clear(*color)


def clear_depth(framebuffer: moderngl.Framebuffer, size: Size) -> None:
    """Clear only the depth, and set the viewport to `size` (width, height)."""
    mask, framebuffer.color_mask = framebuffer.color_mask, NO_COLOR
    clear(framebuffer, size)
    framebuffer.color_mask = mask
    framebuffer.use()  # moderngl sets the masks of a framebuffer when it binds it


def copy_colors(to: moderngl.Framebuffer, source: moderngl.Framebuffer) -> None:
    """Copy the colours of a framebuffer of the same size and samples; the bound framebuffer stays bound."""
    bound = to.ctx.fbo
    to.use()  # moderngl sets the draw buffers of what is bound, which is an error for a window's framebuffer
    to.ctx.copy_framebuffer(to, source)
    bound.use()


class RenderTarget:
    """A colour (RGBA8) and depth target of `size` (width, height).

    `samples` is the requested number of samples per pixel, limited to the number that the driver supports. 0
    means no multisampling. GraphicsError if the driver cannot make a target of this size.
    """

    def __init__(self, ctx: moderngl.Context, size: Size, samples: int = 0) -> None:
        self.size, self.released = size, False
        self.samples = usable_samples(ctx, samples)
        self._attachments: list[Any] = []
        try:
            self._make(ctx)
        except (moderngl.Error, MemoryError) as error:
            for attachment in self._attachments:
                attachment.release()
            _ = ctx.error  # read the error here, so that no later check finds it
            wanted = f"{size[0]} × {size[1]} pixels" + (
                f", {self.samples} samples each" if self.samples else ""
            )
            raise GraphicsError(
                f"OpenGL on this machine cannot draw a picture of {wanted}: {error}"
            ) from error

    def _make(self, ctx: moderngl.Context) -> None:
        size, made = self.size, self._attachments
        self.texture = ctx.texture(size, 4)
        made.append(self.texture)
        made.append(ctx.depth_renderbuffer(size, samples=self.samples))
        if self.samples:
            made.append(ctx.renderbuffer(size, 4, samples=self.samples))
            self.framebuffer = ctx.framebuffer([made[2]], made[1])
            self._resolved = ctx.framebuffer([self.texture])
        else:
            self.framebuffer = self._resolved = ctx.framebuffer([self.texture], made[1])

    def resolve(self) -> moderngl.Texture:
        """Average the samples of each pixel and return the picture as a texture, bottom row first."""
        if self._resolved is not self.framebuffer:
            copy_colors(self._resolved, self.framebuffer)
        return self.texture

    def read(self) -> Array:
        """[height, width, 4] u8: the picture, top row first. Colours are premultiplied, because blending
        produces premultiplied colours.
        """
        self.resolve()
        data = self._resolved.read(components=4, alignment=1)
        width, height = self.size
        return np.frombuffer(data, np.uint8).reshape(height, width, 4)[::-1]

    def release(self) -> None:
        """Release the framebuffers and their attachments."""
        self.released = True
        release_framebuffers(self.framebuffer, self._resolved)
        for attachment in self._attachments:
            attachment.release()


def release_framebuffers(*framebuffers: moderngl.Framebuffer) -> None:
    """Release framebuffers of one context. If one of them is bound, the default framebuffer is
    bound instead.
    """
    ctx = framebuffers[0].ctx
    if ctx.fbo in framebuffers:
        # Whenever moderngl creates a framebuffer, it binds the previous one again.
        (ctx.screen or ctx.detect_framebuffer(0)).use()
    for item in {id(each): each for each in framebuffers}.values():
        item.release()


def usable_samples(ctx: moderngl.Context, samples: int) -> int:
    """Return the samples per pixel to use: a power of two up to 8 that exceeds neither `samples` nor
    the driver's limit. If only one sample is possible, the result is 0, because 0 means no multisampling.
    """
    most = min(samples, 8, ctx.max_samples)
    return 1 << (most.bit_length() - 1) if most > 1 else 0


def straight_alpha(pixels: Array) -> Array:
    """[..., 4] u8: straight colours, as PNG stores them, converted from premultiplied colours. If a colour is
    brighter than its alpha, because light was added without coverage, its alpha becomes this brightness.
    """
    alpha = pixels.max(axis=-1, keepdims=True)
    whole = np.maximum(alpha, 1).astype(np.uint16)
    colour = (pixels[..., :3].astype(np.uint16) * 255 + whole // 2) // whole
    return np.concatenate((colour.astype(np.uint8), alpha), axis=-1)
