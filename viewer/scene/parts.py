"""What hangs on a model besides its mesh: attachments, lights and ribbons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from viewer.scene.emitter import Parameter, Point


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


@dataclass(frozen=True, slots=True)
class Ribbon:
    """A ribbon emitter as the file has it; `textures` and `materials` are numbers of the file's own."""

    bone: int
    position: Point
    textures: tuple[int, ...]
    materials: tuple[int, ...]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
