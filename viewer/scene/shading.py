"""The shadings, and the placeholders of missing textures: how the surface of a model is drawn."""

from __future__ import annotations

from enum import Enum


class Shading(Enum):
    """The shading of the surface."""

    LIT = "lit"
    UNLIT = "unlit"
    NORMALS = "normals"
    UV = "uv"
    WEIGHTS = "weights"
    BONES = "bones"
    SILHOUETTE = "silhouette"
    DISTANCE = "distance"


SINGLE_SHADINGS = tuple(each for each in Shading if each is not Shading.DISTANCE)
"""The shadings that one model alone can have; `DISTANCE` shows how far vertices are from another model's."""
MATERIAL_SHADINGS = (Shading.LIT, Shading.UNLIT)
"""The shadings that use materials; all other shadings are opaque and show the surface alone."""


class Quality(Enum):
    """The quality of the 3D view while something moves. Pictures and films always have the full quality."""

    AUTOMATIC = "automatic"
    FULL = "full"


class MissingTextures(Enum):
    """The placeholder that is drawn for a missing colour texture."""

    CLAY = "clay"
    CHECKER = "checker"
