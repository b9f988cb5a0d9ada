"""Small jobs in background threads, whose results are delivered between two frames."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

from viewer.arrays import damaged_numbers

Then = Callable[[Any, str], None]
"""Receives the result, or None and the reason why there is no result."""


class BackgroundTasks:
    """`run` starts a task, `step` delivers the results once a frame; neither blocks."""

    def __init__(self) -> None:
        self._under_way: list[tuple[Future[Any], Then]] = []

    @property
    def busy(self) -> bool:
        """Whether tasks are running."""
        return bool(self._under_way)

    def run(self, then: Then, work: Callable[..., Any], *about: Any) -> None:
        """Run `work(*about)` in a daemon thread; `then` receives the result."""
        future: Future[Any] = Future()

        @damaged_numbers()
        def do() -> None:
            """Do the work in the thread."""
            try:
                future.set_result(work(*about))
            except Exception as error:
                future.set_exception(error)

        threading.Thread(target=do, name=work.__name__, daemon=True).start()
        self._under_way.append((future, then))

    def wait(self, seconds: float) -> None:
        """Deliver the result of the latest task at once if it takes no longer than that."""
        if self._under_way and wait([self._under_way[-1][0]], seconds).done:
            self.step()

    def step(self) -> None:
        """Deliver the finished results."""
        done = [each for each in self._under_way if each[0].done()]
        self._under_way = [each for each in self._under_way if each not in done]
        for future, then in done:
            error = future.exception()
            if error is None:
                then(future.result(), "")
            else:
                then(None, str(getattr(error, "strerror", None) or error))
