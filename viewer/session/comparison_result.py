"""The result of a comparison of two documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.difference import Difference, Differences
from viewer.scene.display import Placement

if TYPE_CHECKING:
    from viewer.scene.vertex_distances import VertexDistances


class ComparisonResult(Struct, eq=False):
    """The result of a comparison, the left document first; None for what is not computed yet.

    `distances` are between vertices. `differences` are by meaning. `fields` are the differing fields of the
    files, and notes; they are searched only if `wants_fields` is set. `error` is the reason why a part is
    missing.
    """

    distances: VertexDistances | None = None
    differences: Differences | None = None
    fields: tuple[Difference | str, ...] | None = None
    wants_fields: bool = False
    error: str = ""


class Following(Struct):
    """What a partner copied last from the document in view.

    `seen` is the camera, made of the objects `made_of` for models at `placed`; `played` is the key of its
    playlist.
    """

    seen: Orbit | MatrixCamera | None = None
    made_of: tuple[object, ...] = ()
    placed: tuple[Placement, ...] = ()
    played: tuple[object, ...] = ()
