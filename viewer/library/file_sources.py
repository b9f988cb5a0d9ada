"""Lists files: single files, all files below folders, files in packages, and files that match patterns."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from glob import glob
from typing import NamedTuple

from viewer.errors import FormatError, ResourceError
from viewer.family.registry import HEAD, has_role, is_foreign
from viewer.library.outcome import Outcome
from viewer.scene.names import JOINT, path_key
from viewer.scene.reading_context import ReadingContext
from viewer.storage.archive import Archive
from viewer.storage.displays import split_display
from viewer.storage.listing import walk
from viewer.storage.package_path import is_file, open_package, split
from viewer.storage.place import Place, is_game
from viewer.storage.reading import open_regular, unreadable
from viewer.storage.source import Source
from viewer.storage.versions import UNSETTLED, Version, file_version

PATTERN = re.compile(r"[*?[]")
"""Matches a path that contains wildcards. Such a path is a pattern, unless a file has exactly this name."""

Fail = Callable[[Outcome], None]
"""A function that receives the outcome of each path that cannot be read."""


class SourceFile(NamedTuple):
    """A file that was found below `root`, a folder or a package.

    `path` opens the file; in a package it is `PACKAGE::name`. `name` is the path relative to `root`, with
    `/`. `size` is in bytes. `modified` is in nanoseconds; a file in a package has the time of the package.
    """

    path: str
    name: str
    root: str
    size: int
    modified: int

    @property
    def version(self) -> Version:
        """Modification time and size of the file."""
        return Version(self.modified, self.size)


def source_files(
    roots: Iterable[str], suffixes: Sequence[str], fail: Fail, context: ReadingContext
) -> Iterator[SourceFile]:
    """Yield the files of all `roots`, each once.

    A folder yields its files and the files of all subfolders, except hidden files and links. A package yields
    its files. `PACKAGE::folder` yields the files of a folder in the package. A pattern such as `**/*.mdl`
    yields the matching paths. Only names that end with one of `suffixes` (lower case, with dots) are listed;
    a file that is itself in `roots` may have any suffix. `fail` receives each path that cannot be read.
    """
    named = [each for root in roots for each in expanded(root, fail)]
    wanted = tuple(suffixes)
    if len(named) < 2:
        yield from (file for root in named for file in _own_files(root, wanted, fail, context))
        return
    seen: set[str] = set()
    for root in named:
        for file in _own_files(root, wanted, fail, context):
            key = path_key(file.path)
            if key not in seen:
                seen.add(key)
                yield file


def expanded(root: str, fail: Fail) -> list[str]:
    """Return the paths that match a pattern, sorted; a path that is no pattern stays unchanged."""
    if not PATTERN.search(root) or os.path.lexists(root) or split(root):
        return [root]
    found = sorted(glob(root, recursive=True))
    if not found:
        fail(_unread(root, "no file matches the pattern"))
    return found


def _own_files(
    root: str, wanted: tuple[str, ...], fail: Fail, context: ReadingContext
) -> Iterator[SourceFile]:
    """Yield the files of a path that is no pattern, without files of other programs below it. A file in a
    package is not read, and is another program's if its suffix does not decide.
    """
    for file in _files_of(root, wanted, fail, context):
        if file.path == root or not is_foreign(file.name, partial(_head, file.path)):
            yield file


def _head(path: str) -> bytes:
    """The first bytes of a file; empty for a file that is in a package or cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(HEAD)
    except OSError:
        return b""


def _files_of(
    root: str, wanted: tuple[str, ...], fail: Fail, context: ReadingContext
) -> Iterator[SourceFile]:
    """Yield the files of a path that is no pattern."""
    try:
        if isinstance(place := open_package(root, context) if is_game(root) else None, Place):
            yield from _packed(root, place, place.names(deep=True), wanted)
        elif os.path.isdir(root):
            yield from _below(root, wanted, fail)
        elif (in_display := split_display(root)) is not None and is_file(in_display[0], context):
            yield from (_in_display(root, each) for each in _files_of(in_display[0], wanted, fail, context))
        elif inside := split(root):
            yield from _inside(*inside, wanted, fail, context)
        else:
            yield from _lone(root, wanted, fail, context)
    except (FormatError, ResourceError) as error:
        fail(Outcome(getattr(error, "file", "") or root, error=error))


def _in_display(path: str, file: SourceFile) -> SourceFile:
    """Return `file`, a model, as a file of its display at `path`. The file's name includes the id of the
    display: `Bear 706.m2`.
    """
    stem, suffix = os.path.splitext(file.name)
    return file._replace(path=path, name=f"{stem} {(split_display(path) or ('', ''))[1]}{suffix}")


def _below(top: str, wanted: tuple[str, ...], fail: Fail) -> Iterator[SourceFile]:
    """Yield the files of a folder, then the files of its subfolders, each sorted by name."""
    front = len(os.path.join(top, ""))

    def pass_over(folder: str, error: OSError) -> None:
        """Report a folder that cannot be read."""
        fail(_unread(folder, f"the folder cannot be read: {error.strerror or error}"))

    for _, entries in walk(top, pass_over):
        for entry in entries:
            if entry.name[0] != "." and entry.name.lower().endswith(wanted):
                file = _listed(entry, top, front, fail)
                if file is not None:
                    yield file


def _listed(entry: os.DirEntry[str], top: str, front: int, fail: Fail) -> SourceFile | None:
    """Convert an entry of a folder to a SourceFile; None if the entry is no file or cannot be read."""
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


def _lone(path: str, wanted: tuple[str, ...], fail: Fail, context: ReadingContext) -> Iterator[SourceFile]:
    """Yield a single file; if it is a package, yield the files in it."""
    version = file_version(path)
    if version is None:
        fail(_unread(path, f"cannot be read: {unreadable(path)}"))
        return
    packed = has_role(path, "package") or not path.lower().endswith(wanted)
    source = open_package(path, context) if packed else None
    if source is None:
        yield SourceFile(path, os.path.basename(path), os.path.dirname(path), version.size, version.modified)
    else:
        yield from _packed(path, source, source.names(deep=True), wanted)


def _inside(
    package: str, name: str, wanted: tuple[str, ...], fail: Fail, context: ReadingContext
) -> Iterator[SourceFile]:
    """Yield a file of a package, the files of a folder in it, or the files that match a pattern."""
    source = open_package(package, context)
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
    modified = source.modified if isinstance(source, Place) else (file_version(package) or UNSETTLED).modified
    sizes = source.size_of if isinstance(source, Archive) else lambda name: 0
    for name in names:
        if name.lower().endswith(wanted):
            yield SourceFile(f"{package}{JOINT}{name}", name, package, sizes(name), modified)
