"""The versions of files and folders, and a cache of answers that are valid while these versions stay the
same.

Code that searches for files calls `stat_path`, which records the paths and their versions while an answer is
computed. The answer is valid as long as no version changes.
"""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Generic, NamedTuple, TypeVar

from viewer.lru import RecentValues
from viewer.scene.names import BELOW

CLOCK_STEP = 2_000_000_000
"""The coarsest step of modification times in nanoseconds (FAT)."""
MOST_PATHS = 2000
"""An answer with more dependencies is not cached, because checking them takes milliseconds."""

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class Version(NamedTuple):
    """The modification time in nanoseconds and the size in bytes of a file or folder."""

    modified: int
    size: int


Dependencies = dict[str, Version | None]
"""Paths that a result depends on, with their versions; None for a path that did not exist."""
LISTING_VERSION: list[Callable[[str, tuple[str, ...]], Version | None]] = []
"""The function that gives the version of a folder's list of files; `storage.project_index` sets it."""
UNSETTLED = Version(0, 0)
"""The version of a path that is unreadable or changed during reading. It equals no later version."""


class _RecordingThread(threading.local):
    """The paths that each thread records; None while it records nothing."""

    asked: Dependencies | None = None


_thread = _RecordingThread()


def stat_path(path: str | os.PathLike[str]) -> os.stat_result:
    """Call `os.stat` and record the path, so that cached answers can be invalidated. OSError or ValueError
    for a missing or unreachable path.
    """
    if _thread.asked is None:
        return os.stat(path)
    _thread.asked[os.path.abspath(path)] = None
    found = os.stat(path)
    record_status(path, found)
    return found


def record_status(path: str | os.PathLike[str], status: os.stat_result) -> None:
    """Record a path with the version in `status`."""
    if _thread.asked is not None:
        _thread.asked[os.path.abspath(path)] = Version(status.st_mtime_ns, status.st_size)


@contextmanager
def recorded() -> Iterator[Dependencies]:
    """Record the paths and versions that this thread asks for inside the `with`, separately from an enclosing
    `with`.
    """
    outer, _thread.asked = _thread.asked, {}
    try:
        yield _thread.asked
    finally:
        _thread.asked = outer


def record(versions: Dependencies) -> None:
    """Record paths with their versions on which the current answer depends."""
    if _thread.asked is not None:
        _thread.asked.update(versions)


def record_unreadable(path: str | os.PathLike[str]) -> None:
    """Prevent caching of answers that depend on this path, because permissions change without a new
    version.
    """
    record({os.path.abspath(path): UNSETTLED})


def path_version(path: str | os.PathLike[str], left_out: tuple[str, ...] = ()) -> Version | None:
    """The version of a file or folder, following links; None if the path is missing or unreachable. For a
    path in `below`, return the version of the list of files without the folders `left_out`.
    """
    if BELOW in (text := os.fspath(path)):
        return _listing_version(text, left_out)
    try:
        found = stat_path(path)
    except (OSError, ValueError):
        return None
    return Version(found.st_mtime_ns, found.st_size)


def unrecorded_version(path: str) -> Version | None:
    """Return the version of `path_version`, without recording it: one of many that are tested together."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return Version(found.st_mtime_ns, found.st_size)


def have_versions(folder: str, versions: Iterable[tuple[str, Version | None]]) -> bool:
    """Whether all these names below a folder have these versions, which are not recorded."""
    status = os.stat
    try:
        for name, version in versions:
            found = status(f"{folder}/{name}")
            if version is None or (found.st_mtime_ns, found.st_size) != version:
                return False
    except (OSError, ValueError):
        return False
    return True


def below(folder: str, name: str) -> str:
    """Make the path that stands for a file `name` anywhere below a folder, for use as a dependency."""
    return f"{folder.rstrip(os.sep)}{BELOW}{name}"


def _listing_version(path: str, left_out: tuple[str, ...]) -> Version | None:
    """Record a path that `below` made, and return its version: that of the list of all files below its
    folder, or of their contents.
    """
    version = LISTING_VERSION[0](path, left_out) if LISTING_VERSION else None
    record({path: version})
    return version


def file_version(path: str | os.PathLike[str]) -> Version | None:
    """The version of a regular file; None for any other path."""
    try:
        found = stat_path(path)
    except (OSError, ValueError):
        return None
    return Version(found.st_mtime_ns, found.st_size) if stat.S_ISREG(found.st_mode) else None


def is_settled(version: Version) -> bool:
    """Whether the next change certainly gives another version, because the last change was not a moment
    ago.
    """
    return not 0 <= time.time_ns() - version.modified <= CLOCK_STEP


def is_regular(path: str | os.PathLike[str]) -> bool:
    """Whether the path leads to a regular file."""
    return file_version(path) is not None


def versions_of(paths: Iterable[str], begun: int, left_out: tuple[str, ...] = ()) -> Dependencies:
    """The versions of paths, sorted by path; UNSETTLED for a path that changed since `begun` (nanoseconds).
    See `path_version` for `left_out`.
    """
    found, now = {path: path_version(path, left_out) for path in sorted(paths)}, time.time_ns()
    return {
        path: UNSETTLED if each and begun <= each.modified <= now else each for path, each in found.items()
    }


def are_current(dependencies: Dependencies, version: Callable[[str], Version | None] = path_version) -> bool:
    """Whether all paths still have these versions. Pass `functools.cache(path_version)` as `version` to read
    each path once.
    """
    return all(version(path) == known for path, known in dependencies.items())


class KeptAnswers(Generic[Key, Answer]):
    """A cache of answers, at most `most` bytes together. A changed dependency invalidates an answer."""

    def __init__(self, most: int) -> None:
        self._kept: RecentValues[Key, tuple[Answer, Dependencies]] = RecentValues(most, large=False)

    def get(
        self,
        key: Key,
        make: Callable[[], Answer],
        size: Callable[[Answer], int],
        version: Callable[[str], Version | None] = path_version,
    ) -> Answer:
        """Return the cached answer of a key, or compute it with `make`. In the cache an answer has
        `size(answer)` bytes. See `are_current` for `version`.
        """
        found = self._kept.find(key)
        if found is not None and are_current(found[1], version):
            return found[0]
        begun = time.time_ns()
        with recorded() as asked:
            answer = make()
        record(asked)
        # A path that changed a moment ago may change again without a new modification time.
        settled = all(each is None or begun - each.modified > CLOCK_STEP for each in asked.values())
        if settled and len(asked) <= MOST_PATHS:
            self._kept.keep(key, (answer, _without_implied(asked)), size(answer))
        return answer


def _without_implied(versions: Dependencies) -> Dependencies:
    """Leave out missing paths whose folder has a version here, because this version changes when the path
    appears.
    """
    return {
        path: version
        for path, version in versions.items()
        if version is not None or BELOW in path or os.path.dirname(path) not in versions
    }
