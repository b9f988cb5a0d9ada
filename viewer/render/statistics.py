"""How much a picture took."""

from __future__ import annotations

from viewer.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class DrawStatistics:
    """What a frame drew."""

    triangles: int = 0
    draws: int = 0

    def __add__(self, other: DrawStatistics) -> DrawStatistics:
        return DrawStatistics(self.triangles + other.triangles, self.draws + other.draws)
