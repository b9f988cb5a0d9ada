"""The guessed project of a file without a marker above it: a small folder around the file.

Its root is the highest folder above the file that can be a root. A root has at most `BUDGET.guessed_folders`
folders and `BUDGET.guessed_files` files. It is no home folder, no mount point and no collection of other
projects. The folders are listed from the file outward, up to the first folder that cannot be a root.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from viewer.budget import BUDGET
from viewer.storage.listing import DiskEntry, is_folder, is_walked, walk
from viewer.storage.project_index import (
    ProjectCache,
    ProjectIndex,
    TestedLists,
    keep_project,
    kept_project,
    lists_late,
    waiting,
)
from viewer.storage.project_roots import above, is_marker
from viewer.storage.versions import UNSETTLED, Dependencies, below, record, recorded

KEPT = 1 << 12
"""Largest number of folders whose guessed project is kept in memory."""


class Guess(TestedLists):
    """The guessed `root` of the files in a folder (empty if they have no guessed project), with the lists
    that the guess depends on.
    """

    def __init__(self, root: str, dependencies: Dependencies) -> None:
        super().__init__()
        self.root = root
        self.depend_on(dependencies)


_cache = ProjectCache[Guess](KEPT)


def guessed_project(own: str, left_out: tuple[str, ...] = ()) -> ProjectIndex | None:
    """The guessed project of the files in the folder `own`, kept until a folder changes. The result is None
    if the files have no guessed project, or if the time of `waits_at_most` is over.
    """
    guess = _cache.values.find((own, left_out))
    index = kept_project(guess.root, left_out) if guess is not None and guess.root else None
    if index is not None and not index.marked:
        return index
    if guess is None or guess.root or not guess.is_current():
        guess, index = _new_guess(own, left_out)
        if guess is None:
            lists_late()
            record({below(own, ""): UNSETTLED})
            return None
        _cache.values.keep((own, left_out), guess, 1)
    record({} if index else guess.versions)
    return index


def _new_guess(own: str, left_out: tuple[str, ...]) -> tuple[Guess | None, ProjectIndex | None]:
    """Guess the root of the files in a folder, and list the project. Guess and project are None if the time
    is over.
    """
    known = _known_project(own, left_out)
    if known is not None:
        return Guess(known.root, {}), known
    with waiting() as until, recorded() as asked:
        lists, best = _Lists(until, left_out), ""
        for folder in _up_to_border(own):
            if not lists.add(folder):
                break
            best = folder
    if lists.late:
        return None, None
    index = ProjectIndex(best, False, left_out) if best else None
    if index is not None:
        failed = [each for each in lists.failed if _is_in(each[0], best)]
        index.take(lists.listed_in(best), failed, asked)
        keep_project(index)
    return Guess(best, asked), index


def _known_project(own: str, left_out: tuple[str, ...]) -> ProjectIndex | None:
    """The cached guessed project whose root is the folder `own` or a folder above it; None if a collection of
    projects lies between the two.
    """
    passed: list[str] = []
    for folder in above(own):
        index = kept_project(folder, left_out)
        if index is not None and not index.marked and index.complete:
            inner = [os.path.dirname(each) for each in index.inner_projects]
            return None if any(inner.count(each) > 1 for each in passed) else index
        passed.append(folder)
    return None


def _up_to_border(own: str) -> Iterator[str]:
    """Yield a folder and the folders above it, except the folder of temporary files and the folders above a
    mount point.
    """
    from tempfile import gettempdir  # imported late, so that the first frame comes sooner

    temporary, device = gettempdir(), _device(own)
    for folder in above(own):
        upper = _device(os.path.dirname(folder))
        # the devices are compared, because `os.path.ismount` would call `lstat` for each folder above
        if folder == temporary or upper != device:
            return
        yield folder


def _device(folder: str) -> int:
    """The number of the device of a folder; -1 if it is missing."""
    try:
        return os.lstat(folder).st_dev
    except OSError:
        return -1


def _is_in(path: str, folder: str) -> bool:
    return os.path.join(path, "").startswith(os.path.join(folder, ""))


class _Lists:
    """The contents of the folders around a file, listed step by step from the inner to the outer folders.
    `late` is True if the time `until` has passed. `failed` are the folders that cannot be listed.
    """

    def __init__(self, until: float | None, left_out: tuple[str, ...]) -> None:
        self.late = False
        self._until, self._left, self._without = until, BUDGET.guessed_files, left_out
        self._lists: dict[str, list[DiskEntry]] = {}
        self._known: set[str] = set()
        self.failed: list[tuple[str, OSError]] = []

    def add(self, top: str) -> bool:
        """List a folder and everything below it; return whether the folder can be the root of a project. The
        listing stops as soon as more folders are known than a guessed project may have.
        """
        for folder, entries in walk(top, self._fail, without={*self._lists, *self._without}):
            self._lists[folder] = entries
            self._known |= {folder, *(each.path for each in entries if is_walked(each))}
            self._left -= len(entries)
            self.late = self._until is not None and time.monotonic() >= self._until
            if self._left < 0 or len(self._known) > BUDGET.guessed_folders or self.late:
                return False
        inner = (each.path for each in self._lists.get(top, ()) if is_folder(each))
        return sum(any(map(is_marker, self._lists.get(each, ()))) for each in inner) < 2

    def _fail(self, folder: str, error: OSError) -> None:
        self.failed.append((folder, error))

    def listed_in(self, root: str) -> list[tuple[str, list[DiskEntry]]]:
        """The root and the folders below it with their entries, by path."""
        inner = (each for each in self._lists.items() if _is_in(each[0], root))
        return sorted(inner, key=lambda each: each[0].split(os.sep))
