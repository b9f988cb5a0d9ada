"""What hangs on a model besides its mesh: attachments, events, lights, collision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from viewer.dataclass import dataclass
from viewer.scene.emitter import Point
from viewer.scene.material import ClipTime


@dataclass(frozen=True, slots=True)
class Attachment:
    """A place where other models are put on. `position` is in model space; it follows `bone`."""

    id: int
    name: str
    bone: int
    position: Point


@dataclass(frozen=True, slots=True)
class Light:
    """A light of the file: `type` is `directional` or `point`; it follows `bone`, -1: nothing. `diffuse` and
    `ambient` are rgb with their intensity multiplied in, `attenuation` is where it begins to fade and where
    it ends, in the file's unit. All of this and `visible` is as it is at first; `motion` says it at a moment,
    None: it never changes."""

    type: str
    bone: int
    position: Point
    diffuse: Point = (1.0, 1.0, 1.0)
    ambient: Point = (0.0, 0.0, 0.0)
    attenuation: tuple[float, float] = (0.0, 0.0)
    visible: bool = True
    motion: Callable[[ClipTime], Light] | None = None

    def at(self, moment: ClipTime) -> Light:
        """The light as it is at a moment."""
        return self if self.motion is None else self.motion(moment)


@dataclass(frozen=True, slots=True)
class EventPoint:
    """Where events of this `name` happen: `position` is in model space; it follows `bone`."""

    name: str
    bone: int
    position: Point


@dataclass(frozen=True, slots=True, eq=False)
class Collision:
    """What bodies run into: `vertices` [V, 3] in model space, `triangles` [T, 3] of them."""

    vertices: np.ndarray[Any, Any]
    triangles: np.ndarray[Any, Any]
