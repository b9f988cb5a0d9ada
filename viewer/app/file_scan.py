"""Lists the files of a folder or package for the Files panel; runs in a background thread."""

from __future__ import annotations

import os

from viewer.errors import ViewerError
from viewer.formats import suffixes
from viewer.formats.registry import Role
from viewer.library.places import source_files
from viewer.session.file_table import FileTable

KINDS = ("model", "skeleton", "animation", "picture", "package", "shader", "script", "part")
"""The kinds of files in their order in the list."""
BY_ROLE: tuple[tuple[Role, str], ...] = (
    ("model", "model"),
    ("animation", "animation"),
    ("picture", "picture"),
    ("package", "package"),
    ("code", "shader"),
    ("part", "part"),
)
"""What a file is taken for by its suffix, until it is read."""


def scan(place: str) -> tuple[FileTable, tuple[str, ...]]:
    """The files below a folder or in a package that can be opened, and a line for each part of it that cannot
    be read. ViewerError if the place itself is missing.
    """
    if not os.path.exists(place):
        raise ViewerError(f"{place} does not exist")
    said: list[str] = []
    files = list(source_files([place], suffixes(), said.append))
    by_suffix = _kinds()
    table = FileTable(
        place,
        package=not os.path.isdir(place),
        names=[file.name for file in files],
        sizes=[file.size for file in files],
        modified=[file.modified for file in files],
        kinds=[by_suffix.get(os.path.splitext(file.name)[1].lower(), 0) for file in files],
        kind_names=KINDS,
    )
    return table, tuple(said)


def _kinds() -> dict[str, int]:
    """The number of the kind of files with a suffix; the first role of a suffix counts."""
    found: dict[str, int] = {}
    for role, kind in BY_ROLE:
        for suffix in suffixes(role):
            found.setdefault(suffix, KINDS.index(kind))
    return found
