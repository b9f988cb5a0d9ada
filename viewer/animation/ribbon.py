"""Ribbons as tables over a loop: where the edge lies that is born at a moment, and which edges there are.

Edges are born at whole multiples of 1 / rate seconds, and one more is always at the bone itself. Where an
edge lies when it is born is baked; what time makes of it is a formula (`shaders/include/ribbon.glsl`). So any
moment may be asked for in any order. Source: Deamon87 WebWowViewerCpp `CRibbonEmitter`; its steps telescope.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from viewer.scene.ribbon import Ribbon

Array = np.ndarray[Any, Any]

SHORTEST = 0.25
"""Seconds that an edge lives at least: the client's own limit."""
MOST_EDGES = 4096
"""Of one ribbon; real ones have about a hundred."""


@dataclass(frozen=True, slots=True)
class Edges:
    """Which edges there are at a moment: the leading one, then `count` - 1 births, the youngest of which is
    `youngest` seconds old and each further one `between` seconds older. `first` is the number of the oldest
    birth, counted from time 0."""

    count: int
    youngest: float
    between: float
    lifetime: float
    first: int


def edges(ribbon: Ribbon, time: float, cold: bool = False) -> Edges:
    """The edges at `time` seconds, never wrapped; exact, in float64. `cold`: none is older than time 0."""
    rate, lifetime = pace(ribbon)
    if rate == 0:
        return Edges(1, 0.0, 0.0, lifetime, 0)
    newest = math.floor(time * rate)
    oldest = math.floor((time - lifetime) * rate) + 1
    oldest = max(oldest, 0) if cold else oldest
    count = 1 + max(newest - oldest + 1, 0)
    return Edges(count, time - newest / rate, 1 / rate, lifetime, oldest)


def pace(ribbon: Ribbon) -> tuple[int, float]:
    """Edges a second, a whole number, and the seconds that one lives; no more than `MOST_EDGES` at a time."""
    lifetime = max(ribbon.lifetime, SHORTEST) if math.isfinite(ribbon.lifetime) else SHORTEST
    rate = ribbon.rate if math.isfinite(ribbon.rate) else 0.0
    return max(min(math.ceil(rate), int(MOST_EDGES / lifetime)), 0), lifetime
