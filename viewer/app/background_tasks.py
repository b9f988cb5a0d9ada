"""Small jobs beside the main thread, whose results are taken in between two frames."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

Then = Callable[[Any, str], None]
"""Given the result, and None beside the line that says why there is none."""


class BackgroundTasks:
    """`run` begins one, `step` once a frame hands out the results; neither waits."""

    def __init__(self) -> None:
        self._under_way: list[tuple[Future[Any], Then]] = []

    @property
    def busy(self) -> bool:
        """Whether some are under way."""
        return bool(self._under_way)

    def run(self, then: Then, work: Callable[..., Any], *about: Any) -> None:
        """Do `work(*about)` in a thread, which never keeps the program alive; `then` gets the result."""
        future: Future[Any] = Future()

        def do() -> None:
            try:
                future.set_result(work(*about))
            except Exception as error:
                future.set_exception(error)

        threading.Thread(target=do, name=work.__name__, daemon=True).start()
        self._under_way.append((future, then))

    def step(self) -> None:
        """Hand out the results that are there."""
        done = [each for each in self._under_way if each[0].done()]
        self._under_way = [each for each in self._under_way if each not in done]
        for future, then in done:
            error = future.exception()
            if error is None:
                then(future.result(), "")
            else:
                then(None, str(getattr(error, "strerror", None) or error))
