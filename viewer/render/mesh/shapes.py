"""Keyed shapes of vertex buffers in one GPU table; the shader blends two of them."""

from __future__ import annotations

from collections.abc import Mapping

import moderngl
import numpy as np

from viewer.arrays import Array
from viewer.gpu.program import Program
from viewer.gpu.table import TexelTable
from viewer.scene.mesh.vertices import ShapeBlend
from viewer.scene.model import Shape

AS_THEY_ARE = (-1, -1)


class ShapeTable:
    """The shapes of vertex buffer `buffer`, which has `count` vertices.

    The keys of `shapes` are their indices among the model's shapes.
    """

    def __init__(self, ctx: moderngl.Context, buffer: int, shapes: Mapping[int, Shape], count: int) -> None:
        self.buffer = buffer
        self.each = 1 + all(shape.normals is not None for shape in shapes.values())
        stride = count * self.each
        self._starts = {number: row * stride for row, number in enumerate(shapes)}
        self._table = TexelTable(ctx, stride * len(shapes), 4)
        self._table.write(np.concatenate([_texels(shape, count, self.each) for shape in shapes.values()]))

    @property
    def texture(self) -> moderngl.Texture:
        """The table, as `shape_vertices` of `shape.glsl`."""
        return self._table.texture

    def apply(self, program: Program, blends: Mapping[int, ShapeBlend]) -> None:
        """Set the two shapes that `program` blends. If `blends` has no shape of this buffer, its vertices
        stay unmoved.
        """

        blend = blends.get(self.buffer)
        known = blend is not None and blend.first in self._starts and blend.second in self._starts
        if blend is None or not known:
            program.set(shape_texels=self.each, shape_starts=AS_THEY_ARE, shape_factor=0.0)
            return
        starts = self._starts[blend.first], self._starts[blend.second]
        program.set(shape_texels=self.each, shape_starts=starts, shape_factor=blend.factor)

    def release(self) -> None:
        """Release the texture of the table."""
        self._table.release()


def shape_table(
    ctx: moderngl.Context, shapes: tuple[Shape, ...], streams: tuple[int, ...], count: int
) -> ShapeTable | None:
    """Make the table for these vertex buffers; None if no shape replaces the positions of one of these
    buffers.
    """
    buffer = next((stream for stream in streams if any(shape.buffer == stream for shape in shapes)), None)
    if buffer is None or not count:
        return None
    mine = {number: shape for number, shape in enumerate(shapes) if shape.buffer == buffer}
    return ShapeTable(ctx, buffer, mine, count)


def _texels(shape: Shape, count: int, each: int) -> Array:
    """Return the texels [count × `each`, 4] f32 of a shape: position, and normal if `each` is 2.

    The texels of vertices that the shape lacks are 0.
    """
    out = np.zeros((count, each, 4), np.float32)
    rows = min(count, len(shape.positions))
    out[:rows, 0, :3] = shape.positions[:rows]
    if each > 1 and shape.normals is not None:
        out[:rows, 1, :3] = shape.normals[:rows]
    return out.reshape(-1, 4)
