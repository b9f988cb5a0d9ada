"""Parts of a model besides its mesh: attachments, events, lights, collision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct

from viewer.scene.emitter import Point
from viewer.scene.material import ClipTime


class Attachment(Struct, frozen=True):
    """A point to which other models are attached. `position` is in model space; it follows `bone`."""

    id: int
    name: str
    bone: int
    position: Point


class Light(Struct, frozen=True):
    """A light of the file. `type` is `directional` or `point`; the light follows `bone` (-1: no bone).

    `diffuse` and `ambient` are rgb with their intensity multiplied in; `attenuation` is the distance at which
    the light begins to fade and the distance at which it ends, in the file's unit. These fields and `visible`
    hold the initial values; `motion` gives the values at a time (None: they never change).
    """

    type: str
    bone: int
    position: Point
    diffuse: Point = (1.0, 1.0, 1.0)
    ambient: Point = (0.0, 0.0, 0.0)
    attenuation: tuple[float, float] = (0.0, 0.0)
    visible: bool = True
    motion: Callable[[ClipTime], Light] | None = None

    def at(self, clip_time: ClipTime) -> Light:
        """The light with its values at a time."""
        return self if self.motion is None else self.motion(clip_time)


class EventPoint(Struct, frozen=True):
    """The point where events of this `name` happen: `position` is in model space and follows `bone`."""

    name: str
    bone: int
    position: Point


class Collision(Struct, frozen=True, eq=False):
    """The collision mesh: `vertices` [V, 3] in model space, `triangles` [T, 3] of vertex numbers."""

    vertices: np.ndarray[Any, Any]
    triangles: np.ndarray[Any, Any]
