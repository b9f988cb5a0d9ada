"""Files as the program gives them to a format."""

from __future__ import annotations

from pathlib import PurePath

from viewer.family.format import OpenedFile
from viewer.scene.reading_context import DEFAULT
from viewer.storage.package_path import folder_of


def opened_file(path: PurePath, data: bytes) -> OpenedFile:
    """A file with these bytes; it need not exist."""
    return OpenedFile(data, path, folder_of(path, DEFAULT))
