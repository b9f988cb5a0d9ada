"""Files as the program gives them to a format."""

from __future__ import annotations

from pathlib import PurePath

from viewer.family.format import OpenedFile
from viewer.scene.document import Document
from viewer.scene.reading_context import DEFAULT
from viewer.storage.package_path import folder_of


def opened_file(path: PurePath, data: bytes) -> OpenedFile:
    """A file with these bytes; it need not exist."""
    return OpenedFile(data, path, folder_of(path, DEFAULT))


def lost(document: Document) -> list[str]:
    """The names of the missing files of a document, without its materials and textures."""
    return [file.name for file in document.report.needed if file.found is None]
