"""A thread for work that reads files, the latest request first."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from viewer.arrays import damaged_numbers

Work = Callable[[], Any]
YIELD = 0.004
"""Seconds of a frame that belong to threads that read files. Where a processor draws, frames take all the
time, and a thread waits for the interpreter whenever it opened a file.
"""


class WorkResult(Struct, frozen=True):
    """The result of a request: its `name`, what the work gave, or the `error` that it raised."""

    name: str
    value: Any = None
    error: str = ""


class WorkThread:
    """`ask` requests work, `results` has what is finished; neither waits. `wake` is called from the thread
    when there is something new. The thread is a daemon: the end of the program does not wait for it.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._ready = threading.Condition()
        self._waiting: deque[tuple[str, Work]] = deque()
        self._done: deque[WorkResult] = deque()
        self._news = threading.Event()
        self._closed = False
        self._begun = False
        self._working = False

    def ask(self, name: str, work: Work) -> None:
        """Do the work before all work that waits."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._run, name="work", daemon=True).start()
        with self._ready:
            self._waiting.appendleft((name, work))
            self._ready.notify()

    def result(self) -> WorkResult | None:
        """The next finished work."""
        return self._done.popleft() if self._done else None

    def wait(self, seconds: float) -> None:
        """Wait until more work is finished, at most for that many seconds."""
        self._news.wait(seconds)
        self._news.clear()

    @property
    def working(self) -> bool:
        """Whether requests wait or are being done."""
        return self._working or bool(self._waiting)

    @property
    def finished(self) -> bool:
        """Whether results can be taken."""
        return bool(self._done)

    def close(self) -> None:
        """End the thread after its present work."""
        with self._ready:
            self._closed = True
            self._waiting.clear()
            self._ready.notify()

    @damaged_numbers()
    def _run(self) -> None:
        while (task := self._next()) is not None:
            self._done.append(_result(*task))
            del task  # a waiting thread holds nothing of a closed file
            self._working = False
            self._news.set()
            self._wake()

    def _next(self) -> tuple[str, Work] | None:
        """Wait for the next request; None at the end."""
        with self._ready:
            while not self._waiting and not self._closed:
                self._ready.wait()
            if self._closed:
                return None
            self._working = True
            return self._waiting.popleft()


def _result(name: str, work: Work) -> WorkResult:
    try:
        return WorkResult(name, work())
    except Exception as error:  # of any broken file
        return WorkResult(name, None, str(error) or type(error).__name__)
