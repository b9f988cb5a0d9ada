"""The guessed project of a file without a marker above it: a small folder around the file.

Its root is the highest folder above the file that can be a root. A root has at most `BUDGET.guessed_folders`
folders and `BUDGET.guessed_files` files. It is no home folder, no mount point and no collection of other
projects. The folders are listed from the file outward, up to the first folder that cannot be a root.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from viewer.budget import BUDGET
from viewer.storage.project_folders import ProjectFolder, listed_folders
from viewer.storage.project_index import ProjectCache, ProjectIndex, keep_project, kept_project
from viewer.storage.project_roots import above
from viewer.storage.tested import Tested, is_over, lists_late, waiting
from viewer.storage.versions import UNSETTLED, Dependencies, are_current, below, record, recorded

KEPT = 1 << 12
"""Largest number of folders whose guessed project is kept in memory."""


class Guess:
    """The guessed `root` of the files in a folder (empty if they have no guessed project), with the versions
    of the folders that the guess depends on.
    """

    def __init__(self, root: str, versions: Dependencies) -> None:
        self.root, self.versions, self._tested = root, versions, Tested()

    @property
    def is_current(self) -> bool:
        """Whether the folders are as they were listed, if this is tested now."""
        if self._tested.is_due:
            with recorded():
                if not are_current(self.versions):
                    return False
            self._tested = Tested()
        return True


_cache = ProjectCache[Guess](KEPT)


def guessed_project(own: str, left_out: tuple[str, ...] = ()) -> ProjectIndex | None:
    """The guessed project of the files in the folder `own`, kept until a folder changes. The result is None
    if the files have no guessed project, or if the time of `waits_at_most` is over.
    """
    guess = _cache.values.find((own, left_out))
    index = _index_of(guess, left_out) if guess is not None else None
    if guess is None or not guess.is_current or (guess.root and index is None):
        guess, index = _new_guess(own, left_out)
        if guess is None:
            lists_late()
            record({below(own, ""): UNSETTLED})
            return None
        for folder in (own, guess.root) if guess.root else (own,):
            _cache.values.keep((folder, left_out), guess, 1)
    record({} if index else guess.versions)
    return index


def _index_of(guess: Guess, left_out: tuple[str, ...]) -> ProjectIndex | None:
    """The kept project of a guess."""
    index = kept_project(guess.root, left_out) if guess.root else None
    return index if index is not None and not index.marked else None


def _new_guess(own: str, left_out: tuple[str, ...]) -> tuple[Guess | None, ProjectIndex | None]:
    """Guess the root of the files in a folder, and list the project. Guess and project are None if the time
    is over.
    """
    known = _known_guess(own, left_out)
    if known is not None:
        return known, _index_of(known, left_out)
    with waiting() as until:
        lists, best = _Lists(until, left_out), ""
        for folder in _up_to_border(own):
            if not lists.add(folder):
                break
            best = folder
    if lists.late:
        return None, None
    index = None
    if best:
        index = ProjectIndex(best, False, left_out, lists.below(best))
        keep_project(index)
    return Guess(best, lists.versions), index


def _known_guess(own: str, left_out: tuple[str, ...]) -> Guess | None:
    """The kept guess whose root is the folder `own` or a folder above it; None if a collection of projects
    lies between the two.
    """
    passed: list[str] = []
    for folder in above(own):
        guess = _cache.values.find((folder, left_out))
        index = _index_of(guess, left_out) if guess is not None and guess.root == folder else None
        if guess is not None and index is not None and index.complete and guess.is_current:
            inner = [os.path.dirname(each) for each in index.inner_projects]
            return None if any(inner.count(each) > 1 for each in passed) else guess
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


class _Lists:
    """The folders around a file, listed step by step from the inner to the outer folders. `late` is True if
    the time `until` has passed.
    """

    def __init__(self, until: float | None, left_out: tuple[str, ...]) -> None:
        self.late = False
        self._until, self._left, self._without = until, BUDGET.guessed_files, left_out
        self._listed: dict[str, ProjectFolder] = {}
        self._known: set[str] = set()

    def add(self, top: str) -> bool:
        """List a folder and everything below it; return whether the folder can be the root of a project. The
        listing stops as soon as more folders are known than a guessed project may have.
        """
        for inner, folder in listed_folders(top, {}, {*self._listed, *self._without}):
            path = os.path.join(top, inner) if inner else top
            self._listed[path] = folder
            self._known |= {path, *(os.path.join(path, each) for each in folder.folders)}
            self._left -= folder.count + len(folder.folders)
            self.late = is_over(self._until)
            if self._left < 0 or len(self._known) > BUDGET.guessed_folders or self.late:
                return False
        directly = (os.path.join(top, each) for each in self._listed[top].folders)
        return sum(each in self._listed and self._listed[each].marked for each in directly) < 2

    @property
    def versions(self) -> Dependencies:
        """The versions of the listed folders."""
        return {path: each.version or UNSETTLED for path, each in self._listed.items()}

    def below(self, root: str) -> dict[str, ProjectFolder]:
        """The root and the folders below it, by their paths from the root."""
        front = os.path.join(root, "")
        inner = {path[len(front) :]: each for path, each in self._listed.items() if path.startswith(front)}
        return {"": self._listed[root], **{path.replace(os.sep, "/"): each for path, each in inner.items()}}
