"""Vertex attributes with the distance of each vertex from its counterpart in a compared model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import moderngl
import numpy as np

from viewer.arrays import Array
from viewer.gpu.program import Program
from viewer.gpu.upload import Buffers, Part
from viewer.scene.model import Lod

if TYPE_CHECKING:
    from viewer.scene.vertex_distances import Shares

INPUT = "in_distance"
UNKNOWN = -1.0
"""Attribute value of a vertex without a counterpart."""


class DistanceBuffers:
    """One GL buffer of distances per vertex buffer with positions, made when `Shading.DISTANCE` draws it."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._shares: Shares = ()
        self._made: dict[int, moderngl.Buffer] = {}

    def show(self, shares: Shares) -> None:
        """Show the distances `shares` from now on. Nothing is uploaded if `shares` is the object of the
        previous call.
        """
        if shares is not self._shares:
            self._shares = shares
            for stream, buffer in self._made.items():
                buffer.write(self._attributes(stream, buffer.size // np.dtype(np.float32).itemsize))

    def parts(self, program: Program, buffers: Buffers, lod: Lod) -> tuple[Part, ...]:
        """Return the attribute for the vertex array of this level; empty if the program does not read
        distances.
        """
        if INPUT not in program.members:
            return ()
        found = buffers.elements(lod.streams).get("position")
        stream = lod.streams[0] if found is None else found[0]
        if stream not in self._made:
            self._made[stream] = self._ctx.buffer(self._attributes(stream, buffers.count(stream)))
        return ((self._made[stream], "1f4", INPUT),)

    def release(self) -> None:
        """Release the GL buffer of each vertex buffer."""
        for buffer in self._made.values():
            buffer.release()

    def _attributes(self, stream: int, count: int) -> Array:
        """Return the attribute of each vertex of a vertex buffer as [V] f32."""
        held = self._shares[stream] if stream < len(self._shares) else None
        found = np.full(count, UNKNOWN, np.float32)
        if held is not None:
            known = np.flatnonzero(~np.isnan(held[:count]))
            found[known] = np.clip(held[known], 0.0, 1.0)
        return found
