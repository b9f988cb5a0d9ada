"""Particle emitters, in the terms that evaluation needs: everything is an array or a number.

Source of what the fields mean: wowdev.wiki M2 and MDX; Deamon87 WebWowViewerCpp; rkabachenko OpenWow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from types import MappingProxyType

import numpy as np

from viewer.arrays import Array
from viewer.dataclass import dataclass
from viewer.scene.animation import Animation
from viewer.scene.reference import ModelReference

Point = tuple[float, float, float]
Pair = tuple[float, float]
Parameter = tuple[float, ...]

MOST_EMITTERS = 256
"""Of a model that are drawn: more than any real one has."""
NO_POINTS = np.empty((0, 3))
NO_POINTS.flags.writeable = False


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Keys of something over time: `times` [K] f64 seconds from the clip's start, ascending, K > 0; `values`
    [K] or [K, C] f64. `stepped`: a value holds until the next key. `period`: seconds of a loop that runs by
    itself whatever the clip's time, None: it follows the clip. Before the first key that one holds, after the
    last the last."""

    times: Array
    values: Array
    stepped: bool = False
    period: float | None = None


Curves = Mapping[str, Curve]
"""By the name of the track; a track without keys is not there."""
NO_CURVES: Curves = MappingProxyType({})


def no_curves(animation: Animation | None) -> Curves:
    """What has no keys in any animation."""
    return NO_CURVES


@dataclass(frozen=True, slots=True, eq=False)
class Ramp:
    """A value over a particle's life: `times` [K] f64 from 0 to 1, ascending, `values` [K, C] f64; linear
    between keys, held outside of them. Without keys it says nothing."""

    times: Array = field(default_factory=lambda: np.empty(0))
    values: Array = field(default_factory=lambda: np.empty((0, 1)))

    def __len__(self) -> int:
        return len(self.times)


@dataclass(frozen=True, slots=True)
class Phases:
    """Two parts of a life, up to `middle` and from there: each runs through its stretch of a ramp so many
    times."""

    middle: float = 1.0
    first: int = 1
    second: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Emitter:
    """A particle emitter. `curves` gives the keys of its tracks in an animation (None: the rest pose):
    `speed`, `speed_variation`, `vertical_range`, `horizontal_range`, `gravity`, `lifespan`, `rate`,
    `length`, `width`, `z_source`, `enabled`. `position` is in model space and follows `bone`.

    `type` is plane, sphere, spline or bone; `blend` is the file's number, `blending` one of
    `scene.material.BLENDS` or two factors. `texture` is a number of the model's textures, of which `rows` by
    `columns` cells are read. Pixels with less alpha than `alpha_mask` are not drawn. `priority`: those of a
    higher one are drawn later.

    Ramps over life: `colors` [K, 3] 0..1, `alphas`, `scales` [K, 2] half the size of the quad, `head_cells`
    and `tail_cells`, run through by `phases`. `twinkle` is samples a second, the share of the time that it
    shows, and the least and greatest size. `tumble` is the least and greatest turn x y z, radians a second;
    `follow` two pairs of speed and share. `spins_by_life`: `spin` counts turns over the life, else radians a
    second. `spline` [P, 3] are the points of the curve that particles start on.

    `parameters` are for reading: the first and last key of each track, and plain numbers twice. Each particle
    is the model `shape` in place of a quad, and carries the emitters of the model `carries`, where there are
    such. `troubles` are what is wrong with the record, one line each.
    """

    type: str
    bone: int
    position: Point
    texture: int
    blend: int
    flags: tuple[str, ...] = ()
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    curves: Callable[[Animation | None], Curves] = no_curves
    blending: str = "addalpha"
    alpha_mask: float = 1 / 255
    depth_write: bool = False
    priority: int = 0
    rows: int = 1
    columns: int = 1
    head: bool = True
    tail: bool = False
    colors: Ramp = field(default_factory=Ramp)
    alphas: Ramp = field(default_factory=Ramp)
    scales: Ramp = field(default_factory=Ramp)
    head_cells: Ramp = field(default_factory=Ramp)
    tail_cells: Ramp = field(default_factory=Ramp)
    phases: Phases = field(default_factory=Phases)
    lifespan_variation: float = 0.0
    rate_variation: float = 0.0
    scale_variation: Pair = (0.0, 0.0)
    tail_length: float = 0.0
    twinkle: tuple[float, float, float, float] = (0.0, 1.0, 1.0, 1.0)
    burst: float = 1.0
    drag: float = 0.0
    base_spin: Pair = (0.0, 0.0)
    spin: Pair = (0.0, 0.0)
    spins_by_life: bool = False
    tumble: tuple[Point, Point] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    wind: Point = (0.0, 0.0, 0.0)
    wind_time: float = 0.0
    follow: tuple[Pair, Pair] = ((0.0, 0.0), (0.0, 0.0))
    spline: Array = field(default_factory=lambda: NO_POINTS)
    shape: ModelReference | None = None
    carries: ModelReference | None = None
    troubles: tuple[str, ...] = ()
