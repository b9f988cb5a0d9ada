"""The project of a file: a resource folder that the program finds itself.

Its root is the nearest folder above the file that has a marker. If a file is still missing, the next such
folder outward is searched, up to the repository. A root without markers is a guess: it gives only files with
the whole name, and files whose base name a script or scene names.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from itertools import islice
from tempfile import gettempdir

from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.lru import RecentValues
from viewer.scene.material import FoundBy
from viewer.storage.listing import Entry, entries_of, is_folder, walk
from viewer.storage.package_path import on_disk, source_at
from viewer.storage.resource_folders import (
    ARCHIVES,
    FORGETTERS,
    PACKAGE,
    ROOTS,
    SourceIndex,
    search_mode,
    suffix_of,
)
from viewer.storage.source import FolderSource
from viewer.storage.versions import (
    LISTING_VERSION,
    UNSETTLED,
    Dependencies,
    Version,
    are_current,
    below,
    record,
    recorded,
)

REPOSITORIES = (".git", ".hg", ".svn")
"""Markers of a repository, beyond which no project reaches. They may be empty folders, or files."""
FILES = ("resources.cfg", "resources_d.cfg", "resources2.cfg", "plugins.cfg", "rigscope.toml")
"""Marker files, in any case."""
OUTWARD = 32
"""How many folders above a file are examined for markers."""
FRESH = 1.0
"""How many seconds a list of files is used before it is tested for changes."""
SHARE = 20
"""A list is tested at most for this part (1/n) of the time."""
KEPT = 1 << 26
"""Approximate bytes of the lists of files in memory."""
NAME_BYTES = 400
"""Approximate bytes of a listed name in memory."""


class _Thread(threading.local):
    """How many seconds this thread may still wait for lists of files, and whether a list was not complete."""

    left: float | None = None
    late = False


class Waited:
    """The result of a search inside `waits_at_most`. `late` is True if the search has not waited for a list
    of files.
    """

    late = False


_thread = _Thread()


@contextmanager
def waits_at_most(seconds: float) -> Iterator[Waited]:
    """Inside the `with`, this thread waits at most this time for lists of files. A project that is listed too
    slowly is not searched. Elsewhere a search waits until the list is complete.
    """
    outer, waited = (_thread.left, _thread.late), Waited()
    _thread.left, _thread.late = seconds, False
    try:
        yield waited
    finally:
        waited.late = _thread.late
        _thread.left, _thread.late = outer


class ProjectIndex(SourceIndex):
    """The files below the root of a project, without hidden folders. `list_more` lists them."""

    by: FoundBy = "project"

    def __init__(self, root: str, marked: bool) -> None:
        super().__init__(FolderSource(root), deep=False, most=0)
        self.root, self.marked = root, marked
        self.complete = False
        self._lock = threading.Lock()
        self._versions: Dependencies = {}
        self._walk = walk(root, self._fail, natural=True)
        self._tested = self._cost = 0.0
        self._digest = blake2b(digest_size=7)
        self.archives: list[str] = []

    def find(self, name: str, from_: str = "", named: bool = False) -> str | None:
        """Find a file. In a guessed project `name` and the stored name have to match in all parts. Exceptions
        are a base name that a script or scene `from_` names (`named`), and a file in the folder of `from_` or
        in a sibling folder.
        """
        stored = super().find(name, from_)
        if stored is None or self.marked or named or self.matches_whole(stored, name):
            return stored
        return stored if max(self.distance_from(from_)(stored)) <= 1 else None

    def list_more(self) -> bool:
        """List the files; return whether the list is complete. A thread inside `waits_at_most` stops when its
        time is over.
        """
        if self.complete:
            return True
        began = time.monotonic()
        until = None if _thread.left is None else began + _thread.left
        if not self._lock.acquire(timeout=-1 if until is None else max(0.0, until - began)):
            _thread.late = True
            return False
        try:
            with recorded() as asked:
                self.complete = self.complete or self._list_until(until)
            self._versions |= asked
        finally:
            self._lock.release()
        self._tested = time.monotonic()
        if _thread.left is not None:
            _thread.left = max(0.0, _thread.left - (self._tested - began))
        _thread.late |= not self.complete
        return self.complete

    def _list_until(self, until: float | None) -> bool:
        """List folder by folder until this time; return whether all folders are listed."""
        latest = self._tested_limit()
        while len(self.names) < BUDGET.listed_files and len(self._versions) < BUDGET.project_folders:
            if until is not None and time.monotonic() >= until:
                return False
            folder, entries = next(self._walk, ("", []))
            if not folder:
                break
            front = folder[len(self.root) :].replace(os.sep, "/").lstrip("/")
            names = [
                f"{front}/{each.name}".lstrip("/") for each in entries if _is_inner_file(each, self.root)
            ]
            self._add(names)
            self._digest.update("\0".join(names).encode("utf-8", "surrogateescape"))
            self.archives += [
                name
                for name in names
                if suffix_of(name) in (*ARCHIVES, PACKAGE) and not name.rpartition("/")[2].startswith(".")
            ]
            if time.monotonic() > latest:
                self.error = f"only {len(self.names):,} files of {self.root} were listed in time"
                break
        return True

    def _tested_limit(self) -> float:
        return time.monotonic() + BUDGET.project_seconds

    def _fail(self, folder: str, error: OSError) -> None:
        if folder == self.root:
            self.error = f"{folder}: cannot be listed: {error.strerror or error}"

    @property
    def version(self) -> Version:
        """The version of the list: it changes when a file is added, removed or renamed."""
        return Version(int.from_bytes(self._digest.digest(), "big"), len(self.names))

    def is_current(self) -> bool:
        """Whether no folder has changed since it was listed. It is tested at most every `FRESH` seconds."""
        began = time.monotonic()
        if not self.complete or began - self._tested < max(FRESH, SHARE * self._cost):
            return True
        with recorded():
            current = are_current(self._versions)
        self._tested = time.monotonic()
        self._cost = self._tested - began
        return current

    def searched(self, name: str) -> str:
        """The searched path of a name: its base name below the root."""
        return below(self.root, name.replace("\\", "/").rpartition("/")[2])


def _is_inner_file(entry: Entry, root: str) -> bool:
    """Whether an entry is a file below the root. A link that leads out of it is not."""
    try:
        if not entry.is_symlink():
            return entry.is_file(follow_symlinks=False)
        return entry.is_file() and os.path.realpath(entry.path).startswith(os.path.realpath(root) + os.sep)
    except OSError:
        return False


class _Kept:
    """The lists of files by root, and the guessed roots by folder, with the time of the guess."""

    indexes: RecentValues[str, ProjectIndex]
    guesses: dict[str, tuple[str | None, float]]

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop all lists and guesses."""
        self.indexes, self.guesses = RecentValues(KEPT), {}


_kept = _Kept()
FORGETTERS.append(_kept.forget)


def projects_of(path: str | os.PathLike[str]) -> Iterator[SourceIndex]:
    """Yield the projects of a file as indexes, the nearest first, each followed by its archives. The search
    ends at a project that is not listed in time (`waits_at_most`).
    """
    if search_mode() != "project":
        return
    for root, marked in roots_of_file(path):
        index = project_at(root, marked)
        complete = index.list_more()
        record(below(root, ""), index.version if complete else UNSETTLED)
        if not complete:
            return
        yield index
        own = os.path.abspath(on_disk(path))
        for name in sorted(index.archives, key=index.distance_from(own))[: BUDGET.project_archives]:
            archive = _archive(index.source.where(name))
            if archive is not None:
                yield archive


def _archive(path: str) -> SourceIndex | None:
    """The index of an archive in a project; None if it cannot be read."""
    try:
        index = SourceIndex(source_at(path), deep=True)
    except (FormatError, OSError):
        return None
    index.by = ProjectIndex.by
    return None if index.error else index


def project_at(root: str, marked: bool = True) -> ProjectIndex:
    """The index of the files below a root, kept until a folder changes."""
    index = _kept.indexes.find(root)
    if index is None or index.marked != marked or not index.is_current():
        index = ProjectIndex(root, marked)
    _kept.indexes.keep(root, index, NAME_BYTES * (1 + len(index.names)))
    return index


def listing_version(root: str) -> Version | None:
    """The version of the list of files below a folder; None if it cannot be listed."""
    index = project_at(root)
    return None if not index.list_more() or index.error else index.version


LISTING_VERSION.append(listing_version)


def roots_of_file(path: str | os.PathLike[str]) -> Iterator[tuple[str, bool]]:
    """Yield the roots of a file's projects, the nearest first, and whether each has a marker. If no folder
    has a marker, yield one guessed root.
    """
    own, found = os.path.dirname(os.path.abspath(on_disk(path))), False
    for folder in _above(own):
        repository = _holds(folder, REPOSITORIES)
        if repository or (is_marked(folder) and (not found or not is_collection(folder))):
            found = True
            yield folder, True
        if repository:
            return
    if not found and (guess := guessed_root(own)):
        yield guess, False


def _above(folder: str) -> Iterator[str]:
    """Yield a folder and the folders above it, except the home folder, its parent and the root of the
    disk.
    """
    home = os.path.expanduser("~")
    shared = {home, os.path.dirname(home)}
    for _ in range(OUTWARD):
        parent = os.path.dirname(folder)
        if parent == folder or folder in shared:
            return
        yield folder
        folder = parent


def is_marked(folder: str) -> bool:
    """Whether a folder holds the marker of a project."""
    return any(
        each.name in REPOSITORIES or each.name.casefold() in FILES or (each.name in ROOTS and is_folder(each))
        for each in entries_of(folder)
    )


def _holds(folder: str, names: tuple[str, ...]) -> bool:
    return any(each.name in names for each in entries_of(folder))


def is_collection(folder: str) -> bool:
    """Whether a folder contains other projects: two subfolders have markers, or one is a repository."""
    inner = [each.path for each in entries_of(folder) if is_folder(each)]
    marked = (each for each in inner[: BUDGET.neighbour_projects] if is_marked(each))
    return len(tuple(islice(marked, 2))) > 1


def guessed_root(own: str) -> str | None:
    """The guessed root: the highest folder above, or the folder itself, that has at most
    `BUDGET.guessed_files` files and is no home folder, no mount point and no collection of other projects.
    None if there is no such folder, or if the time of `waits_at_most` is over.
    """
    known = _kept.guesses.get(own)
    began = time.monotonic()
    if known is not None and began - known[1] < FRESH:
        return known[0]
    until = None if _thread.left is None else began + _thread.left
    with recorded():
        guess, late = _guess(own, until)
    if _thread.left is not None:
        _thread.left = max(0.0, _thread.left - (time.monotonic() - began))
    if late:
        _thread.late = True
        return None
    _kept.guesses[own] = guess, time.monotonic()
    return guess


def _guess(own: str, until: float | None) -> tuple[str | None, bool]:
    """The guessed root, and whether the time was over before it was known."""
    best, left = None, BUDGET.guessed_files
    for folder in _above(own):
        if folder == gettempdir() or os.path.ismount(folder) or is_collection(folder):
            break
        inner = [each.path for each in entries_of(folder) if is_folder(each) and each.path != best]
        left -= len(entries_of(folder))
        for each in inner:
            for _, entries in walk(each, lambda _folder, _error: None):
                left -= len(entries)
                if left < 0:
                    return best, False
                if until is not None and time.monotonic() >= until:
                    return None, True
        best = folder if left >= 0 else best
    return best, False
