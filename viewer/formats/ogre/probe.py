"""Recognise meshes and skeletons without importing their readers, and refuse known other formats."""

from __future__ import annotations

from pathlib import PurePath

from viewer.errors import FormatError
from viewer.formats.foreign import foreign_format
from viewer.formats.ogre.versions import BIG, LITTLE, MESH, SKELETON, begins_as

BEGINNING = 512
KINDS = {".mesh": "mesh", ".skeleton": "skeleton"}
ELEMENTS = {b"<mesh": "mesh", b"<skeleton": "skeleton"}


def is_mesh(data: bytes, suffix: str) -> bool:
    """Return whether a file is a mesh by its version line. A file with a fitting name counts too, so that
    `refuse` gives a reason.
    """
    return begins_as(data, MESH) or refused_kind(data, suffix) == "mesh"


def is_skeleton(data: bytes, suffix: str) -> bool:
    """Return whether a file is a skeleton by its version line. A file with a fitting name counts too, so that
    `refuse` gives a reason.
    """
    return begins_as(data, SKELETON) or refused_kind(data, suffix) == "skeleton"


def refused_kind(data: bytes, suffix: str) -> str | None:
    """Return `mesh` or `skeleton` for an OGRE file in XML, and for a file with that suffix but without OGRE's
    header; else None.
    """
    written = _xml_kind(data) if suffix in (*KINDS, ".xml") else None
    return written or (KINDS.get(suffix) if _foreign(data) else None)


def refuse(path: PurePath, data: bytes) -> None:
    """Raise FormatError for a file that is not in OGRE's binary format, with the reason."""
    kind = _xml_kind(data)
    if kind is not None:
        why = f"is an OGRE {kind} in XML: convert it to the binary format with OgreXMLConverter"
    elif (name := foreign_format(data, path.suffix.lower())) is not None:
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


def _xml_kind(data: bytes) -> str | None:
    """`mesh` or `skeleton` for an XML file, by its first element, else None."""
    text = data[:BEGINNING].removeprefix(b"\xef\xbb\xbf").lstrip()
    while text.startswith((b"<?", b"<!")):
        text = text.partition(b">")[2].lstrip()
    return next((kind for element, kind in ELEMENTS.items() if text.startswith(element)), None)


def _foreign(data: bytes) -> bool:
    return data[:2] not in (LITTLE, BIG)
