"""Batches: one task on many files, in processes of this machine or on a cluster."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import chain, islice, takewhile
from typing import Any, Protocol

from msgspec import Struct

from viewer.errors import ViewerError
from viewer.library.outcome import Outcome
from viewer.library.workers.pool import MEMORY, SECONDS, WorkerPool, WorkerTask
from viewer.library.workers.worker import Call, portable
from viewer.storage.tested import tested_once

WAITING = 64
"""Largest number of files per process that wait in a pool; further files are listed later."""
TICK = 0.5
"""Longest wait for outcomes in seconds; Windows notices Ctrl+C only between two waits."""


class Workers(Protocol):
    """Runs a task on files: a `WorkerPool`, or the workers of a cluster."""

    jobs: int

    @property
    def pending(self) -> int:
        """The number of files without an outcome."""

    def submit(self, path: str, *more: Any) -> None:
        """Queue the call `task(path, *more)`."""

    def poll(self, timeout: float = 0.0) -> list[Outcome]:
        """Return the outcomes since the last call; wait up to `timeout` seconds for the first outcome."""

    def close(self) -> None:
        """End all work without waiting for it."""


class Runner(Protocol):
    """Runs batches, on this machine or on a cluster."""

    def run(self, task: WorkerTask, calls: Iterable[Call]) -> Iterator[Outcome]:
        """Yield the outcomes of `task(*call)` in the order of completion.

        If the iterator is closed, the batch ends; running calls are not awaited. Raises ViewerError if no
        task can run.
        """


def run_batch(task: WorkerTask, paths: Iterable[str | Call], runner: Runner) -> Iterator[Outcome]:
    """Yield the outcomes of the task for each path in the order of completion.

    `paths` has paths, or tuples of a path and further arguments of the task. Errors are those of
    `Runner.run`.
    """
    return runner.run(task, ((each,) if isinstance(each, str) else each for each in paths))


class LocalRunner(Struct, frozen=True):
    """Runs batches in `jobs` processes of this machine.

    `seconds`, `memory` and `nice` are the limits of `WorkerPool`. `stopped` is called every half second; if
    it returns True, the batch ends early.
    """

    jobs: int
    seconds: float | None = SECONDS
    memory: int = MEMORY
    nice: int = 0
    stopped: Callable[[], bool] = lambda: False

    def run(self, task: WorkerTask, calls: Iterable[Call]) -> Iterator[Outcome]:
        """Implement `Runner.run`."""
        calls = iter(calls)
        first = list(islice(calls, self.jobs))
        if first:
            pool = WorkerPool(task, len(first), self.seconds, self.memory, nice=self.nice, one_task=True)
            yield from outcomes_of(pool, chain(first, calls), self.stopped)


class SameProcess(Struct, frozen=True):
    """Runs batches in this process, without limits of time and memory."""

    def run(self, task: WorkerTask, calls: Iterable[Call]) -> Iterator[Outcome]:
        """Implement `Runner.run`."""
        begun = time.monotonic()
        for call in calls:
            try:
                with tested_once(begun):
                    outcome = Outcome(call[0], task(*call))
            except (ViewerError, OSError) as error:
                outcome = Outcome(call[0], error=portable(error))
            yield outcome


def outcomes_of(
    workers: Workers, calls: Iterable[Call], stopped: Callable[[], bool] = lambda: False
) -> Iterator[Outcome]:
    """Submit calls gradually and yield their outcomes; close the workers at the end."""
    with closing(workers):
        for call in takewhile(lambda _: not stopped(), calls):
            workers.submit(*call)
            yield from workers.poll()
            while workers.pending >= workers.jobs * WAITING and not stopped():
                yield from workers.poll(TICK)
        while workers.pending and not stopped():
            yield from workers.poll(TICK)


def usable_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
