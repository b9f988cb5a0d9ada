"""How far numbers may be apart and still count as equal."""

from __future__ import annotations

import math

from msgspec import Struct

SHARE = 1e-5
"""The tolerance of distances, as a share of the size of the model."""


class Tolerance(Struct, frozen=True):
    """The largest deviations that do not count: `distance` in units of the first document, `angle` in
    degrees, `weight` of an influence or a morph, `uv`, `color` 0..1, `time` in seconds, and `share` of other
    numbers.
    """

    distance: float
    angle: float = 0.01
    weight: float = 1e-3
    uv: float = 1e-5
    color: float = 1 / 512
    time: float = 1e-4
    share: float = 1e-6


EXACT = Tolerance(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def tolerance_of(chosen: float | None, size: float) -> Tolerance:
    """The tolerance for a model of `size` units; `chosen` is the distance that the user chose, and 0 means
    that every number has to be the same.
    """
    if chosen == 0:
        return EXACT
    if chosen is not None:
        return Tolerance(chosen)
    return Tolerance(SHARE * (size if math.isfinite(size) and size > 0 else 1.0))
