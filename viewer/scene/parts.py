"""What hangs on a model besides its mesh: attachments and lights."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.scene.emitter import Point


@dataclass(frozen=True, slots=True)
class Attachment:
    """A place where other models are put on. `position` is in model space; it follows `bone`."""

    id: int
    name: str
    bone: int
    position: Point


@dataclass(frozen=True, slots=True)
class Light:
    """A light of the file: `type` is `directional` or `point`; it follows `bone`, -1: nothing."""

    type: str
    bone: int
    position: Point
