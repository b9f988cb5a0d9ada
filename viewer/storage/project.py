"""The project of a file: a resource folder that the program finds itself.

Its root is the nearest folder above the file that has a marker. If a file is still missing, the next outer
folder with a marker is searched, up to the repository. If no folder has a marker, the root is a guess: then
only files whose whole name matches are found, and by base name only files that a script or scene names.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from viewer.budget import BUDGET
from viewer.lru import RecentValues
from viewer.scene.material import FoundBy
from viewer.storage.listing import (
    Entry,
    is_folder,
    keeps_lists,
    walk,
)
from viewer.storage.package_path import on_disk, open_package
from viewer.storage.project_roots import above, is_marker, marked_roots
from viewer.storage.resource_folders import (
    ARCHIVES,
    FORGETTERS,
    PACKAGE,
    SourceIndex,
    archive_at,
    search_mode,
    suffix_of,
)
from viewer.storage.source import FolderSource
from viewer.storage.versions import (
    LISTING_VERSION,
    UNSETTLED,
    Dependencies,
    KeptAnswers,
    Version,
    are_current,
    below,
    record,
    recorded,
)

FRESH = 1.0
"""How many seconds a list of files is used before it is tested for changes."""
SHARE = 20
"""The tests of a list for changes take at most 1/SHARE of the time."""
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


@contextmanager
def _waiting() -> Iterator[float | None]:
    """Yield the time until which this thread may wait (None: no limit), and subtract the time spent inside
    the `with`.
    """
    began, left = time.monotonic(), _thread.left
    yield None if left is None else began + left
    if left is not None:
        _thread.left = max(0.0, left - (time.monotonic() - began))


class ProjectIndex(SourceIndex):
    """The files below the root of a project, without hidden folders. `list_more` lists them.

    `archives` are the names of zip files and packages, `inner_projects` the folders with markers.
    """

    by: FoundBy = "project"

    def __init__(self, root: str, marked: bool) -> None:
        super().__init__(FolderSource(root), deep=False, most=0)
        self.root, self.marked = root, marked
        self.complete = False
        self._lock = threading.Lock()
        self._versions: Dependencies = {}
        self._walk: Iterator[tuple[str, list[Entry]]] = walk(root, self._fail)
        self._tested = self._cost = 0.0
        self._digest = _digest()
        self.archives: list[str] = []
        self.inner_projects: list[str] = []

    def find(self, name: str, from_: str = "", within: str = "") -> str | None:
        """Find a file. In a guessed project, which may hold several projects, `name` and the stored name have
        to match in all parts, unless the file is below the folder `within` of the project.
        """
        stored = super().find(name, from_)
        if stored is None or self.marked or self.matches_whole(stored, name):
            return stored
        inner = bool(within) and _is_in(within, self.root) and _is_in(self.source.where(stored), within)
        return stored if inner else None

    def list_more(self) -> bool:
        """List the files; return whether the list is complete. A thread inside `waits_at_most` stops when its
        time is over.
        """
        if self.complete:
            return True
        with _waiting() as until:
            if self._lock.acquire(timeout=-1 if until is None else max(0.0, until - time.monotonic())):
                try:
                    with recorded() as asked:
                        self.complete = self.complete or self._list_until(until)
                    self._versions |= asked
                finally:
                    self._lock.release()
        self._tested = time.monotonic()
        _thread.late |= not self.complete
        return self.complete

    def take(self, listed: Iterable[tuple[str, list[Entry]]], asked: Dependencies) -> None:
        """Complete the list from `listed`, the entries of all folders. `asked` has the paths and versions on
        which they depend.
        """
        self._walk, self._versions = iter(listed), asked
        self.complete, self._tested = self._list_until(None), time.monotonic()

    def _list_until(self, until: float | None) -> bool:
        """List folder by folder until this time; return whether all folders are listed."""
        latest = time.monotonic() + BUDGET.project_seconds
        while until is None or time.monotonic() < until:
            folder, entries = next(self._walk, ("", []))
            if not folder:
                return True
            self._list(folder, entries)
            if len(self.names) >= BUDGET.listed_files or time.monotonic() > latest:
                self.error = (
                    f"only the first {len(self.names):,} files of the project {self.root} are searched"
                )
                return True
        return False

    def _list(self, folder: str, entries: list[Entry]) -> None:
        front = folder[len(self.root) :].replace(os.sep, "/").lstrip("/")
        names = [f"{front}/{each.name}".lstrip("/") for each in entries if _is_inner_file(each, self.root)]
        self._add(names)
        self._digest.update("\0".join(names).encode("utf-8", "surrogateescape"))
        if any(map(is_marker, entries)):
            self.inner_projects.append(folder)
        self.archives += [name for name in names if suffix_of(name) in (*ARCHIVES, PACKAGE)]

    def _fail(self, folder: str, error: OSError) -> None:
        if folder == self.root:
            self.error = f"{folder}: cannot be listed: {error.strerror or error}"

    @property
    def version(self) -> Version:
        """The version of the list: it changes when a file is added, removed or renamed."""
        return Version(int.from_bytes(self._digest.digest(), "big"), len(self.names))

    def is_current(self) -> bool:
        """Whether no folder has changed since it was listed. It is tested at most every `FRESH` seconds."""
        if not keeps_lists():
            return True
        began = time.monotonic()
        if not self.complete or began - self._tested < max(FRESH, SHARE * self._cost):
            return True
        with recorded():
            current = are_current(self._versions)  # never, if it was listed inside `unkept_lists`
        self._tested = time.monotonic()
        self._cost = self._tested - began
        return current

    def searched(self, name: str) -> str:
        """The searched path of a name, which stands for its base name in any folder below the root."""
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
    """The lists of files by root."""

    indexes: RecentValues[str, ProjectIndex]

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop all lists."""
        self.indexes = RecentValues(KEPT)


_kept = _Kept()
_ARCHIVES: KeptAnswers[str, SourceIndex | None] = KeptAnswers(KEPT)
"""The indexes of archives by path."""
FORGETTERS.append(_kept.forget)


def projects_of(path: str | os.PathLike[str], whole: bool = True) -> Iterator[SourceIndex]:
    """Yield the projects of a file as indexes, the nearest first, each followed by its archives; a guessed
    project has none. The search ends at a project that is not listed in time (`waits_at_most`).

    `whole` is True if the searched name has folders, or if a script or scene names it. Otherwise guessed
    projects are left out.
    """
    if search_mode() != "project":
        return
    own = os.path.abspath(on_disk(path))
    for index in _projects(os.path.dirname(own), whole):
        complete = index.list_more()
        record({below(index.root, ""): index.version if complete else UNSETTLED})
        if not complete:
            return
        yield index
        if not index.marked:
            return
        for name in sorted(index.archives, key=index.distance_from(own))[: BUDGET.project_archives]:
            archive = _archive(index.source.where(name))
            if archive is not None:
                yield archive


def list_projects(path: str | os.PathLike[str]) -> None:
    """List the projects of a file completely, for a search that did not wait for them."""
    for index in _projects(os.path.dirname(os.path.abspath(on_disk(path))), whole=True):
        index.list_more()


def _archive(path: str) -> SourceIndex | None:
    """The index of an archive in a project, cached until the archive changes; None if the archive cannot be
    read.
    """

    def read() -> SourceIndex | None:
        """List the archive."""
        source = archive_at(path) if suffix_of(path) in ARCHIVES else open_package(path)
        index = None if source is None else SourceIndex(source, deep=True)
        if index is None or index.error:
            return None
        index.by = ProjectIndex.by
        return index

    return _ARCHIVES.get(path, read, lambda index: NAME_BYTES * (1 + (len(index.names) if index else 0)))


def _projects(own: str, whole: bool) -> Iterator[ProjectIndex]:
    found = False
    for root in marked_roots(own):
        found = True
        yield project_at(root)
    guess = guessed_project(own) if whole and not found else None
    if guess is not None:
        yield guess


def project_at(root: str, marked: bool = True) -> ProjectIndex:
    """The index of the files below a root, kept until a folder changes."""
    index = _kept_index(root)
    if index is None or index.marked != marked:
        index = ProjectIndex(root, marked)
    _kept.indexes.keep(root, index, NAME_BYTES * (1 + len(index.names)))
    return index


def _kept_index(root: str) -> ProjectIndex | None:
    index = _kept.indexes.find(root)
    return index if index is not None and index.is_current() else None


def listing_version(root: str) -> Version | None:
    """The version of the list of files below a folder; None if it cannot be listed."""
    index = _kept_index(root) or project_at(root)
    return None if not index.list_more() or index.error else index.version


LISTING_VERSION.append(listing_version)


def guessed_project(own: str) -> ProjectIndex | None:
    """The guessed project: the highest folder above, or the folder `own` itself, that has at most
    `BUDGET.guessed_files` files and is no home folder, no mount point and no collection of other projects.
    None if there is no such folder, or if the time of `waits_at_most` is over.
    """
    known = _known_guess(own)
    if known is not None:
        return known
    with _waiting() as until, recorded() as asked:
        lists, best = _Lists(until), ""
        for folder in above(own):
            if _is_border(folder) or not lists.add(folder):
                break
            best = folder
    if lists.late or not best:
        _thread.late |= lists.late
        record({below(own, ""): UNSETTLED} if lists.late else asked)
        return None
    index = ProjectIndex(best, marked=False)
    index.take(((path, entries) for path, entries in lists.listed if _is_in(path, best)), asked)
    _kept.indexes.keep(best, index, NAME_BYTES * (1 + len(index.names)))
    return index


def _known_guess(own: str) -> ProjectIndex | None:
    """The cached guessed project whose root is the folder `own` or a folder above it; None if a collection of
    projects lies between the two.
    """
    passed: list[str] = []
    for folder in above(own):
        index = _kept_index(folder)
        if index is not None and not index.marked and index.complete:
            inner = [os.path.dirname(each) for each in index.inner_projects]
            return None if any(inner.count(each) > 1 for each in passed) else index
        if _is_border(folder):
            return None
        passed.append(folder)
    return None


def _digest() -> Any:
    from hashlib import blake2b  # imported late, so that the first frame comes sooner

    return blake2b(digest_size=7)


def _is_border(folder: str) -> bool:
    from tempfile import gettempdir  # imported late, so that the first frame comes sooner

    return folder == gettempdir() or os.path.ismount(folder)


def shared_folder(model: str, naming: str) -> str:
    """The lowest common folder of a model and of the script or scene that names one of its files; empty if
    they are on different drives. In a guessed project, files are found by base name only below this folder.
    """
    try:
        return os.path.commonpath((os.path.dirname(model), os.path.dirname(naming)))
    except ValueError:
        return ""


def _is_in(path: str, folder: str) -> bool:
    return os.path.join(path, "").startswith(os.path.join(folder, ""))


class _Lists:
    """The lists of the folders around a file, which grow outward. `late` is True if the time `until` has
    passed.
    """

    def __init__(self, until: float | None) -> None:
        self.late = False
        self._until, self._left = until, BUDGET.guessed_files
        self._lists: dict[str, list[Entry]] = {}

    def add(self, top: str) -> bool:
        """List a folder and everything below it; return whether the folder can be the root of a project."""
        for folder, entries in walk(top, lambda folder, error: None, without=self._lists):
            self._lists[folder] = entries
            self._left -= len(entries)
            self.late = self._until is not None and time.monotonic() >= self._until
            if self._left < 0 or self.late:
                return False
        inner = (each.path for each in self._lists.get(top, ()) if is_folder(each))
        return sum(any(map(is_marker, self._lists.get(each, ()))) for each in inner) < 2

    @property
    def listed(self) -> list[tuple[str, list[Entry]]]:
        """The folders with their entries, by path."""
        return sorted(self._lists.items(), key=lambda each: each[0].split(os.sep))
