"""Counts the triangles and draw calls of a frame."""

from __future__ import annotations

from msgspec import Struct


class DrawStatistics(Struct, frozen=True):
    """The number of triangles and of draw calls in a frame."""

    triangles: int = 0
    draws: int = 0

    def __add__(self, other: DrawStatistics) -> DrawStatistics:
        return DrawStatistics(self.triangles + other.triangles, self.draws + other.draws)
