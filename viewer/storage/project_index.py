"""The list of a project's files, and the words that are in them. `viewer.storage.tested` says when both are
tested for changes; what has not changed is not listed or scanned again.
"""

from __future__ import annotations

import os
import threading
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, takewhile
from typing import Generic, TypeVar

from viewer.budget import BUDGET
from viewer.lru import RecentValues
from viewer.scene.material import FoundBy
from viewer.scene.names import BELOW, file_name
from viewer.scene.reading_context import ReadingContext
from viewer.storage.configuration import CONFIGURATIONS, absent_locations, configured_folders, is_located
from viewer.storage.contents import Contents, Scanner, scanned, versions_in
from viewer.storage.listing import call_afterwards, version_once
from viewer.storage.package_path import ARCHIVES
from viewer.storage.project_folders import ProjectFolder, ProjectFolders, listed_folders
from viewer.storage.project_store import (
    LAYOUT,
    NUMBER,
    StoredProject,
    Words,
    keep_on_disk,
    stored_project,
)
from viewer.storage.resource_folders import (
    NAME_BYTES,
    PACKAGE_SUFFIX,
    Kept,
    SourceIndex,
    matching_parts,
    resource_changes,
)
from viewer.storage.source import FolderSource, Source
from viewer.storage.tested import Tested, acquired, is_over, waiting
from viewer.storage.versions import LISTING_VERSION, Version, below, have_versions, record, recorded

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
FEW = 8
"""The folders of at most so many files with a word are tested when the word is sought."""
KEPT_AGAIN = 60.0
"""Seconds after which a changed project is kept on the disk again."""


ARCHIVED = (*ARCHIVES, PACKAGE_SUFFIX)
"""The suffixes of zip files and packages."""
CONTENTS = "\0"
"""Comes before the kind of a scanner in a path that stands for the contents of a project's files."""
_SCANNERS: dict[str, Scanner] = {}
"""The scanners that were used, by kind."""
ProjectKey = tuple[str, tuple[str, ...]]
CachedProject = TypeVar("CachedProject")


class ProjectIndex(SourceIndex):
    """The files below the root of a project, without hidden folders. `list_more` lists and tests them. They
    do not change during a search: a test that finds a change replaces all lists.

    `known` are folders that were listed before, by their relative paths.
    """

    by: FoundBy = "project"

    def __init__(
        self,
        root: str,
        marked: bool,
        left_out: tuple[str, ...] = (),
        known: Mapping[str, ProjectFolder] | None = None,
    ) -> None:
        super().__init__(FolderSource(root), deep=False, most=0)
        self.root, self.marked, self.left_out = root, marked, left_out
        self.complete = False
        self._folders = ProjectFolders(known or {})
        self._listing: _Listing | None = None
        self._words: Words = {}
        self._tested, self._tested_words = Tested(), dict[tuple[str, str], Tested]()
        self._lock, self._scan_lock = threading.Lock(), threading.Lock()
        self._stored = StoredProject()
        self._kept: tuple[float, frozenset[tuple[str, str]]] = -KEPT_AGAIN, frozenset()

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

    def best(self, name: str, from_: str = "", model: str = "", keep: Kept | None = None) -> list[str]:
        """Implement `SourceIndex.best`. The folders of the files are tested."""
        found = super().best(name, from_, model, keep)
        return found if self._are_current(found) else super().best(name, from_, model, keep)

    def of_stem(
        self,
        base: str,
        suffixes: tuple[str, ...],
        from_: str,
        context: ReadingContext,
        keep: Kept | None = None,
    ) -> list[str]:
        """Implement `SourceIndex.of_stem`. The folders of the files are tested."""
        found = super().of_stem(base, suffixes, from_, context, keep)
        return found if self._are_current(found) else super().of_stem(base, suffixes, from_, context, keep)

    def _are_current(self, found: Iterable[str]) -> bool:
        """Whether the folders of found files are as they were listed. If one is not, the list is tested."""
        folders = dict.fromkeys(os.path.dirname(self.source.where(each)) for each in found)
        if not any(map(self._has_changed, folders)):
            return True
        self._test()
        return False

    def _has_changed(self, folder: str) -> bool:
        """Whether a listed folder is not as it was listed. It is tested once in each opening."""
        known = self._listed(folder)
        if known is None:
            return False
        version, is_new = version_once(folder)
        return is_new and (known.version is None or version != known.version)

    def contents(self, scanner: Scanner, used: Iterable[str] = ()) -> Contents:
        """Implement `SourceIndex.contents`. The files `used` are tested."""
        found = self.words_in("", self, scanner, [*used])
        _SCANNERS[scanner.kind] = scanner
        record({below(self.root, f"{CONTENTS}{scanner.kind}"): found.version})
        return found

    def having(self, scanner: Scanner, words: Iterable[str]) -> list[str]:
        """Implement `SourceIndex.having`. The folders of a few files are tested."""
        sought = (*words,)
        found = super().having(scanner, sought)
        few = found if len(found) <= FEW else ()
        return found if self._are_current(few) else super().having(scanner, sought)

    def words_in(
        self, archive: str, files: SourceIndex, scanner: Scanner, used: Sequence[str] = ()
    ) -> Contents:
        """The words in the files of an archive of the project, or in the files outside of archives (empty).
        They are tested after each test of the list, and when one of the files `used` has changed.
        """
        key = archive, scanner.kind
        known, tested = self._words.get(key), self._tested_words.get(key)
        current = known is not None and known.has(versions_in(files.source, used))
        if not current or tested is not self._tested:
            with waiting() as until, acquired(self._scan_lock, until) as may_scan, recorded():
                if may_scan and self._words.get(key) is known:
                    list_tested, listed = self._tested, files.ending(scanner.ends)
                    self._words[key] = scanned(scanner, files.source, listed, known, until)
                    if not is_over(until):
                        self._tested_words[key] = list_tested
                    if self._words[key] is not known:
                        call_afterwards(self, self._keep)
        return self._words.get(key, Contents())

    def scan_rest(self) -> None:
        """Scan the files that were not scanned in time."""
        for archive, kind in [*self._words]:
            if not archive and kind in _SCANNERS:
                self.contents(_SCANNERS[kind])

    def _listed(self, folder: str) -> ProjectFolder | None:
        """A folder of the list, unless the list is not complete or does not have the folder."""
        front = os.path.join(self.root, "")
        if not self.complete or self.error or not os.path.join(folder, "").startswith(front):
            return None
        return self._folders.by_path.get(folder[len(front) :].replace(os.sep, "/"))

    def _configurations(self, from_: str) -> list[str]:
        """List the paths of the `resources.cfg` files of the project that are nearest to the file `from_`."""
        names = chain.from_iterable(map(self._with_base, CONFIGURATIONS))
        return [*map(self.source.where, sorted(names, key=self.distance_from(from_))[:CONFIGURED])]

    def list_more(self, used: str = "") -> bool:
        """List the files, or test the list if this is due or if the folder `used` has changed. Return whether
        there is a complete list. A thread inside `waits_at_most` stops when its time is over.
        """
        if not self.complete or self._tested.is_due or (used and self._has_changed(used)):
            self._test()
        return self.complete

    def _test(self) -> None:
        """List the files or test the list now, unless another thread does it meanwhile."""
        tested = self._tested
        with waiting() as until, acquired(self._lock, until) as may_list, recorded():
            if may_list and not (self.complete and self._tested is not tested):
                self._list_until(until)

    def _list_until(self, until: float | None) -> None:
        """List folder by folder until this time. Folders with a known version are not listed again."""
        if self._listing is None:
            if not self.complete:
                self._stored = stored_project(self.root, self.left_out)
                self._words = {(archive, kind): each for archive, kind, each in self._stored.words}
            known = self._folders.by_path or self._stored.folders
            if until is None and known and have_versions(self.root, _versions_of(known)):
                self._replace(known)
                return
            self._listing = _Listing(listed_folders(self.root, known, self.left_out))
        listing = self._listing
        while not is_over(until):
            folder = next(listing.folders, None)
            if folder is not None:
                listing.add(*folder)
            if folder is None or listing.is_cut:
                self._replace(listing.listed, listing.is_cut)
                return

    def _replace(self, listed: Mapping[str, ProjectFolder], is_cut: bool = False) -> None:
        """End a test: replace the list if it has changed."""
        stored, self._listing = self._stored, None
        if listed != self._folders.by_path or not self.complete:
            is_stored = bool(listed) and listed == stored.folders
            self._folders = ProjectFolders(listed, stored.version if is_stored else None)
            self.names, self._of_models = self._folders.names, None
            self._order, self._endings = (stored.order, dict(stored.endings)) if is_stored else (None, {})
            unlisted = self._folders.unlisted
            self.error = f"{self.root}: cannot be listed: {unlisted['']}" if "" in unlisted else ""
            if is_cut:
                self.error = (
                    f"only the first {len(self.names):,} files of the project {self.root} are searched"
                )
            self.complete = True
            if not is_stored:
                call_afterwards(self, self._keep)
        self._stored, self._tested = StoredProject(), Tested()

    def _keep(self) -> None:
        """Keep the project on the disk: when words are added, and after another change once a minute."""
        now, kinds = time.monotonic(), frozenset(self._words)
        if self.error or (kinds == self._kept[1] and now - self._kept[0] < KEPT_AGAIN):
            return
        self._kept = now, kinds
        words = [(archive, kind, each) for (archive, kind), each in self._words.items()]
        endings = [*({ARCHIVED: self.archives} | self._endings).items()]
        order = bytes(array(NUMBER, self.order))
        project = StoredProject(LAYOUT, {**self._folders.by_path}, words, self.version, order, endings)
        keep_on_disk(self.root, self.left_out, project)

    @property
    def archives(self) -> list[str]:
        """The names of the zip files and packages."""
        return self.ending(ARCHIVED)

    @property
    def inner_projects(self) -> list[str]:
        """The paths of the folders with the marker of a project."""
        return [os.path.join(self.root, *filter(None, (each,))) for each in self._folders.marked]

    @property
    def version(self) -> Version:
        """The version of the list: it changes when a file is added, removed or renamed."""
        return self._folders.version

    def searched(self, name: str) -> tuple[str, ...]:
        """The searched path of a name, which stands for its base name in any folder below the root. It is
        followed by the first folders that cannot be listed, each with the reason, and by the first
        `resources.cfg` files with missing locations.
        """
        base = file_name(name)
        unlisted = islice(self._folders.unlisted.items(), UNLISTED)
        reasons = (
            below(os.path.join(self.root, folder), f"{base} (cannot be listed: {reason})")
            for folder, reason in unlisted
        )
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


class _Listing:
    """A list of folders in progress."""

    def __init__(self, folders: Iterator[tuple[str, ProjectFolder]]) -> None:
        self.folders = folders
        self.listed: dict[str, ProjectFolder] = {}
        self._files, self._latest = 0, time.monotonic() + BUDGET.project_seconds

    def add(self, path: str, folder: ProjectFolder) -> None:
        """Add a folder."""
        self.listed[path] = folder
        self._files += folder.count

    @property
    def is_cut(self) -> bool:
        """Whether no more folders are listed, because they are too many or take too long."""
        return self._files >= BUDGET.listed_files or time.monotonic() > self._latest


class ArchiveIndex(SourceIndex):
    """The files in an archive of a project. The project keeps their words."""

    def __init__(self, project: ProjectIndex, name: str, source: Source, by: FoundBy) -> None:
        super().__init__(source, deep=True)
        self._project, self._name, self.by = project, name, by

    def contents(self, scanner: Scanner) -> Contents:
        """Implement `SourceIndex.contents`."""
        return self._project.words_in(self._name, self, scanner)


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
    """The kept index of the files below a root, without the folders `left_out`; None if there is none."""
    return _cache.values.find((root, left_out))


def keep_project(index: ProjectIndex) -> None:
    """Keep the index of a project under its root, until `forget_resources` is called."""
    _cache.values.keep((index.root, index.left_out), index, NAME_BYTES * (1 + len(index.names)))


def project_at(root: str, left_out: tuple[str, ...] = ()) -> ProjectIndex:
    """The index of the files below a root with a marker."""
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


def _versions_of(folders: Mapping[str, ProjectFolder]) -> Iterator[tuple[str, Version | None]]:
    return ((path, folder.version) for path, folder in folders.items())


def _folders_below(root: str, path: str) -> list[str]:
    """The folders between a root and a file below it; empty for another file."""
    front = os.path.join(root, "")
    return path[len(front) :].replace(os.sep, "/").split("/")[:-1] if path.startswith(front) else []


def _common(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The equal folders at the beginnings of two paths."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return [name for name, _ in pairs]
