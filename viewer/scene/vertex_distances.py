"""The distances between the vertices of two models at rest, and the colours that show them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.errors import counted

DISTANCE_COLORS = (
    (0.294, 0.011, 0.631),
    (0.492, 0.012, 0.658),
    (0.658, 0.134, 0.588),
    (0.798, 0.280, 0.470),
    (0.899, 0.396, 0.366),
    (0.973, 0.585, 0.254),
    (0.993, 0.771, 0.155),
    (0.940, 0.975, 0.131),
)
"""Colours from the smallest distance to the largest, from dark to light.

Source: matplotlib's colour map "plasma" from 1/8 to 1 in steps of 1/8. The darkest eighth is left out,
because surfaces in such dark colours are hardly visible.
"""
UNMOVED = (0.38, 0.42, 0.48)
"""The colour of vertices at equal positions."""
UNMATCHED = ((0.20, 0.22, 0.25), (0.72, 0.74, 0.78))
"""The stripe colours of surfaces without a counterpart."""
UNMOVED_NAME, UNMATCHED_NAME = "not moved", "no counterpart"
"""The names of the colours `UNMOVED` and `UNMATCHED` in legends."""
STRIPE = 5
"""The width of a stripe in pixels."""

Shares = Sequence[Array | None]
"""The distances of each vertex buffer: [V] f32, as shares of the largest distance. NaN: the vertex has no
counterpart. None: the buffer has no counterparts.
"""


class ColorLegend(Struct, frozen=True):
    """What a legend of the colours says: the text of the `largest` value, which is empty if nothing differs,
    and whether parts without a counterpart are drawn.
    """

    largest: str
    has_unmatched: bool = False


class ModelDistances(Struct, frozen=True, eq=False):
    """The distances of a model's vertices from their counterparts in another model, as `shares`.

    `vertices` counts the vertices that the first levels of detail draw. Of these, `moved` differ in position
    and `unmatched` have no counterpart.
    """

    shares: Shares
    vertices: int
    moved: int
    unmatched: int

    @property
    def text(self) -> str:
        """The summary: `12 of 340 vertices moved, 6 have no counterpart`."""
        if not self.vertices:
            return "no vertices"
        some = f"{self.moved} of " if self.moved else "none of "
        found = f"{some}{counted(self.vertices, 'vertex', 'vertices')} moved"
        if not self.unmatched:
            return found
        return f"{found}, {self.unmatched} {'has' if self.unmatched == 1 else 'have'} no counterpart"


class VertexDistances(Struct, frozen=True, eq=False):
    """The distances between two `models`; `largest` is the largest finite distance, in units of the first
    model.

    `alignment` [4, 4] converts positions of the second model to the axes and unit of the first model.
    `alignment` is None for models of the same engine, and if the vertices of the models do not match.
    """

    models: tuple[ModelDistances, ModelDistances]
    largest: float
    alignment: Array | None = None

    @property
    def has_unmatched(self) -> bool:
        """Whether a vertex has no counterpart."""
        return any(each.unmatched for each in self.models)

    @property
    def legend(self) -> ColorLegend:
        """The legend of the colours."""
        return ColorLegend(f"{self.largest:.4g} units" if self.largest else "", self.has_unmatched)

    @property
    def text(self) -> str:
        """The summary: `the largest distance is 0.25 units`."""
        if self.largest:
            return f"the largest distance is {self.largest:.6g} units"
        matched = any(each.unmatched < each.vertices for each in self.models)
        return "all vertices are at equal positions" if matched else "no vertices to compare"


def ramp(count: int) -> Array:
    """[count, 3]: evenly spaced colours from the smallest distance to the largest."""
    return _colors(np.linspace(0, 1, count))


def share_colors(shares: Array) -> Array:
    """[N, 3]: the colours of distances [N], given as shares of the largest distance; see `Shares`."""
    found = _colors(np.clip(shares, 0, 1))
    found[shares == 0] = UNMOVED
    found[np.isnan(shares)] = UNMATCHED[1]
    return found


def _colors(shares: Array) -> Array:
    at, known = shares * (len(DISTANCE_COLORS) - 1), np.arange(len(DISTANCE_COLORS))
    return np.stack([np.interp(at, known, channel) for channel in zip(*DISTANCE_COLORS, strict=True)], 1)
