"""Verbs that take many files: where they are performed, their progress, and what is printed of failures."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType

from viewer.commands.arguments import UsageError
from viewer.commands.options import Values
from viewer.commands.output import say
from viewer.commands.progress import Progress
from viewer.errors import GraphicsError
from viewer.library.workers.batches import LocalRunner, Runner, usable_processors
from viewer.library.workers.pool import MEMORY, SECONDS, Outcome


def runner_of(values: Values, seconds: float = SECONDS, memory: int = MEMORY) -> Runner:
    """The runner that the options BATCH choose, which are taken out of `values`.

    `seconds` is the time limit of a file if the user chooses none, `memory` the limit in bytes.
    """
    jobs, address, limit = (values.pop(name, None) for name in ("jobs", "cluster", "time_limit"))
    seconds = limit or seconds
    if address is None:
        return LocalRunner(jobs or usable_processors(), seconds, memory)
    if jobs is not None:
        raise UsageError("--jobs is for this machine, --cluster performs on others: one or the other")
    from viewer.library.workers.cluster import ClusterRunner

    return ClusterRunner(address, seconds, memory)


class BatchReport:
    """The progress of a batch, and a line for each failure; `done` of its `total` files are done already.

    It is used as a context manager: Ctrl+C inside it is told in one line, and passes through. `resumes`: the
    same command goes on where it was ended.
    """

    def __init__(self, total: int, done: int = 0, *, resumes: bool = True) -> None:
        self.failed = 0
        self._resumes = resumes
        self._total, self._done, self._is_first = total, done, True
        self._progress = Progress(max(total - done, 1), noun="file", estimated=True)
        self._running: Iterator[Outcome] = iter(())

    def follow(self, outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
        """The outcomes that have a value; the others are told. GraphicsError if the first file says that
        there is no usable OpenGL.
        """
        self._running = outcomes
        for outcome in outcomes:
            if isinstance(outcome.error, GraphicsError) and self._is_first:
                raise outcome.error
            if outcome.error is not None:
                self.fail(outcome.path, outcome.why)
            else:
                yield outcome
            self._done, self._is_first = self._done + 1, False
            self._progress.step()

    def fail(self, path: str, why: str) -> None:
        """Count and tell a failure."""
        self.failed += 1
        self.say(f"{path}: {why}")

    def say(self, line: str) -> None:
        """Print a line above the progress."""
        self._progress.clear()
        say(line)

    def __enter__(self) -> BatchReport:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        close = getattr(self._running, "close", None)
        if close is not None:
            close()
        with suppress(OSError):
            self._progress.clear()
        if kind is KeyboardInterrupt:
            done = f"{self._done} of {self._total} files are done"
            goes_on = ", the same command goes on with the others" if self._resumes else ""
            say(f"rigscope: interrupted: {done}{goes_on}")
            sys.stderr.flush()
        elif kind is None and self.failed:
            say(f"rigscope: {self.failed} of {self._total} files failed")
