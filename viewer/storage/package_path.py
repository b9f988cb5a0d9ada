"""Paths of files inside packages: `PACKAGE::name` works wherever a path does.

A file on the disk with `::` in its name has priority.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path, PurePath, PurePosixPath

from viewer.budget import BUDGET
from viewer.errors import ResourceError
from viewer.scene import names
from viewer.scene.names import JOINT
from viewer.scene.reading_context import ReadingContext
from viewer.storage.archive import open_archive
from viewer.storage.place import Place, layout_of, open_place
from viewer.storage.reading import read_file
from viewer.storage.source import FolderSource, Source, resource_name
from viewer.storage.versions import file_version

ARCHIVES = (".zip", ".pk3")
"""The suffixes of zip archives."""
KEPT = 8
"""How many open packages are cached."""
NEAREST = 2000
"""How many names of a package are compared with a wrong name."""


class PackagePath(PurePosixPath):
    """A path inside a package. `PACKAGE::a/b.mdl` has the name `b.mdl` and the parent `PACKAGE::a`."""

    __slots__ = ()

    def __str__(self) -> str:
        return super().__str__().replace(f"{JOINT}/", JOINT, 1)

    def __fspath__(self) -> str:
        return str(self)


def split(path: str | os.PathLike[str]) -> tuple[str, str] | None:
    """Split a path into the path of a package or of a game's folder, and the name inside it; None for a file
    on the disk.
    """
    text = os.fspath(path)
    if JOINT not in text or os.path.exists(text):
        return None
    at = text.find(JOINT)
    while at >= 0:
        if os.path.isfile(text[:at]) or layout_of(text[:at]) is not None:
            return text[:at], text[at + len(JOINT) :].removeprefix("/")
        at = text.find(JOINT, at + 1)
    return None


def inside(package: str, name: str) -> PackagePath:
    """Join the path of a package and the name of a file in it: `PACKAGE::name`."""
    return PackagePath(f"{package}{JOINT}/{name}")


def as_path(path: str | os.PathLike[str]) -> PurePath:
    """Convert a path on the disk or in a package to an object with `name`, `parent` and `suffix`."""
    found = split(path)
    return inside(*found) if found else Path(path)


def on_disk(path: str | os.PathLike[str]) -> str:
    """The path itself for a file on the disk, else the path of its package."""
    found = split(path)
    return found[0] if found else os.fspath(path)


def open_package(path: str, context: ReadingContext) -> Source | None:
    """Open a package, or the folder of a game, as a source; None if the path is missing or is neither."""
    version = file_version(path)
    if version is None:
        return open_place(path, archive_at, context.of_archives)
    return _opened(os.path.abspath(path), *version, context.of_archives)


def archive_at(path: str, context: ReadingContext) -> Source | None:
    """Open a package or a zip archive as a source; None if it is neither."""
    if os.path.splitext(path)[1].lower() not in ARCHIVES:
        return open_package(path, context)
    from viewer.storage.archive import ZipSource  # imported late, because most programs have no zip archives

    return ZipSource(path, context)


def source_at(path: str, context: ReadingContext) -> Source:
    """Open a package or a folder as a source."""
    return open_package(path, context) or FolderSource(path)


@lru_cache(KEPT)
def _opened(path: str, changed: int, size: int, context: ReadingContext) -> Source | None:
    """Open a package. Until the file changes, the same object is returned."""
    return open_archive(path, context)


def stored_file(path: str | os.PathLike[str], context: ReadingContext) -> tuple[Source, str] | None:
    """Find a file inside a package: its source and its stored name. None for a path outside packages.

    ResourceError if the package has no file of this name; the error lists similar names.
    """
    found = split(path)
    source = open_package(found[0], context) if found else None
    if found is None or source is None:
        return None
    stored = source.find(found[1])
    if stored is None:
        raise _unknown(found[1], source)
    return source, stored


def _unknown(name: str, source: Source) -> ResourceError:
    suffix = os.path.splitext(name)[1].lower()
    known = [each for each in source.names(deep=True) if each.lower().endswith(suffix)]
    return names.unknown("file", name, known[:NEAREST])


def is_file(path: str, context: ReadingContext) -> bool:
    """Whether the file exists, on the disk or in a package."""
    try:
        return os.path.isfile(path) or stored_file(path, context) is not None
    except ResourceError:
        return False


def game_sources(path: str, context: ReadingContext) -> tuple[str, ...]:
    """The names of the game's archives that have a file; the file is read from the first one. The result is
    empty for a file outside games.
    """
    found = split(path)
    place = open_package(found[0], context) if found is not None else None
    return tuple(each.name for each in place.having(found[1])) if found and isinstance(place, Place) else ()


def read_path(
    path: str | os.PathLike[str],
    context: ReadingContext,
    limit: int | None = None,
    recognises: Callable[[bytes], bool] | None = None,
    mapped: Callable[[bytes], bool] | None = None,
) -> tuple[PurePath, bytes]:
    """Read a file, and return its stored path and its bytes. See `read_file` for `limit`, `recognises` and
    `mapped`. FormatError if the file cannot be read.
    """
    found = stored_file(path, context)
    if found is not None:
        source, stored = found
        most = context.size_limit if limit is None else limit
        return inside(on_disk(path), stored), source.read(stored, most)
    return Path(path), read_file(path, limit, recognises, mapped, context)


def folder_of(path: str | os.PathLike[str], context: ReadingContext, *, list_top: bool = True) -> Source:
    """Open the folder of a file, on the disk or in a package, as a source. See `FolderSource` for
    `list_top`.
    """
    found = split(path)
    source = open_package(found[0], context) if found else None
    if found is None or source is None:
        return FolderSource(os.path.dirname(os.path.abspath(path)), list_top=list_top)
    return SubSource(source, (resource_name(found[1]) or "").rpartition("/")[0])


class SubSource(Source):
    """A source of the files below one `folder` of another source; "" for all files."""

    def __init__(self, source: Source, folder: str) -> None:
        self._source, self._front = source, f"{folder}/" if folder else ""
        self.context = source.context

    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Return the stored name of a resource, relative to `folder`."""
        plain = resource_name(name)
        stored = self._source.find(self._front + plain, fold=fold) if plain else None
        return stored[len(self._front) :] if stored else None

    def read(self, name: str, limit: int = BUDGET.file_bytes) -> bytes:
        """Read a resource by its name below `folder`; for errors see `Source.read`."""
        return self._source.read(self._front + name, limit)

    def head(self, name: str) -> bytes | None:
        """The first bytes of a file; see `Source.head`."""
        return self._source.head(self._front + name)

    def names(self, folder: str = "", *, deep: bool = False) -> Iterator[str]:
        """Return the names in a folder below `folder`, relative to `folder`."""
        inner = self._front + (resource_name(folder) or "") if folder else self._front
        return (name[len(self._front) :] for name in self._source.names(inner, deep=deep))

    def where(self, name: str) -> str:
        """Return the path that the user sees, which includes `folder`."""
        return self._source.where(self._front + name)
