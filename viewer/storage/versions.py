"""The versions of files and folders, and answers that are kept while these versions stay the same.

Whoever looks for files asks here whether they exist and when they changed. While an answer is made, the
questions are noted: the answer is right as long as all of them have the same results.
"""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from viewer.lru import RecentValues

CLOCK_STEP = 2_000_000_000
"""The longest step, in nanoseconds, in which file systems count times of change (FAT)."""
MOST_PATHS = 1000
"""An answer that depends on more paths is not kept: asking for all of them takes milliseconds."""

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")
Status = tuple[int, int, int]
"""The time of the last change in nanoseconds, the size in bytes, and the mode of a path."""


class _Thread(threading.local):
    """The paths that the running thread asked for; None while nothing is noted."""

    asked: dict[str, Status | None] | None = None


_thread = _Thread()


def stat_path(path: str | os.PathLike[str]) -> os.stat_result:
    """`os.stat`, noted. OSError or ValueError for a path that does not exist or cannot be reached."""
    if _thread.asked is None:
        return os.stat(path)
    here = os.path.abspath(path)
    _thread.asked[here] = None
    found = os.stat(path)
    _thread.asked[here] = _status(found)
    return found


def path_status(path: str | os.PathLike[str]) -> Status | None:
    """The status of a path, links followed; None if it does not exist or cannot be reached."""
    try:
        return _status(stat_path(path))
    except (OSError, ValueError):
        return None


def _status(found: os.stat_result) -> Status:
    return found.st_mtime_ns, found.st_size, found.st_mode


def is_regular(path: str | os.PathLike[str]) -> bool:
    """Whether the path leads to a regular file."""
    status = path_status(path)
    return status is not None and stat.S_ISREG(status[2])


def file_version(path: str | os.PathLike[str]) -> tuple[int, int] | None:
    """The time of the last change in nanoseconds and the size; None if the path is no regular file."""
    status = path_status(path)
    return status[:2] if status is not None and stat.S_ISREG(status[2]) else None


def folder_version(path: str) -> int:
    """The time of a folder's last change in nanoseconds; 0 if it is gone."""
    status = path_status(path)
    return 0 if status is None else status[0]


def is_settled(changed: int) -> bool:
    """Whether a time of change lies so far back that every later change will have another time."""
    return time.time_ns() - changed > CLOCK_STEP


class KeptAnswers(Generic[Key, Answer]):
    """Answers of at most `most` bytes together. An answer is made again when a path that it depends on
    changed.
    """

    def __init__(self, most: int) -> None:
        self._kept: RecentValues[Key, tuple[Answer, dict[str, Status | None]]] = RecentValues(
            most, large=False
        )

    def get(self, key: Key, make: Callable[[], Answer], size: Callable[[Answer], int]) -> Answer:
        """The answer of a key, which counts `size` bytes."""
        found = self._kept.find(key)
        if found is not None and all(path_status(path) == status for path, status in found[1].items()):
            return found[0]
        outer, _thread.asked = _thread.asked, {}
        try:
            answer = make()
            asked = _thread.asked
        finally:
            _thread.asked = outer
        if outer is not None:
            outer.update(asked)
        settled = all(status is None or is_settled(status[0]) for status in asked.values())
        if settled and len(asked) <= MOST_PATHS:
            self._kept.keep(key, (answer, asked), size(answer))
        return answer
