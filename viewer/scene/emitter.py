"""Particle emitters, ribbons and the models that particles show, as arrays and numbers.

Source for the meaning of the fields: wowdev.wiki M2 and MDX; Deamon87 WebWowViewerCpp; rkabachenko OpenWow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array, Color
from viewer.scene.animation import Animation
from viewer.scene.material import ClipTime, FoundHow, Material
from viewer.scene.names import file_name

ReferencedModel = TypeVar("ReferencedModel")


class ModelReference(Struct, Generic[ReferencedModel], frozen=True, eq=False):
    """A reference to a model by its name in the file. `path` is the found file (None: not found); `searched`
    are the searched paths; `how` says how the file fits the name; `files` are the files that were read
    together with the model.

    `model` is None if it cannot be used; `trouble` says why. `complete`: every found file was read.
    `animation` is the model's clip (None: the model does not move). References inside this model are not
    read.

    `ReferencedModel` stands for `scene.model.Model`. It is a type variable, because `scene.model` imports
    this module.
    """

    name: str
    path: str | None = None
    searched: tuple[str, ...] = ()
    how: FoundHow | None = None
    model: ReferencedModel | None = None
    animation: Animation | None = None
    trouble: str = ""
    files: tuple[str, ...] = ()
    complete: bool = True

    @property
    def missing(self) -> bool:
        """Whether the model's file was not found."""
        return self.path is None and bool(self.searched)

    @property
    def bare_name(self) -> str:
        """The model's name without its folders."""
        return file_name(self.name) or self.name


Point = tuple[float, float, float]
Pair = tuple[float, float]
Parameter = tuple[float, ...]

NO_POINTS = np.empty((0, 3))
NO_POINTS.flags.writeable = False


class Curve(Struct, frozen=True, eq=False):
    """Keys over time: `times` [K] f64 seconds from the clip's start, ascending, K > 0; `values` [K] or [K, C]
    f64.

    `stepped`: a value stays constant until the next key. `period` is the length in seconds of a loop that
    ignores the clip's time (None: the curve follows the clip). Before the first key, the curve has the first
    value; after the last key, it has the last value.
    """

    times: Array
    values: Array
    stepped: bool = False
    period: float | None = None


Curves = Mapping[str, Curve]
"""Curves by the name of their track; tracks without keys are left out."""
NO_CURVES: Curves = MappingProxyType({})


def no_curves(animation: Animation | None) -> Curves:
    """Return no curves: the default of an emitter without keys."""
    return NO_CURVES


class Ramp(Struct, frozen=True, eq=False):
    """A value over a particle's life: `times` [K] f64 from 0 to 1, ascending, `values` [K, C] f64; linear
    between keys, constant outside. An empty ramp sets no value.
    """

    times: Array = field(default_factory=lambda: np.empty(0))
    values: Array = field(default_factory=lambda: np.empty((0, 1)))

    def __len__(self) -> int:
        return len(self.times)


class Phases(Struct, frozen=True):
    """The two phases of a particle's life, before and after `middle` (0..1). The first phase plays its range
    of a ramp `first` times, the second phase `second` times.
    """

    middle: float = 1.0
    first: int = 1
    second: int = 1


class Emitter(Struct, frozen=True, eq=False):
    """A particle emitter. `curves` returns the keys of its tracks in an animation (None: the rest pose):
    `speed`, `speed_variation`, `vertical_range`, `horizontal_range`, `gravity`, `lifespan`, `rate`, `length`,
    `width`, `z_source`, `enabled`. `position` is in model space and follows `bone`.

    `type` is plane, sphere, spline or bone; `blend` is the file's number; `blending` is one of
    `scene.material.BLENDS` or two factors. `texture` is a number of the model's textures; the texture has
    `rows` by `columns` cells. Pixels with less alpha than `alpha_mask` are not drawn. Emitters with a higher
    `priority` are drawn later.

    Ramps over life: `colors` [K, 3] 0..1, `alphas`, `scales` [K, 2] half the size of the quad, `head_cells`
    and `tail_cells`, played by `phases`. `twinkle` has four numbers: samples a second, the fraction of time
    in which a particle is visible, the smallest and the largest size. `tumble` is the smallest and the
    largest turn around x, y, z in radians a second; `follow` is two pairs (speed of the bone, fraction of the
    bone's movement that following particles make). `spin` is in radians a second; with `spins_by_life` it
    counts turns over the life. `spline` [P, 3] are the control points of the curve on which particles start.

    `parameters` are for display: the first and last key of each track; a constant has its value twice. With
    `shape` each particle is that model instead of a quad; with `carries` each particle carries the emitters
    of that model. `troubles` are the faults of the record, one line each. `color_slot` is the number of the
    colours in a `Look` that replace `colors` (None: they are never replaced).
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
    shape: ModelReference[Any] | None = None
    carries: ModelReference[Any] | None = None
    troubles: tuple[str, ...] = ()
    color_slot: int | None = None


class Ribbon(Struct, frozen=True, eq=False):
    """A ribbon emitter. `curves` returns the keys of its tracks in an animation (None: the rest pose):
    `color` 0..1, `alpha`, `above` and `below` (the extents to both sides along the y axis of `bone`),
    `texture_slot`, `visible`. `position` is in model space and follows the bone.

    `rate` edges are born a second and live for `lifetime` seconds; they move by `gravity` times the square of
    their age. The ribbon's textures have `rows` by `columns` slots. The ribbon is drawn once with each of the
    materials `layers`. Ribbons with a higher `priority` are drawn later. `texture_transform` returns
    `u_offset` and `v_offset` at a time, as in `Material` (None: constant).

    `textures` and `materials` are the numbers in the file; `parameters` are for display: the first and last
    key of each track; a constant has its value twice. `troubles` are the faults of the record, one line each.
    """

    bone: int
    position: Point
    textures: tuple[int, ...]
    materials: tuple[int, ...]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    curves: Callable[[Animation | None], Curves] = no_curves
    layers: tuple[Material, ...] = ()
    rate: float = 0.0
    lifetime: float = 0.0
    gravity: float = 0.0
    rows: int = 1
    columns: int = 1
    priority: int = 0
    texture_transform: Callable[[ClipTime], tuple[Color, Color]] | None = None
    troubles: tuple[str, ...] = ()
