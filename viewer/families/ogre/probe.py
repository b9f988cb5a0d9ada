"""Recognise meshes and skeletons without importing their readers, and refuse known other formats."""

from __future__ import annotations

from pathlib import PurePath

from viewer.errors import FormatError
from viewer.families.ogre.versions import BIG, LITTLE, MESH, NEXT_MESH, SKELETON, begins_as
from viewer.storage.foreign_formats import foreign_format

LEGACY = b" LEGACYV1]"
LINE = 64
"""The number of bytes at the beginning of a file in which `LEGACY` is searched."""


def is_mesh(data: bytes, suffix: str) -> bool:
    """Return whether a file begins with the version line of a mesh. A file with a fitting name counts too, so
    that `refuse` states why it cannot be read.
    """
    own = begins_as(data, MESH) and not is_next_mesh(data, suffix)
    return own or (suffix == ".mesh" and _foreign(data))


def is_next_mesh(data: bytes, suffix: str) -> bool:
    """Return whether a file begins with the version line of an OGRE-Next mesh. The version v2.1 LEGACYV1 does
    not count, because it has the layout of OGRE meshes.
    """
    return data[:2] in (LITTLE, BIG) and data.startswith(NEXT_MESH, 2) and LEGACY not in data[:LINE]


def is_skeleton(data: bytes, suffix: str) -> bool:
    """Return whether a file begins with the version line of a skeleton. A file with a fitting name counts
    too, so that `refuse` states why it cannot be read.
    """
    return begins_as(data, SKELETON) or (suffix == ".skeleton" and _foreign(data))


def refuse(path: PurePath, data: bytes) -> None:
    """Raise FormatError for a file that is not in OGRE's binary format, with the reason."""
    name = foreign_format(data, path.suffix.lower())
    if name is not None:
        why = f"is {name}"
    elif not data:
        why = "is empty"
    elif _foreign(data):
        why = (
            "has the name of an OGRE file but not its header; it is damaged, or encrypted like files of some "
            "TLBB clients"
        )
    else:
        return
    raise FormatError(why, file=str(path))


def _foreign(data: bytes) -> bool:
    return data[:2] not in (LITTLE, BIG)
