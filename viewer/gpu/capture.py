"""Transform feedback: the numbers that a vertex shader computes, read back."""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.arrays import Array
from viewer.gpu.bindings import Bindings
from viewer.gpu.target import RenderTarget


class VertexCapture:
    """Runs vertex shaders for their outputs alone. It owns a framebuffer of one pixel: without any
    framebuffer, a context without a window silently captures zeros.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._target: RenderTarget | None = None

    def read(
        self, vao: moderngl.VertexArray, bindings: Bindings, row: np.dtype, vertices: int, instances: int = 1
    ) -> Array:
        """[`vertices` × `instances`] of `row`: the captured outputs of each vertex, packed. `bindings` are
        all textures and blocks that the program reads."""
        count = vertices * instances
        if not count:
            return np.empty(0, row)
        if self._target is None:
            self._target = RenderTarget(self._ctx, (1, 1))
        if self._ctx.fbo is not self._target.framebuffer:
            self._target.framebuffer.use()
        vao.program.extra.bind(bindings)
        captured = self._ctx.buffer(reserve=count * row.itemsize)
        try:
            # The default mode would be triangles, which drop what does not fill one.
            vao.transform(captured, moderngl.POINTS, vertices=vertices, instances=instances)
            return np.frombuffer(captured.read(), row)
        finally:
            captured.release()

    def release(self) -> None:
        """Release the framebuffer."""
        if self._target is not None:
            self._target.release()
            self._target = None
