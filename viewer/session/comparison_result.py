"""What is known of two compared documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.dataclass import dataclass

if TYPE_CHECKING:
    from viewer.scene.vertex_distances import VertexDistances


@dataclass(slots=True, eq=False)
class ComparisonResult:
    """The `distances` between the models, the first document is the left one; None until they are known."""

    distances: VertexDistances | None = None
