"""Batches on the command line: where they run, and what they print."""

from __future__ import annotations

import sys
from contextlib import suppress
from types import TracebackType

from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.commands.output import Progress, line_about, notice, print_lines, replaced_line, say
from viewer.library.batch.batch import Ended, interrupted_line
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import LocalRunner, Runner, usable_processors
from viewer.library.workers.pool import MEMORY, SECONDS


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


class Terminal:
    """Prints the progress of a batch and a line for each failure; see `Told`.

    After Ctrl+C it prints one line and lets KeyboardInterrupt pass. `resumes` means that the same command
    continues an interrupted batch. `participle` is what the files of the batch are, such as `indexed`.
    """

    origin = "command"

    def __init__(self, *, resumes: bool = True, participle: str = "done") -> None:
        self._resumes, self._participle = resumes, participle
        self._done = self._before = self._total = 0
        self._progress: Progress | None = None

    def begin(self, done: int, total: int) -> None:
        """Implement `Told.begin`."""
        self._done = self._before = done
        self._total = total
        self._progress = Progress(max(total - done, 1), noun="file", estimated=True)

    def reach(self, done: int) -> None:
        """Implement `Told.reach`."""
        self._done = done
        if self._progress is not None:
            self._progress.reach(done - self._before)

    def fail(self, failed: Outcome) -> None:
        """Implement `Told.fail`."""
        self.remark(failed.path, failed.line)

    def remark(self, path: str, line: str) -> None:
        """Print a line about a file above the progress."""
        if self._progress is not None:
            self._progress.clear()
        say(line_about(path, line))

    def notice(self, line: str) -> None:
        """Implement `Told.notice`."""
        notice(line)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            with suppress(OSError):
                self._progress.clear()
        if kind is KeyboardInterrupt:
            goes_on = "; the same command continues with the remaining files" if self._resumes else ""
            notice(f"{interrupted_line(self._done, self._total, self._participle)}{goes_on}")
            sys.stderr.flush()


def print_end(ended: Ended) -> int:
    """Print what a batch has done, and what not; return its exit status."""
    for line in ended.notices:
        notice(line)
    if ended.replaced:
        notice(replaced_line(ended.written))
    print_lines((ended.line,))
    return ended.status
