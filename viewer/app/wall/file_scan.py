"""Lists the files of a folder or package for the Files panel; runs in a background thread."""

from __future__ import annotations

import os
from collections.abc import Iterator

from msgspec import Struct

from viewer.errors import ViewerError
from viewer.formats import kinds_by_suffix, suffixes
from viewer.library.file_sources import source_files
from viewer.scene.files import KINDS
from viewer.session.file_table import FileTable


class Listing(Struct, frozen=True):
    """The files of a folder or package that can be opened, a line for each part that cannot be read, and the
    paths that are missing or changed since the previous table.
    """

    table: FileTable
    said: tuple[str, ...]
    changed: tuple[str, ...] = ()


def scan(root: str, before: FileTable | None = None) -> Listing:
    """List the files below a folder or in a package.

    The table keeps the facts of unchanged files from the table `before`. ViewerError if the folder or package
    is missing.
    """
    if not os.path.exists(root):
        raise ViewerError(f"{root} does not exist")
    said: list[str] = []
    files = list(source_files([root], suffixes(), lambda each: said.append(each.line)))
    numbers = {suffix: KINDS.index(kind) for suffix, kind in kinds_by_suffix().items()}
    table = FileTable(
        root,
        package=not os.path.isdir(root),
        names=[file.name for file in files],
        sizes=[file.size for file in files],
        modified=[file.modified for file in files],
        kinds=[numbers.get(os.path.splitext(file.name)[1].lower(), 0) for file in files],
    )
    if before is None:
        return Listing(table, tuple(said))
    table.remember(before)
    return Listing(table, tuple(said), tuple(changed_paths(before, table)))


def changed_paths(before: FileTable, now: FileTable) -> Iterator[str]:
    """The paths whose size or time differs in another table, or that are missing there."""
    for row, (size, modified) in enumerate(zip(before.sizes, before.modified, strict=True)):
        path = before.path(row)
        other = now.row(path)
        if other is None or (size, modified) != (now.sizes[other], now.modified[other]):
            yield path
