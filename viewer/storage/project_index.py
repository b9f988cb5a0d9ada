"""The list of a project's files. The list grows folder by folder and is tested for changes."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice, takewhile
from typing import Generic, TypeVar

from viewer.budget import BUDGET
from viewer.lru import RecentValues
from viewer.scene.material import FoundBy
from viewer.scene.names import BELOW, file_name
from viewer.storage.configuration import CONFIGURATIONS, absent_locations, configured_folders, is_located
from viewer.storage.contents import Contents, Scanner, new_digest, scanned
from viewer.storage.listing import DiskEntry, keeps_lists, walk
from viewer.storage.package_path import ARCHIVES
from viewer.storage.project_roots import is_marker
from viewer.storage.resource_folders import (
    PACKAGE_SUFFIX,
    SourceIndex,
    matching_parts,
    resource_changes,
    suffix_of,
)
from viewer.storage.source import FolderSource
from viewer.storage.versions import (
    LISTING_VERSION,
    Dependencies,
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
"""Largest approximate size in bytes of the lists of files that are kept in memory."""
CONFIGURED = 16
"""How many `resources.cfg` files of a project are read, the nearest first, to choose between files."""
UNLISTED = 8
"""Limits of a message about a missing file: it names at most this many folders that cannot be listed, and
this many `resources.cfg` files whose locations do not exist.
"""
LOCATIONS = 3
"""The messages name at most this many locations of a `resources.cfg` that do not exist."""
NAME_BYTES = 400
"""Approximate size in bytes of a listed name in memory."""


CONTENTS = "\0"
"""Comes before the kind of a scanner in a path that stands for the contents of a project's files."""
_SCANNERS: dict[str, Scanner] = {}
"""The scanners that were used, by kind."""
ProjectKey = tuple[str, tuple[str, ...]]
CachedProject = TypeVar("CachedProject")


class _WaitingThread(threading.local):
    """How many seconds this thread may still wait for lists of files, and whether a list was not complete."""

    left: float | None = None
    late = False


class Waited:
    """The result of a search inside `waits_at_most`. `late` is True if the search ended before a list of
    files was complete.
    """

    late = False


_thread = _WaitingThread()


def lists_late() -> None:
    """Record that this thread did not wait until a list of files was complete."""
    _thread.late = True


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
def waiting() -> Iterator[float | None]:
    """Yield the time until which this thread may wait (None: no limit), and subtract the time spent inside
    the `with` from the time left.
    """
    began, left = time.monotonic(), _thread.left
    yield None if left is None else began + left
    if left is not None:
        _thread.left = max(0.0, left - (time.monotonic() - began))


class TestedLists:
    """Lists of folders that are tested for changes."""

    def __init__(self) -> None:
        self.versions: Dependencies = {}
        self._tested = self._cost = 0.0

    def depend_on(self, versions: Dependencies) -> None:
        """Add folders with the versions of their lists."""
        self.versions |= versions
        self._tested = time.monotonic()

    def is_current(self) -> bool:
        """Whether no folder has changed since it was listed. At least `FRESH` seconds pass between two
        tests.
        """
        if not keeps_lists():
            return True
        began = time.monotonic()
        if began - self._tested < max(FRESH, SHARE * self._cost):
            return True
        with recorded():
            current = are_current(self.versions)  # this is False for a list made inside `unkept_lists`
        self._tested = time.monotonic()
        self._cost = self._tested - began
        return current


class ProjectIndex(SourceIndex, TestedLists):
    """The files below the root of a project, without hidden folders. `list_more` lists them.

    `archives` are the names of zip files and packages, `inner_projects` the folders with markers.
    """

    by: FoundBy = "project"

    def __init__(self, root: str, marked: bool, left_out: tuple[str, ...] = ()) -> None:
        SourceIndex.__init__(self, FolderSource(root), deep=False, most=0)
        TestedLists.__init__(self)
        self.root, self.marked, self.left_out = root, marked, left_out
        self.complete = False
        self._lock = threading.Lock()
        self._walk: Iterator[tuple[str, list[DiskEntry]]] = walk(root, self._fail, without=left_out)
        self._digest = new_digest()
        self._tested_contents: dict[str, float] = {}
        self.archives: list[str] = []
        self.inner_projects: list[str] = []
        self._unlisted: dict[str, str] = {}

    def _allowed(self, names: Sequence[str], parts: Sequence[str], from_: str, model: str) -> Sequence[str]:
        """Return the files that a guessed project gives, because a guessed project may hold several projects.

        A file whose path ends with the whole name is given in two cases. First: the folder before this name
        is also a folder above the `model`. Second: there are no models in the outermost folder that contains
        the file but not the model. Any other file is given only below the lowest common folder of the model
        and of the file `from_` that names it.
        """
        if self.marked or not names:
            return names
        own = _folders_below(self.root, model)
        shared = _common(own, _folders_below(self.root, from_)) if from_ not in ("", model) else None

        def is_given(stored_name: str) -> bool:
            folders = stored_name.split("/")[:-1]
            if shared is not None and folders[: len(shared)] == shared:
                return True
            if not 1 < len(parts) == matching_parts(stored_name, parts):
                return False
            above, common = folders[: len(folders) + 1 - len(parts)], _common(own, folders)
            other = "/".join(folders[: len(common) + 1])
            return own[: len(above)] == above or other not in self._folders_of_models

        return [each for each in names if is_given(each)]

    def listed_by_program(self, names: Sequence[str], *loaded: str) -> Callable[[str], bool]:
        """Return a test for files of `names`: would a program that loads one of the files `loaded` find this
        file? It does if one `resources.cfg` lists both folders. The test of a single file is always False,
        because there is nothing to choose.
        """
        folders = self.program_folders(*loaded) if len(names) > 1 else {}
        if not folders:
            return lambda stored: False
        return lambda stored: is_located(os.path.dirname(self.source.where(stored)), folders)

    def program_folders(self, *loaded: str) -> dict[str, bool]:
        """The folders that programs list which load one of the files `loaded`; see `configured_folders`."""
        return configured_folders(self._configurations(loaded[-1]), [*filter(None, loaded)])

    def contents(self, scanner: Scanner, near: Iterable[str] = ()) -> Contents:
        """Implement `SourceIndex.contents`. The files `near` are tested for changes, and all files when a
        second has passed.
        """
        known, tested = self._contents.get(scanner.kind), self._tested_contents.get(scanner.kind, 0.0)
        late = time.monotonic() - tested >= FRESH
        if known is None or late or known.changed(self.source, near):
            with self._lock, recorded():
                known = scanned(scanner, self.source, self.ending(scanner.ends), known)
                self._contents[scanner.kind] = known
                self._tested_contents[scanner.kind] = time.monotonic()
        _SCANNERS[scanner.kind] = scanner
        record({below(self.root, f"{CONTENTS}{scanner.kind}"): known.version})
        return known

    def _configurations(self, from_: str) -> list[str]:
        """List the paths of the `resources.cfg` files of the project that are nearest to the file `from_`."""
        names = chain.from_iterable(map(self._with_base, CONFIGURATIONS))
        return [*map(self.source.where, sorted(names, key=self.distance_from(from_))[:CONFIGURED])]

    def list_more(self) -> bool:
        """List the files; return whether the list is complete. A thread inside `waits_at_most` stops when its
        time is over.
        """
        if self.complete:
            return True
        with waiting() as until:
            if self._lock.acquire(timeout=-1 if until is None else max(0.0, until - time.monotonic())):
                try:
                    with recorded() as asked:
                        self.complete = self.complete or self._list_until(until)
                    self.depend_on(asked)
                finally:
                    self._lock.release()
        _thread.late |= not self.complete
        return self.complete

    def take(
        self,
        folders: Iterable[tuple[str, list[DiskEntry]]],
        failed: Iterable[tuple[str, OSError]],
        dependencies: Dependencies,
    ) -> None:
        """Complete the list from `folders`, the entries of all folders, and `failed`, the folders that cannot
        be listed. `dependencies` has the paths and versions on which the list depends.
        """
        for folder, error in failed:
            self._fail(folder, error)
        self._walk = iter(folders)
        self.complete = self._list_until(None)
        self.depend_on(dependencies)

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

    def _list(self, folder: str, entries: list[DiskEntry]) -> None:
        front = folder[len(self.root) :].replace(os.sep, "/").lstrip("/")
        names = [f"{front}/{each.name}".lstrip("/") for each in entries if _is_inner_file(each, self.root)]
        self.add(names)
        self._digest.update("\0".join(names).encode("utf-8", "surrogateescape"))
        if any(map(is_marker, entries)):
            self.inner_projects.append(folder)
        self.archives += [name for name in names if suffix_of(name) in (*ARCHIVES, PACKAGE_SUFFIX)]

    def _fail(self, folder: str, error: OSError) -> None:
        reason = error.strerror or str(error)
        if folder == self.root:
            self.error = f"{folder}: cannot be listed: {reason}"
        else:
            self._unlisted[folder] = reason

    @property
    def version(self) -> Version:
        """The version of the list: it changes when a file is added, removed or renamed."""
        return Version(int.from_bytes(self._digest.digest(), "big"), len(self.names))

    def searched(self, name: str) -> tuple[str, ...]:
        """The searched path of a name, which stands for its base name in any folder below the root. It is
        followed by the first folders that cannot be listed, each with the reason, and by the first
        `resources.cfg` files with missing locations.
        """
        base = file_name(name)
        unlisted = islice(self._unlisted.items(), UNLISTED)
        reasons = (below(folder, f"{base} (cannot be listed: {reason})") for folder, reason in unlisted)
        return below(self.root, base), *reasons, *islice(self._absent(base), UNLISTED)

    def _absent(self, base: str) -> Iterator[str]:
        """Yield a text for each `resources.cfg` that lists locations that are not in the project."""
        for path in self._configurations(""):
            absent = absent_locations(path)
            if not absent:
                continue
            names, more = ", ".join(absent[:LOCATIONS]), len(absent) - LOCATIONS
            rest = f" and {more} more" if more > 0 else ""
            which = "which is" if len(absent) == 1 else "which are"
            shown = os.path.relpath(path, self.root)
            yield below(self.root, f"{base} ({shown} lists {names}{rest}, {which} not in the project)")


class ProjectCache(Generic[CachedProject]):
    """Values by folder and by the folders left out, until `forget_resources` is called; `most` bytes."""

    def __init__(self, most: int) -> None:
        self._most, self._changes = most, -1
        self._values = RecentValues[ProjectKey, CachedProject](most)

    @property
    def values(self) -> RecentValues[ProjectKey, CachedProject]:
        """The values that are not outdated."""
        if self._changes != resource_changes():
            self._changes, self._values = resource_changes(), RecentValues(self._most)
        return self._values


_cache = ProjectCache[ProjectIndex](KEPT)


def kept_project(root: str, left_out: tuple[str, ...] = ()) -> ProjectIndex | None:
    """The kept index of the files below a root, without the folders `left_out`; None if there is none, or if
    a folder has changed.
    """
    index = _cache.values.find((root, left_out))
    return index if index is not None and (not index.complete or index.is_current()) else None


def keep_project(index: ProjectIndex) -> None:
    """Keep the index of a project under its root, until `forget_resources` is called."""
    _cache.values.keep((index.root, index.left_out), index, NAME_BYTES * (1 + len(index.names)))


def project_at(root: str, left_out: tuple[str, ...] = ()) -> ProjectIndex:
    """The index of the files below a root with a marker, kept until a folder changes."""
    index = kept_project(root, left_out)
    if index is None or not index.marked:
        index = ProjectIndex(root, True, left_out)
    keep_project(index)
    return index


def _version_of_list(path: str, left_out: tuple[str, ...]) -> Version | None:
    """The version of the list of files below a folder, or of their contents; None if it cannot be listed. The
    path is one of `below`.
    """
    root, _, name = path.partition(BELOW)
    index = kept_project(root, left_out) or project_at(root, left_out)
    if not index.list_more() or index.error:
        return None
    scanner = _SCANNERS.get(name.removeprefix(CONTENTS)) if name.startswith(CONTENTS) else None
    return index.version if scanner is None else index.contents(scanner).version


LISTING_VERSION.append(_version_of_list)


def _is_inner_file(entry: DiskEntry, root: str) -> bool:
    """Whether an entry is a file below the root. A link that leads out of the root is not."""
    try:
        if not entry.is_symlink():
            return entry.is_file(follow_symlinks=False)
        return entry.is_file() and os.path.realpath(entry.path).startswith(os.path.realpath(root) + os.sep)
    except OSError:
        return False


def _folders_below(root: str, path: str) -> list[str]:
    """The folders between a root and a file below it; empty for another file."""
    front = os.path.join(root, "")
    return path[len(front) :].replace(os.sep, "/").split("/")[:-1] if path.startswith(front) else []


def _common(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The equal folders at the beginnings of two paths."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return [name for name, _ in pairs]
