"""Lists the files of paths: folders with all subfolders, packages, patterns, and single files."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from glob import glob
from typing import NamedTuple

from viewer.errors import FormatError, ResourceError
from viewer.formats import suffixes as known_suffixes
from viewer.library.outcome import Outcome
from viewer.scene.names import JOINT, path_key
from viewer.storage.archive import Archive
from viewer.storage.listing import walk
from viewer.storage.package_path import open_package, split
from viewer.storage.reading import unreadable
from viewer.storage.source import Source
from viewer.storage.versions import UNSETTLED, Version, file_version

PATTERN = re.compile(r"[*?[]")
"""Matches a pattern, unless a file has that name."""

Fail = Callable[[Outcome], None]
"""Receives each path that cannot be read."""


class SourceFile(NamedTuple):
    """A file of a place: `path` opens it (`PACKAGE::name` inside a package), `name` is the path below its
    `place` with `/`. `size` is in bytes; `modified`, in nanoseconds, is the package's for a file inside one.
    """

    path: str
    name: str
    place: str
    size: int
    modified: int

    @property
    def version(self) -> Version:
        """The version of the file."""
        return Version(self.modified, self.size)


def source_files(places: Iterable[str], suffixes: Sequence[str], fail: Fail) -> Iterator[SourceFile]:
    """The files of all `places`, each once.

    A folder gives its files and those of all folders below, except hidden and linked ones; a package its
    files, `PACKAGE::folder` those of a folder in it; a pattern such as `**/*.mdl` the paths that match. Only
    names that end with one of `suffixes` (lower case, with dots) are listed; a file named itself always is.
    `fail` receives each path that cannot be read.
    """
    named = [each for place in places for each in expanded(place, fail)]
    wanted = tuple(suffixes)
    if len(named) < 2:
        yield from (file for place in named for file in _files_of(place, wanted, fail))
        return
    seen: set[str] = set()
    for place in named:
        for file in _files_of(place, wanted, fail):
            key = path_key(file.path)
            if key not in seen:
                seen.add(key)
                yield file


def expanded(place: str, fail: Fail) -> list[str]:
    """The paths that match a pattern, in order; for other places the place itself."""
    if not PATTERN.search(place) or os.path.lexists(place) or split(place):
        return [place]
    found = sorted(glob(place, recursive=True))
    if not found:
        fail(_unread(place, "nothing matches"))
    return found


def _files_of(place: str, wanted: tuple[str, ...], fail: Fail) -> Iterator[SourceFile]:
    """The files of a place without a pattern."""
    try:
        if os.path.isdir(place):
            yield from _below(place, wanted, fail)
        elif inside := split(place):
            yield from _inside(*inside, wanted, fail)
        else:
            yield from _lone(place, wanted, fail)
    except (FormatError, ResourceError) as error:
        fail(Outcome(getattr(error, "file", "") or place, error=error))


def _below(top: str, wanted: tuple[str, ...], fail: Fail) -> Iterator[SourceFile]:
    """The files of a folder, then those of its subfolders, ordered by name."""
    front = len(os.path.join(top, ""))

    def pass_over(folder: str, error: OSError) -> None:
        fail(_unread(folder, f"the folder cannot be read: {error.strerror or error}"))

    for _, entries in walk(top, pass_over):
        for entry in entries:
            if entry.name[0] != "." and entry.name.lower().endswith(wanted):
                file = _listed(entry, top, front, fail)
                if file is not None:
                    yield file


def _listed(entry: os.DirEntry[str], top: str, front: int, fail: Fail) -> SourceFile | None:
    """The file of an entry; None for anything else and for a removed file."""
    path = entry.path
    try:
        if entry.is_file():
            status = entry.stat()
            name = path[front:] if os.sep == "/" else path[front:].replace(os.sep, "/")
            return SourceFile(path, name, top, status.st_size, status.st_mtime_ns)
        if entry.is_dir():
            return None
    except OSError as error:
        fail(_unread(path, f"cannot be read: {error.strerror or error}"))
        return None
    fail(_unread(path, f"cannot be read: {unreadable(path)}"))
    return None


def _lone(path: str, wanted: tuple[str, ...], fail: Fail) -> Iterator[SourceFile]:
    """The file itself, or the files of a package."""
    version = file_version(path)
    if version is None:
        fail(_unread(path, f"cannot be read: {unreadable(path)}"))
        return
    lower = path.lower()
    packed = lower.endswith(known_suffixes("package")) or not lower.endswith(wanted)
    source = open_package(path) if packed else None
    if source is None:
        yield SourceFile(path, os.path.basename(path), os.path.dirname(path), version.size, version.modified)
    else:
        yield from _packed(path, source, source.names(deep=True), wanted)


def _inside(package: str, name: str, wanted: tuple[str, ...], fail: Fail) -> Iterator[SourceFile]:
    """A file of a package, the files of a folder in it, or those that match a pattern."""
    source = open_package(package)
    if source is None:
        fail(_unread(package, "is not a package"))
        return
    stored = source.find(name) if name else None
    if stored is not None:
        yield from _packed(package, source, [stored], ("",))
        return
    if PATTERN.search(name):
        names = [each for each in source.names(deep=True) if fnmatch.fnmatchcase(each, name)]
        wanted = ("",)
    else:
        names = list(source.names(name, deep=True))
    if not names:
        fail(_unread(f"{package}{JOINT}{name}", "the package has no such file or folder"))
    yield from _packed(package, source, names, wanted)


def _unread(path: str, why: str) -> Outcome:
    return Outcome(path, error=ResourceError(why))


def _packed(
    package: str, source: Source, names: Iterable[str], wanted: tuple[str, ...]
) -> Iterator[SourceFile]:
    modified = (file_version(package) or UNSETTLED).modified
    sizes = source.size_of if isinstance(source, Archive) else lambda name: 0
    for name in names:
        if name.lower().endswith(wanted):
            yield SourceFile(f"{package}{JOINT}{name}", name, package, sizes(name), modified)
