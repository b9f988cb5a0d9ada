"""What is known of two compared documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.difference import Difference, Differences
from viewer.scene.placement import Placement

if TYPE_CHECKING:
    from viewer.scene.vertex_distances import VertexDistances


class ComparisonResult(Struct, eq=False):
    """What was found of two documents, of which the first is the left one; None until it is known.

    `distances` are those between the vertices, `differences` those by meaning, `fields` those of the bytes,
    field by field, and notes: these are searched when `wants_fields` is set. `error` says why there are
    none.
    """

    distances: VertexDistances | None = None
    differences: Differences | None = None
    fields: tuple[Difference | str, ...] | None = None
    wants_fields: bool = False
    error: str = ""


class Following(Struct):
    """What a partner took over from the document in view: the camera `seen`, made of the objects `made_of`
    for models that are `placed` so, and what `played` when its playlist was made.
    """

    seen: Orbit | MatrixCamera | None = None
    made_of: tuple[object, ...] = ()
    placed: tuple[Placement, ...] = ()
    played: tuple[object, ...] = ()
