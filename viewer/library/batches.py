"""Batches: one task on many files, in processes of this machine or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import takewhile
from typing import Any, Protocol

from msgspec import Struct

from viewer.library.worker_pool import MEMORY, SECONDS, Outcome, WorkerPool

Task = Callable[..., Any]
"""A pure picklable callable: its first argument is a path, the others are plain values."""

WAITING = 64
"""Files for each process that wait in its pool; the others are not even listed yet."""
PATIENCE = 0.5
"""Seconds of one wait for outcomes, after which Windows can notice Ctrl+C."""


class Runner(Protocol):
    """Performs batches."""

    def run(self, task: Task, calls: Iterable[tuple[Any, ...]]) -> Iterator[Outcome]:
        """The outcome of `task(*call)` for each call, in the order in which they are done. Closing the
        iterator ends the batch at once. ViewerError if nothing can be performed.
        """


def run_batch(task: Task, paths: Iterable[str | tuple[Any, ...]], runner: Runner) -> Iterator[Outcome]:
    """The outcome of the task for each path, in the order in which they are done; a path may come with more
    arguments, as a tuple. Errors as for `Runner.run`.
    """
    return runner.run(task, ((each,) if isinstance(each, str) else each for each in paths))


class LocalRunner(Struct, frozen=True):
    """Performs batches in `jobs` processes of this machine; the limits and `nice` are those of `WorkerPool`.

    A batch ends when `stopped` returns True, which is asked every half a second.
    """

    jobs: int
    seconds: float | None = SECONDS
    memory: int = MEMORY
    nice: int = 0
    stopped: Callable[[], bool] = lambda: False

    def run(self, task: Task, calls: Iterable[tuple[Any, ...]]) -> Iterator[Outcome]:
        """See Runner."""
        with closing(WorkerPool(task, self.jobs, self.seconds, self.memory, nice=self.nice)) as pool:
            for call in takewhile(lambda _: not self.stopped(), calls):
                pool.submit(*call)
                yield from pool.poll()
                while pool.pending >= self.jobs * WAITING and not self.stopped():
                    yield from pool.poll(PATIENCE)
            while pool.pending and not self.stopped():
                yield from pool.poll(PATIENCE)


def usable_processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
