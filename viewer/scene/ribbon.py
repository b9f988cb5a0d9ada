"""Ribbons: strips that trail behind a bone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from viewer.arrays import Color
from viewer.scene.animation import Animation
from viewer.scene.emitter import Curves, Parameter, Point, no_curves
from viewer.scene.material import ClipTime, Material


class Ribbon(Struct, frozen=True, eq=False):
    """A ribbon emitter. `curves` gives the keys of its tracks in an animation (None: the rest pose): `color`
    0..1, `alpha`, `above` and `below` (the extents to both sides along the y axis of `bone`), `texture_slot`,
    `visible`. `position` is in model space and follows the bone.

    `rate` edges are born a second and live for `lifetime` seconds; they move by `gravity` times the square of
    their age. Their textures have `rows` by `columns` slots; the ribbon is drawn once with each of the
    materials `layers`. Ribbons with a higher `priority` are drawn later. `texture_transform` gives `u_offset`
    and `v_offset` at a time, as in `Material` (None: they do not change).

    `textures` and `materials` are the numbers in the file; `parameters` are for display: the first and last
    key of each track; plain numbers appear twice. `troubles` are the faults of the record, one line each.
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
