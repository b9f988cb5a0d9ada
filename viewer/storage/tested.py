"""When what is kept of a project is tested against the disk, and how long a search waits for it.

The folder of the model and the folders and files that it uses are tested at each opening. The rest, which is
the other folders and the other files with words, is tested before it is used, once a second has passed since
its last test. There are two exceptions. A task that is one job, such as a batch, tests the rest once. A
thread inside `waits_at_most`, such as the one that reads a file for the window, uses the result of the last
test when its time is over, and a task completes the test.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PAUSE = 1.0
"""Seconds between a test of the rest and the next use that tests it again."""


class _TestingThread(threading.local):
    """How many seconds this thread may still wait, whether a test or a list was not complete in this time,
    and when its task began; None if the thread may always wait, or has no task.
    """

    left: float | None = None
    late = False
    begun: float | None = None


_thread = _TestingThread()


class Waited:
    """The result of a search inside `waits_at_most`. `late` is True if the search ended before a list of
    files was complete and tested.
    """

    late = False


class Tested:
    """A test against the disk that ends when the object is made."""

    def __init__(self) -> None:
        self._ended = time.monotonic()

    @property
    def is_due(self) -> bool:
        """Whether the next test is made before the next use."""
        begun = _thread.begun
        return self._ended < (time.monotonic() - PAUSE if begun is None else begun)


@contextmanager
def tested_once(begun: float | None = None) -> Iterator[None]:
    """Inside the `with`, this thread has a task that began at this time of `time.monotonic` (None: now). In a
    task each project is tested once.
    """
    outer, _thread.begun = _thread.begun, time.monotonic() if begun is None else begun
    try:
        yield
    finally:
        _thread.begun = outer


@contextmanager
def waits_at_most(seconds: float | None) -> Iterator[Waited]:
    """Inside the `with`, this thread waits at most this time for lists of files (None: no limit). A project
    that is listed too slowly is not searched. Elsewhere a search waits until the list is complete.
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


def is_over(until: float | None) -> bool:
    """Whether a time of `waiting` has passed; then the thread is late."""
    over = until is not None and time.monotonic() >= until
    _thread.late |= over
    return over


@contextmanager
def acquired(lock: threading.Lock, until: float | None) -> Iterator[bool]:
    """Hold a lock inside the `with`. False if it cannot be acquired until a time of `waiting`; then the
    thread is late.
    """
    if not lock.acquire(timeout=-1 if until is None else max(0.0, until - time.monotonic())):
        _thread.late = True
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def lists_late() -> None:
    """Record that this thread did not wait until a list of files was complete."""
    _thread.late = True
