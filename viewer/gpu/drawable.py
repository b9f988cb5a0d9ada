"""A program with the vertex array from which it draws."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np

from viewer.arrays import Array
from viewer.gpu.program import Program
from viewer.gpu.shader import Composer

Part = tuple[Any, ...]
"""A buffer, its format and the attribute names, as `moderngl.Context.vertex_array` takes them."""


class Drawable:
    """A program of two shader files, and the buffers that it reads. It is built at the first use.

    A reloaded program gets a new vertex array. `mesh` are constant vertices, a structured array [V]; `layout`
    is their format and attribute names, and `indices` [N] u32 are the numbers of the vertices to draw, in
    order. `instances` is the format and the attribute names of the instance data that `write` uploads for
    every picture. Without `mesh` and `instances`, the vertex shader computes its vertices from `gl_VertexID`.
    """

    def __init__(
        self,
        composer: Composer,
        shaders: tuple[str, str],
        mesh: Array | None = None,
        layout: tuple[str, ...] = (),
        instances: tuple[str, ...] = (),
        indices: Array | None = None,
    ) -> None:
        self._composer = composer
        self._shaders = shaders
        self._mesh = None if mesh is None else composer.ctx.buffer(np.ascontiguousarray(mesh))
        self._indices = None if indices is None else composer.ctx.buffer(np.ascontiguousarray(indices))
        self._layout = layout
        self._instances = instances
        self._stream: moderngl.Buffer | None = None
        self._array: moderngl.VertexArray | None = None

    @property
    def program(self) -> Program:
        """The program; ShaderError if it does not compile."""
        return self._composer.program(*self._shaders)

    @property
    def array(self) -> moderngl.VertexArray:
        """The vertex array of the current program."""
        handle = self.program.handle
        if self._array is None or self._array.program is not handle:
            self._drop_array()
            self._array = self._composer.ctx.vertex_array(
                handle, self._parts(), index_buffer=self._indices, index_element_size=4
            )
        return self._array

    def write(self, items: Array) -> None:
        """Upload the instances, a structured array [N] with N > 0; the buffer grows if needed."""
        if self._stream is None or self._stream.size < items.nbytes:
            self._drop_array()
            if self._stream is not None:
                self._stream.release()
            self._stream = self._composer.ctx.buffer(reserve=items.nbytes * 2, dynamic=True)
        self._stream.orphan()
        self._stream.write(items)

    def release(self) -> None:
        """Release the vertex array and the buffers."""
        self._drop_array()
        for buffer in (self._mesh, self._stream, self._indices):
            if buffer is not None:
                buffer.release()

    def _drop_array(self) -> None:
        if self._array is not None:
            self._array.release()
            self._array = None

    def _parts(self) -> list[Part]:
        parts: list[Part] = []
        if self._mesh is not None:
            parts.append((self._mesh, *self._layout))
        if self._stream is not None:
            parts.append((self._stream, *self._instances))
        return parts
