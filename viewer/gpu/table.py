"""Long tables of numbers, stored in textures for `texelFetch`."""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.arrays import Array

TEXELS_PER_ROW = 2048
"""The number of texels per row, within the limit of every driver. `texels.glsl` uses the same number."""


class TexelTable:
    """A table of `count` texels of `components` numbers (`f4` or `i4`); texel i lies at (i % 2048, i /
    2048)."""

    def __init__(self, ctx: moderngl.Context, count: int, components: int, dtype: str = "f4") -> None:
        width = max(1, min(count, TEXELS_PER_ROW))
        rows = max(1, -(-count // TEXELS_PER_ROW))
        self._staged = np.zeros((rows * width, components), dtype)
        self.texture = ctx.texture((width, rows), components, self._staged, dtype=dtype, alignment=1)
        self.texture.filter = moderngl.NEAREST, moderngl.NEAREST

    def write(self, values: Array) -> None:
        """Write values [N, components] to the start of the table; values past its end are dropped. A number
        that is too large for the texel type becomes infinite; only damaged files have such numbers.
        """
        count = min(len(values), len(self._staged))
        self._staged[:count] = values[:count]
        self.texture.write(self._staged, alignment=1)

    def release(self) -> None:
        """Release the texture."""
        self.texture.release()
