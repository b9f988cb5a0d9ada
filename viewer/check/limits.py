"""The limits for an asset, set by its engine or by the project."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace


class Limits(Struct, frozen=True):
    """The largest allowed numbers, and what may pass a limit; None for no limit.

    `bones` is the number of bones of a skinned geometry; in OGRE it is the number of bones of a skeleton.
    `influences` is the number of bones of a vertex. `triangles` is the number of triangles of a model at its
    finest levels. `texture_size` is the longer side in pixels. `unjudged_bones` are the names of bones whose
    keys may leave their neighbours, see the rule `animation/spike`.
    """

    bones: int | None = None
    influences: int | None = None
    triangles: int | None = None
    texture_size: int | None = None
    unjudged_bones: tuple[str, ...] | None = None

    def over(self, others: Limits) -> Limits:
        """Return these limits. If a limit is None, the limit in `others` takes its place."""
        own = {name: getattr(self, name) for name in LIMITS}
        return replace(others, **{name: limit for name, limit in own.items() if limit is not None})


NO_LIMITS = Limits()
"""The limits of a project that sets no limits: only the limits of the engine apply."""
LIMITS = Limits.__struct_fields__
"""The names of the limits."""

ENGINES: Mapping[str, Limits] = {
    "Urho3D": Limits(bones=64, influences=4),
    "OGRE": Limits(bones=256, influences=4),
    "WoW": Limits(influences=4),
}
"""The default limits of the engines, by family. Sources: for Urho3D `MAXBONES` in its shaders, and two vertex
elements of four values; for OGRE `OGRE_MAX_NUM_BONES` and `OGRE_MAX_BLEND_WEIGHTS`; for M2 the four bytes in
a vertex.
"""


def limits_of(family: str, own: Limits) -> Limits:
    """Return the limits for a family of engines: the project's `own` limits, completed by the defaults of the
    family.
    """
    return own.over(ENGINES.get(family, NO_LIMITS))
