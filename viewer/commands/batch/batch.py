"""A batch of files: its runner, progress, failures and summary."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar

from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.commands.output import Progress, notice, say
from viewer.errors import GraphicsError
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import LocalRunner, Runner, usable_processors
from viewer.library.workers.pool import MEMORY, SECONDS

Step = TypeVar("Step")


def runner_of(values: Values, seconds: float = SECONDS, memory: int = MEMORY) -> Runner:
    """Remove the options BATCH from `values` and return the runner that they choose.

    `seconds` is the default time limit for a file, `memory` the memory limit in bytes. UsageError if both
    --jobs and --cluster are given.
    """
    jobs, address, limit = (values.pop(name, None) for name in ("jobs", "cluster", "time_limit"))
    seconds = limit or seconds
    if address is None:
        return LocalRunner(jobs or usable_processors(), seconds, memory)
    if jobs is not None:
        raise UsageError("--jobs and --cluster exclude each other: --jobs is for work on this machine")
    from viewer.library.workers.cluster import ClusterRunner

    return ClusterRunner(address, seconds, memory)


class Batch:
    """Counts the files of a batch: `done` of `total` files are done at the start.

    It prints the progress, a line for each failure, and a summary. After Ctrl+C it prints one line and lets
    KeyboardInterrupt pass. At the end of the `with` it closes the running work. `resumes` means that the same
    command continues an interrupted batch. `verb` is the participle in messages, such as `drawn`.
    """

    def __init__(self, total: int = 0, done: int = 0, *, resumes: bool = True, verb: str = "done") -> None:
        self.failed = 0
        self._total, self._done, self._before = total, done, done
        self._resumes, self._verb = resumes, verb
        self._progress = self._progress_of(total) if total else None
        self._running: Iterator[Any] = iter(())

    def outcomes(self, outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
        """Yield and count the outcomes. GraphicsError if the first one reports that OpenGL cannot be used."""
        is_first = True
        for outcome in self.following(outcomes):
            if isinstance(outcome.error, GraphicsError) and is_first:
                raise outcome.error
            yield outcome
            is_first = False
            self.reach(self._done + 1, self._total)

    def following(self, steps: Iterator[Step]) -> Iterator[Step]:
        """Return the generator `steps`, and close it when the batch ends."""
        self._running = steps
        return steps

    def reach(self, done: int, total: int) -> None:
        """Show that `done` of `total` files are done."""
        self._done, self._total = done, total
        if self._progress is None:
            self._progress = self._progress_of(total)
        self._progress.reach(done - self._before)

    def _progress_of(self, total: int) -> Progress:
        return Progress(max(total - self._before, 1), noun="file", estimated=True)

    def fail(self, failed: Outcome) -> None:
        """Count and print a failure."""
        self.failed += 1
        self.say(failed.line)

    def say(self, line: str) -> None:
        """Print a line above the progress."""
        if self._progress is not None:
            self._progress.clear()
        say(line)

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        close = getattr(self._running, "close", None)
        if close is not None:
            close()
        if self._progress is not None:
            with suppress(OSError):
                self._progress.clear()
        if kind is KeyboardInterrupt:
            done = f"{self._done} of {self._total} files are {self._verb}"
            goes_on = "; the same command continues with the remaining files" if self._resumes else ""
            notice(f"interrupted: {done}{goes_on}")
            sys.stderr.flush()
        elif kind is None and self.failed:
            notice(f"{self.failed} of {self._total} files failed")
