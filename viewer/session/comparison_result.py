"""The result of a comparison of two documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.difference import Difference, Differences
from viewer.scene.display import Placement

if TYPE_CHECKING:
    from viewer.animation.motion.clip_difference import ClipDifference
    from viewer.scene.vertex_distances import VertexDistances


class ComparisonResult(Struct, eq=False):
    """The result of a comparison. In each pair, the left document comes first. A value is None until it is
    computed.

    `distances` are the distances between vertices, `differences` the differences between items. `fields`
    lists notes and the differing fields of the files; it is computed only if `wants_fields` is set. `motion`
    is the difference of the playing clips. `error` is the reason why a part of the result is missing.
    """

    distances: VertexDistances | None = None
    differences: Differences | None = None
    fields: tuple[Difference | str, ...] | None = None
    wants_fields: bool = False
    motion: ClipDifference | None = None
    error: str = ""


class Following(Struct):
    """The values that the partner last took over from the document in view.

    `seen` is the converted camera. `made_of` are the objects from which the camera was computed; `placed` are
    the placements of the models at that time. `played` is the cache key of the playlist.
    """

    seen: Orbit | MatrixCamera | None = None
    made_of: tuple[object, ...] = ()
    placed: tuple[Placement, ...] = ()
    played: tuple[object, ...] = ()
