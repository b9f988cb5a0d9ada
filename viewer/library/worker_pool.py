"""Worker processes that perform one task on many files, each within a limit of time and of memory.

A file that hangs, grows or ends its process costs that process and has an error; the other files go on in
others. Python starts them with `-c`, which is the same from a console script, from `python -m` and from a
window with threads and an OpenGL context; nothing is forked.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from viewer.errors import ViewerError
from viewer.library.messages import GRACE, Answer, Setup, Surroundings, pickled
from viewer.library.worker_main import described
from viewer.library.worker_process import Call, Heard, WorkerProcess
from viewer.storage.reading import chosen_limit
from viewer.storage.resource_folders import given_resources

SECONDS, MEMORY = 60.0, 1 << 30
"""The limits for a file, if the caller chooses none: of time in seconds, and of memory in bytes."""
NICE = 10
"""The priority of workers behind a window."""
STILLBORN = 3
"""Workers that end before they are ready, one after another, before the pool gives up."""
QUICK, AHEAD = 0.02, 8
"""A worker whose last file took less time in seconds than this has so many files given ahead."""


class Outcome(NamedTuple):
    """What the task made of a file: a value, or the reason in words why there is none.

    `kind` is the name of the exception's class, empty if the process was ended.
    """

    path: str
    value: Any
    error: str = ""
    kind: str = ""


class WorkerPool:
    """At most `jobs` processes that perform `task(path)`, a picklable callable (or one that is pickled).

    A process is started when there is a file for it, and performs one file after another: what the task keeps
    in its module, such as an OpenGL context, stays there. A file has `seconds` (None: no limit) and a process
    `memory` in bytes, where the system enforces that. Files are performed in the order of `submit`, or the
    newest first. `nice` lowers the priority. Files are read in the `surroundings`, by default those of this
    process as they are now. `wake` is called from other threads when `poll` has something to do. All methods
    are for one thread.
    """

    def __init__(
        self,
        task: Callable[..., Any] | bytes,
        jobs: int,
        seconds: float | None = SECONDS,
        memory: int = MEMORY,
        *,
        newest_first: bool = False,
        nice: int = NICE,
        surroundings: Surroundings | None = None,
        wake: Callable[[], None] | None = None,
    ) -> None:
        self._task = task if isinstance(task, bytes) else pickled(task)
        self._jobs = max(jobs, 1)
        self._setup = Setup(tuple(sys.path), seconds, memory, nice, surroundings or here())
        self._newest_first = newest_first
        self._wake = wake
        self._waiting: OrderedDict[str, Call] = OrderedDict()
        self._suspects: deque[Call] = deque()
        self._workers: list[WorkerProcess] = []
        self._heard: SimpleQueue[Heard] = SimpleQueue()
        self._stillborn = 0
        self._failure = ""

    @property
    def pending(self) -> int:
        """The number of files without an outcome."""
        return len(self._waiting) + len(self._suspects) + sum(len(each.calls) for each in self._workers)

    def submit(self, path: str, *more: Any) -> None:
        """Perform `task(path, *more)`; a path that waits already is now the newest."""
        self._waiting[path] = (path, *more)
        self._waiting.move_to_end(path)

    def forget(self, path: str) -> None:
        """Do not perform the task for a path, unless it was begun."""
        self._waiting.pop(path, None)

    def poll(self, timeout: float = 0.0) -> list[Outcome]:
        """The outcomes since the last call. If there are none, wait up to `timeout` seconds for one.

        ViewerError if no worker process can be started.
        """
        end = time.monotonic() + timeout
        outcomes: list[Outcome] = []
        while True:
            self._feed()
            if outcomes or not self.pending:
                return outcomes
            left = min(end, self._deadline()) - time.monotonic()
            outcomes += self._hear(max(left, 0.0))
            self._end_late()
            if not outcomes and time.monotonic() >= end:
                self._feed()
                return outcomes

    def close(self) -> None:
        """End all processes at once; files without an outcome have none."""
        workers, self._workers = self._workers, []
        self._waiting.clear()
        self._suspects.clear()
        for worker in workers:
            worker.hang_up()
        end = time.monotonic() + GRACE
        for worker in workers:
            worker.wait(max(end - time.monotonic(), 0.0))

    def _feed(self) -> None:
        """Give each process its files, and start processes for the files that are left."""
        now = time.monotonic()
        while self._suspects and len(self._workers) < self._jobs:
            self._start(self._suspects.popleft())
        for worker in self._workers if self._waiting else ():
            if self._waiting and not worker.calls and not worker.ended:
                worker.give(self._next(), now)
        while self._waiting and len(self._workers) < self._jobs:
            self._start(self._next())
        for worker in self._workers if self._waiting else ():
            while self._waiting and worker.took < QUICK and len(worker.calls) < AHEAD and not worker.ended:
                worker.give(self._next(), now)

    def _next(self) -> Call:
        return self._waiting.popitem(last=self._newest_first)[1]

    def _start(self, call: Call) -> None:
        """Start a process with its first file."""
        try:
            worker = WorkerProcess(self._task, self._setup)
        except OSError as error:
            if not self._workers:
                raise ViewerError(f"no worker process starts: {described(error)}") from error
            self._give_back([call])
            self._jobs = len(self._workers)
            return
        worker.give(call, worker.begun)
        self._workers.append(worker)
        worker.listen(self._heard.put, self._wake)

    def _deadline(self) -> float:
        """The time at which the next process is to be ended."""
        return min((each.deadline(self._setup.seconds) for each in self._workers), default=math.inf)

    def _end_late(self) -> None:
        """End the processes whose time is over: they may close what they have open, then they are killed."""
        now = time.monotonic()
        for worker in self._workers:
            if now >= worker.deadline(self._setup.seconds):
                worker.end(f"takes longer than {self._setup.seconds:g} s")

    def _hear(self, seconds: float) -> list[Outcome]:
        """Take all answers that have arrived, and wait so long for the first."""
        outcomes: list[Outcome] = []
        try:
            heard = self._heard.get(timeout=seconds) if seconds > 0 else self._heard.get_nowait()
            while True:
                outcomes += self._take(heard)
                heard = self._heard.get_nowait()
        except Empty:
            return outcomes

    def _take(self, heard: Heard) -> Iterator[Outcome]:
        """The outcome that an answer makes, if any."""
        worker, answer, at = heard
        if worker not in self._workers:
            return
        if answer is None:
            yield from self._bury(worker)
            return
        kind, *rest = answer
        if kind is Answer.READY:
            self._stillborn, worker.ready, worker.begun = 0, True, at
        elif kind is Answer.UNABLE:
            self._failure = rest[0]
        elif kind is Answer.MEMORY:
            worker.ended = f"needs more than {_binary(self._setup.memory)} of memory"
        else:
            call = worker.answered(at)
            value, error = (rest[0], ()) if kind is Answer.DONE else (None, rest)
            yield Outcome(call[0], value, *error)

    def _bury(self, worker: WorkerProcess) -> Iterator[Outcome]:
        """A process has ended: its file has an error, unless files before may be to blame."""
        self._workers.remove(worker)
        status = worker.wait()
        calls = [*worker.calls]
        if not worker.ready:
            self._stillborn += 1
            self._give_back(calls)
            if self._stillborn >= STILLBORN:
                raise ViewerError(f"no worker process starts: {self._failure or _ended(status)}")
            return
        if calls and worker.done and not worker.is_late:
            self._suspects.append(calls.pop(0))
        elif calls:
            yield Outcome(calls.pop(0)[0], None, worker.ended or _ended(status))
        self._give_back(calls)

    def _give_back(self, calls: Sequence[Call]) -> None:
        """Let files wait again, as the next ones."""
        for call in reversed(calls):
            if call[0] not in self._waiting:
                self._waiting[call[0]] = call
                self._waiting.move_to_end(call[0], last=self._newest_first)


def here() -> Surroundings:
    """The surroundings of this process."""
    try:
        folder = os.getcwd()
    except OSError:  # it was removed
        folder = None
    return Surroundings(folder, chosen_limit(), given_resources())


def _ended(status: int) -> str:
    """How a process ended, in words."""
    return f"the worker process ended ({f'signal {-status}' if status < 0 else f'status {status}'})"


def _binary(size: int) -> str:
    """A size in bytes with its unit."""
    return f"{size / (1 << 30):g} GiB" if size >= 1 << 30 else f"{size >> 20} MiB"
