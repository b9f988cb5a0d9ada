"""A worker process as the program that started it sees it; see `worker_main` for its other side."""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from viewer.library.messages import GRACE, Answer, Setup, pickled, receive, send
from viewer.paths import PACKAGE

BOOT = (
    f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r}); "
    "from viewer.library.worker_main import main; main()"
)
STARTING = 60.0
"""Seconds that a process may take to import its task."""

Call = tuple[Any, ...]
"""The arguments of the task; the first is the path."""
Heard = tuple["WorkerProcess", tuple[Any, ...] | None, float]
"""A process, its answer (None: it has ended), and the time at which the answer came."""


class WorkerProcess:
    """A process that performs a pickled task.

    `calls` were given to it, and it performs the first one. `done` counts its answers, `took` is the time of
    the last one in seconds. OSError if it cannot be started.
    """

    def __init__(self, task: bytes, setup: Setup) -> None:
        self._process = _started(setup.surroundings.folder)
        self.calls: deque[Call] = deque()
        self.ready = False
        self.done = 0
        self.took = math.inf
        self.begun = time.monotonic()
        self.ended = ""
        """The reason why the process is ended."""
        self.is_late = False
        self._patience = math.inf
        self._send(pickled(setup), task)

    def give(self, call: Call, now: float) -> None:
        """Give it a file."""
        if not self.calls:
            self.begun = now
        self.calls.append(call)
        self._send(pickled(call))

    def answered(self, at: float) -> Call:
        """The call that it has answered."""
        self.done, self.took, self.begun = self.done + 1, at - self.begun, at
        return self.calls.popleft()

    def deadline(self, seconds: float | None) -> float:
        """The time at which it is to be ended, if a file has so many seconds."""
        if not self.calls or self.is_late:
            return self._patience
        if not self.ready:
            return self.begun + STARTING
        return math.inf if seconds is None else self.begun + seconds

    def end(self, why: str) -> None:
        """Ask it to end; the second time it is killed."""
        if self.is_late:
            self._process.kill()
            self._patience = math.inf
            return
        self.ended, self.is_late, self._patience = why, True, time.monotonic() + GRACE
        self.hang_up()

    def hang_up(self) -> None:
        """Close the pipe of calls, which makes it end."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except OSError:  # what was not sent cannot be sent any more
            return

    def wait(self, seconds: float = GRACE) -> int:
        """Wait for its end, and kill it afterwards; its exit status."""
        self.hang_up()
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def listen(self, put: Callable[[Heard], None], wake: Callable[[], None] | None) -> None:
        """Hand its answers over as they come, in a thread, and call `wake` after each."""

        def collect() -> None:
            """Collect them until it ends."""
            answer: tuple[Any, ...] | None = ()
            while answer is not None:
                answer = self._answer()
                put((self, answer, time.monotonic()))
                if wake is not None:
                    wake()

        threading.Thread(target=collect, name="worker answers", daemon=True).start()

    def _answer(self) -> tuple[Any, ...] | None:
        stream = self._process.stdout
        assert stream is not None
        try:
            message = receive(stream)
        except (OSError, ValueError):
            message = None
        if message is None:
            stream.close()
            return None
        try:
            answer: tuple[Any, ...] = pickle.loads(message)
        except Exception as error:
            return Answer.FAILED, f"the result cannot be read: {error}", type(error).__name__
        return answer

    def _send(self, *messages: bytes) -> None:
        """Send messages; that a process is gone is noticed by the end of its answers."""
        assert self._process.stdin is not None
        try:
            for message in messages:
                send(self._process.stdin, message)
        except (OSError, ValueError):
            return


def _started(folder: str | None) -> subprocess.Popen[bytes]:
    """A new process that Ctrl+C in the terminal does not reach."""
    environment = {"OPENBLAS_NUM_THREADS": "1"} | os.environ
    apart: dict[str, Any] = {"process_group": 0}
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        apart = {"creationflags": flags | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", BOOT]
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment, cwd=folder, **apart
    )
