"""Finds the picture of a texture that a file names."""

from __future__ import annotations

from viewer.errors import MISSING_TEXTURE, Report, counted
from viewer.family.format import OpenedFile
from viewer.scene.material import Texture
from viewer.storage.image import PICTURES, decoders
from viewer.storage.search import FoundResource, SearchPath


def find_texture(file: OpenedFile, name: str, report: Report) -> Texture:
    """Find a picture around a file, as a texture; a picture with another suffix replaces it. A missing
    picture is reported, and the texture is drawn as a placeholder.
    """
    found = SearchPath.around(file.path, file.context).find(name, suffixes=PICTURES)
    if isinstance(found, FoundResource):
        return Texture(name, found.path, by=found.by, how=found.how, rivals=found.rivals, **decoders(found))
    where = counted(len(found.searched), "path")
    report.warn(f"texture {name} is missing; searched {where}", MISSING_TEXTURE)
    return Texture(name, searched=found.searched)
