"""The mip levels that the program makes and uploads itself, where it draws in software.

There `glGenerateMipmap` costs more than to make the levels in numpy, and its first call compiles shaders for
50 ms. moderngl writes only levels that were generated, so this module calls OpenGL itself.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any

import moderngl
import numpy as np

from viewer.arrays import Array, Size
from viewer.gpu.driver import LIBRARIES
from viewer.lru import kept_with

TEXTURE_2D, RGBA, UNSIGNED_BYTE, MAX_LEVEL = 0x0DE1, 0x1908, 0x1401, 0x813D
OWN_PIXELS = 1 << 22
"""The largest texture whose levels the program makes: above, the driver needs less time and memory."""
SOFTWARE = ("llvmpipe", "softpipe", "swiftshader")
"""Parts of the names of software renderers."""


@kept_with
def draws_in_software(ctx: moderngl.Context) -> bool:
    """Whether the context draws without a GPU. This matters, because Mesa's software renderer takes up to
    half a minute for a picture with anisotropic filters and multisampling.
    """
    renderer = ctx.info["GL_RENDERER"].casefold()
    return any(name in renderer for name in SOFTWARE)


def makes_levels(ctx: moderngl.Context, size: Size) -> bool:
    """Whether the program makes the mip levels of a texture of this size itself, for `write_levels`."""
    return draws_in_software(ctx) and size[0] * size[1] <= OWN_PIXELS and _opengl() is not None


def write_levels(texture: moderngl.Texture, internal: int, levels: Iterable[Array]) -> None:
    """Upload the levels from 1 on, each [height, width, 4] u8, to a texture of this internal format."""
    opengl = _opengl()
    assert opengl is not None, "makes_levels was asked"
    texture.use(texture.ctx.default_texture_unit)
    number = 0
    for number, level in enumerate(levels, start=1):
        pixels = np.ascontiguousarray(level)
        height, width = pixels.shape[:2]
        size = ctypes.c_int(internal), ctypes.c_int(width), ctypes.c_int(height), ctypes.c_int(0)
        data = ctypes.c_void_p(pixels.ctypes.data)
        opengl.glTexImage2D(TEXTURE_2D, ctypes.c_int(number), *size, RGBA, UNSIGNED_BYTE, data)
    opengl.glTexParameteri(TEXTURE_2D, MAX_LEVEL, ctypes.c_int(number))


@cache
def _opengl() -> Any:
    """The library of OpenGL; None if it is not at its usual name, or on another system than Linux."""
    try:
        return ctypes.CDLL(LIBRARIES["libgl"]) if sys.platform.startswith("linux") else None
    except OSError:
        return None
