"""Every format that opens, and the one way to open a file."""

from __future__ import annotations

from pathlib import Path

from viewer.errors import FormatError
from viewer.formats.blp import FORMATS as BLP
from viewer.formats.m2 import FORMATS as M2
from viewer.formats.ogre import FORMATS as OGRE
from viewer.formats.registry import Format
from viewer.formats.urho3d import FORMATS as URHO3D
from viewer.scene.document import Document
from viewer.storage.inside import read_path

__all__ = ["FORMATS", "Format", "open_document"]

FORMATS: tuple[Format, ...] = (*URHO3D, *OGRE, *M2, *BLP)
"""In order: the first whose probe recognises a file has it, and its error is then the verdict."""


def open_document(path: str | Path) -> Document:
    """Open a file of any known format; `PACKAGE::name` is one inside of a package.

    What could be read of a broken file is in the document, its errors in `report`. FormatError where the file
    cannot be read at all, or is of no known format; ResourceError where a package has no such file.
    """
    place, data = read_path(path)
    for format in FORMATS:
        if format.probe(data, place.suffix.lower()):
            return format.load(place, data)
    raise FormatError("is of no known format", file=str(place))
