"""Ribbons: strips that a bone draws behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from viewer.arrays import Color
from viewer.dataclass import dataclass
from viewer.scene.animation import Animation
from viewer.scene.emitter import Curves, Parameter, Point, no_curves
from viewer.scene.material import ClipTime, Material


@dataclass(frozen=True, slots=True, eq=False)
class Ribbon:
    """A ribbon emitter. `curves` gives the keys of its tracks in an animation (None: the rest pose): `color`
    0..1, `alpha`, `above` and `below` (how far it reaches to both sides along the y axis of `bone`),
    `texture_slot`, `visible`. `position` is in model space and follows the bone.

    `rate` edges are born a second and live for `lifetime` seconds; they rise by `gravity` times the square of
    their age. Their pictures are `rows` by `columns` slots of the textures; it is drawn once with each of the
    materials `layers`. `priority`: those of a higher one are drawn later. `texture_transform` gives the
    `u_offset` and `v_offset` of a moment, as in `Material`; None: they do not move.

    `textures` and `materials` are numbers of the file's own; `parameters` are for reading: the first and last
    key of each track, and plain numbers twice. `troubles` are what is wrong with the record, one line each.
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
