"""Versions of OGRE meshes that current releases refuse or advise to upgrade.

Source: OGRE `OgreMeshSerializer.cpp` and its history (release 14.6 for `enablePre1_8Formats`).
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, RulePart
from viewer.families.ogre.versions import MESH_VERSIONS, MeshVersion

RELEASES = {
    MeshVersion.V1_00: "no engine reads it now",
    MeshVersion.V1_10: "OGRE before 1.0 writes it",
    MeshVersion.V1_20: "OGRE before 1.0 writes it",
    MeshVersion.V1_30: "OGRE 1.0 to 1.2 write it",
    MeshVersion.V1_40: "OGRE 1.4 to 1.6 write it",
    MeshVersion.V1_41: "OGRE 1.7 writes it",
    MeshVersion.V1_8: "OGRE 1.8 and 1.9 write it",
}


def _version(context: CheckContext) -> tuple[str, MeshVersion | None]:
    """The version of an OGRE mesh as text and as a member of the enum; empty and None for other files."""
    text = context.document.version.partition(",")[0]
    return (text, MESH_VERSIONS.get(text)) if context.document.format == "OGRE mesh" else ("", None)


def refused(context: CheckContext) -> Iterator[Found]:
    """Report versions that current engines refuse by default."""
    text, version = _version(context)
    if version is not None and version < MeshVersion.V1_8:
        yield Found(f"version {text}: {RELEASES[version]}", offset=0)


def limited(context: CheckContext) -> Iterator[Found]:
    """Report the version that engines read but advise to upgrade."""
    text, version = _version(context)
    if version is MeshVersion.V1_8:
        yield Found(f"version {text}: {RELEASES[version]}, later releases advise to upgrade it", offset=0)


PARTS = (RulePart("bytes/version-refused", refused), RulePart("bytes/version-limited", limited))
